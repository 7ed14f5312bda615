"""Finding and reading help articles."""

from typing import Any

from pydantic_ai import RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.matching import best
from .._ledger.reading import text
from ._lookup import article

_HITS = 5


@tool(core=True)
def kb_search(ctx: RunContext[Deps], query: str) -> dict[str, Any]:
    """客户问怎么操作、怎么收费、规则是什么、报错码什么意思,先在帮助中心搜文章。找别的客户的老工单用 ticket_search。

    Args:
        query: 问题或关键词,如 E1043、年付取消怎么退
    """
    asked = text(query, "query")
    found = best(asked, ctx.deps.rows("SELECT * FROM articles"), ("title", "keywords", "body"), _HITS)
    articles = [{key: row[key] for key in ("article_id", "title", "category", "snippet")} for row in found]
    if not articles:
        return {"articles": [], "note": "没有搜到,换个说法再试 (nothing found, try other words)"}
    return {"articles": articles}


def kb_get_article(ctx: RunContext[Deps], article_id: str) -> dict[str, Any]:
    """按编号打开一篇帮助文章,读全文,好原样告诉客户。

    Args:
        article_id: 文章编号,如 kb-008
    """
    return article(ctx.deps, article_id)


def kb_list_categories(ctx: RunContext[Deps]) -> dict[str, Any]:
    """帮助中心有哪些栏目、每个栏目几篇文章。"""
    rows = ctx.deps.rows(
        "SELECT category, description, count(article_id) AS articles FROM article_categories"
        " LEFT JOIN articles USING (category) GROUP BY category ORDER BY articles DESC, category"
    )
    return {"categories": rows, "total": len(rows)}
