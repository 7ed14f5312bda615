"""Tickets from opening to closing."""

from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from domains.ticket.reading import ticket_get, ticket_search
from domains.ticket.working import ticket_assign, ticket_close, ticket_create, ticket_reply

from .desk import desk
from .unchanged import refused


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def test_a_ticket_lives(ctx: RunContext[Deps]) -> None:
    number = ticket_create(ctx, "C007", "重复扣款", "10 月 8 日扣了两次")["ticket_id"]
    assert ticket_assign(ctx, number, "账单组")["assignee"] == "账单组"
    ticket_reply(ctx, number, "已提交退款申请")
    told = ticket_get(ctx, number)
    assert (told["status"], told["assignee"], told["customer_id"]) == ("waiting", "账单组", "C007")
    assert [message["text"] for message in told["messages"]] == ["10 月 8 日扣了两次", "已提交退款申请"]
    assert ticket_close(ctx, number)["resolution"] == "已提交退款申请"
    (row,) = ctx.deps.rows("SELECT * FROM tickets WHERE ticket_id = ?", number)
    assert (row["status"], row["resolution"], row["closed_at"]) == ("closed", "已提交退款申请", ctx.deps.now)
    assert "已经关闭" in refused(ctx, ticket_reply, number, "还有一句")
    assert "已经关闭" in refused(ctx, ticket_close, number)
    assert "已经关闭" in refused(ctx, ticket_assign, number, "技术组")


def test_a_colleague_is_found_whatever_the_case(ctx: RunContext[Deps]) -> None:
    number = ticket_create(ctx, "C001", "a", "b")["ticket_id"]
    assert ticket_assign(ctx, number, "mia")["assignee"] == "Mia"


@pytest.mark.parametrize("query", ["量子记账本同步", "quantum ledger sync"])
def test_old_tickets_are_found_in_both_languages(ctx: RunContext[Deps], query: str) -> None:
    number = ticket_create(ctx, "C001", "量子记账本同步失败", "the quantum ledger sync stopped")["ticket_id"]
    assert ticket_search(ctx, query)["tickets"][0]["ticket_id"] == number


@pytest.mark.parametrize("query", ["C047", "c047", "quokka"])
def test_old_tickets_are_found_by_customer(ctx: RunContext[Deps], query: str) -> None:
    with ctx.deps.change() as change:
        change.run("DELETE FROM ticket_messages")
        change.run("DELETE FROM tickets")
        change.run("UPDATE customers SET company = 'Quokka Books' WHERE customer_id = 'C047'")
    number = ticket_create(ctx, "C047", "a question", "what now")["ticket_id"]
    ticket_create(ctx, "C007", "another", "what else")
    assert [row["ticket_id"] for row in ticket_search(ctx, query)["tickets"]] == [number]


def test_the_question_is_no_resolution(ctx: RunContext[Deps]) -> None:
    number = ticket_create(ctx, "C007", "导不出来", "客户说报表导不出来")["ticket_id"]
    assert ticket_close(ctx, number)["resolution"] == f"{ctx.deps.user} 关闭,没有回复"


def test_what_another_customer_said_is_no_resolution(ctx: RunContext[Deps]) -> None:
    number = ticket_create(ctx, "C007", "两个账号", "合并后的单子")["ticket_id"]
    ticket_reply(ctx, number, "已合并")
    with ctx.deps.change() as change:
        change.insert("ticket_messages", ticket_id=number, author="C012", written_at="2026-10-20 13:00:00", text="谢谢")
    assert ticket_close(ctx, number)["resolution"] == "已合并"


def test_nothing_found_says_so(ctx: RunContext[Deps]) -> None:
    assert ticket_search(ctx, "qqqzzz")["tickets"] == []


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (ticket_create, ("C999", "a", "b"), "customer_find"),
        (ticket_create, ("C007", "", "b"), "title"),
        (ticket_create, ("C007", "a", "b" * 2001), "2000"),
        (ticket_get, ("T-9999",), "ticket_search"),
        (ticket_get, ("\ud800",), "ticket_search"),
        (ticket_reply, ("nope", "x"), "ticket_search"),
        (ticket_assign, ("T-9999", "账单组"), "ticket_search"),
        (ticket_close, ("",), "ticket_search"),
        (ticket_search, ("",), "query"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Any, arguments: tuple[Any, ...], says: str
) -> None:
    assert says in refused(ctx, function, *arguments)


def test_an_unknown_colleague_names_the_known_ones(ctx: RunContext[Deps]) -> None:
    (row,) = ctx.deps.rows("SELECT ticket_id FROM tickets WHERE status = 'open' ORDER BY ticket_id LIMIT 1")
    assert "账单组" in refused(ctx, ticket_assign, row["ticket_id"], "不存在的人")
