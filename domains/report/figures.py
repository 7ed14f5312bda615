"""Figures: seats for the customer, revenue and churn for the firm itself."""

from datetime import timedelta
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from .._ledger.deps import Deps
from .._ledger.reading import customer, month, yuan

_RECENT = timedelta(days=30)


def report_seat_usage(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """席位买了多少、实际几个人在用、浪费了几个,续费或减席位前先看。

    Args:
        customer_id: 客户 ID,如 C007
    """
    found = customer(ctx.deps, customer_id)["customer_id"]
    bought = ctx.deps.rows("SELECT seats FROM subscriptions WHERE customer_id = ?", found)
    since = (ctx.deps.today - _RECENT).isoformat()
    (used,) = ctx.deps.rows(
        "SELECT count(*) AS members, coalesce(sum(last_active_on >= ?), 0) AS active FROM members"
        " WHERE customer_id = ?",
        since,
        found,
    )
    seats = bought[0]["seats"] if bought else 0
    share = f"{used['active'] / seats:.0%}" if seats else "–"
    return {"customer_id": found, "seats": seats, **used, "unused": max(seats - used["active"], 0), "usage": share}


def report_revenue_monthly(ctx: RunContext[Deps], month: str) -> dict[str, Any]:
    """公司某个月一共收了多少钱、退了多少、净收入多少,按付款方式分。内部财务看的,不是某个客户的账。

    Args:
        month: 月份,如 2026-09
    """
    wanted = _past(month, ctx.deps)
    made = ctx.deps.rows(
        "SELECT method, sum(amount_cents) AS amount_cents, count(*) AS payments FROM payments"
        " WHERE status = 'succeeded' AND made_at LIKE ? GROUP BY method ORDER BY method",
        f"{wanted}-%",
    )
    refunded = -sum(row["amount_cents"] for row in made if row["method"] == "refund")
    net = sum(row["amount_cents"] for row in made)
    return {
        "month": wanted,
        "received": yuan(net + refunded),
        "refunded": yuan(refunded),
        "net_cents": net,
        "net": yuan(net),
        "methods": [row | {"amount": yuan(row["amount_cents"])} for row in made],
    }


def report_churn(ctx: RunContext[Deps], month: str) -> dict[str, Any]:
    """某个月流失了几个客户、流失率是多少:当月取消订阅的,除以月初还在订阅的。

    Args:
        month: 月份,如 2026-09
    """
    wanted = _past(month, ctx.deps)
    start = f"{wanted}-01"
    (row,) = ctx.deps.rows(
        "SELECT coalesce(sum(started_on < ? AND cancelled_on LIKE ?), 0) AS lost,"
        " coalesce(sum(started_on < ? AND (cancelled_on IS NULL OR cancelled_on >= ?)), 0) AS running"
        " FROM subscriptions",
        start,
        f"{wanted}-%",
        start,
        start,
    )
    rate = f"{row['lost'] / row['running']:.1%}" if row["running"] else "–"
    gone = ctx.deps.rows(
        "SELECT customer_id, company, cancelled_on FROM subscriptions JOIN customers USING (customer_id)"
        " WHERE started_on < ? AND cancelled_on LIKE ? ORDER BY cancelled_on DESC, customer_id",
        start,
        f"{wanted}-%",
    )
    return {"month": wanted, "lost": row["lost"], "customers_at_start": row["running"], "rate": rate, "customers": gone}


_reading_month = month


def _past(written: str, desk: Deps) -> str:
    wanted = _reading_month(written)
    if wanted > f"{desk.today:%Y-%m}":
        raise ModelRetry(f"{wanted} 还没到,今天是 {desk.today.isoformat()} (that month has not begun)")
    return wanted
