"""What the desk keeps beside a customer: tags and notes."""

from typing import Any

from pydantic_ai import RunContext

from routeagent import tool

from .._ledger.database import Change
from .._ledger.deps import Deps
from .._ledger.reading import Reads, customer, text


@tool(writes=True)
def customer_tags(ctx: RunContext[Deps], customer_id: str, tag: str) -> dict[str, Any]:
    """给客户打个标签,如 VIP、流失风险;已经有的就去掉。每次一个,只影响内部标记,客户看不到。

    Args:
        customer_id: 客户 ID,如 C007
        tag: 标签名
    """
    with ctx.deps.change() as change:
        known = customer(change, customer_id)["customer_id"]
        said = _spelling(change, text(tag, "标签 (tag)", 20))
        removed = change.run("DELETE FROM customer_tags WHERE customer_id = ? AND tag = ?", known, said)
        if not removed:
            change.insert("customer_tags", customer_id=known, tag=said)
        tags = _tags(change, known)
    return {"customer_id": known, "tag": said, "action": "removed" if removed else "added", "tags": tags}


def customer_notes(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """看同事以前给这个客户留的备注、跟进记录和打过的标签。只看不写;和客户的来往对话在工单里。

    Args:
        customer_id: 客户 ID,如 C007
    """
    known = customer(ctx.deps, customer_id)["customer_id"]
    notes = ctx.deps.rows(
        "SELECT note_id, author, written_at, text FROM customer_notes WHERE customer_id = ? "
        "ORDER BY written_at DESC, note_id DESC",
        known,
    )
    return {"customer_id": known, "notes": notes[:20], "total": len(notes), "tags": _tags(ctx.deps, known)}


def _spelling(change: Change, tag: str) -> str:
    """The tag as it is already written somewhere: `vip` is `VIP`."""
    used = change.rows("SELECT tag FROM customer_tags WHERE lower(tag) = lower(?) LIMIT 1", tag)
    return used[0]["tag"] if used else tag


def _tags(source: Reads, customer_id: str) -> list[str]:
    return [
        row["tag"]
        for row in source.rows("SELECT tag FROM customer_tags WHERE customer_id = ? ORDER BY tag", customer_id)
    ]
