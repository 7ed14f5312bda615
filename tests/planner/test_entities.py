"""What is found in a text, by tables worked out by hand."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from routeagent.agent.planner import entities
from routeagent.agent.planner.dates import moments, months
from routeagent.agent.planner.places import place_in

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("C007 的 INV-2026-0123 和 RF-0012", ["C007", "INV-2026-0123", "RF-0012"]),
        ("T-0031,EX-0007,kb-012", ["T-0031", "EX-0007", "kb-012"]),
        ("user007@example.com", []),
        ("开了 2FA,重启 10 次", []),
        ("C007、C007", ["C007"]),
    ],
)
def test_identifiers(text: str, found: list[str]) -> None:
    assert [word.text for word in entities.identifiers(text)] == found


def test_emails() -> None:
    text = "把a.b+c@mail.example.com转给 bob@example.com。"
    assert entities.emails(text) == ("a.b+c@mail.example.com", "bob@example.com")


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("2392 元", "2392", "CNY"),
        ("¥1,200.50", "1200.50", "CNY"),
        ("$99", "99", "USD"),
        ("1200 yuan", "1200", "CNY"),
        ("退 300块", "300", "CNY"),
        ("99 美元", "99", "USD"),
        ("EUR 12.5", "12.5", "EUR"),
    ],
)
def test_amounts(text: str, value: str, currency: str) -> None:
    assert entities.amounts(text) == (entities.Money(Decimal(value), currency),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10 月", ["2026-10"]),
        ("12月份", ["2025-12"]),
        ("十月", ["2026-10"]),
        ("2025年3月", ["2025-03"]),
        ("2026-10", ["2026-10"]),
        ("October", ["2026-10"]),
        ("in Sept 2024", ["2024-09"]),
        ("上个月", ["2026-10"]),
        ("this month", ["2026-11"]),
        ("you may go", []),
        ("暂停 3 个月", []),
        ("9 月和 10 月", ["2026-09", "2026-10"]),
    ],
)
def test_months(text: str, found: list[str]) -> None:
    assert list(months(text, TODAY)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-11-05", ["2026-11-05"]),
        ("11 月 25 日上午 10 点", ["2026-11-25T10:00"]),
        ("明天下午 3 点半", ["2026-11-21T15:30"]),
        ("tomorrow at 9:15", ["2026-11-21T09:15"]),
        ("Dec 1 at 5 pm", ["2026-12-01T17:00"]),
        ("2 月 30 日", []),
        ("下周一 9 点", ["2026-11-23T09:00"]),
        ("周五", ["2026-11-27"]),
        ("next Monday", ["2026-11-23"]),
    ],
)
def test_moments(text: str, found: list[str]) -> None:
    assert list(moments(text, TODAY)) == found


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("打开自动续费", True),
        ("关闭自动续费", False),
        ("turn it off", False),
        ("Enable it", True),
        ("看看自动续费", None),
    ],
)
def test_switch(text: str, on: bool | None) -> None:
    assert entities.is_on(text) is on


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("加到 25 个席位", ["25"]),
        ("C007 的 10 月发票", []),
        ("暂停三个月", ["3"]),
        ("1,200 次", ["1200"]),
        ("电话 13800001111", []),
    ],
)
def test_numbers(text: str, found: list[str]) -> None:
    assert list(entities.numbers(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("查一下杭州云帆科技的发票", ["杭州云帆科技"]),
        ("Harbor Labs 的订阅", ["Harbor Labs"]),
        ("这个公司有多少人", []),
        ("青禾餐饮有限公司要开票", ["青禾餐饮有限公司"]),
    ],
)
def test_companies(text: str, found: list[str]) -> None:
    assert list(entities.companies(text)) == found


def test_codes_currencies_quotes_places() -> None:
    assert entities.codes("用 SAVE20,报错 E1043") == ("SAVE20", "E1043")
    assert entities.currencies("100 美元换成人民币") == ("USD", "CNY")
    assert entities.quoted("改成“北京云帆”和 'abc'") == ("北京云帆", "abc")
    assert place_in("广东的税率是多少") == "广东"
    assert place_in("What is the tax rate in Singapore?") == "Singapore"
    assert entities.han_number("二十五") == 25
