"""What the model sent, read strictly: ids, money, months, texts. What cannot be read is told in a sentence."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from pydantic_ai import ModelRetry

from .database import Row

LONGEST = 2_000
"""Characters that any text argument may have."""


class Reads(Protocol):
    """A desk or an open transaction: anything that answers queries."""

    def rows(self, sql: str, *values: object) -> list[Row]: ...


def one(source: Reads, table: str, key: str, value: str, missing: str) -> Row:
    """The one row with a key.

    Raises:
        ModelRetry: there is none; `missing` says what to do then.
    """
    found = source.rows(f"SELECT * FROM {table} WHERE {key} = ?", value)  # noqa: S608 - names from our own code
    if not found:
        raise ModelRetry(missing)
    return found[0]


def customer(source: Reads, customer_id: str) -> Row:
    """The customer with an id such as C007, whatever its case.

    Raises:
        ModelRetry: no such customer, or it was merged into another.
    """
    wanted = _id(customer_id)
    row = one(
        source,
        "customers",
        "customer_id",
        wanted,
        f"没有客户 {wanted!r};先用 customer_find 按邮箱或公司名查客户 ID "
        "(no such customer; look the id up with customer_find)",
    )
    if row["merged_into"]:
        raise ModelRetry(f"{wanted} 已合并到 {row['merged_into']},请改用它 (was merged; use {row['merged_into']})")
    return row


def invoice(source: Reads, invoice_id: str) -> Row:
    """The invoice with a number such as INV-2026-0123.

    Raises:
        ModelRetry: no such invoice.
    """
    wanted = _id(invoice_id)
    return one(
        source,
        "invoices",
        "invoice_id",
        wanted,
        f"没有发票 {wanted!r};用 invoice_list 查这个客户的发票号 (no such invoice; see invoice_list)",
    )


def _id(written: str) -> str:
    """An id as it stands in the tables, and short enough to be told back; what cannot be stored finds nothing."""
    return written.strip().upper()[:40].encode("utf-8", "replace").decode().replace("\0", "?")


def text(value: str, what: str, longest: int = LONGEST) -> str:
    """A text that says something.

    Raises:
        ModelRetry: empty, too long, or with NUL or lone surrogates.
    """
    said = value.strip()
    if not said:
        raise ModelRetry(f"{what} 是空的,请写上内容 ({what} is empty)")
    if len(said) > longest:
        raise ModelRetry(f"{what} 有 {len(said)} 个字符,最多 {longest} 个 (too long: at most {longest} characters)")
    if "\0" in said or any("\ud800" <= sign <= "\udfff" for sign in said):
        raise ModelRetry(f"{what} 里有不能保存的字符 ({what} holds characters that cannot be stored)")
    return said


def cents(amount_yuan: float | str) -> int:
    """Yuan to cents, exactly.

    Raises:
        ModelRetry: not a positive amount with at most two decimals.
    """
    try:
        amount = Decimal(str(amount_yuan).strip().replace(",", ""))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount <= 0 or amount > 100_000_000 or amount != round(amount, 2):
        raise ModelRetry(
            f"金额 {amount_yuan!r} 不对:要大于 0、最多两位小数,单位元 "
            "(not an amount: more than 0, at most two decimals, in yuan)"
        )
    return int(amount * 100)


def month(value: str) -> str:
    """A month as YYYY-MM.

    Raises:
        ModelRetry: it is not one.
    """
    if not re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", value.strip()):
        raise ModelRetry(f"{value[:40]!r} 不是月份,写成 YYYY-MM,如 2026-10 (not a month; write it as 2026-10)")
    return value.strip()


def yuan(amount_cents: int) -> str:
    """Cents as people read them: `2392.00 元`."""
    return f"{amount_cents / 100:.2f} 元"


def days_between(earlier: str, later: date) -> int:
    """Days from an ISO date to another day."""
    return (later - date.fromisoformat(earlier[:10])).days


def next_id(source: Reads, table: str, column: str, prefix: str, width: int = 4) -> str:
    """The id after the highest with a prefix: RF-0031 after RF-0030."""
    sql = f"SELECT max({column}) AS last FROM {table} WHERE {column} LIKE ?"  # noqa: S608 - names from our own code
    last: Any = source.rows(sql, f"{prefix}%")[0]["last"]
    number = int(str(last)[len(prefix) :]) if last else 0
    return f"{prefix}{number + 1:0{width}d}"
