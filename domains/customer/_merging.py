"""One customer's rows given to another."""

from .._ledger.database import Change

FREE = (
    *("customer_notes", "invoices", "credit_entries", "payment_links", "tickets", "logins", "password_resets"),
    *("export_jobs", "import_errors", "outbox"),
)
"""Tables whose rows may stand beside any other's of the same customer."""


def move(change: Change, keep: str, drop: str) -> dict[str, int]:
    """Give everything to the customer that is kept; the rows moved, by table, where there were any."""
    moved = {table: _give(change, table, keep, drop) for table in FREE}
    moved["customer_tags"] = _give_new(change, "customer_tags", "tag", keep, drop)
    moved["coupon_uses"] = _give_new(change, "coupon_uses", "code", keep, drop)
    moved["members"] = _give_members(change, keep, drop)
    moved["credits"] = _give_credit(change, keep, drop)
    moved["subscriptions"] = _give_subscription(change, keep, drop)
    return {table: count for table, count in moved.items() if count}


def _give(change: Change, table: str, keep: str, drop: str) -> int:
    return change.run(f"UPDATE {table} SET customer_id = ? WHERE customer_id = ?", keep, drop)  # noqa: S608


def _give_new(change: Change, table: str, key: str, keep: str, drop: str) -> int:
    """Give the rows whose key the kept customer has not; drop the others, which say the same."""
    change.run(
        f"DELETE FROM {table} WHERE customer_id = ? AND {key} IN "  # noqa: S608 - names from this module
        f"(SELECT {key} FROM {table} WHERE customer_id = ?)",
        drop,
        keep,
    )
    return _give(change, table, keep, drop)


def _give_members(change: Change, keep: str, drop: str) -> int:
    """Give the members; a second owner goes on as an admin."""
    owned = "EXISTS (SELECT 1 FROM members WHERE customer_id = ? AND role = 'owner')"
    change.run(
        f"UPDATE members SET role = 'admin' WHERE customer_id = ? AND role = 'owner' AND {owned}",  # noqa: S608
        drop,
        keep,
    )
    return _give_new(change, "members", "email", keep, drop)


def _give_credit(change: Change, keep: str, drop: str) -> int:
    """Add the balances up."""
    change.run(
        "UPDATE credits SET balance_cents = balance_cents + "
        "(SELECT balance_cents FROM credits WHERE customer_id = ?1) "
        "WHERE customer_id = ?2 AND EXISTS (SELECT 1 FROM credits WHERE customer_id = ?1)",
        drop,
        keep,
    )
    added = change.run(
        "DELETE FROM credits WHERE customer_id = ?1 AND ?2 IN (SELECT customer_id FROM credits)", drop, keep
    )
    return added or _give(change, "credits", keep, drop)


def _give_subscription(change: Change, keep: str, drop: str) -> int:
    """Keep the one that runs, else the one that ends later."""
    both = change.rows(
        "SELECT customer_id FROM subscriptions WHERE customer_id IN (?, ?) "
        "ORDER BY status = 'cancelled', period_end DESC, customer_id = ? DESC",
        keep,
        drop,
        keep,
    )
    if len(both) == 2:
        change.run("DELETE FROM subscriptions WHERE customer_id = ?", drop if both[0]["customer_id"] == keep else keep)
    return _give(change, "subscriptions", keep, drop)
