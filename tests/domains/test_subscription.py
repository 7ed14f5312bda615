"""The subscription tools, each called for real on a fresh database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from domains.subscription.renewal import subscription_cancel, subscription_pause, subscription_toggle_autorenew
from domains.subscription.terms import subscription_change_plan, subscription_change_seats, subscription_get
from tests.domains.desk import desk
from tests.domains.unchanged import refused


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def _stored(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    (row,) = ctx.deps.rows("SELECT * FROM subscriptions WHERE customer_id = ?", customer_id)
    return row


def test_get(ctx: RunContext[Deps]) -> None:
    assert subscription_get(ctx, "c007") == {
        "customer_id": "C007",
        "plan": "企业版",
        "seats": 8,
        "members": 4,
        "cycle": "monthly",
        "status": "active",
        "state": "月付,使用中",
        "started_on": "2025-10-08",
        "period_start": "2026-10-08",
        "period_end": "2026-11-07",
        "paused_until": None,
        "cancelled_on": None,
        "autorenew": True,
        "period_cents": 239_200,
        "amount": "2392.00 元",
    }


def test_get_a_year_at_ten_months(ctx: RunContext[Deps]) -> None:
    assert subscription_get(ctx, "C012")["period_cents"] == 12 * 9_900 * 10


def test_get_of_one_who_never_subscribed(ctx: RunContext[Deps]) -> None:
    assert subscription_get(ctx, "C047")["status"] == "none"


@pytest.mark.parametrize(
    ("customer_id", "said", "plan", "difference_cents", "difference", "days_left"),
    [
        # 8 seats, 200 yuan less each, 19 of 31 days: -160000 * 19 / 31 = -98064.5
        ("C007", "专业版", "专业版", -98_065, "-980.65 元", 19),
        # 3 seats, 50 yuan more each, 22 of 31 days: 15000 * 22 / 31 = 10645.2
        ("C001", "Pro", "专业版", 10_645, "106.45 元", 22),
        # A year of 5 seats, 10 times 50 yuan more each, 128 of 365 days: 250000 * 128 / 365 = 87671.2
        ("C020", " pro ", "专业版", 87_671, "876.71 元", 128),
        # 1 seat, 250 yuan more, two days of thirty: 25000 * 2 / 30 = 1666.7
        ("C006", "enterprise", "企业版", 1_667, "16.67 元", 2),
    ],
)
def test_change_plan_estimates_by_the_day(
    ctx: RunContext[Deps],
    customer_id: str,
    said: str,
    plan: str,
    difference_cents: int,
    difference: str,
    days_left: int,
) -> None:
    before = _stored(ctx, customer_id)
    told = subscription_change_plan(ctx, customer_id, said)
    assert (told["old_plan"], told["plan"], told["days_left"]) == (before["plan"], plan, days_left)
    assert (told["difference_cents"], told["difference"]) == (difference_cents, difference)
    assert _stored(ctx, customer_id) == {**before, "plan": plan}
    assert ctx.deps.rows("SELECT 1 FROM payments WHERE made_at >= '2026-10-20 12'") == []


def test_change_seats(ctx: RunContext[Deps]) -> None:
    """Two more at 299 yuan for 19 of 31 days: 59800 * 19 / 31 = 36651.6"""
    told = subscription_change_seats(ctx, "C007", 10)
    assert (told["old_seats"], told["seats"], told["difference_cents"]) == (8, 10, 36_652)
    assert (told["next_period_cents"], told["next_period"]) == (299_000, "2990.00 元")
    assert _stored(ctx, "C007")["seats"] == 10
    # Four people are in it, and four seats are enough.
    assert subscription_change_seats(ctx, "C007", 4)["difference_cents"] < 0
    assert _stored(ctx, "C007")["seats"] == 4


def test_cancel_keeps_what_is_paid_for(ctx: RunContext[Deps]) -> None:
    before = _stored(ctx, "C007")
    told = subscription_cancel(ctx, "C007")
    assert (told["usable_until"], told["cancelled_on"]) == ("2026-11-07", "2026-10-20")
    after = {**before, "status": "cancelled", "cancelled_on": "2026-10-20", "autorenew": 0}
    assert _stored(ctx, "C007") == after


def test_cancel_of_a_paused_one(ctx: RunContext[Deps]) -> None:
    subscription_cancel(ctx, "C049")
    stored = _stored(ctx, "C049")
    assert (stored["status"], stored["paused_until"]) == ("cancelled", None)


@pytest.mark.parametrize(
    ("customer_id", "months", "until", "end"),
    [
        ("C007", 2, "2026-12-20", "2027-01-07"),
        ("C003", 3, "2027-01-20", "2027-08-19"),
        ("C011", 1, "2026-11-20", "2027-08-08"),
    ],
)
def test_pause_moves_the_end(ctx: RunContext[Deps], customer_id: str, months: int, until: str, end: str) -> None:
    before = _stored(ctx, customer_id)
    told = subscription_pause(ctx, customer_id, months)
    assert (told["paused_until"], told["period_end"], told["old_period_end"]) == (until, end, before["period_end"])
    assert _stored(ctx, customer_id) == {**before, "status": "paused", "paused_until": until, "period_end": end}


def test_toggle_autorenew(ctx: RunContext[Deps]) -> None:
    before = _stored(ctx, "C007")
    assert subscription_toggle_autorenew(ctx, "C007", False)["changed"] is True
    assert _stored(ctx, "C007") == {**before, "autorenew": 0}
    again = subscription_toggle_autorenew(ctx, "C007", False)
    assert (again["autorenew"], again["changed"]) == (False, False)
    subscription_toggle_autorenew(ctx, "C007", True)
    assert _stored(ctx, "C007") == before


@pytest.mark.parametrize(
    ("function", "arguments", "named"),
    [
        (subscription_get, ("C999",), "C999"),
        (subscription_change_plan, ("C999", "专业版"), "C999"),
        (subscription_change_plan, ("C007", "旗舰版"), "旗舰版"),
        (subscription_change_plan, ("C007", ""), "new_plan"),
        (subscription_change_plan, ("C007", "企业版"), "企业版"),
        (subscription_change_plan, ("C047", "专业版"), "C047"),
        (subscription_change_plan, ("C023", "专业版"), "2026-06-12"),
        (subscription_change_plan, ("C049", "企业版"), "2026-11-10"),
        (subscription_change_seats, ("C007", 0), "0"),
        (subscription_change_seats, ("C007", -2), "-2"),
        (subscription_change_seats, ("C007", 10_001), "10001"),
        (subscription_change_seats, ("C007", 3), "4"),
        (subscription_change_seats, ("C007", 8), "8"),
        (subscription_change_seats, ("C023", 9), "C023"),
        (subscription_cancel, ("C999",), "C999"),
        (subscription_cancel, ("C023",), "2026-07-11"),
        (subscription_pause, ("C007", 0), "0"),
        (subscription_pause, ("C007", 4), "4"),
        (subscription_pause, ("C049", 1), "2026-11-10"),
        (subscription_pause, ("C010", 1), "C010"),
        (subscription_toggle_autorenew, ("C999", True), "C999"),
        (subscription_toggle_autorenew, ("C023", True), "C023"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Callable[..., Any], arguments: tuple[Any, ...], named: str
) -> None:
    assert named in refused(ctx, function, *arguments)
