"""Invoices at the desk: what is read, what is changed, what is refused."""

import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import ModelRetry, RunContext

from domains._ledger.deps import Deps
from domains.invoice.ledger import invoice_list, invoice_mark_paid, invoice_void
from domains.invoice.papers import invoice_change_title, invoice_get_pdf, invoice_resend
from domains.refund.approvals import refund_approve
from domains.refund.requests import refund_submit

from .desk import desk


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def _row(ctx: RunContext[Deps], invoice_id: str) -> dict[str, Any]:
    return ctx.deps.rows("SELECT * FROM invoices WHERE invoice_id = ?", invoice_id)[0]


def _dump(ctx: RunContext[Deps]) -> list[str]:
    with sqlite3.connect(ctx.deps.database) as database:
        return list(database.iterdump())


def test_a_double_charge_shows_at_the_top_of_the_list(ctx: RunContext[Deps]) -> None:
    found = invoice_list(ctx, " c007 ")
    first, second, third = found["invoices"][:3]
    assert (found["customer_id"], found["total"]) == ("C007", 14)
    assert [first["invoice_id"], second["invoice_id"]] == ["INV-2026-0338", "INV-2026-0337"]
    for row in (first, second):
        assert (row["amount_cents"], row["amount"], row["status"]) == (239200, "2392.00 元", "paid")
        assert (row["issued_on"], row["title"]) == ("2026-10-08", "明川物流有限公司")
    assert third["issued_on"] == "2026-09-08"


def test_a_long_list_is_cut_at_twenty(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        for number in range(15):
            change.insert(
                "invoices",
                invoice_id=f"INV-2026-9{number:03d}",
                customer_id="C007",
                amount_cents=100,
                issued_on="2026-10-19",
                title="x",
                description="x",
                status="open",
            )
    found = invoice_list(ctx, "C007")
    assert (len(found["invoices"]), found["total"]) == (20, 29)


def test_the_pdf_link_is_the_same_until_the_title_changes(ctx: RunContext[Deps]) -> None:
    before = _dump(ctx)
    link = invoice_get_pdf(ctx, "inv-2026-0337")
    assert link["url"].startswith("https://files.cloudledger.example.com/INV-2026-0337-")
    assert link["url"] == invoice_get_pdf(ctx, "INV-2026-0337")["url"]
    assert link["expires_on"] == "2026-10-27"
    assert _dump(ctx) == before
    invoice_change_title(ctx, "INV-2026-0337", "明川供应链有限公司")
    assert invoice_get_pdf(ctx, "INV-2026-0337")["url"] != link["url"]


@pytest.mark.parametrize(
    ("said", "title", "tax_number"),
    [
        ("明川供应链有限公司", "明川供应链有限公司", "91000000MA0070000X"),
        ("91310000MA1FL0XY2B", "明川物流有限公司", "91310000MA1FL0XY2B"),
        ("明川供应链有限公司,税号:91310000MA1FL0XY2B", "明川供应链有限公司", "91310000MA1FL0XY2B"),
        (
            "抬头\uff1a明川供应链有限公司\uff08税号\uff1a91310000MA1FL0XY2B\uff09",
            "明川供应链有限公司",
            "91310000MA1FL0XY2B",
        ),
        ("INTERNATIONALLY", "INTERNATIONALLY", "91000000MA0070000X"),
    ],
)
def test_title_and_tax_number_change(ctx: RunContext[Deps], said: str, title: str, tax_number: str) -> None:
    told = invoice_change_title(ctx, "INV-2026-0337", said)
    row = _row(ctx, "INV-2026-0337")
    assert (row["title"], row["tax_number"]) == (title, tax_number)
    assert (told["title"], told["previous_title"]) == (title, "明川物流有限公司")


def test_a_title_changes_up_to_the_ninetieth_day(tmp_path: Path) -> None:
    # Issued on 2026-10-08: the ninetieth day after it is 2027-01-06.
    last = desk(tmp_path, date(2027, 1, 6))
    assert invoice_change_title(last, "INV-2026-0337", "新名")["title"] == "新名"
    late = desk(tmp_path, date(2027, 1, 7))
    with pytest.raises(ModelRetry, match="91 天"):
        invoice_change_title(late, "INV-2026-0337", "新名")


def test_an_unpaid_invoice_is_voided(ctx: RunContext[Deps]) -> None:
    told = invoice_void(ctx, "INV-2026-0350")
    row = _row(ctx, "INV-2026-0350")
    assert (row["status"], row["voided_on"]) == ("void", "2026-10-20")
    assert (told["status"], told["voided_on"], told["customer_id"]) == ("void", "2026-10-20", "C008")


def test_a_paid_invoice_is_voided_once_all_of_it_went_back(ctx: RunContext[Deps]) -> None:
    refund_id = refund_submit(ctx, "INV-2026-0337", 2392, "重复扣款")["refund_id"]
    with pytest.raises(ModelRetry, match="没办完"):
        invoice_void(ctx, "INV-2026-0337")
    boss = RunContext(deps=Deps(ctx.deps.database, ctx.deps.today, "主管老何"), model=ctx.model, usage=ctx.usage)
    refund_approve(boss, refund_id)
    invoice_void(ctx, "INV-2026-0337")
    assert _row(ctx, "INV-2026-0337")["status"] == "void"


def test_an_invoice_goes_out_again_to_the_customers_address(ctx: RunContext[Deps]) -> None:
    told = invoice_resend(ctx, "INV-2026-0337")
    (mail,) = ctx.deps.rows("SELECT * FROM outbox WHERE message_id = ?", told["message_id"])
    assert (mail["customer_id"], mail["channel"], mail["recipient"]) == ("C007", "email", "user007@example.com")
    assert (mail["status"], mail["send_at"]) == ("sent", "2026-10-20 12:00:00")
    assert invoice_get_pdf(ctx, "INV-2026-0337")["url"] in mail["body"]
    assert told["sent_to"] == "user007@example.com"


def test_a_transfer_pays_an_open_invoice(ctx: RunContext[Deps]) -> None:
    told = invoice_mark_paid(ctx, "INV-2026-0350")
    assert (told["amount_cents"], told["amount"], told["paid_on"]) == (19600, "196.00 元", "2026-10-20")
    assert _row(ctx, "INV-2026-0350")["status"] == "paid"
    (payment,) = ctx.deps.rows("SELECT * FROM payments WHERE invoice_id = 'INV-2026-0350'")
    assert (payment["amount_cents"], payment["method"], payment["status"]) == (19600, "transfer", "succeeded")


def test_a_subscription_is_active_again_once_nothing_is_failed(ctx: RunContext[Deps]) -> None:
    def standing() -> str:
        return str(ctx.deps.rows("SELECT status FROM subscriptions WHERE customer_id = 'C015'")[0]["status"])

    invoice_mark_paid(ctx, "INV-2026-0295")
    assert standing() == "past_due"
    invoice_mark_paid(ctx, "INV-2026-0333")
    assert standing() == "active"


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (invoice_list, ("C999",), "没有客户 'C999'"),
        (invoice_list, ("user007@example.com",), "customer_find"),
        (invoice_get_pdf, ("INV-2026-9999",), "没有发票 'INV-2026-9999'"),
        (invoice_change_title, ("INV-2026-0174", "新名"), "134 天"),
        (invoice_change_title, ("INV-2026-0243", "新名"), "已作废"),
        (invoice_change_title, ("INV-2026-0337", " "), "空的"),
        (invoice_change_title, ("INV-2026-0337", "长" * 101), "101 个字符"),
        (invoice_change_title, ("INV-2026-9999", "新名"), "没有发票"),
        (invoice_void, ("INV-2026-0243",), "2026-07-30 已经作废"),
        (invoice_void, ("INV-2026-0337",), "2392.00 元已收款没退"),
        (invoice_void, ("INV-2026-0347",), "没办完"),
        (invoice_void, ("0337",), "没有发票"),
        (invoice_resend, ("INV-2026-0243",), "已作废"),
        (invoice_resend, ("",), "没有发票"),
        (invoice_mark_paid, ("INV-2026-0337",), "paid"),
        (invoice_mark_paid, ("INV-2026-0243",), "void"),
        (invoice_mark_paid, ("INV-2026-9999",), "没有发票"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    ctx: RunContext[Deps], tool: Callable[..., Any], arguments: tuple[object, ...], why: str
) -> None:
    before = _dump(ctx)
    with pytest.raises(ModelRetry, match=why):
        tool(ctx, *arguments)
    assert _dump(ctx) == before
