"""The rows that a fresh database starts with: the same every time."""

import sqlite3

from . import (
    credit_rows,
    desk_rows,
    help_articles,
    member_rows,
    outbox_rows,
    people,
    plan_rows,
    rate_rows,
    report_rows,
    staff_rows,
)
from .billing_rows import invoices_of, payments_of
from .refund_rows import refund_payments, refunds_of
from .table import Row, add


def seed(database: sqlite3.Connection) -> None:
    """Fill the tables."""
    for table, rows in (*_firms(), *_rates(), *_desk(), *_help()):
        add(database, table, rows)


_Filled = list[tuple[str, list[Row]]]
"""Tables with their rows, what others refer to first."""


def _firms() -> _Filled:
    customers, subscriptions = people.customers(), plan_rows.subscriptions()
    members = member_rows.members(subscriptions, customers)
    return [
        ("meta", [{"key": "today", "value": plan_rows.TODAY.isoformat()}]),
        ("customers", customers),
        ("customer_tags", people.tags()),
        ("customer_notes", people.notes()),
        ("plans", plan_rows.plans()),
        ("subscriptions", subscriptions),
        ("members", members),
        ("logins", member_rows.logins(members, customers)),
        ("password_resets", member_rows.password_resets()),
        *_money(customers, subscriptions),
    ]


def _money(customers: list[Row], subscriptions: list[Row]) -> _Filled:
    invoices = invoices_of(subscriptions, customers)
    refunds, entries = refunds_of(invoices), credit_rows.credit_entries()
    return [
        ("invoices", invoices),
        ("payments", payments_of(invoices) + refund_payments(refunds)),
        ("refunds", refunds),
        ("credit_entries", entries),
        ("credits", credit_rows.credits(entries)),
        ("coupons", credit_rows.coupons()),
        ("coupon_uses", credit_rows.coupon_uses()),
        ("payment_links", credit_rows.payment_links()),
        ("outbox", outbox_rows.outbox(invoices)),
    ]


def _rates() -> _Filled:
    return [("tax_rates", rate_rows.tax_rates()), ("exchange_rates", rate_rows.exchange_rates())]


def _desk() -> _Filled:
    return [
        ("staff", staff_rows.staff()),
        ("tickets", desk_rows.tickets()),
        ("ticket_messages", desk_rows.messages()),
        ("export_jobs", report_rows.export_jobs()),
        ("import_errors", report_rows.import_errors()),
    ]


def _help() -> _Filled:
    articles = help_articles.articles()
    return [
        ("article_categories", help_articles.categories()),
        ("articles", articles),
        ("article_views", help_articles.views(articles)),
        ("article_votes", help_articles.votes(articles)),
        ("article_suggestions", help_articles.suggestions()),
    ]
