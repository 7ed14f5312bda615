"""Refund requests as tools read and show them."""

from typing import Any

from .database import Row
from .reading import Reads, one, yuan

_SHOWN = ("requested_by", "requested_on", "decided_by", "decided_on", "paid_on")


def refund(source: Reads, refund_id: str) -> Row:
    """The refund request with a number such as RF-0016, its customer beside it.

    Raises:
        ModelRetry: no such request.
    """
    row = one(
        source,
        "refunds",
        "refund_id",
        refund_id.strip().upper(),
        f"没有退款申请 {refund_id[:40]!r},编号像 RF-0016;用 refund_list_pending 看待审批的"
        " (no such refund request; see refund_list_pending)",
    )
    found = source.rows("SELECT customer_id FROM invoices WHERE invoice_id = ?", row["invoice_id"])
    return row | found[0]


def refund_facts(row: Row) -> dict[str, Any]:
    """A request as a tool answers it; what has not happened yet is left out."""
    facts = {field: row[field] for field in ("refund_id", "invoice_id", "customer_id", "amount_cents")}
    facts |= {"amount": yuan(row["amount_cents"]), "reason": row["reason"], "status": row["status"]}
    return facts | {field: row[field] for field in _SHOWN if row[field] is not None}
