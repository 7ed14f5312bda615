"""Tools over the issue tracker."""

from __future__ import annotations

from typing import Any, Literal

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .. import Deps
from .._store.clock import NOW, stamp
from .._store.database import change, rows
from .._store.matching import best_matches
from .._store.services import Service, known_service, only_row

_SHOWN = 6
_LONGEST_TITLE = 120
_SEVERITIES = ("low", "medium", "high")


def issues_search(ctx: RunContext[Deps], query: str, state: Literal["open", "closed"] | None = None) -> dict[str, Any]:
    """Search reported issues: has anybody seen this before? 搜问题单,看有没有人报过同样的问题。

    Args:
        query: words of the title or the report
        state: only open 未解决 or only closed 已解决 ones
    """
    sql = (
        "SELECT issue_id, service, title, body, state, severity, assignee, opened_at FROM issue"
        " WHERE ?1 IS NULL OR state = ?1 ORDER BY opened_at DESC"
    )
    return {"issues": best_matches(rows(ctx.deps.database, sql, state), query, ("title", "body", "service"), _SHOWN)}


def issues_get(ctx: RunContext[Deps], issue_id: str) -> dict[str, Any]:
    """Read one issue with its comments: state, who works on it, what was said. 看某个问题单的状态、负责人和讨论。

    Args:
        issue_id: the issue's id, such as ISS-309
    """
    issue = only_row(
        ctx.deps.database, "SELECT * FROM issue WHERE issue_id = upper(?)", issue_id, "issue", "issues_search"
    )
    sql = "SELECT written_at, author, text FROM issue_comment WHERE issue_id = ? ORDER BY written_at"
    return {**issue, "comments": rows(ctx.deps.database, sql, issue["issue_id"])}


@tool(writes=True)
def issues_create(
    ctx: RunContext[Deps],
    service: Service,
    title: str,
    body: str,
    severity: Literal["low", "medium", "high"] = "medium",
) -> dict[str, Any]:
    """Open a new issue for the team that owns a service. 新建问题单,交给负责的团队。

    Args:
        service: the service at fault (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        title: one line, at most 120 characters
        body: what happens, since when, and what is known of the cause
        severity: low 低, medium 中 or high 高
    """
    known_service(service)
    title = title.strip()
    if not title or len(title) > _LONGEST_TITLE:
        raise ModelRetry(f"the title has {len(title)} characters; write 1 to {_LONGEST_TITLE}")
    if not body.strip():
        raise ModelRetry("the body is empty; say what happens and since when")
    if severity not in _SEVERITIES:
        raise ModelRetry(f"there is no severity {severity!r}; there are {', '.join(_SEVERITIES)}")
    return _open(ctx.deps, service, title, body.strip(), severity)


def _open(deps: Deps, service: str, title: str, body: str, severity: str) -> dict[str, Any]:
    with change(deps.database) as connection:
        same = connection.execute(
            "SELECT issue_id FROM issue WHERE service = ? AND lower(title) = lower(?) AND state = 'open'",
            (service, title),
        ).fetchone()
        if same:
            raise ModelRetry(f"{same['issue_id']} is open with this very title; read it with issues_get")
        number = connection.execute("SELECT max(CAST(substr(issue_id, 5) AS INTEGER)) FROM issue").fetchone()[0] + 1
        issue = f"ISS-{number}"
        connection.execute(
            "INSERT INTO issue VALUES (?, ?, ?, ?, 'open', ?, NULL, ?, ?)",
            (issue, service, title, body, severity, deps.user, stamp(NOW)),
        )
        connection.execute(
            "INSERT INTO change_log (changed_at, changed_by, tool, subject) VALUES (?, ?, 'issues_create', ?)",
            (stamp(NOW), deps.user, issue),
        )
    return {"issue_id": issue, "service": service, "title": title, "state": "open", "severity": severity}
