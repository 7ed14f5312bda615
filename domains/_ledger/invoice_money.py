"""What came in on an invoice, what went back, and what is promised to go back."""

from dataclasses import dataclass

from .database import Change, Row
from .reading import Reads


@dataclass(frozen=True)
class InvoiceMoney:
    """The money of one invoice, in cents.

    Attributes:
        paid: what succeeded payments brought in.
        refunded: what went back already.
        promised: refunds that are pending or approved and have moved nothing yet.
    """

    paid: int
    refunded: int
    promised: int

    @property
    def held(self) -> int:
        """What we still hold."""
        return self.paid - self.refunded

    @property
    def refundable(self) -> int:
        """What a further refund may take at most."""
        return self.held - self.promised


def invoice_money(source: Reads, invoice_id: str) -> InvoiceMoney:
    """The money of an invoice. Failed payments moved nothing and do not count."""
    (moved,) = source.rows(
        """SELECT coalesce(sum(max(amount_cents, 0)), 0) AS paid, coalesce(sum(max(-amount_cents, 0)), 0) AS refunded
           FROM payments WHERE invoice_id = ? AND status = 'succeeded'""",
        invoice_id,
    )
    (waiting,) = source.rows(
        "SELECT coalesce(sum(amount_cents), 0) AS promised FROM refunds"
        " WHERE invoice_id = ? AND status IN ('pending', 'approved')",
        invoice_id,
    )
    return InvoiceMoney(moved["paid"], moved["refunded"], waiting["promised"])


def settle(change: Change, invoice: Row, method: str, now: str) -> int:
    """Record a payment of all that is due; the cents paid.

    A subscription that was past due is active again once none of its customer's invoices is failed.
    """
    due: int = invoice["amount_cents"] - invoice_money(change, invoice["invoice_id"]).held
    change.insert(
        "payments",
        invoice_id=invoice["invoice_id"],
        amount_cents=due,
        method=method,
        status="succeeded",
        made_at=now,
    )
    change.run("UPDATE invoices SET status = 'paid' WHERE invoice_id = ?", invoice["invoice_id"])
    change.run(
        """UPDATE subscriptions SET status = 'active' WHERE customer_id = ?1 AND status = 'past_due'
           AND NOT EXISTS (SELECT 1 FROM invoices WHERE customer_id = ?1 AND status = 'failed')""",
        invoice["customer_id"],
    )
    return due
