"""A subscription's plan, price and period, and what a change in mid-period comes to."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from pydantic_ai import ModelRetry

from .._ledger.database import Row
from .._ledger.plan_rows import ANNUAL_MONTHS
from .._ledger.reading import Reads, customer, days_between, one, text, yuan

PLANS = {"basic": "基础版", "pro": "专业版", "enterprise": "企业版"}
"""English names of the plans, beside their own."""


def find(source: Reads, customer_id: str) -> Row | None:
    """A customer's subscription, or none where they never had one.

    Raises:
        ModelRetry: no such customer.
    """
    known = customer(source, customer_id)["customer_id"]
    found = source.rows(
        "SELECT s.*, p.seat_month_cents FROM subscriptions s JOIN plans p USING (plan) WHERE customer_id = ?", known
    )
    return found[0] if found else None


def running(source: Reads, customer_id: str, allowed: tuple[str, ...] = ("active", "past_due")) -> Row:
    """A customer's subscription, in a state in which it can be changed.

    Raises:
        ModelRetry: no such customer, no subscription, or another state.
    """
    row = find(source, customer_id)
    if row is None:
        raise ModelRetry(f"客户 {customer_id.strip().upper()} 没有订阅,没有可改的 (this customer has no subscription)")
    if row["status"] not in allowed:
        since = row["paused_until"] or row["cancelled_on"] or ""
        said = {
            "paused": f"暂停中,{since} 恢复后才能改 (is paused until then)",
            "cancelled": f"已在 {since} 取消,可用到 {row['period_end']},不能再改 (was cancelled)",
            "past_due": "欠费,先付清未付的账单 (is past due: its invoices have to be paid first)",
        }
        raise ModelRetry(f"{row['customer_id']} 的订阅{said[row['status']]}")
    return row


def plan_named(source: Reads, said: str) -> Row:
    """A plan by its Chinese or English name.

    Raises:
        ModelRetry: there is no such plan.
    """
    name = text(said, "new_plan").lower()
    return one(
        source,
        "plans",
        "plan",
        PLANS.get(name, name),
        f"没有套餐 {said[:40]!r};只有 基础版、专业版、企业版 (plans are basic, pro and enterprise)",
    )


def period_cents(row: Row) -> int:
    """What a whole period costs, before coupons and tax."""
    return row["seats"] * row["seat_month_cents"] * (ANNUAL_MONTHS if row["cycle"] == "annual" else 1)


def difference(old: Row, new: Row, today: date) -> dict[str, Any]:
    """What a change from today costs (or gives back, below zero) by the day until the period ends, today included."""
    end = date.fromisoformat(old["period_end"]) + timedelta(days=1)
    left = max(0, days_between(today.isoformat(), end))
    share = Fraction(left, days_between(old["period_start"], end))
    cents = round((period_cents(new) - period_cents(old)) * share)
    return {
        "difference_cents": cents,
        "difference": yuan(cents),
        "next_period_cents": period_cents(new),
        "next_period": yuan(period_cents(new)),
        "days_left": left,
        "period_end": old["period_end"],
        "note": "差价为估算,到本期结束按天折算,不含税和优惠 (estimate, prorated until period_end)",
    }
