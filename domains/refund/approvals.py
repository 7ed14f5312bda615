"""What the supervisor sees and decides."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Row
from .._ledger.deps import Deps
from .._ledger.invoice_money import invoice_money
from .._ledger.reading import yuan
from .._ledger.refund_reading import refund, refund_facts

_MOST = 20


def refund_list_pending(ctx: RunContext[Deps]) -> dict[str, Any]:
    """主管问还有哪些退款没批、等审批的有几笔,全部列出,新的在前。"""
    rows = ctx.deps.rows(
        "SELECT refunds.*, customer_id FROM refunds JOIN invoices USING (invoice_id)"
        " WHERE refunds.status = 'pending' ORDER BY requested_on DESC, refund_id DESC"
    )
    amount = sum(row["amount_cents"] for row in rows)
    shown = [refund_facts(row) for row in rows[:_MOST]]
    return {"refunds": shown, "total": len(rows), "amount_cents": amount, "amount": yuan(amount)}


@tool(writes=True)
def refund_approve(ctx: RunContext[Deps], refund_id: str) -> dict[str, Any]:
    """主管同意退款、批准这笔申请,随即原路退钱;提交人不能批自己的。

    Args:
        refund_id: 退款申请号
    """
    with ctx.deps.change() as change:
        row = refund(change, refund_id)
        _check_decision(row, ctx.deps.user, invoice_money(change, row["invoice_id"]).held)
        today = ctx.deps.today.isoformat()
        change.run(
            "UPDATE refunds SET status = 'paid', decided_by = ?, decided_on = ?, paid_on = ? WHERE refund_id = ?",
            ctx.deps.user,
            today,
            today,
            row["refund_id"],
        )
        change.insert(
            "payments",
            invoice_id=row["invoice_id"],
            amount_cents=-row["amount_cents"],
            method="refund",
            status="succeeded",
            made_at=ctx.deps.now,
        )
        return refund_facts(refund(change, row["refund_id"]))


def _check_decision(row: Row, user: str, held: int) -> None:
    refund_id = row["refund_id"]
    if row["status"] != "pending":
        raise ModelRetry(
            f"{refund_id} 的状态是 {row['status']},只能批准 pending 的申请;用 refund_list_pending 看待审批的"
            f" (is {row['status']}; only a pending request can be approved)"
        )
    if row["requested_by"] == user:
        raise ModelRetry(
            f"{refund_id} 是{user}自己提交的,要由另一位同事审批 (the one who requested it cannot approve it)"
        )
    if row["amount_cents"] > held:
        raise ModelRetry(
            f"{refund_id} 要退 {yuan(row['amount_cents'])},发票上只剩 {yuan(held)};撤回后按新金额再提交"
            " (more than is left on the invoice; withdraw it and submit a smaller one)"
        )
