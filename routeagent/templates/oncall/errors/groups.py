"""Tools over grouped exceptions."""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext

from .. import Deps
from .._store.clock import window
from .._store.database import rows
from .._store.matching import best_matches
from .._store.services import Service, known_service, only_row

_SHOWN = 6
_COLUMNS = "group_id, service, kind, message, first_seen, last_seen, events, version"
_DAYS = 30


def errors_list_groups(ctx: RunContext[Deps], service: Service, since: str | None = None) -> dict[str, Any]:
    """List the exceptions that a service raises, most frequent first: 500s, crashes, since when, in which version.

    列出某个服务在报哪些错、报了多少次、从什么时候开始。

    Args:
        service: the service (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        since: leave out what was last seen before, YYYY-MM-DD HH:MM or HH:MM today
    """
    first, last = window(since, None, hours=24 * _DAYS)
    sql = (
        f"SELECT {_COLUMNS} FROM error_group"  # noqa: S608 - a constant
        " WHERE service = ? AND last_seen BETWEEN ? AND ?"
        " ORDER BY events DESC"
    )
    return {"service": service, "groups": rows(ctx.deps.database, sql, known_service(service), first, last)}


def errors_get_group(ctx: RunContext[Deps], group_id: str) -> dict[str, Any]:
    """Read one error group with its stack trace. 看某个错误分组的堆栈、在哪个文件哪一行。

    Args:
        group_id: the group's id, such as ERR-52
    """
    return only_row(
        ctx.deps.database,
        "SELECT * FROM error_group WHERE group_id = upper(?)",
        group_id,
        "error group",
        "errors_list_groups",
    )


def errors_search(ctx: RunContext[Deps], query: str) -> dict[str, Any]:
    """Search exceptions of all services by type, message or a function in the stack. 按类型、报错文字或函数名搜。

    Args:
        query: words of the exception's type, message or stack
    """
    sql = f"SELECT {_COLUMNS}, stack FROM error_group ORDER BY last_seen DESC"  # noqa: S608 - a constant
    found = best_matches(rows(ctx.deps.database, sql), query, ("kind", "message", "stack"), _SHOWN)
    return {"groups": [{key: value for key, value in row.items() if key != "stack"} for row in found]}
