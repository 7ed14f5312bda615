"""Tasks are read, refused with their place, and checked against answers and databases made by hand."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from routeagent.errors import DataError
from routeagent.evaluation.tasks import Effect, Expected, Task, check_answer, check_effects, read_tasks

ROW: dict[str, Any] = {
    "id": "t1",
    "request": "把 INV-1 退了",
    "lang": "zh",
    "kind": "write",
    "needs": ["refund_submit"],
    "effects": [{"sql": "SELECT id, cents FROM refund", "expect": [["RF-1", 500], ["RF-2", None]]}],
    "answer": {"contains": [["RF-1", "已提交"]], "absent": ["到账"]},
    "history": ["我是 C007"],
    "principal": ["finance"],
    "approve": False,
    "scopes": {"refund_submit": ["finance"]},
}


def write(folder: Path, *rows: object) -> Path:
    path = folder / "tasks.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8")
    return path


def test_a_row_becomes_a_task(tmp_path: Path) -> None:
    assert read_tasks(write(tmp_path, ROW)) == [
        Task(
            id="t1",
            request="把 INV-1 退了",
            lang="zh",
            kind="write",
            needs=("refund_submit",),
            effects=(Effect("SELECT id, cents FROM refund", (("RF-1", 500), ("RF-2", None))),),
            answer=Expected((("RF-1", "已提交"),), ("到账",)),
            history=("我是 C007",),
            principal=("finance",),
            approve=False,
            scopes={"refund_submit": ("finance",)},
        )
    ]


def test_what_is_left_out_has_a_meaning(tmp_path: Path) -> None:
    short: dict[str, Any] = {"id": "t2", "request": "hello", "lang": "en", "kind": "unservable", "needs": []}
    assert read_tasks(write(tmp_path, short)) == [Task("t2", "hello", "en", "unservable", ())]
    assert read_tasks(write(tmp_path, short))[0].approve is True
    assert read_tasks(write(tmp_path, short))[0].principal is None


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"id": ""}, '"id"'),
    ({"request": 5}, '"request"'),
    ({"lang": "fr"}, "'fr'"),
    ({"kind": "chat"}, "'chat'"),
    ({"needs": "refund_submit"}, '"needs"'),
    ({"needs": [1]}, '"needs"'),
    ({"effects": [{"expect": []}]}, '"sql"'),
    ({"effects": [{"sql": "DELETE FROM refund", "expect": []}]}, "DELETE FROM refund"),
    ({"effects": [{"sql": "SELECT 1", "expect": [1]}]}, '"expect"'),
    ({"effects": [{"sql": "SELECT 1", "expect": [[{}]]}]}, '"expect"'),
    ({"effects": [{"sql": "SELECT 1"}]}, '"expect"'),
    ({"effects": ["SELECT 1"]}, "an effect"),
    ({"answer": []}, '"answer"'),
    ({"answer": {"contains": ["RF-1"]}}, '"contains"'),
    ({"answer": {"contains": [[]]}}, '"contains"'),
    ({"answer": {"absent": "no"}}, '"absent"'),
    ({"history": None}, '"history"'),
    ({"principal": "finance"}, '"principal"'),
    ({"approve": "yes"}, '"approve"'),
    ({"scopes": ["finance"]}, '"scopes"'),
    ({"scopes": {"refund_submit": "finance"}}, '"scopes"'),
]


@pytest.mark.parametrize(("change", "named"), MALFORMED)
def test_a_malformed_row_is_refused_with_its_place(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    path = write(tmp_path, ROW, "", {**ROW, "id": "t2", **change})
    with pytest.raises(DataError) as caught:
        read_tasks(path)
    assert f"{path}:3" in str(caught.value)
    assert named in str(caught.value)


def test_two_tasks_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"tasks\.jsonl:2.*'t1'"):
        read_tasks(write(tmp_path, ROW, ROW))


def test_a_line_that_is_no_json_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"tasks\.jsonl:1"):
        read_tasks(write(tmp_path, "{"))
    with pytest.raises(DataError, match="nowhere"):
        read_tasks(tmp_path / "nowhere.jsonl")


def expecting(*contains: tuple[str, ...], absent: tuple[str, ...] = ()) -> Task:
    return Task("t", "?", "en", "read", (), answer=Expected(contains, absent))


@pytest.mark.parametrize(
    ("task", "text", "wrong"),
    [
        (expecting(), "", 0),
        (expecting(("RF-1",)), "Filed as rf-1.", 0),
        (expecting(("RF-1",)), "Filed as RF-12.", 1),
        (expecting(("2392",)), "金额 2392.00 元", 0),
        (expecting(("2392",)), "金额 12392 元", 1),
        (expecting(("abc", "已提交")), "申请已提交", 0),
        (expecting(("v2.0",), ("Mira",)), "Mira shipped V2.0", 0),
        (expecting(("v2.0",), ("Mira",)), "nobody knows", 2),
        (expecting(absent=("到账",)), "钱已到账", 1),
        (expecting(absent=("到账",)), "等主管审批", 0),
    ],
)
def test_answers(task: Task, text: str, wrong: int) -> None:
    assert len(check_answer(task, text)) == wrong


def test_a_complaint_names_the_wordings() -> None:
    assert check_answer(expecting(("RF-1", "已提交"), absent=("到账",)), "到账了") == [
        "the answer lacks 'RF-1' or '已提交'",
        "the answer says '到账'",
    ]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "a b.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE refund (id TEXT, cents INTEGER); INSERT INTO refund VALUES ('RF-1', 500), ('RF-2', NULL);"
        )
    return path


def looking(sql: str, *rows: tuple[str | int | None, ...]) -> Task:
    return Task("t", "?", "en", "write", (), effects=(Effect(sql, rows),))


def test_effects_that_hold(database: Path) -> None:
    task = looking("SELECT id, cents FROM refund ORDER BY id", ("RF-1", 500), ("RF-2", None))
    assert check_effects(task, database) == []


def test_an_effect_that_does_not_hold_is_told_with_both_sides(database: Path) -> None:
    assert check_effects(looking("SELECT count(*) FROM refund", (3,)), database) == [
        "SELECT count(*) FROM refund gave [[2]] instead of [[3]]"
    ]


def test_effects_cannot_write(database: Path) -> None:
    before = database.read_bytes()
    with pytest.raises(DataError, match="'t'"):
        check_effects(looking("DELETE FROM refund"), database)
    assert database.read_bytes() == before


def test_a_query_that_is_no_sql_and_a_database_that_is_not_there(database: Path) -> None:
    with pytest.raises(DataError, match="no such table"):
        check_effects(looking("SELECT 1 FROM absent_table", (1,)), database)
    with pytest.raises(DataError, match=r"absent\.db"):
        check_effects(looking("SELECT 1", (1,)), database.with_name("absent.db"))
    assert not database.with_name("absent.db").exists()
