"""Opening, answering, handing over and closing tickets."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import customer, next_id, text
from ._lookup import open_ticket

_reading_text = text


@tool(writes=True)
def ticket_create(ctx: RunContext[Deps], customer_id: str, title: str, body: str) -> dict[str, Any]:
    """问题一时解决不了、要跟进时,给客户建一张新工单。

    Args:
        customer_id: 客户 ID,如 C007
        title: 一句话说是什么问题
        body: 详细情况
    """
    named, said = text(title, "title", 200), text(body, "body")
    with ctx.deps.change() as change:
        found = customer(change, customer_id)["customer_id"]
        number = next_id(change, "tickets", "ticket_id", "T-")
        change.insert(
            "tickets", ticket_id=number, customer_id=found, title=named, status="open", opened_at=ctx.deps.now
        )
        change.insert("ticket_messages", ticket_id=number, author=ctx.deps.user, written_at=ctx.deps.now, text=said)
    return {"ticket_id": number, "customer_id": found, "title": named, "status": "open"}


@tool(writes=True)
def ticket_reply(ctx: RunContext[Deps], ticket_id: str, text: str) -> dict[str, Any]:
    """在工单里以客服身份回客户一句,回完等客户答复。不在工单里、单独写信用 notify_email。

    Args:
        ticket_id: 工单号,如 T-0031
        text: 回复内容
    """
    said = _reading_text(text, "text")
    with ctx.deps.change() as change:
        found = open_ticket(change, ticket_id)["ticket_id"]
        change.insert("ticket_messages", ticket_id=found, author=ctx.deps.user, written_at=ctx.deps.now, text=said)
        change.run("UPDATE tickets SET status = 'waiting' WHERE ticket_id = ?", found)
    return {"ticket_id": found, "status": "waiting", "text": said}


@tool(writes=True)
def ticket_assign(ctx: RunContext[Deps], ticket_id: str, assignee: str) -> dict[str, Any]:
    """把工单转给某个同事,或者转给账单组、技术组这样的组。

    Args:
        ticket_id: 工单号,如 T-0031
        assignee: 同事的名字或组名
    """
    wanted = text(assignee, "assignee", 100)
    with ctx.deps.change() as change:
        found = open_ticket(change, ticket_id)
        people = change.rows("SELECT name, team FROM staff ORDER BY name")
        known = {row["name"] for row in people} | {row["team"] for row in people}
        match = next((name for name in sorted(known) if name.lower() == wanted.lower()), None)
        if match is None:
            raise ModelRetry(f"没有 {wanted!r};可以转给 {'、'.join(sorted(known))} (no such colleague or group)")
        change.run("UPDATE tickets SET assignee = ? WHERE ticket_id = ?", match, found["ticket_id"])
    return {"ticket_id": found["ticket_id"], "old_assignee": found["assignee"], "assignee": match}


@tool(writes=True)
def ticket_close(ctx: RunContext[Deps], ticket_id: str) -> dict[str, Any]:
    """问题解决了,把工单关掉;最后一次客服回复记为解决方式。

    Args:
        ticket_id: 工单号,如 T-0031
    """
    with ctx.deps.change() as change:
        found = open_ticket(change, ticket_id)
        last = change.rows(
            # The first message is the question, whoever of the desk wrote it down. A customer's author is an id, which
            # after a merger need not be that of the ticket.
            "SELECT text FROM ticket_messages WHERE ticket_id = :1 AND author NOT GLOB 'C[0-9][0-9][0-9]'"
            " AND message_id > (SELECT min(message_id) FROM ticket_messages WHERE ticket_id = :1)"
            " ORDER BY written_at DESC, message_id DESC LIMIT 1",
            found["ticket_id"],
        )
        resolution = last[0]["text"] if last else f"{ctx.deps.user} 关闭,没有回复"
        change.run(
            "UPDATE tickets SET status = 'closed', closed_at = ?, resolution = ? WHERE ticket_id = ?",
            ctx.deps.now,
            resolution,
            found["ticket_id"],
        )
    return {"ticket_id": found["ticket_id"], "status": "closed", "resolution": resolution}
