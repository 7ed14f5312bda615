"""Invoices on paper: the PDF, its way to the customer, the name that it bears."""

import hashlib
import re
from datetime import timedelta
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.database import Row
from .._ledger.deps import Deps
from .._ledger.reading import customer, days_between, invoice, text, yuan

_LINK_DAYS = 7
_RETITLE_DAYS = 90
_LONGEST_TITLE = 100
_TAX_NUMBER = re.compile(r"(?<![0-9A-Z])(?=(?:[A-Z]*\d){6})(?:[0-9A-Z]{15}|[0-9A-Z]{18}|[0-9A-Z]{20})(?![0-9A-Z])")
_TAX_WORD = re.compile(r"(?:税号|纳税人识别号|统一社会信用代码|抬头|tax (?:number|id))\s*[:\uff1a是为]?", re.IGNORECASE)
_AROUND = " ,;:()、\uff0c\uff1b\uff1a\uff08\uff09"


def invoice_get_pdf(ctx: RunContext[Deps], invoice_id: str) -> dict[str, Any]:
    """要发票 PDF、电子版、下载链接时用,链接给你转发;要系统直接寄给客户用重发。

    Args:
        invoice_id: 发票号,如 INV-2026-0123
    """
    row = invoice(ctx.deps, invoice_id)
    return {
        "invoice_id": row["invoice_id"],
        "customer_id": row["customer_id"],
        "url": _pdf(row),
        "expires_on": (ctx.deps.today + timedelta(days=_LINK_DAYS)).isoformat(),
        "status": row["status"],
        "title": row["title"],
    }


@tool(writes=True)
def invoice_resend(ctx: RunContext[Deps], invoice_id: str) -> dict[str, Any]:
    """客户没收到发票邮件,把这张发票再发到他登记的邮箱。

    Args:
        invoice_id: 发票号
    """
    with ctx.deps.change() as change:
        row = _living(invoice(change, invoice_id), "不能重发", "cannot be sent")
        to = customer(change, row["customer_id"])["email"]
        subject = f"发票 {row['invoice_id']}"
        message_id = change.insert(
            "outbox",
            customer_id=row["customer_id"],
            channel="email",
            recipient=to,
            subject=subject,
            body=f"您好,{row['title']} 的发票 {row['invoice_id']},金额 {yuan(row['amount_cents'])},下载:{_pdf(row)}",
            status="sent",
            created_at=ctx.deps.now,
            send_at=ctx.deps.now,
        )
    return {
        "invoice_id": row["invoice_id"],
        "customer_id": row["customer_id"],
        "message_id": message_id,
        "sent_to": to,
        "subject": subject,
        "sent_at": ctx.deps.now,
    }


@tool(writes=True)
def invoice_change_title(ctx: RunContext[Deps], invoice_id: str, title: str) -> dict[str, Any]:
    """抬头开错、公司改名、税号写错时改发票抬头或税号,开票 90 天内有效。

    Args:
        invoice_id: 发票号
        title: 新抬头;也可写税号,或抬头加税号
    """
    name, tax_number = _title_and_tax_number(text(title, "title", _LONGEST_TITLE))
    with ctx.deps.change() as change:
        row = _living(invoice(change, invoice_id), "不能改抬头", "its title cannot change")
        age = days_between(row["issued_on"], ctx.deps.today)
        if age > _RETITLE_DAYS:
            raise ModelRetry(
                f"{row['invoice_id']} 开票已 {age} 天,超过 {_RETITLE_DAYS} 天不能改抬头,请向客户说明"
                f" (issued {age} days ago; titles change within {_RETITLE_DAYS} days only)"
            )
        after = {"title": name or row["title"], "tax_number": tax_number or row["tax_number"]}
        change.run(
            "UPDATE invoices SET title = ?, tax_number = ? WHERE invoice_id = ?", *after.values(), row["invoice_id"]
        )
    before = {"previous_title": row["title"], "previous_tax_number": row["tax_number"]}
    return {"invoice_id": row["invoice_id"], "customer_id": row["customer_id"], **after, **before}


def _living(row: Row, cannot: str, english: str) -> Row:
    if row["status"] == "void":
        raise ModelRetry(
            f"{row['invoice_id']} 已作废,{cannot};用 invoice_list 找有效的发票 (is void: {english}; see invoice_list)"
        )
    return row


def _pdf(row: Row) -> str:
    """The link to an invoice's PDF: another one after what is printed on it has changed."""
    printed = "|".join(str(row[field]) for field in ("invoice_id", "title", "tax_number", "amount_cents", "status"))
    return f"https://files.cloudledger.example.com/{row['invoice_id']}-{hashlib.sha256(printed.encode()).hexdigest()[:12]}.pdf"


def _title_and_tax_number(said: str) -> tuple[str, str]:
    """What was said, parted into a title and a tax number (15, 18 or 20 capitals and digits); either may be empty."""
    found = _TAX_NUMBER.search(said)
    if not found:
        return said, ""
    rest = _TAX_WORD.sub(" ", said[: found.start()] + " " + said[found.end() :])
    return rest.strip(_AROUND), found.group()
