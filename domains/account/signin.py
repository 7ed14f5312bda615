"""Getting back in: a new password, a lock taken off, two-factor sign-in switched off."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import customer
from .._ledger.remarks import remark

_MAIL = "{contact},您好:请点邮件里的链接重设 CloudLedger 密码,链接 24 小时内有效。如非本人操作请忽略。"


@tool(writes=True)
def account_reset_password(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """忘记密码、密码不对登不进去:给客户邮箱发一封重设密码的邮件。账号锁了要另外用 account_unlock。

    Args:
        customer_id: 客户 ID,如 C007
    """
    day, now = ctx.deps.today.isoformat(), ctx.deps.now
    with ctx.deps.change() as change:
        row = customer(change, customer_id)
        known = row["customer_id"]
        change.insert("password_resets", customer_id=known, requested_on=day)
        message = change.insert(
            "outbox",
            customer_id=known,
            channel="email",
            recipient=row["email"],
            subject="重设密码",
            body=_MAIL.format(contact=row["contact"]),
            status="sent",
            created_at=now,
            send_at=now,
        )
    answer = {"customer_id": known, "sent_to": row["email"], "requested_on": day, "message_id": message}
    if row["locked"]:
        answer["note"] = "账号还锁着,要先用 account_unlock 解锁才能登录 (the account is still locked)"
    return answer


@tool(writes=True)
def account_unlock(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """密码输错太多次、提示账号被锁定:解锁,让客户马上能再登录。密码不变,忘了密码用 account_reset_password。

    Args:
        customer_id: 客户 ID,如 C007
    """
    with ctx.deps.change() as change:
        known = customer(change, customer_id)["customer_id"]
        if not change.run("UPDATE customers SET locked = 0 WHERE customer_id = ? AND locked = 1", known):
            raise ModelRetry(
                f"{known} 没有被锁定,不用解锁;登不进去可看 account_login_history 或用 account_reset_password "
                "(is not locked)"
            )
        remark(change, ctx.deps, known, "账号因多次输错密码被锁定,已解锁。")
    return {"customer_id": known, "locked": False}


@tool(writes=True)
def account_disable_2fa(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """手机丢了、换号了,收不到两步验证码:确认是本人后关掉两步验证,只用密码登录。

    Args:
        customer_id: 客户 ID,如 C007
    """
    with ctx.deps.change() as change:
        known = customer(change, customer_id)["customer_id"]
        if not change.run("UPDATE customers SET two_factor = 0 WHERE customer_id = ? AND two_factor = 1", known):
            raise ModelRetry(f"{known} 没有开两步验证,没有可关的 (two-factor sign-in is not on)")
        remark(change, ctx.deps, known, "核实身份后关闭了两步验证。")
    return {"customer_id": known, "two_factor": False}
