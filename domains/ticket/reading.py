"""Finding and reading tickets."""

from typing import Any

from pydantic_ai import RunContext

from .._ledger.deps import Deps
from .._ledger.matching import best
from .._ledger.reading import text
from ._lookup import ticket

_HITS = 8
_SAID = ("ticket_id", "customer_id", "company", "title", "said", "resolution")
_WITH_MESSAGES = (
    "SELECT ticket_id, customer_id, company, title, status, assignee, opened_at, resolution,"
    " coalesce(group_concat(m.text, char(10)), '') AS said"
    " FROM tickets JOIN customers USING (customer_id) LEFT JOIN ticket_messages AS m USING (ticket_id)"
    " GROUP BY ticket_id ORDER BY opened_at DESC, ticket_id DESC"
)


def ticket_search(ctx: RunContext[Deps], query: str) -> dict[str, Any]:
    """翻老工单:以前有没有客户遇到过一样的问题、当时怎么解决的。查产品说明用 kb_search。

    Args:
        query: 关键词、一句话、公司名或客户 ID
    """
    asked = text(query, "query")
    found = best(asked, ctx.deps.rows(_WITH_MESSAGES), _SAID, _HITS)
    keys = ("ticket_id", "customer_id", "title", "status", "assignee", "opened_at", "resolution", "snippet")
    tickets = [{key: row[key] for key in keys} for row in found]
    if not tickets:
        return {"tickets": [], "note": "没有搜到,换个说法再试 (nothing found, try other words)"}
    return {"tickets": tickets}


def ticket_get(ctx: RunContext[Deps], ticket_id: str) -> dict[str, Any]:
    """打开一张工单,看现在谁在处理、什么状态、跟客户来回说了什么。

    Args:
        ticket_id: 工单号,如 T-0031
    """
    found = ticket(ctx.deps, ticket_id)
    messages = ctx.deps.rows(
        "SELECT author, written_at, text FROM ticket_messages WHERE ticket_id = ? ORDER BY written_at, message_id",
        found["ticket_id"],
    )
    return {**found, "messages": messages}
