"""What lowers the next bill: coupons and credit."""

from datetime import date, timedelta
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Change, Row
from .._ledger.deps import Deps
from .._ledger.reading import customer, one, yuan

_MOST = 20


def billing_credit_balance(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户问账户余额、抵扣额度还剩多少,补偿和奖励到没到,连同明细一起查。

    Args:
        customer_id: 客户 ID
    """
    found = customer(ctx.deps, customer_id)["customer_id"]
    balances = ctx.deps.rows("SELECT balance_cents FROM credits WHERE customer_id = ?", found)
    entries = ctx.deps.rows(
        "SELECT amount_cents, reason, made_on FROM credit_entries WHERE customer_id = ?"
        " ORDER BY made_on DESC, entry_id DESC",
        found,
    )
    balance = balances[0]["balance_cents"] if balances else 0
    return {
        "customer_id": found,
        "balance_cents": balance,
        "balance": yuan(balance),
        "entries": [entry | {"amount": yuan(entry["amount_cents"])} for entry in entries[:_MOST]],
        "total": len(entries),
    }


@tool(writes=True)
def billing_apply_coupon(ctx: RunContext[Deps], customer_id: str, code: str) -> dict[str, Any]:
    """客户有优惠码、优惠券、折扣码,套到他下一张发票上;已开的发票不能用。

    Args:
        customer_id: 客户 ID
        code: 优惠码
    """
    today = ctx.deps.today.isoformat()
    with ctx.deps.change() as change:
        found = customer(change, customer_id)["customer_id"]
        coupon = _usable(change, found, code, today)
        bill = _next_bill(change, found)
        change.insert("coupon_uses", customer_id=found, code=coupon["code"], applied_on=today)
    after = bill["amount_cents"] - bill["amount_cents"] * coupon["percent_off"] // 100
    return {
        "customer_id": found,
        "code": coupon["code"],
        "percent_off": coupon["percent_off"],
        "description": coupon["description"],
        "next_invoice_on": bill["on"],
        "before": yuan(bill["amount_cents"]),
        "amount_cents": after,
        "amount": yuan(after),
    }


def _usable(change: Change, customer_id: str, code: str, today: str) -> Row:
    known = [row["code"] for row in change.rows("SELECT code FROM coupons WHERE expires_on >= ? ORDER BY code", today)]
    coupon = one(
        change,
        "coupons",
        "code",
        code.strip().upper(),
        f"没有优惠码 {code[:40]!r},请向客户核对;现在有效的有 {'、'.join(known)} (no such coupon; ask for it again)",
    )
    if coupon["expires_on"] < today:
        raise ModelRetry(
            f"{coupon['code']} 在 {coupon['expires_on']} 已过期;现在有效的有 {'、'.join(known)} (has expired)"
        )
    used = change.rows("SELECT * FROM coupon_uses WHERE customer_id = ? ORDER BY applied_on", customer_id)
    for use in used:
        if use["code"] == coupon["code"]:
            raise ModelRetry(
                f"{customer_id} 在 {use['applied_on']} 已用过 {use['code']},每个码只能用一次 (has been used already)"
            )
    if used and _waits(change, customer_id, used[-1]["applied_on"]):
        raise ModelRetry(
            f"{customer_id} 的下一张发票已套用 {used[-1]['code']},优惠码不能叠加;等那张开出后再用"
            " (the next invoice has a coupon already; they do not add up)"
        )
    return coupon


def _waits(change: Change, customer_id: str, applied_on: str) -> bool:
    """Whether no invoice has come out since a coupon was applied."""
    sql = "SELECT 1 FROM invoices WHERE customer_id = ? AND issued_on >= ? LIMIT 1"
    return not change.rows(sql, customer_id, applied_on)


def _next_bill(change: Change, customer_id: str) -> Row:
    """When the next invoice is due and what the subscription costs then at list price (a year is ten months')."""
    rows = change.rows(
        """SELECT period_end, seats * seat_month_cents * CASE cycle WHEN 'annual' THEN 10 ELSE 1 END AS amount_cents
           FROM subscriptions JOIN plans USING (plan) WHERE customer_id = ? AND status <> 'cancelled'""",
        customer_id,
    )
    if not rows:
        raise ModelRetry(
            f"{customer_id} 没有在用的订阅,不会有下一张发票,优惠码用不上 (no subscription, so no next invoice)"
        )
    return rows[0] | {"on": (date.fromisoformat(rows[0]["period_end"]) + timedelta(days=1)).isoformat()}
