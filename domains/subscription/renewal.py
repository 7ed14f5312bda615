"""Whether and when a subscription goes on."""

from datetime import date
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.plan_rows import later
from ._terms import running

_MOST_MONTHS = 3


@tool(writes=True)
def subscription_cancel(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户不想用了、要退订:取消订阅,用到本期结束,之后不再扣费,也不退款。只想停一阵用 subscription_pause。

    Args:
        customer_id: 客户 ID,如 C007
    """
    with ctx.deps.change() as change:
        row = running(change, customer_id, ("active", "past_due", "paused"))
        change.run(
            "UPDATE subscriptions SET status = 'cancelled', cancelled_on = ?, autorenew = 0, paused_until = NULL "
            "WHERE customer_id = ?",
            ctx.deps.today.isoformat(),
            row["customer_id"],
        )
    return {
        "customer_id": row["customer_id"],
        "plan": row["plan"],
        "status": "cancelled",
        "cancelled_on": ctx.deps.today.isoformat(),
        "usable_until": row["period_end"],
        "note": f"可用到 {row['period_end']},之后不再续费 (works until period_end, then is not renewed)",
    }


@tool(writes=True)
def subscription_pause(ctx: RunContext[Deps], customer_id: str, months: int) -> dict[str, Any]:
    """客户暂时用不上:停 1 到 3 个月,这段时间不收钱,到期日往后顺延。彻底不用了是 subscription_cancel。

    Args:
        customer_id: 客户 ID,如 C007
        months: 停几个月,1 到 3
    """
    if not 1 <= months <= _MOST_MONTHS:
        raise ModelRetry(f"不能暂停 {months} 个月,只能 1 到 3 个月 (months must be 1, 2 or 3)")
    with ctx.deps.change() as change:
        row = running(change, customer_id, ("active",))
        until = later(ctx.deps.today, months).isoformat()
        end = later(date.fromisoformat(row["period_end"]), months).isoformat()
        change.run(
            "UPDATE subscriptions SET status = 'paused', paused_until = ?, period_end = ? WHERE customer_id = ?",
            until,
            end,
            row["customer_id"],
        )
    return {
        "customer_id": row["customer_id"],
        "status": "paused",
        "paused_until": until,
        "old_period_end": row["period_end"],
        "period_end": end,
    }


@tool(writes=True)
def subscription_toggle_autorenew(ctx: RunContext[Deps], customer_id: str, on: bool) -> dict[str, Any]:
    """打开或关掉自动续费、自动扣款。关掉后到期前还能手动续,订阅本身不取消。

    Args:
        customer_id: 客户 ID,如 C007
        on: true 打开,false 关掉
    """
    with ctx.deps.change() as change:
        row = running(change, customer_id, ("active", "past_due", "paused"))
        change.run("UPDATE subscriptions SET autorenew = ? WHERE customer_id = ?", on, row["customer_id"])
    return {
        "customer_id": row["customer_id"],
        "autorenew": on,
        "changed": bool(row["autorenew"]) != on,
        "period_end": row["period_end"],
    }
