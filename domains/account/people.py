"""Who is in an account, who owns it, and who signed in."""

from datetime import timedelta
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import customer, text
from .._ledger.remarks import remark

_DAYS = 30


def account_login_history(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """有没有人异地登录、被盗号:看近 30 天谁在什么时候、从哪个城市、IP 和设备登录,成功还是失败。

    Args:
        customer_id: 客户 ID,如 C007
    """
    known = customer(ctx.deps, customer_id)["customer_id"]
    since = (ctx.deps.today - timedelta(days=_DAYS)).isoformat()
    logins = ctx.deps.rows(
        "SELECT at, email, ip, device, city, success FROM logins WHERE customer_id = ? AND at >= ? "
        "ORDER BY at DESC, login_id DESC",
        known,
        since,
    )
    for login in logins:
        login["success"] = bool(login["success"])
    failed = sum(not login["success"] for login in logins)
    return {"customer_id": known, "since": since, "logins": logins[:20], "total": len(logins), "failed": failed}


def account_list_members(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """这家公司的账号里有哪些人,谁是所有者、管理员、普通成员,最近哪天用过。所有者排最前。

    Args:
        customer_id: 客户 ID,如 C007
    """
    known = customer(ctx.deps, customer_id)["customer_id"]
    members = ctx.deps.rows(
        "SELECT email, name, role, last_active_on FROM members WHERE customer_id = ? "
        "ORDER BY role <> 'owner', role <> 'admin', last_active_on DESC, email",
        known,
    )
    return {"customer_id": known, "members": members[:20], "total": len(members)}


@tool(writes=True)
def account_transfer_owner(ctx: RunContext[Deps], customer_id: str, new_owner_email: str) -> dict[str, Any]:
    """老板换人、管理员离职:把账号所有者转给另一位已有成员,原来的所有者变成管理员。

    Args:
        customer_id: 客户 ID,如 C007
        new_owner_email: 接手那位成员的邮箱
    """
    wanted = text(new_owner_email, "new_owner_email", 254)
    with ctx.deps.change() as change:
        known = customer(change, customer_id)["customer_id"]
        found = change.rows("SELECT * FROM members WHERE customer_id = ? AND lower(email) = lower(?)", known, wanted)
        if not found:
            raise ModelRetry(
                f"{wanted[:60]!r} 不是 {known} 的成员,用 account_list_members 看有谁 (is not a member of this account)"
            )
        if found[0]["role"] == "owner":
            raise ModelRetry(f"{wanted} 已经是 {known} 的所有者 (already owns this account)")
        new = found[0]["email"]
        old = change.rows("SELECT email FROM members WHERE customer_id = ? AND role = 'owner'", known)
        change.run("UPDATE members SET role = 'admin' WHERE customer_id = ? AND role = 'owner'", known)
        change.run("UPDATE members SET role = 'owner' WHERE customer_id = ? AND email = ?", known, new)
        before = old[0]["email"] if old else None
        remark(change, ctx.deps, known, f"账号所有者由 {before} 转给 {new}。")
    return {"customer_id": known, "old_owner_email": before, "new_owner_email": new}
