"""Charges, coupons, credit and rates at the desk."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import ModelRetry, RunContext

from domains._ledger.deps import Deps
from domains.billing.charges import billing_retry_charge, billing_update_payment_method
from domains.billing.credit import billing_apply_coupon, billing_credit_balance
from domains.billing.rates import billing_currency_convert, billing_tax_rate

from .desk import desk


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def _dump(ctx: RunContext[Deps]) -> list[str]:
    with sqlite3.connect(ctx.deps.database) as database:
        return list(database.iterdump())


def _standing(ctx: RunContext[Deps], invoice_id: str) -> tuple[str, list[tuple[str, str, int]]]:
    (row,) = ctx.deps.rows("SELECT status FROM invoices WHERE invoice_id = ?", invoice_id)
    tries = ctx.deps.rows("SELECT * FROM payments WHERE invoice_id = ? ORDER BY payment_id", invoice_id)
    return row["status"], [(one["method"], one["status"], one["amount_cents"]) for one in tries]


def test_a_coupon_lowers_the_next_bill(ctx: RunContext[Deps]) -> None:
    # 8 seats at 299.00 are 2392.00; 15 % off leaves 2033.20.
    told = billing_apply_coupon(ctx, "C007", " autumn15 ")
    assert (told["code"], told["percent_off"], told["before"]) == ("AUTUMN15", 15, "2392.00 元")
    assert (told["amount_cents"], told["amount"], told["next_invoice_on"]) == (203320, "2033.20 元", "2026-11-08")
    (use,) = ctx.deps.rows("SELECT * FROM coupon_uses WHERE customer_id = 'C007'")
    assert (use["code"], use["applied_on"]) == ("AUTUMN15", "2026-10-20")
    with pytest.raises(ModelRetry, match="已用过 AUTUMN15"):
        billing_apply_coupon(ctx, "C007", "AUTUMN15")
    with pytest.raises(ModelRetry, match="不能叠加"):
        billing_apply_coupon(ctx, "C007", "DOUBLE11")


def test_a_coupon_that_was_used_up_leaves_room_for_another(ctx: RunContext[Deps]) -> None:
    # An annual bill: 12 seats x 99.00 x 10 months = 11880.00, less 5 %.
    assert billing_apply_coupon(ctx, "C059", "ANNUAL5")["amount_cents"] == 1128600


def test_the_balance_comes_with_its_entries(ctx: RunContext[Deps]) -> None:
    told = billing_credit_balance(ctx, "C003")
    assert (told["balance_cents"], told["balance"]) == (30000, "300.00 元")
    assert [entry["amount"] for entry in told["entries"]] == ["-200.00 元", "500.00 元"]
    assert (told["entries"][0]["made_on"], told["total"]) == ("2026-05-20", 2)
    assert billing_credit_balance(ctx, "C001")["balance_cents"] == 0


def test_a_link_to_change_the_card_lives_seven_days(ctx: RunContext[Deps]) -> None:
    told = billing_update_payment_method(ctx, "c007")
    assert told["url"].startswith("https://pay.example.com/method/C007-")
    (row,) = ctx.deps.rows("SELECT * FROM payment_links WHERE url = ?", told["url"])
    assert (row["customer_id"], row["made_on"], row["expires_on"]) == ("C007", "2026-10-20", "2026-10-27")
    assert told["expires_on"] == "2026-10-27"
    assert billing_update_payment_method(ctx, "C007")["url"] != told["url"]


def test_a_link_is_the_same_at_every_desk(tmp_path: Path) -> None:
    first = billing_update_payment_method(desk(tmp_path), "C007")
    assert billing_update_payment_method(desk(tmp_path), "C007") == first


def test_a_card_that_failed_twice_fails_until_it_can_be_changed(ctx: RunContext[Deps]) -> None:
    told = billing_retry_charge(ctx, "INV-2026-0341")
    assert (told["charged"], told["status"]) == (False, "failed")
    assert "billing_update_payment_method" in told["note"]
    assert _standing(ctx, "INV-2026-0341") == ("failed", [("card", "failed", 19600)] * 3)
    billing_update_payment_method(ctx, "C025")
    assert billing_retry_charge(ctx, "INV-2026-0341")["charged"] is True
    paid = [("card", "failed", 19600)] * 3 + [("card", "succeeded", 19600)]
    assert _standing(ctx, "INV-2026-0341") == ("paid", paid)
    assert ctx.deps.rows("SELECT status FROM subscriptions WHERE customer_id = 'C025'") == [{"status": "active"}]


def test_a_charge_that_failed_once_succeeds(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("DELETE FROM payments WHERE invoice_id = 'INV-2026-0344' AND made_at > '2026-10-13'")
    told = billing_retry_charge(ctx, "INV-2026-0344")
    assert (told["charged"], told["amount"], told["customer_id"]) == (True, "147.00 元", "C010")
    assert _standing(ctx, "INV-2026-0344") == ("paid", [("card", "failed", 14700), ("card", "succeeded", 14700)])


@pytest.mark.parametrize(
    ("said", "region", "rate"),
    [
        ("广东", "广东", "6%"),
        ("广东省", "广东", "6%"),
        ("上海市", "上海", "6%"),
        ("Germany", "德国", "19%"),
        (" germany ", "德国", "19%"),
        ("中国", "中国大陆", "6%"),
        ("山东省", "中国大陆", "6%"),
        ("广西壮族自治区", "中国大陆", "6%"),
        ("UK", "英国", "20%"),
        ("香港特别行政区", "香港", "0%"),
    ],
)
def test_a_region_has_its_rate(ctx: RunContext[Deps], said: str, region: str, rate: str) -> None:
    told = billing_tax_rate(ctx, said)
    assert (told["region"], told["rate"]) == (region, rate)


def test_the_rate_is_found_for_every_customers_region(ctx: RunContext[Deps]) -> None:
    for row in ctx.deps.rows("SELECT DISTINCT region FROM customers"):
        assert billing_tax_rate(ctx, row["region"])["name"]


@pytest.mark.parametrize(
    ("amount", "from_ccy", "to_ccy", "result"),
    [
        (100, "USD", "CNY", "712.00 CNY"),  # x 7.12
        (100, "美元", "人民币", "712.00 CNY"),
        (0.1, "usd", "rmb", "0.71 CNY"),  # 0.712
        (1000, "CNY", "USD", "140.45 USD"),  # / 7.12 = 140.4494
        (100, "人民币", "日元", "2105 JPY"),  # / 0.0475 = 2105.26, and a yen has no hundredths
        (2105, "JPY", "CNY", "99.99 CNY"),  # x 0.0475 = 99.9875
        (100, "EUR", "USD", "116.01 USD"),  # x 8.26 / 7.12 = 116.0112
        (50, "GBP", "英镑", "50.00 GBP"),
    ],
)
def test_amounts_are_converted_to_the_cent(
    ctx: RunContext[Deps], amount: float, from_ccy: str, to_ccy: str, result: str
) -> None:
    told = billing_currency_convert(ctx, amount, from_ccy, to_ccy)
    assert (told["amount"], told["as_of"]) == (result, "2026-10-20")
    assert told["amount_cents"] == round(float(result.split()[0]) * 100)


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (billing_apply_coupon, ("C007", "NOPE"), "没有优惠码 'NOPE'"),
        (billing_apply_coupon, ("C007", "SUMMER25"), "2026-08-31 已过期"),
        (billing_apply_coupon, ("C027", "AUTUMN15"), "2026-09-22 已用过"),
        (billing_apply_coupon, ("C035", "AUTUMN15"), "没有在用的订阅"),
        (billing_apply_coupon, ("C999", "AUTUMN15"), "没有客户"),
        (billing_credit_balance, ("C999",), "没有客户"),
        (billing_update_payment_method, ("7",), "没有客户"),
        (billing_retry_charge, ("INV-2026-0337",), "状态是 paid"),
        (billing_retry_charge, ("INV-2026-0350",), "状态是 open"),
        (billing_retry_charge, ("INV-2026-9999",), "没有发票"),
        (billing_tax_rate, ("火星",), "没有 '火星' 的税率;能查的有 中国大陆"),
        (billing_tax_rate, ("",), "能查的有"),
        (billing_currency_convert, (100, "BTC", "CNY"), "不认识币种 'BTC'"),
        (billing_currency_convert, (100, "CNY", ""), "能换的有 CNY 人民币"),
        (billing_currency_convert, (-1, "USD", "CNY"), "金额 -1 不对"),
        (billing_currency_convert, (float("nan"), "USD", "CNY"), "金额 nan"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    ctx: RunContext[Deps], tool: Callable[..., Any], arguments: tuple[object, ...], why: str
) -> None:
    before = _dump(ctx)
    with pytest.raises(ModelRetry, match=why):
        tool(ctx, *arguments)
    assert _dump(ctx) == before
