"""Requests for money back. None of these tools moves any."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Row
from .._ledger.deps import Deps
from .._ledger.invoice_money import invoice_money
from .._ledger.reading import cents, invoice, next_id, text, yuan
from .._ledger.refund_reading import refund, refund_facts

_WHERE = {
    "pending": "等主管审批,钱还没动",
    "approved": "已批准,等财务打款,批准后 5 个工作日内原路退回",
    "rejected": "主管没批准,不会退钱",
    "cancelled": "申请已撤回,不会退钱",
}


@tool(writes=True)
def refund_submit(ctx: RunContext[Deps], invoice_id: str, amount_yuan: float, reason: str) -> dict[str, Any]:
    """客户要退款、退钱时提交申请,等主管审批,批准前不动钱。

    Args:
        invoice_id: 发票号,如 INV-2026-0123
        amount_yuan: 退多少,单位元
        reason: 为什么退
    """
    amount = cents(amount_yuan)
    why = text(reason, "reason", 500)
    with ctx.deps.change() as change:
        row = invoice(change, invoice_id)
        _check_room(row, amount, invoice_money(change, row["invoice_id"]).refundable)
        refund_id = next_id(change, "refunds", "refund_id", "RF-")
        change.insert(
            "refunds",
            refund_id=refund_id,
            invoice_id=row["invoice_id"],
            amount_cents=amount,
            reason=why,
            status="pending",
            requested_by=ctx.deps.user,
            requested_on=ctx.deps.today.isoformat(),
        )
        return refund_facts(refund(change, refund_id)) | {"where": _WHERE["pending"]}


def refund_status(ctx: RunContext[Deps], refund_id: str) -> dict[str, Any]:
    """客户问退款到哪一步、批了没有、钱到账没有,查这一笔申请的进度。

    Args:
        refund_id: 退款申请号,如 RF-0016
    """
    row = refund(ctx.deps, refund_id)
    return refund_facts(row) | {"where": _WHERE.get(row["status"]) or f"{row['paid_on']} 已原路退回给客户"}


@tool(writes=True)
def refund_cancel(ctx: RunContext[Deps], refund_id: str) -> dict[str, Any]:
    """客户不退了、申请填错了,撤回还在等审批的退款申请。

    Args:
        refund_id: 退款申请号
    """
    with ctx.deps.change() as change:
        row = refund(change, refund_id)
        if row["status"] != "pending":
            raise ModelRetry(
                f"{row['refund_id']} 的状态是 {row['status']},只有 pending 的申请能撤回;用 refund_status 看进度"
                f" (is {row['status']}; only a pending request can be withdrawn)"
            )
        change.run("UPDATE refunds SET status = 'cancelled' WHERE refund_id = ?", row["refund_id"])
        return refund_facts(refund(change, row["refund_id"])) | {"where": _WHERE["cancelled"]}


def _check_room(row: Row, amount: int, refundable: int) -> None:
    if refundable <= 0:
        raise ModelRetry(
            f"{row['invoice_id']}({row['status']})没有可退的钱:没付过、已退完或已有退款在办;用 invoice_list 核对"
            " (nothing left to refund on it; see invoice_list)"
        )
    if amount > refundable:
        raise ModelRetry(
            f"{yuan(amount)}超过 {row['invoice_id']} 可退的 {yuan(refundable)},请改小金额"
            f" (too much: at most {refundable / 100:.2f} yuan can be refunded)"
        )
