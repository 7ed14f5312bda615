"""What an annual plan gives back when it ends early."""

import calendar
from datetime import date
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from .._ledger.database import Row
from .._ledger.deps import Deps
from .._ledger.invoice_money import invoice_money
from .._ledger.reading import customer, yuan

_ANNUAL_MONTHS = 10
"""Months' list price that a year costs."""


def refund_calc_annual(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """年付客户中途取消、没用满一年想退,先算能退多少钱;只算不提交。

    Args:
        customer_id: 客户 ID,如 C012
    """
    found = _annual(ctx.deps, customer(ctx.deps, customer_id)["customer_id"])
    month = found["seats"] * found["seat_month_cents"]
    bill = _bill(ctx.deps, found, _ANNUAL_MONTHS * month)
    months = _begun(date.fromisoformat(found["period_start"]), ctx.deps.today)
    back = max(0, bill["left_cents"] - months * month)
    return {
        **{key: found[key] for key in ("customer_id", "plan", "seats", "period_start", "period_end")},
        **bill,
        "months_used": months,
        "month_cents": month,
        "used_cents": months * month,
        "amount_cents": back,
        "amount": yuan(back),
        "rule": f"已付 {yuan(bill['left_cents'])} − 已用 {months} 个月(不满一月按一月)× {yuan(month)},最低为 0",
    }


def _annual(deps: Deps, customer_id: str) -> Row:
    rows = deps.rows("SELECT * FROM subscriptions JOIN plans USING (plan) WHERE customer_id = ?", customer_id)
    if not rows or rows[0]["cycle"] != "annual" or rows[0]["status"] != "active":
        standing = f"{rows[0]['cycle']}、{rows[0]['status']}" if rows else "没有订阅"
        raise ModelRetry(
            f"{customer_id} 的订阅不是在用的年付({standing}),算不了年付退款;月付用 refund_submit 退某张发票"
            " (not an active annual subscription; refund a monthly invoice with refund_submit)"
        )
    return rows[0]


def _bill(deps: Deps, found: Row, price: int) -> dict[str, Any]:
    """The period's annual invoice, and what is left on it after other refunds.

    Raises:
        ModelRetry: no annual invoice stands for the period.
    """
    rows = deps.rows(
        "SELECT invoice_id FROM invoices WHERE customer_id = ? AND issued_on BETWEEN ? AND ?"
        " AND status <> 'void' AND description LIKE '%年付%' ORDER BY issued_on DESC, invoice_id DESC LIMIT 1",
        found["customer_id"],
        found["period_start"],
        found["period_end"],
    )
    if not rows:
        raise ModelRetry(
            f"{found['customer_id']} 本期没有有效的年付发票,没有收款可退;用 invoice_list 核对"
            " (no annual invoice stands for this period, so there is nothing to refund; see invoice_list)"
        )
    left = invoice_money(deps, rows[0]["invoice_id"]).refundable
    return {"invoice_id": rows[0]["invoice_id"], "annual_price_cents": price, "left_cents": left}


def _begun(start: date, today: date) -> int:
    """Months of a year that have begun: the first on its first day, the last of the twelve at most."""
    return sum(_months_on(start, number) <= today for number in range(12))


def _months_on(start: date, number: int) -> date:
    """The same day so many months on, or the month's last where it has no such day."""
    years, month = divmod(start.month - 1 + number, 12)
    last = calendar.monthrange(start.year + years, month + 1)[1]
    return date(start.year + years, month + 1, min(start.day, last))
