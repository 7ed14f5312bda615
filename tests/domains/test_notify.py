"""Messages land in the outbox, and nowhere else."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import ModelRetry, RunContext

from domains._ledger.deps import Deps
from domains._ledger.moments import moment
from domains.notify.later import notify_history, notify_schedule, notify_unsubscribe
from domains.notify.sending import notify_email, notify_slack_oncall, notify_sms

from .desk import desk
from .unchanged import refused

TUESDAY = date(2026, 10, 20)


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def newest(ctx: RunContext[Deps]) -> dict[str, Any]:
    return ctx.deps.rows("SELECT * FROM outbox ORDER BY message_id DESC LIMIT 1")[0]


def test_mail_goes_to_the_customers_address(ctx: RunContext[Deps]) -> None:
    told = notify_email(ctx, "c007", "关于重复扣款", "我们正在处理。")
    row = newest(ctx)
    assert (row["customer_id"], row["channel"], row["recipient"]) == ("C007", "email", "user007@example.com")
    assert (row["subject"], row["body"], row["status"]) == ("关于重复扣款", "我们正在处理。", "sent")
    assert told["recipient"] == "user007@example.com"


def test_an_sms_goes_to_the_customers_phone(ctx: RunContext[Deps]) -> None:
    notify_sms(ctx, "C007", "验证码 123456")
    (phone,) = ctx.deps.rows("SELECT phone FROM customers WHERE customer_id = 'C007'")
    row = newest(ctx)
    assert (row["channel"], row["recipient"], row["body"]) == ("sms", phone["phone"], "验证码 123456")


def test_an_alarm_goes_to_the_channel_and_to_no_customer(ctx: RunContext[Deps]) -> None:
    notify_slack_oncall(ctx, "导入全部失败")
    row = newest(ctx)
    assert (row["channel"], row["recipient"], row["customer_id"]) == ("slack", "#oncall", None)


def test_a_reminder_waits_for_its_time(ctx: RunContext[Deps]) -> None:
    told = notify_schedule(ctx, "C007", "下周一上午9点", "记得付款")
    row = newest(ctx)
    assert (row["status"], row["send_at"], row["body"]) == ("scheduled", "2026-10-26 09:00:00", "记得付款")
    assert told["send_at"] == "2026-10-26 09:00"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-11-03 09:30", datetime(2026, 11, 3, 9, 30)),
        ("2026-11-03", datetime(2026, 11, 3, 9)),
        ("2026年11月3日 15:00", datetime(2026, 11, 3, 15)),
        ("明天 15:00", datetime(2026, 10, 21, 15)),
        ("后天下午3点半", datetime(2026, 10, 22, 15, 30)),
        ("下周三", datetime(2026, 10, 28, 9)),
        ("下下周一 10点", datetime(2026, 11, 2, 10)),
        ("tomorrow at 3 pm", datetime(2026, 10, 21, 15)),
        ("next Friday 16:00", datetime(2026, 10, 30, 16)),
        ("3天后", datetime(2026, 10, 23, 9)),
        ("明天下午三点", datetime(2026, 10, 21, 15)),
        ("10月25日 10:00", datetime(2026, 10, 25, 10)),
        ("明天中午1点", datetime(2026, 10, 21, 13)),
        ("明天中午12点", datetime(2026, 10, 21, 12)),
        ("tomorrow 12am", datetime(2026, 10, 21, 0)),
        ("tomorrow at 12 p.m.", datetime(2026, 10, 21, 12)),
        ("２０２６-11-03 １５：３０", datetime(2026, 11, 3, 15, 30)),
        ("2026-11-03T15:30:00", datetime(2026, 11, 3, 15, 30)),
        ("明天晚上12点", None),
        ("明天9点15点", None),
        ("2月30日", None),
        ("soon", None),
        ("2026-13-40", None),
        ("明天 25:00", None),
        ("", None),
    ],
)
def test_moments_as_people_say_them(said: str, meant: datetime | None) -> None:
    assert moment(said, TUESDAY) == meant


def test_unsubscribing_is_done_once(ctx: RunContext[Deps]) -> None:
    assert notify_unsubscribe(ctx, "C007")["changed"] is True
    assert ctx.deps.rows("SELECT marketing FROM customers WHERE customer_id = 'C007'") == [{"marketing": 0}]
    assert notify_unsubscribe(ctx, "C007")["changed"] is False


def test_history_has_the_latest_first(ctx: RunContext[Deps]) -> None:
    before = notify_history(ctx, "C007")["total"]
    notify_email(ctx, "C007", "新的", "一封信")
    told = notify_history(ctx, "C007")
    assert told["total"] == before + 1
    assert told["messages"][0]["subject"] == "新的"


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (notify_email, ("C999", "a", "b"), "customer_find"),
        (notify_email, ("C007", " ", "b"), "subject"),
        (notify_email, ("C007", "a", "x" * 3000), "2000"),
        (notify_sms, ("C007", "x" * 501), "500"),
        (notify_sms, ("C007", "a\x00b"), "text"),
        (notify_slack_oncall, ("",), "text"),
        (notify_schedule, ("C007", "昨天", "hi"), "昨天"),
        (notify_schedule, ("C007", "2026-10-01", "hi"), "已经过去"),
        (notify_schedule, ("C007", "2031-10-01", "hi"), "太远"),
        (notify_unsubscribe, ("C0077",), "customer_find"),
        (notify_history, ("",), "customer_find"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Any, arguments: tuple[Any, ...], says: str
) -> None:
    assert says in refused(ctx, function, *arguments)


def test_refused_means_model_retry(ctx: RunContext[Deps]) -> None:
    with pytest.raises(ModelRetry):
        notify_email(ctx, "C999", "a", "b")
