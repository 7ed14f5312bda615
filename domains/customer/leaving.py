"""Customers that go: merged into another, or deleted on their own request."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Change, Row
from .._ledger.deps import Deps
from .._ledger.reading import customer
from .._ledger.remarks import remark
from ._merging import move

_CROWDED = """
SELECT 1 FROM subscriptions s WHERE customer_id = ? AND status <> 'cancelled'
AND seats < (SELECT count(*) FROM members m WHERE m.customer_id = s.customer_id)
"""


@tool(writes=True)
def customer_merge(ctx: RunContext[Deps], keep_id: str, drop_id: str) -> dict[str, Any]:
    """同一家公司重复注册了两个账号,合并成一个:发票、工单、成员、余额都归到留下的那个,不能撤销。

    Args:
        keep_id: 留下的客户 ID
        drop_id: 并进去的客户 ID
    """
    with ctx.deps.change() as change:
        keep, drop = customer(change, keep_id), customer(change, drop_id)
        _check(change, keep, drop)
        kept, dropped = keep["customer_id"], drop["customer_id"]
        moved = move(change, kept, dropped)
        change.run("UPDATE customers SET merged_into = ? WHERE ? IN (customer_id, merged_into)", kept, dropped)
        remark(change, ctx.deps, kept, f"客户 {dropped}({drop['company']},{drop['email']})已合并到本账号。")
        crowded = change.rows(_CROWDED, kept)
    answer: dict[str, Any] = {"customer_id": kept, "merged": dropped, "moved": moved}
    if crowded:
        answer["note"] = "合并后成员多于席位,用 subscription_change_seats 加席位 (more members than seats now)"
    return answer


@tool(writes=True)
def customer_delete_request(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """客户要注销账号、删掉个人数据,登记这个申请,只登记、不马上删。只是不续费请用 subscription_cancel。

    Args:
        customer_id: 客户 ID,如 C007
    """
    with ctx.deps.change() as change:
        row = customer(change, customer_id)
        known, day = row["customer_id"], row["deletion_requested_on"] or ctx.deps.today.isoformat()
        registered = row["deletion_requested_on"] is None
        if registered:
            change.run("UPDATE customers SET deletion_requested_on = ? WHERE customer_id = ?", day, known)
            remark(change, ctx.deps, known, "登记了注销账号和删除个人数据的申请。")
    note = "已登记" if registered else f"{day} 已经登记过,没有重复登记 (was already registered)"
    return {"customer_id": known, "registered": registered, "deletion_requested_on": day, "note": note}


def _check(change: Change, keep: Row, drop: Row) -> None:
    both = (keep["customer_id"], drop["customer_id"])
    if both[0] == both[1]:
        raise ModelRetry(f"两个都是 {both[0]},要给两个不同的客户 ID (keep_id and drop_id are the same customer)")
    for row in (keep, drop):
        if row["deletion_requested_on"]:
            raise ModelRetry(f"{row['customer_id']} 已申请注销,不能合并 (deletion was requested; cannot be merged)")
    live = "SELECT customer_id FROM subscriptions WHERE customer_id IN (?, ?) AND status <> 'cancelled'"
    if len(change.rows(live, *both)) == 2:
        raise ModelRetry(
            f"{both[0]} 和 {both[1]} 都有在用的订阅,先用 subscription_cancel 取消一个再合并 "
            "(both have a running subscription; cancel one first)"
        )
