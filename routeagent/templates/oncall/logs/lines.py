"""Tools over log lines."""

from __future__ import annotations

from typing import Any, Literal

from pydantic_ai import ModelRetry, RunContext

from .. import Deps
from .._store.clock import window
from .._store.database import rows
from .._store.matching import best_matches
from .._store.services import Service, known_service

_SHOWN = 12
_MOST = 50
_LEVELS = ("INFO", "WARN", "ERROR")


def logs_search(
    ctx: RunContext[Deps],
    query: str,
    service: Service | None = None,
    since: str | None = None,
    until: str | None = None,
) -> dict[str, Any]:
    """Search log lines by words within a span of time, the last 24 hours unless told. 按关键词和时间段查日志。

    Args:
        query: words of the line, in English as the services write them
        service: one service only (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        since: first minute, YYYY-MM-DD HH:MM or HH:MM today
        until: last minute, YYYY-MM-DD HH:MM or HH:MM today
    """
    first, last = window(since, until, hours=24)
    sql = (
        "SELECT logged_at, service, level, message FROM log_line"
        " WHERE (?1 IS NULL OR service = ?1) AND logged_at BETWEEN ?2 AND ?3 ORDER BY log_id"
    )
    found = rows(ctx.deps.database, sql, known_service(service) if service else None, first, last)
    return {"since": first, "until": last, "lines": best_matches(found, query, ("level", "message"), _SHOWN)}


def logs_tail(
    ctx: RunContext[Deps],
    service: Service,
    level: Literal["INFO", "WARN", "ERROR"] = "INFO",
    count: int = 20,
) -> dict[str, Any]:
    """Show the newest log lines of a service. 看某个服务最新的日志,可以只看错误级别。

    Args:
        service: the service (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        level: the lowest level shown: INFO 全部, WARN 警告 or ERROR 错误
        count: how many lines, 1 to 50
    """
    known_service(service)
    if level not in _LEVELS:
        raise ModelRetry(f"there is no level {level!r}; there are {', '.join(_LEVELS)}")
    if not 1 <= count <= _MOST:
        raise ModelRetry(f"count={count} is not between 1 and {_MOST}")
    levels = _LEVELS[_LEVELS.index(level) :]
    sql = "SELECT log_id, logged_at, level, message FROM log_line WHERE service = ? ORDER BY log_id DESC"
    newest = [row for row in rows(ctx.deps.database, sql, service) if row["level"] in levels][:count]
    shown = [{key: value for key, value in row.items() if key != "log_id"} for row in reversed(newest)]
    return {"service": service, "lines": shown}
