"""What readers think of the help articles, and what should be better."""

from datetime import timedelta
from typing import Any

from pydantic_ai import RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import text
from ._lookup import article

_WEEK = 7
_MOST = 10


def kb_popular(ctx: RunContext[Deps]) -> dict[str, Any]:
    """这一周大家看得最多的帮助文章排行,看客户最近都在问什么。"""
    since = ctx.deps.today - timedelta(days=_WEEK - 1)
    rows = ctx.deps.rows(
        "SELECT article_id, title, sum(views) AS views FROM article_views JOIN articles USING (article_id)"
        " WHERE day BETWEEN ? AND ? GROUP BY article_id ORDER BY views DESC, article_id LIMIT ?",
        since.isoformat(),
        ctx.deps.today.isoformat(),
        _MOST,
    )
    return {"since": since.isoformat(), "articles": rows}


def kb_feedback_stats(ctx: RunContext[Deps], article_id: str) -> dict[str, Any]:
    """一篇帮助文章有多少人点有用、多少人点没用,看写得清不清楚。

    Args:
        article_id: 文章编号,如 kb-008
    """
    found = article(ctx.deps, article_id)
    votes = ctx.deps.rows("SELECT helpful, unhelpful FROM article_votes WHERE article_id = ?", found["article_id"])
    helpful, unhelpful = (votes[0]["helpful"], votes[0]["unhelpful"]) if votes else (0, 0)
    share = f"{helpful / (helpful + unhelpful):.0%}" if helpful + unhelpful else "–"
    told = {"article_id": found["article_id"], "title": found["title"], "helpful": helpful, "unhelpful": unhelpful}
    return told | {"helpful_share": share}


@tool(writes=True)
def kb_suggest_edit(ctx: RunContext[Deps], article_id: str, suggestion: str) -> dict[str, Any]:
    """帮助文章写错了、过时了、漏了一步,把修改建议记下来给编辑。

    Args:
        article_id: 文章编号,如 kb-008
        suggestion: 应该怎么改
    """
    said = text(suggestion, "suggestion")
    with ctx.deps.change() as change:
        found = article(change, article_id)
        number = change.insert(
            "article_suggestions",
            article_id=found["article_id"],
            author=ctx.deps.user,
            made_on=ctx.deps.today.isoformat(),
            text=said,
        )
    return {"suggestion_id": number, "article_id": found["article_id"], "title": found["title"]}
