"""What goes out later, what went out before, and what shall not go out any more."""

from datetime import date, datetime, timedelta
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.moments import moment
from .._ledger.reading import customer, text

_MOST = 20
_FURTHEST = timedelta(days=366)
_reading_text = text


@tool(writes=True)
def notify_schedule(ctx: RunContext[Deps], customer_id: str, when: str, text: str) -> dict[str, Any]:
    """约一条以后发的提醒,到时间自动发到客户邮箱,比如下周一催付款、续费前三天提醒。马上发用 notify_email 或 notify_sms。

    Args:
        customer_id: 客户 ID,如 C007
        when: 什么时候发,如 2026-11-03 09:00、明天 15:00、下周一上午9点
        text: 提醒内容
    """
    said, due = _reading_text(text, "text"), _due(when, ctx.deps.today)
    with ctx.deps.change() as change:
        found = customer(change, customer_id)
        message = change.insert(
            "outbox",
            customer_id=found["customer_id"],
            channel="email",
            recipient=found["email"],
            subject="提醒",
            body=said,
            status="scheduled",
            created_at=ctx.deps.now,
            send_at=f"{due:%Y-%m-%d %H:%M:%S}",
        )
    told = {"message_id": message, "customer_id": found["customer_id"], "recipient": found["email"]}
    return told | {"send_at": f"{due:%Y-%m-%d %H:%M}", "status": "scheduled"}


@tool(writes=True)
def notify_unsubscribe(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户嫌广告、推广信太多,以后别再发:把他移出营销邮件名单。发票和安全通知照发。

    Args:
        customer_id: 客户 ID,如 C007
    """
    with ctx.deps.change() as change:
        found = customer(change, customer_id)
        change.run("UPDATE customers SET marketing = 0 WHERE customer_id = ?", found["customer_id"])
    changed = bool(found["marketing"])
    note = "已退订营销邮件 (unsubscribed)" if changed else "以前就退订了,没有变化 (was unsubscribed already)"
    return {"customer_id": found["customer_id"], "changed": changed, "note": note}


def notify_history(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户说没收到邮件或短信时,查我们给他发过哪些通知、几点发的、发到哪里,约好还没发的也在内。

    Args:
        customer_id: 客户 ID,如 C007
    """
    found = customer(ctx.deps, customer_id)["customer_id"]
    sent = ctx.deps.rows(
        "SELECT channel, recipient, subject, body, status, send_at FROM outbox WHERE customer_id = ?"
        " ORDER BY send_at DESC, message_id DESC",
        found,
    )
    return {"customer_id": found, "messages": sent[:_MOST], "total": len(sent)}


def _due(when: str, today: date) -> datetime:
    due = moment(when, today)
    now = datetime.combine(today, datetime.min.time()).replace(hour=12)
    if due is None:
        raise ModelRetry(
            f"看不懂时间 {when[:40]!r};写成 2026-11-03 09:00、明天 15:00 或 下周一上午9点 "
            "(not a time; write it as 2026-11-03 09:00)"
        )
    if due <= now:
        raise ModelRetry(f"{due:%Y-%m-%d %H:%M} 已经过去;现在是 {now:%Y-%m-%d %H:%M} (that is in the past)")
    if due - now > _FURTHEST:
        raise ModelRetry(f"{due:%Y-%m-%d} 太远,最多约一年内 (too far away: a year at most)")
    return due
