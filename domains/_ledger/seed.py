"""The rows that a fresh database starts with: the same every time."""

import sqlite3

from . import billing_rows, credit_rows, member_rows, people, plan_rows, rate_rows, refund_rows, report_rows, staff_rows
from .table import Row, add


def seed(database: sqlite3.Connection) -> None:
    """Fill the tables."""
    add(database, "meta", [{"key": "today", "value": plan_rows.TODAY.isoformat()}])
    customers = people.customers()
    add(database, "customers", customers)
    add(database, "customer_tags", people.tags())
    add(database, "customer_notes", people.notes())
    _money(database, customers)
    add(database, "password_resets", member_rows.password_resets())
    add(database, "export_jobs", report_rows.export_jobs())
    add(database, "import_errors", report_rows.import_errors())
    add(database, "staff", staff_rows.staff())


def _money(database: sqlite3.Connection, customers: list[Row]) -> None:
    subscriptions = plan_rows.subscriptions()
    invoices = billing_rows.invoices(subscriptions, customers)
    refunds = refund_rows.refunds(invoices)
    entries = credit_rows.credit_entries()
    members = member_rows.members(subscriptions, customers)
    add(database, "members", members)
    add(database, "logins", member_rows.logins(members, customers))
    add(database, "plans", plan_rows.plans())
    add(database, "subscriptions", subscriptions)
    add(database, "invoices", invoices)
    add(database, "payments", billing_rows.payments(invoices))
    add(database, "refunds", refunds)
    add(database, "payments", refund_rows.refund_payments(refunds))
    add(database, "credit_entries", entries)
    add(database, "credits", credit_rows.credits(entries))
    add(database, "coupons", credit_rows.coupons())
    add(database, "coupon_uses", credit_rows.coupon_uses())
    add(database, "payment_links", credit_rows.payment_links())
    add(database, "tax_rates", rate_rows.tax_rates())
    add(database, "exchange_rates", rate_rows.exchange_rates())
