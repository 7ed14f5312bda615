"""One ticket by its number."""

from pydantic_ai import ModelRetry

from .._ledger.database import Row
from .._ledger.reading import Reads, one


def ticket(source: Reads, ticket_id: str) -> Row:
    """The ticket with a number such as T-0031.

    Raises:
        ModelRetry: there is none.
    """
    wanted = ticket_id.strip().upper()[:40].encode("utf-8", "replace").decode()
    return one(
        source,
        "tickets",
        "ticket_id",
        wanted,
        f"没有工单 {wanted!r};用 ticket_search 找工单号 (no such ticket; find it with ticket_search)",
    )


def open_ticket(source: Reads, ticket_id: str) -> Row:
    """The ticket, which must not be closed.

    Raises:
        ModelRetry: there is none, or it is closed.
    """
    found = ticket(source, ticket_id)
    if found["status"] == "closed":
        raise ModelRetry(
            f"{found['ticket_id']} 已经关闭,不能再改;要继续就用 ticket_create 新建 (it is closed; open a new one)"
        )
    return found
