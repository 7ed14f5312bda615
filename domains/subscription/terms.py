"""What a customer subscribes to: the plan and the seats."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import Reads, yuan
from ._terms import difference, find, period_cents, plan_named, running

_STATES = {"active": "使用中", "paused": "已暂停", "cancelled": "已取消", "past_due": "欠费"}


def subscription_get(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """看客户现在是什么套餐、买了几个席位、月付还是年付、几号到期、有没有开自动续费。

    Args:
        customer_id: 客户 ID,如 C007
    """
    row = find(ctx.deps, customer_id)
    if row is None:
        return {
            "customer_id": customer_id.strip().upper(),
            "status": "none",
            "note": "这个客户没有订阅 (no subscription)",
        }
    cents = period_cents(row)
    return {
        **{key: row[key] for key in ("customer_id", "plan", "seats")},
        "members": _members(ctx.deps, row["customer_id"]),
        **{key: row[key] for key in ("cycle", "status")},
        "state": f"{'年付' if row['cycle'] == 'annual' else '月付'},{_STATES[row['status']]}",
        **{key: row[key] for key in ("started_on", "period_start", "period_end", "paused_until", "cancelled_on")},
        "autorenew": bool(row["autorenew"]),
        "period_cents": cents,
        "amount": yuan(cents),
    }


@tool(writes=True)
def subscription_change_plan(ctx: RunContext[Deps], customer_id: str, new_plan: str) -> dict[str, Any]:
    """升级或降级:换成基础版、专业版或企业版,当天生效,同时算出到本期结束要补或退的差价。席位数不变。

    Args:
        customer_id: 客户 ID,如 C007
        new_plan: 基础版、专业版 或 企业版
    """
    with ctx.deps.change() as change:
        old, plan = running(change, customer_id), plan_named(change, new_plan)
        if plan["plan"] == old["plan"]:
            raise ModelRetry(f"{old['customer_id']} 已经是{plan['plan']},不用换 (already on this plan)")
        change.run("UPDATE subscriptions SET plan = ? WHERE customer_id = ?", plan["plan"], old["customer_id"])
    return {
        "customer_id": old["customer_id"],
        "old_plan": old["plan"],
        "plan": plan["plan"],
        "seats": old["seats"],
        **difference(old, {**old, **plan}, ctx.deps.today),
    }


@tool(writes=True)
def subscription_change_seats(ctx: RunContext[Deps], customer_id: str, seats: int) -> dict[str, Any]:
    """加人或减人:把席位改成几个,当天生效并算差价。不能少于现有成员数;换套餐用 subscription_change_plan。

    Args:
        customer_id: 客户 ID,如 C007
        seats: 改完一共几个席位
    """
    if not 1 <= seats <= 10_000:
        raise ModelRetry(f"席位数 {seats} 不对,要在 1 到 10000 之间 (seats must be from 1 to 10000)")
    with ctx.deps.change() as change:
        old = running(change, customer_id)
        members = _members(change, old["customer_id"])
        if seats < members:
            raise ModelRetry(
                f"{old['customer_id']} 有 {members} 个成员,席位不能减到 {seats},先让客户移除成员 "
                f"(has {members} members; seats cannot go below that)"
            )
        if seats == old["seats"]:
            raise ModelRetry(
                f"{old['customer_id']} 已经是 {seats} 个席位;seats 写改完后的总数 (seats is the new total)"
            )
        change.run("UPDATE subscriptions SET seats = ? WHERE customer_id = ?", seats, old["customer_id"])
    return {
        "customer_id": old["customer_id"],
        "plan": old["plan"],
        "old_seats": old["seats"],
        "seats": seats,
        "members": members,
        **difference(old, {**old, "seats": seats}, ctx.deps.today),
    }


def _members(source: Reads, customer_id: str) -> int:
    """Members that take a seat: all, those who were invited and never came too."""
    return source.rows("SELECT count(*) AS n FROM members WHERE customer_id = ?", customer_id)[0]["n"]
