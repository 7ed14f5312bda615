"""Tools over runbooks."""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext

from routeagent import tool

from .. import Deps
from .._store.database import rows
from .._store.matching import best_matches
from .._store.services import only_row

_SHOWN = 5


@tool(core=True)
def docs_search(ctx: RunContext[Deps], query: str) -> dict[str, Any]:
    """Search the on-call handbook for procedures and runbooks: what to do when. 搜值班手册:遇到这种情况怎么处理。

    Args:
        query: words of the problem or the procedure
    """
    found = best_matches(rows(ctx.deps.database, "SELECT * FROM doc ORDER BY doc_id"), query, ("title", "body"), _SHOWN)
    return {"docs": [{"doc_id": row["doc_id"], "service": row["service"], "title": row["title"]} for row in found]}


def docs_get(ctx: RunContext[Deps], doc_id: str) -> dict[str, Any]:
    """Read one page of the on-call handbook in full. 看某篇手册的全文和具体命令。

    Args:
        doc_id: the page's id, such as DOC-02
    """
    return only_row(ctx.deps.database, "SELECT * FROM doc WHERE doc_id = upper(?)", doc_id, "page", "docs_search")
