"""The customer tools, each called for real on a fresh database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from domains.customer.contacts import customer_find, customer_update_contact
from domains.customer.leaving import customer_delete_request, customer_merge
from domains.customer.remarks import customer_notes, customer_tags
from tests.domains.desk import desk
from tests.domains.unchanged import refused


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


@pytest.mark.parametrize(
    "query", ["user007@example.com", "USER007@Example.com ", "user007", "c007", "C007", "明川物流"]
)
def test_find_by_email_part_company_and_id(ctx: RunContext[Deps], query: str) -> None:
    assert customer_find(ctx, query) == {
        "customers": [
            {
                "customer_id": "C007",
                "company": "明川物流有限公司",
                "contact": "顾明川",
                "email": "user007@example.com",
                "phone": "13800001259",
                "region": "上海",
                "created_on": "2024-09-08",
            }
        ],
        "total": 1,
    }


def test_find_lists_twenty_of_many_and_counts_all(ctx: RunContext[Deps]) -> None:
    found = customer_find(ctx, "example.com")
    assert (len(found["customers"]), found["total"]) == (20, 60)
    days = [row["created_on"] for row in found["customers"]]
    assert days == sorted(days, reverse=True)


@pytest.mark.parametrize("query", ["nobody@example.org", "C999", "%", "_"])
def test_find_says_that_nobody_was_found(ctx: RunContext[Deps], query: str) -> None:
    found = customer_find(ctx, query)
    assert (found["customers"], found["total"]) == ([], 0)
    assert query in found["hint"]


@pytest.mark.parametrize(
    ("field", "column", "value", "stored"),
    [
        ("联系人", "contact", " 王小雨 ", "王小雨"),
        ("contact", "contact", "Ann Lee", "Ann Lee"),
        ("电话", "phone", "021-5555 0101", "02155550101"),
        ("Phone", "phone", "+86 13800009999", "+8613800009999"),
        ("邮箱", "email", "New.Desk@Example.com", "new.desk@example.com"),
        ("email", "email", "user007@example.com", "user007@example.com"),
    ],
)
def test_update_contact(ctx: RunContext[Deps], field: str, column: str, value: str, stored: str) -> None:
    (before,) = ctx.deps.rows("SELECT * FROM customers WHERE customer_id = 'C007'")
    told = customer_update_contact(ctx, "c007", field, value)
    assert told == {"customer_id": "C007", "field": column, "old": before[column], "new": stored}
    assert ctx.deps.rows("SELECT * FROM customers WHERE customer_id = 'C007'") == [{**before, column: stored}]


def test_tags_toggle_and_keep_the_spelling_in_use(ctx: RunContext[Deps]) -> None:
    told = customer_tags(ctx, "C008", "vip")
    assert (told["tag"], told["action"], told["tags"]) == ("VIP", "added", ["VIP", "对公转账"])
    told = customer_tags(ctx, "C008", "VIP")
    assert (told["action"], told["tags"]) == ("removed", ["对公转账"])
    assert ctx.deps.rows("SELECT tag FROM customer_tags WHERE customer_id = 'C008'") == [{"tag": "对公转账"}]


def test_notes_are_read_latest_first(ctx: RunContext[Deps]) -> None:
    told = customer_notes(ctx, "C012")
    assert (told["total"], told["tags"]) == (2, ["VIP", "年付"])
    assert told["notes"][1] == {
        "note_id": 2,
        "author": "客服小林",
        "written_at": "2026-04-15 10:00:00",
        "text": "由月付 10 席改为年付 12 席,合同号已存档。",
    }
    assert told["notes"][0]["written_at"] > "2026-04-15 10:00:00"


def test_delete_request_registers_once(ctx: RunContext[Deps]) -> None:
    first = customer_delete_request(ctx, "C008")
    assert (first["registered"], first["deletion_requested_on"]) == (True, "2026-10-20")
    assert customer_delete_request(ctx, "C008")["registered"] is False
    stored = ctx.deps.rows("SELECT deletion_requested_on AS day FROM customers WHERE customer_id = 'C008'")
    assert stored == [{"day": "2026-10-20"}]
    signed = ctx.deps.rows(
        "SELECT author FROM customer_notes WHERE customer_id = 'C008' AND written_at >= '2026-10-20'"
    )
    assert signed == [{"author": "客服小林"}]


_TABLES = """
SELECT m.name AS name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' AND f."table" = 'customers' AND f."from" = 'customer_id'
"""


def test_merge_leaves_nothing_with_the_dropped_customer(ctx: RunContext[Deps]) -> None:
    """C047 has every kind of row, some of which C018 has already."""
    with ctx.deps.change() as change:
        change.run("DELETE FROM credits WHERE customer_id IN ('C018', 'C047')")
        change.run("DELETE FROM customer_tags WHERE customer_id IN ('C018', 'C047')")
        for customer_id, cents in (("C018", 50_000), ("C047", 1_250)):
            change.insert("credits", customer_id=customer_id, balance_cents=cents)
            change.insert("customer_tags", customer_id=customer_id, tag="年付")
            change.insert("coupon_uses", customer_id=customer_id, code="NGO20", applied_on="2026-01-01")
        change.insert("customer_tags", customer_id="C047", tag="海外")
        change.insert("members", customer_id="C047", email="member2.c018@example.com", name="吴伟", role="member")
        change.run("UPDATE customers SET merged_into = 'C047' WHERE customer_id = 'C060'")
    tables = [row["name"] for row in ctx.deps.rows(_TABLES)]
    assert {"invoices", "subscriptions", "members", "credits", "outbox"} <= set(tables)
    count = "SELECT (SELECT count(*) FROM logins) + (SELECT count(*) FROM invoices) AS n"
    before = ctx.deps.rows(count)

    told = customer_merge(ctx, "C018", "c047")

    assert (told["customer_id"], told["merged"]) == ("C018", "C047")
    for table in tables:
        assert ctx.deps.rows(f"SELECT 1 FROM {table} WHERE customer_id = 'C047'") == [], table  # noqa: S608
    assert ctx.deps.rows(count) == before
    assert ctx.deps.rows("SELECT balance_cents AS n FROM credits WHERE customer_id = 'C018'") == [{"n": 51_250}]
    tags = ctx.deps.rows("SELECT tag FROM customer_tags WHERE customer_id = 'C018' ORDER BY tag")
    assert [row["tag"] for row in tags] == ["年付", "海外"]
    roles = ctx.deps.rows("SELECT email, role FROM members WHERE customer_id = 'C018' AND role <> 'member' ORDER BY 1")
    assert [tuple(row.values()) for row in roles] == [
        ("member2.c018@example.com", "admin"),
        ("user018@example.com", "owner"),
        ("user047@example.com", "admin"),
    ]
    gone = ctx.deps.rows("SELECT customer_id FROM customers WHERE merged_into = 'C018' ORDER BY 1")
    assert [row["customer_id"] for row in gone] == ["C047", "C060"]
    assert customer_find(ctx, "C047")["customers"][0]["merged_into"] == "C018"
    assert "C018" in refused(ctx, customer_notes, "C047")


def test_merge_keeps_the_subscription_that_runs_whichever_is_dropped(ctx: RunContext[Deps]) -> None:
    (running,) = ctx.deps.rows("SELECT * FROM subscriptions WHERE customer_id = 'C026'")
    told = customer_merge(ctx, "C053", "C026")
    kept = ctx.deps.rows("SELECT * FROM subscriptions WHERE customer_id IN ('C026', 'C053')")
    assert kept == [{**running, "customer_id": "C053"}]
    # Six seats, and now seven people.
    assert "subscription_change_seats" in told["note"]


def test_merge_brings_credit_to_one_who_had_none(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("UPDATE subscriptions SET status = 'cancelled' WHERE customer_id = 'C007'")
        change.run("DELETE FROM credits WHERE customer_id = 'C008'")
    customer_merge(ctx, "C008", "C007")
    assert ctx.deps.rows("SELECT balance_cents AS n FROM credits WHERE customer_id = 'C008'") == [{"n": 10_000}]
    assert ctx.deps.rows("SELECT plan FROM subscriptions WHERE customer_id = 'C008'") == [{"plan": "基础版"}]


@pytest.mark.parametrize(
    ("function", "arguments", "named"),
    [
        (customer_find, ("  ",), "query"),
        (customer_find, ("x" * 100_000,), "100000"),
        (customer_find, ("a\0b",), "query"),
        (customer_update_contact, ("C999", "phone", "13800000000"), "C999"),
        (customer_update_contact, ("C007", "地址", "上海"), "地址"),
        (customer_update_contact, ("C007", "phone", "一三八"), "一三八"),
        (customer_update_contact, ("C007", "phone", "123"), "123"),
        (customer_update_contact, ("C007", "email", "not-an-address"), "not-an-address"),
        (customer_update_contact, ("C007", "email", "a@b"), "a@b"),
        (customer_update_contact, ("C007", "邮箱", "USER008@example.com"), "C008"),
        (customer_update_contact, ("C007", "联系人", " "), "联系人"),
        (customer_tags, ("C999", "VIP"), "C999"),
        (customer_tags, ("C007", ""), "tag"),
        (customer_tags, ("C007", "很" * 21), "21"),
        (customer_notes, ("user007@example.com",), "customer_find"),
        (customer_delete_request, ("C999",), "C999"),
        (customer_merge, ("C007", "c007"), "C007"),
        (customer_merge, ("C007", "C999"), "C999"),
        (customer_merge, ("C007", "C008"), "subscription_cancel"),
        (customer_merge, ("C007", "C055"), "C055"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Callable[..., Any], arguments: tuple[Any, ...], named: str
) -> None:
    assert named in refused(ctx, function, *arguments)
