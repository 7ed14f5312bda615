"""Invoices in the books: what there is, what is paid, what is void."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.invoice_money import invoice_money, settle
from .._ledger.reading import customer, invoice, yuan

_MOST = 20


def invoice_list(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户说被扣了两次、账单不对、要发票号时,列出他的发票:号码、金额、状态、开票日,新的在前。

    Args:
        customer_id: 客户 ID,如 C007
    """
    found = customer(ctx.deps, customer_id)
    rows = ctx.deps.rows(
        "SELECT invoice_id, amount_cents, status, issued_on, title FROM invoices"
        " WHERE customer_id = ? ORDER BY issued_on DESC, invoice_id DESC",
        found["customer_id"],
    )
    invoices = [row | {"amount": yuan(row["amount_cents"])} for row in rows[:_MOST]]
    return {"customer_id": found["customer_id"], "invoices": invoices, "total": len(rows)}


@tool(writes=True)
def invoice_mark_paid(ctx: RunContext[Deps], invoice_id: str) -> dict[str, Any]:
    """客户已经银行转账、对公打款到账,手工把这张发票记成已付;不会去扣卡。

    Args:
        invoice_id: 发票号
    """
    with ctx.deps.change() as change:
        row = invoice(change, invoice_id)
        if row["status"] not in ("open", "failed"):
            raise ModelRetry(
                f"{row['invoice_id']} 的状态是 {row['status']},只有 open 或 failed 的发票能标已付;"
                f"用 invoice_list 核对发票号 (is {row['status']}; only open or failed invoices can be marked paid)"
            )
        paid = settle(change, row, "transfer", ctx.deps.now)
    return {
        "invoice_id": row["invoice_id"],
        "customer_id": row["customer_id"],
        "status": "paid",
        "method": "transfer",
        "amount_cents": paid,
        "amount": yuan(paid),
        "paid_on": ctx.deps.today.isoformat(),
    }


@tool(writes=True)
def invoice_void(ctx: RunContext[Deps], invoice_id: str) -> dict[str, Any]:
    """发票开错了要作废、红冲重开。收过的钱要先退完才能作废;只是抬头错用改抬头。

    Args:
        invoice_id: 发票号
    """
    with ctx.deps.change() as change:
        row = invoice(change, invoice_id)
        if row["status"] == "void":
            raise ModelRetry(f"{row['invoice_id']} 在 {row['voided_on']} 已经作废,不用再作废 (is void already)")
        money = invoice_money(change, row["invoice_id"])
        if money.promised:
            raise ModelRetry(
                f"{row['invoice_id']} 还有 {yuan(money.promised)}的退款没办完,等退完再作废"
                " (a refund of it is still under way; void it afterwards)"
            )
        if money.held:
            raise ModelRetry(
                f"{row['invoice_id']} 还有 {yuan(money.held)}已收款没退,先用 refund_submit 退款再作废"
                " (was paid; refund it first)"
            )
        today = ctx.deps.today.isoformat()
        change.run("UPDATE invoices SET status = 'void', voided_on = ? WHERE invoice_id = ?", today, row["invoice_id"])
    return {
        "invoice_id": row["invoice_id"],
        "customer_id": row["customer_id"],
        "status": "void",
        "voided_on": today,
        "amount_cents": row["amount_cents"],
        "amount": yuan(row["amount_cents"]),
    }
