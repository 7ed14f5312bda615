"""Tools over releases to production."""

from __future__ import annotations

import sqlite3
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .. import Deps
from .._store.clock import NOW, moment_of, stamp
from .._store.database import change, rows
from .._store.services import Service, known_service, only_row


def deploys_list(ctx: RunContext[Deps], service: Service | None = None, since: str | None = None) -> dict[str, Any]:
    """List what was released to production, newest first, and which version is live. 列出上线记录、现在跑哪个版本。

    Args:
        service: one service only (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        since: leave out what is older, YYYY-MM-DD HH:MM or HH:MM today
    """
    sql = (
        "SELECT deploy_id, service, version, deployed_at, deployed_by, status, note FROM deploy"
        " WHERE (?1 IS NULL OR service = ?1) AND deployed_at >= ?2 ORDER BY deployed_at DESC, deploy_id DESC"
    )
    first = moment_of(since, "since") if since else ""
    return {"deploys": rows(ctx.deps.database, sql, known_service(service) if service else None, first)}


def deploys_get(ctx: RunContext[Deps], deploy_id: str) -> dict[str, Any]:
    """Read one release: version, who released it, and the commits in it. 看某次上线包含哪些提交、谁上的。

    Args:
        deploy_id: the deploy's id, such as DEP-398
    """
    deploy = _deploy(ctx.deps, deploy_id)
    sql = "SELECT commit_id, author, message FROM code_commit WHERE deploy_id = ? ORDER BY committed_at"
    return {**deploy, "commits": rows(ctx.deps.database, sql, deploy["deploy_id"])}


@tool(writes=True)
def deploys_rollback(ctx: RunContext[Deps], deploy_id: str, reason: str) -> dict[str, Any]:
    """Roll a service back: take back its live deploy and put the version before it live. 回滚上线,退回上一版。

    Args:
        deploy_id: the live deploy to take back, such as DEP-398
        reason: why, in one sentence
    """
    deploy = _deploy(ctx.deps, deploy_id)
    if not reason.strip():
        raise ModelRetry("the reason is empty; say in one sentence why the deploy is taken back")
    with change(ctx.deps.database) as connection:
        made, version = _take_back(connection, deploy, reason.strip(), ctx.deps.user)
    return {
        "rolled_back": deploy["deploy_id"],
        "service": deploy["service"],
        "deploy_id": made,
        "live_version": version,
    }


def _deploy(deps: Deps, deploy_id: str) -> dict[str, Any]:
    sql = "SELECT * FROM deploy WHERE deploy_id = upper(?)"
    return only_row(deps.database, sql, deploy_id, "deploy", "deploys_list")


def _take_back(connection: sqlite3.Connection, deploy: dict[str, Any], reason: str, user: str) -> tuple[str, str]:
    """The rollback itself; everything is looked at again inside the transaction, so that it never happens twice."""
    taken = deploy["deploy_id"]
    live = connection.execute(
        "SELECT deploy_id FROM deploy WHERE service = ? AND status = 'live'", (deploy["service"],)
    ).fetchone()["deploy_id"]
    if live != taken:
        raise ModelRetry(f"{taken} is not live; the live deploy of {deploy['service']} is {live}")
    before = connection.execute(
        "SELECT version FROM deploy WHERE service = ? AND status = 'superseded' AND deployed_at < ? AND version != ?"
        " ORDER BY deployed_at DESC LIMIT 1",
        (deploy["service"], deploy["deployed_at"], deploy["version"]),
    ).fetchone()
    if before is None:
        raise ModelRetry(f"{deploy['service']} has no version before {taken} to go back to")
    number = connection.execute("SELECT max(CAST(substr(deploy_id, 5) AS INTEGER)) FROM deploy").fetchone()[0] + 1
    made = f"DEP-{number}"
    connection.execute("UPDATE deploy SET status = 'rolled_back' WHERE deploy_id = ?", (taken,))
    connection.execute(
        "INSERT INTO deploy VALUES (?, ?, ?, ?, ?, 'live', ?)",
        (made, deploy["service"], before["version"], stamp(NOW), user, f"rollback of {taken}: {reason}"),
    )
    connection.execute(
        "INSERT INTO change_log (changed_at, changed_by, tool, subject) VALUES (?, ?, 'deploys_rollback', ?)",
        (stamp(NOW), user, taken),
    )
    return made, before["version"]
