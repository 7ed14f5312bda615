"""Refunds at the desk: asked for, withdrawn, approved, worked out."""

import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import ModelRetry, RunContext

from domains._ledger.deps import Deps
from domains.invoice.ledger import invoice_void
from domains.refund.annual import refund_calc_annual
from domains.refund.approvals import refund_approve, refund_list_pending
from domains.refund.requests import refund_cancel, refund_status, refund_submit

from .desk import desk


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def _as(ctx: RunContext[Deps], user: str) -> RunContext[Deps]:
    return RunContext(deps=Deps(ctx.deps.database, ctx.deps.today, user), model=ctx.model, usage=ctx.usage)


def _row(ctx: RunContext[Deps], refund_id: str) -> dict[str, Any]:
    return ctx.deps.rows("SELECT * FROM refunds WHERE refund_id = ?", refund_id)[0]


def _payments(ctx: RunContext[Deps], invoice_id: str) -> list[int]:
    rows = ctx.deps.rows("SELECT amount_cents FROM payments WHERE invoice_id = ? ORDER BY payment_id", invoice_id)
    return [row["amount_cents"] for row in rows]


def _dump(ctx: RunContext[Deps]) -> list[str]:
    with sqlite3.connect(ctx.deps.database) as database:
        return list(database.iterdump())


def test_a_request_waits_and_moves_no_money(ctx: RunContext[Deps]) -> None:
    told = refund_submit(ctx, "inv-2026-0337", 2392.0, "重复扣款")
    assert (told["refund_id"], told["customer_id"], told["amount"]) == ("RF-0022", "C007", "2392.00 元")
    row = _row(ctx, "RF-0022")
    assert (row["invoice_id"], row["amount_cents"], row["status"]) == ("INV-2026-0337", 239200, "pending")
    assert (row["requested_by"], row["requested_on"], row["reason"]) == ("客服小林", "2026-10-20", "重复扣款")
    assert _payments(ctx, "INV-2026-0337") == [239200]
    assert "钱还没动" in told["where"]


def test_requests_together_take_no_more_than_was_paid(ctx: RunContext[Deps]) -> None:
    refund_submit(ctx, "INV-2026-0337", 2000, "先退一部分")
    with pytest.raises(ModelRetry, match=r"可退的 392\.00 元"):
        refund_submit(ctx, "INV-2026-0337", 392.01, "再退")
    refund_submit(ctx, "INV-2026-0337", 392, "再退")
    with pytest.raises(ModelRetry, match="没有可退的钱"):
        refund_submit(ctx, "INV-2026-0337", 0.01, "再退")


def test_what_went_back_already_counts(ctx: RunContext[Deps]) -> None:
    # 495.00 of INV-2026-0040 went back in April.
    paid = sum(amount for amount in _payments(ctx, "INV-2026-0040"))
    with pytest.raises(ModelRetry, match="超过"):
        refund_submit(ctx, "INV-2026-0040", (paid + 1) / 100, "再退")
    assert refund_submit(ctx, "INV-2026-0040", paid / 100, "再退")["amount_cents"] == paid


@pytest.mark.parametrize(
    ("refund_id", "status", "where"),
    [
        ("RF-0016", "pending", "钱还没动"),
        ("RF-0013", "approved", "等财务打款"),
        ("rf-0010", "paid", "2026-09-10 已原路退回"),
        ("RF-0012", "rejected", "没批准"),
        ("RF-0014", "cancelled", "撤回"),
    ],
)
def test_a_status_says_where_the_money_is(ctx: RunContext[Deps], refund_id: str, status: str, where: str) -> None:
    told = refund_status(ctx, refund_id)
    assert (told["refund_id"], told["status"]) == (refund_id.upper(), status)
    assert where in told["where"]


def test_a_waiting_request_is_withdrawn_and_frees_its_amount(ctx: RunContext[Deps]) -> None:
    refund_id = refund_submit(ctx, "INV-2026-0337", 2392, "重复扣款")["refund_id"]
    assert refund_cancel(ctx, refund_id)["status"] == "cancelled"
    assert _row(ctx, refund_id)["status"] == "cancelled"
    assert refund_submit(ctx, "INV-2026-0337", 2392, "重复扣款")["refund_id"] == "RF-0023"


def test_waiting_requests_are_listed_latest_first(ctx: RunContext[Deps]) -> None:
    told = refund_list_pending(ctx)
    assert [row["refund_id"] for row in told["refunds"]] == ["RF-0021", "RF-0020", "RF-0019", "RF-0018", "RF-0016"]
    # 49.00 + 598.00 + 99.00 + 495.00 + 299.00
    assert (told["total"], told["amount_cents"], told["amount"]) == (5, 154000, "1540.00 元")
    assert told["refunds"][0]["customer_id"] == "C002"


def test_an_approval_moves_the_money_once(ctx: RunContext[Deps]) -> None:
    boss = _as(ctx, "主管老何")
    before = _payments(ctx, "INV-2026-0347")
    told = refund_approve(boss, "RF-0016")
    row = _row(ctx, "RF-0016")
    assert (row["status"], row["decided_by"], row["decided_on"]) == ("paid", "主管老何", "2026-10-20")
    assert (told["status"], told["paid_on"]) == ("paid", "2026-10-20")
    assert _payments(ctx, "INV-2026-0347") == [*before, -29900]
    dump = _dump(ctx)
    with pytest.raises(ModelRetry, match="状态是 paid"):
        refund_approve(boss, "RF-0016")
    assert _dump(ctx) == dump
    assert refund_list_pending(ctx)["total"] == 4


def test_nobody_approves_their_own_request(ctx: RunContext[Deps]) -> None:
    refund_id = refund_submit(_as(ctx, "主管老何"), "INV-2026-0337", 10, "补差价")["refund_id"]
    before = _dump(ctx)
    with pytest.raises(ModelRetry, match="自己提交"):
        refund_approve(_as(ctx, "主管老何"), refund_id)
    assert _dump(ctx) == before
    assert refund_approve(ctx, refund_id)["status"] == "paid"


def test_an_approval_cannot_take_more_than_is_left(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("DELETE FROM payments WHERE invoice_id = 'INV-2026-0347'")
    before = _dump(ctx)
    with pytest.raises(ModelRetry, match=r"只剩 0\.00 元"):
        refund_approve(_as(ctx, "主管老何"), "RF-0016")
    assert _dump(ctx) == before


def test_an_annual_plan_gives_back_the_months_not_begun(ctx: RunContext[Deps]) -> None:
    # 12 seats at 99.00 are 1188.00 a month, ten months paid. 15 April to 20 October: seven months begun.
    before = _dump(ctx)
    told = refund_calc_annual(ctx, "C012")
    assert (told["invoice_id"], told["annual_price_cents"], told["month_cents"]) == ("INV-2026-0109", 1188000, 118800)
    assert (told["months_used"], told["used_cents"]) == (7, 831600)
    assert (told["amount_cents"], told["amount"]) == (356400, "3564.00 元")
    assert _dump(ctx) == before


@pytest.mark.parametrize(
    ("today", "months", "back"),
    [
        (date(2026, 4, 15), 1, 1069200),
        (date(2026, 5, 14), 1, 1069200),
        (date(2026, 5, 15), 2, 950400),
        (date(2027, 1, 14), 9, 118800),
        (date(2027, 1, 15), 10, 0),
        (date(2027, 4, 14), 12, 0),
    ],
)
def test_a_begun_month_counts_whole_and_nothing_goes_below_zero(
    tmp_path: Path, today: date, months: int, back: int
) -> None:
    told = refund_calc_annual(desk(tmp_path, today), "C012")
    assert (told["months_used"], told["amount_cents"]) == (months, back)


def test_months_from_the_31st_begin_on_a_shorter_months_last_day(tmp_path: Path) -> None:
    ctx = desk(tmp_path, date(2026, 9, 30))
    with ctx.deps.change() as change:
        change.run("UPDATE subscriptions SET period_start = '2026-08-31', period_end = '2027-08-30'")
        change.run("UPDATE invoices SET issued_on = '2026-08-31' WHERE invoice_id = 'INV-2026-0109'")
    assert refund_calc_annual(ctx, "C012")["amount_cents"] == 1188000 - 2 * 118800


def test_an_annual_invoice_that_went_back_and_is_void_gives_nothing_more(ctx: RunContext[Deps]) -> None:
    refund_id = refund_submit(ctx, "INV-2026-0109", 11880, "开错")["refund_id"]
    refund_approve(_as(ctx, "主管老何"), refund_id)
    assert refund_calc_annual(ctx, "C012")["amount_cents"] == 0
    invoice_void(ctx, "INV-2026-0109")
    with pytest.raises(ModelRetry, match="没有有效的年付发票"):
        refund_calc_annual(ctx, "C012")


def test_an_annual_invoice_issued_again_later_is_the_one_that_counts(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("UPDATE invoices SET issued_on = '2026-04-16' WHERE invoice_id = 'INV-2026-0109'")
        change.run("UPDATE payments SET amount_cents = 900000 WHERE invoice_id = 'INV-2026-0109'")
    # 9000.00 were paid, seven months of 1188.00 have begun.
    assert refund_calc_annual(ctx, "C012")["amount_cents"] == 900000 - 7 * 118800


def test_a_discount_and_money_under_way_lower_what_an_annual_plan_gives_back(ctx: RunContext[Deps]) -> None:
    # C059 paid 10692.00 with a coupon; 2 September to 20 October are two months of 1188.00 begun.
    assert refund_calc_annual(ctx, "C059")["amount_cents"] == 1069200 - 2 * 118800
    refund_submit(ctx, "INV-2026-0290", 1000, "先退一部分")
    assert refund_calc_annual(ctx, "C059")["amount_cents"] == 1069200 - 100000 - 2 * 118800


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (refund_submit, ("INV-2026-9999", 10, "错扣"), "没有发票 'INV-2026-9999'"),
        (refund_submit, ("INV-2026-0337", -10, "错扣"), "金额 -10 不对"),
        (refund_submit, ("INV-2026-0337", 0, "错扣"), "金额 0 不对"),
        (refund_submit, ("INV-2026-0337", 1.005, "错扣"), "两位小数"),
        (refund_submit, ("INV-2026-0337", float("nan"), "错扣"), "金额 nan"),
        (refund_submit, ("INV-2026-0337", float("inf"), "错扣"), "金额 inf"),
        (refund_submit, ("INV-2026-0337", 2392.01, "错扣"), "超过"),
        (refund_submit, ("INV-2026-0337", 10, "  "), "空的"),
        (refund_submit, ("INV-2026-0350", 10, "错扣"), "没有可退的钱"),
        (refund_submit, ("INV-2026-0243", 10, "错扣"), "没有可退的钱"),
        (refund_status, ("RF-9999",), "没有退款申请 'RF-9999'"),
        (refund_cancel, ("RF-9999",), "没有退款申请"),
        (refund_cancel, ("RF-0013",), "状态是 approved"),
        (refund_cancel, ("RF-0010",), "状态是 paid"),
        (refund_approve, ("16",), "没有退款申请 '16'"),
        (refund_approve, ("RF-0012",), "状态是 rejected"),
        (refund_approve, ("RF-0013",), "状态是 approved"),
        (refund_approve, ("RF-0016",), "自己提交"),
        (refund_calc_annual, ("C999",), "没有客户"),
        (refund_calc_annual, ("C007",), "不是在用的年付"),
        (refund_calc_annual, ("C035",), "annual、cancelled"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    ctx: RunContext[Deps], tool: Callable[..., Any], arguments: tuple[object, ...], why: str
) -> None:
    before = _dump(ctx)
    with pytest.raises(ModelRetry, match=why):
        tool(ctx, *arguments)
    assert _dump(ctx) == before
