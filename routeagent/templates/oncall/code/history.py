"""Tools over source code and commits."""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext

from .. import Deps
from .._store.clock import NOW, moment_of, stamp
from .._store.database import rows
from .._store.matching import best_matches
from .._store.services import Service, known_service, only_row

_SHOWN = 8


def code_search(ctx: RunContext[Deps], query: str, service: Service | None = None) -> dict[str, Any]:
    """Search the source code for a function, a file or a piece of text; each line comes with the commit that wrote it.

    搜代码:某个函数、某行是哪次提交写的。

    Args:
        query: words of the code, such as a function's name
        service: this service only (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
    """
    sql = (
        "SELECT service, path, line, text, commit_id FROM code_line"
        " WHERE ?1 IS NULL OR service = ?1 ORDER BY path, line"
    )
    found = rows(ctx.deps.database, sql, known_service(service) if service else None)
    return {"lines": best_matches(found, query, ("path", "text"), _SHOWN)}


def code_list_commits(ctx: RunContext[Deps], service: Service, since: str | None = None) -> dict[str, Any]:
    """List the commits of a service, newest first: id, author, time, message. 列出最近谁提交了什么。

    Args:
        service: the service (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        since: leave out what is older, YYYY-MM-DD HH:MM or HH:MM today
    """
    sql = (
        "SELECT commit_id, author, committed_at, message, deploy_id FROM code_commit"
        " WHERE service = ? AND committed_at BETWEEN ? AND ? ORDER BY committed_at DESC"
    )
    first = moment_of(since, "since") if since else ""
    return {"service": service, "commits": rows(ctx.deps.database, sql, known_service(service), first, stamp(NOW))}


def code_get_commit(ctx: RunContext[Deps], commit_id: str) -> dict[str, Any]:
    """Read one commit: author, message, diff, and the deploy that brought it out. 看某次提交改了什么、谁写的。

    Args:
        commit_id: the commit's id, such as 91ab3c7
    """
    return only_row(
        ctx.deps.database,
        "SELECT * FROM code_commit WHERE commit_id = lower(?)",
        commit_id,
        "commit",
        "code_list_commits",
    )
