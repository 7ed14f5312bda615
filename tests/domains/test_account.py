"""The account tools, each called for real on a fresh database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from domains.account.people import account_list_members, account_login_history, account_transfer_owner
from domains.account.signin import account_disable_2fa, account_reset_password, account_unlock
from tests.domains.desk import desk
from tests.domains.unchanged import refused


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def _last_note(ctx: RunContext[Deps], customer_id: str) -> tuple[str, str, str]:
    sql = "SELECT * FROM customer_notes WHERE customer_id = ? ORDER BY note_id DESC LIMIT 1"
    (row,) = ctx.deps.rows(sql, customer_id)
    return row["author"], row["written_at"], row["text"]


def test_reset_password_sends_a_mail(ctx: RunContext[Deps]) -> None:
    told = account_reset_password(ctx, "c007")
    assert (told["customer_id"], told["sent_to"]) == ("C007", "user007@example.com")
    assert ctx.deps.rows("SELECT requested_on FROM password_resets WHERE customer_id = 'C007'") == [
        {"requested_on": "2026-10-20"}
    ]
    (mail,) = ctx.deps.rows("SELECT * FROM outbox WHERE message_id = ?", told["message_id"])
    assert (mail["customer_id"], mail["channel"], mail["recipient"]) == ("C007", "email", "user007@example.com")
    assert (mail["status"], mail["send_at"]) == ("sent", "2026-10-20 12:00:00")
    assert "密码" in mail["body"]
    assert "note" not in told


def test_reset_password_of_a_locked_account_says_so(ctx: RunContext[Deps]) -> None:
    assert "account_unlock" in account_reset_password(ctx, "C009")["note"]


def test_unlock(ctx: RunContext[Deps]) -> None:
    assert account_unlock(ctx, "C009") == {"customer_id": "C009", "locked": False}
    locked = ctx.deps.rows("SELECT customer_id FROM customers WHERE locked = 1 ORDER BY 1")
    assert [row["customer_id"] for row in locked] == ["C024", "C045"]
    assert _last_note(ctx, "C009")[:2] == ("客服小林", "2026-10-20 12:00:00")


def test_disable_2fa(ctx: RunContext[Deps]) -> None:
    assert account_disable_2fa(ctx, "C007") == {"customer_id": "C007", "two_factor": False}
    assert ctx.deps.rows(
        "SELECT two_factor AS n FROM customers WHERE customer_id IN ('C007', 'C012') ORDER BY customer_id"
    ) == [
        {"n": 0},
        {"n": 1},
    ]
    author, _, said = _last_note(ctx, "C007")
    assert author == "客服小林"
    assert "两步验证" in said


def test_login_history_of_thirty_days(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        for moment in ("2026-09-19 23:59:59", "2026-09-20 00:00:00"):
            change.insert(
                "logins",
                customer_id="C007",
                email="user007@example.com",
                at=moment,
                ip="198.51.100.9",
                device="iOS / App",
                city="上海",
                success=1,
            )
    told = account_login_history(ctx, "C007")
    # Eleven of the data and the one on 20 September, 30 days ago; not that of the day before.
    assert (told["since"], told["total"], told["failed"]) == ("2026-09-20", 12, 2)
    assert [login["at"] for login in told["logins"]][::11] == ["2026-10-17 19:47:26", "2026-09-20 00:00:00"]
    assert told["logins"][1] == {
        "at": "2026-10-17 03:13:20",
        "email": "user007@example.com",
        "ip": "203.0.113.77",
        "device": "Linux / Firefox",
        "city": "阿姆斯特丹",
        "success": False,
    }


def test_login_history_lists_twenty_and_counts_all(ctx: RunContext[Deps]) -> None:
    told = account_login_history(ctx, "C036")
    assert (len(told["logins"]), told["total"]) == (20, 26)


def test_list_members_by_role(ctx: RunContext[Deps]) -> None:
    told = account_list_members(ctx, "C007")
    assert told["total"] == 4
    assert [(row["email"], row["role"]) for row in told["members"]] == [
        ("user007@example.com", "owner"),
        ("member2.c007@example.com", "admin"),
        ("member4.c007@example.com", "member"),
        ("member3.c007@example.com", "member"),
    ]
    assert told["members"][0]["name"] == "顾明川"


def test_transfer_owner_leaves_the_old_one_admin(ctx: RunContext[Deps]) -> None:
    told = account_transfer_owner(ctx, "C007", " Member3.C007@example.com")
    assert told == {
        "customer_id": "C007",
        "old_owner_email": "user007@example.com",
        "new_owner_email": "member3.c007@example.com",
    }
    roles = ctx.deps.rows("SELECT email, role FROM members WHERE customer_id = 'C007' ORDER BY email")
    assert {row["email"]: row["role"] for row in roles} == {
        "member2.c007@example.com": "admin",
        "member3.c007@example.com": "owner",
        "member4.c007@example.com": "member",
        "user007@example.com": "admin",
    }
    assert "member3.c007@example.com" in _last_note(ctx, "C007")[2]


@pytest.mark.parametrize(
    ("function", "arguments", "named"),
    [
        (account_reset_password, ("C999",), "C999"),
        (account_reset_password, ("user007@example.com",), "customer_find"),
        (account_unlock, ("C999",), "C999"),
        (account_unlock, ("C007",), "C007"),
        (account_disable_2fa, ("C999",), "C999"),
        (account_disable_2fa, ("C001",), "C001"),
        (account_login_history, ("C999",), "C999"),
        (account_list_members, ("",), "customer_find"),
        (account_transfer_owner, ("C999", "user007@example.com"), "C999"),
        (account_transfer_owner, ("C007", "user008@example.com"), "account_list_members"),
        (account_transfer_owner, ("C007", "user007@example.com"), "user007@example.com"),
        (account_transfer_owner, ("C007", " "), "new_owner_email"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Callable[..., Any], arguments: tuple[Any, ...], named: str
) -> None:
    assert named in refused(ctx, function, *arguments)
