"""How customers are charged: the card on file, and another try."""

import hashlib
from datetime import timedelta
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Change, Row
from .._ledger.deps import Deps
from .._ledger.invoice_money import invoice_money, settle
from .._ledger.reading import customer, invoice, yuan

_LINK_DAYS = 7
_DECLINES = 2
"""Charges declined in a row after which another by the same card is declined as well."""


@tool(writes=True)
def billing_update_payment_method(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户要换卡、换支付宝、银行卡过期,生成更换付款方式的链接,由客户自己填,7 天有效。

    Args:
        customer_id: 客户 ID
    """
    today = ctx.deps.today
    expires_on = (today + timedelta(days=_LINK_DAYS)).isoformat()
    with ctx.deps.change() as change:
        found = customer(change, customer_id)["customer_id"]
        number = change.rows("SELECT count(*) AS n FROM payment_links")[0]["n"] + 1
        token = hashlib.sha256(f"{found} {today} {number}".encode()).hexdigest()[:10]
        url = f"https://pay.example.com/method/{found}-{token}"
        change.insert("payment_links", customer_id=found, url=url, made_on=today.isoformat(), expires_on=expires_on)
    return {
        "customer_id": found,
        "url": url,
        "expires_on": expires_on,
        "note": f"链接 {_LINK_DAYS} 天内有效,转发给客户自己填 (expires in {_LINK_DAYS} days)",
    }


@tool(writes=True)
def billing_retry_charge(ctx: RunContext[Deps], invoice_id: str) -> dict[str, Any]:
    """扣款失败的发票再扣一次,客户说卡里有钱了、换好卡了时用;线下打款用标已付。

    Args:
        invoice_id: 扣款失败的发票号
    """
    with ctx.deps.change() as change:
        row = invoice(change, invoice_id)
        if row["status"] != "failed":
            raise ModelRetry(
                f"{row['invoice_id']} 的状态是 {row['status']},只有扣款失败(failed)的发票能重扣;用 invoice_list 核对"
                f" (is {row['status']}; only a failed invoice can be charged again)"
            )
        tries = change.rows(
            "SELECT method, status, made_at FROM payments WHERE invoice_id = ? AND method IN ('card', 'alipay')"
            " ORDER BY made_at DESC, payment_id DESC",
            row["invoice_id"],
        )
        method = tries[0]["method"] if tries else "card"
        if _declined(change, row["customer_id"], tries):
            return _outcome(row, method, _record_decline(change, row, method, ctx.deps.now), charged=False)
        return _outcome(row, method, settle(change, row, method, ctx.deps.now), charged=True)


def _declined(change: Change, customer_id: str, tries: list[Row]) -> bool:
    """Whether the card is declined again.

    It is where the last two tries failed by one method and the customer was given no link to change it since. The bank
    is played by this rule, so that a try comes out the same in every run.
    """
    last = tries[:_DECLINES]
    if len(last) < _DECLINES or any(one["status"] != "failed" or one["method"] != last[0]["method"] for one in last):
        return False
    sql = "SELECT 1 FROM payment_links WHERE customer_id = ? AND made_on >= ? LIMIT 1"
    return not change.rows(sql, customer_id, last[0]["made_at"][:10])


def _record_decline(change: Change, row: Row, method: str, now: str) -> int:
    due: int = row["amount_cents"] - invoice_money(change, row["invoice_id"]).held
    change.insert(
        "payments", invoice_id=row["invoice_id"], amount_cents=due, method=method, status="failed", made_at=now
    )
    return due


def _outcome(row: Row, method: str, amount: int, *, charged: bool) -> dict[str, Any]:
    note = "扣款成功" if charged else "又被拒了,用 billing_update_payment_method 请客户换付款方式后再扣"
    return {
        "invoice_id": row["invoice_id"],
        "customer_id": row["customer_id"],
        "charged": charged,
        "status": "paid" if charged else "failed",
        "method": method,
        "amount_cents": amount,
        "amount": yuan(amount),
        "note": note,
    }
