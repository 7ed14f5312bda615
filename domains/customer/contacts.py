"""Who a customer is and how to reach them."""

import re
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Change
from .._ledger.deps import Deps
from .._ledger.reading import customer, text

_FOUND = """
SELECT customer_id, company, contact, email, phone, region, created_on, merged_into FROM customers
WHERE CASE WHEN ?2 THEN customer_id = upper(?1)
           ELSE instr(lower(email), lower(?1)) OR instr(lower(company), lower(?1)) OR contact = ?1 END
ORDER BY merged_into IS NOT NULL, lower(email) <> lower(?1), created_on DESC, customer_id DESC
"""
_FIELDS = {"联系人": "contact", "电话": "phone", "邮箱": "email"}


@tool(core=True)
def customer_find(ctx: RunContext[Deps], query: str) -> dict[str, Any]:
    """客户是谁、客户 ID 是多少:按邮箱、公司名或 ID 查。别的工具要 customer_id 而只有邮箱或公司时,先用它。

    Args:
        query: 邮箱或其中一段、公司名的一部分,或 C007 这样的 ID
    """
    wanted = text(query, "query", 200)
    found = ctx.deps.rows(_FOUND, wanted, bool(re.fullmatch(r"[Cc]\d{3}", wanted)))
    for row in found:
        if row["merged_into"] is None:
            del row["merged_into"]
    answer: dict[str, Any] = {"customers": found[:20], "total": len(found)}
    if not found:
        answer["hint"] = (
            f"没有找到 {wanted!r};换邮箱 @ 前面的部分、公司名里的两三个字或 C 开头的 ID 再查 "
            "(nobody found; try a part of the e-mail or company name, or the id)"
        )
    return answer


@tool(writes=True)
def customer_update_contact(ctx: RunContext[Deps], customer_id: str, field: str, value: str) -> dict[str, Any]:
    """客户换了电话、邮箱或联系人,把资料改成新的。一次改一项;不改发票抬头,也不换账号所有者。

    Args:
        customer_id: 客户 ID,如 C007
        field: 联系人、电话 或 邮箱
        value: 改成什么
    """
    column = _FIELDS.get(field.strip(), field.strip().lower())
    if column not in _FIELDS.values():
        raise ModelRetry(f"不能改 {field[:40]!r};只有 联系人、电话、邮箱 (field is contact, phone or email)")
    new = _READERS[column](value)
    with ctx.deps.change() as change:
        before = customer(change, customer_id)
        if column == "email":
            _free(change, new, before["customer_id"])
        change.run(f"UPDATE customers SET {column} = ? WHERE customer_id = ?", new, before["customer_id"])  # noqa: S608
    return {"customer_id": before["customer_id"], "field": column, "old": before[column], "new": new}


def _name(value: str) -> str:
    return text(value, "联系人 (contact)", 60)


def _phone(value: str) -> str:
    said = text(value, "电话 (phone)", 40)
    bare = re.sub(r"[\s()-]", "", said)
    if not re.fullmatch(r"\+?[0-9]{7,15}", bare):
        raise ModelRetry(f"{said!r} 不是电话号码,要 7 到 15 位数字,可带区号 (not a phone number: 7 to 15 digits)")
    return bare


def _email(value: str) -> str:
    said = text(value, "邮箱 (email)", 254).lower()
    if not re.fullmatch(r"[a-z0-9._%+-]+@([a-z0-9-]+\.)+[a-z]{2,}", said):
        raise ModelRetry(f"{said[:60]!r} 不是邮箱地址,写成 name@example.com 这样 (not an e-mail address)")
    return said


_READERS = {"contact": _name, "phone": _phone, "email": _email}


def _free(change: Change, email: str, but: str) -> None:
    for other in change.rows("SELECT customer_id FROM customers WHERE lower(email) = ?", email):
        if other["customer_id"] != but:
            raise ModelRetry(
                f"邮箱 {email} 已经是客户 {other['customer_id']} 的;换一个,重复注册的用 customer_merge "
                "(e-mail is taken by another customer)"
            )
