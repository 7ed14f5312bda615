"""A trace holds what happened and no secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeagent.errors import DataError
from routeagent.trace import Trace, mask, read_trace


def test_events_are_lines_of_json(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "run.jsonl"
    trace = Trace(path, run="r1")
    trace.write("route", step=1, query="查发票", namespaces={"invoice": 0.5})
    trace.write("answer", step=2, text="好的")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(row["event"], row["run"], row["step"]) for row in rows] == [("route", "r1", 1), ("answer", "r1", 2)]
    assert rows[0]["namespaces"] == {"invoice": 0.5}
    assert read_trace(path) == trace.events == rows
    assert [row["text"] for row in trace.named("answer")] == ["好的"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("user007@example.com 说", "u***@example.com 说"),
        ("电话 13800001234。", "电话 138****1234。"),
        ("key sk-abcdefgh12345678 end", "key [secret] end"),
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer [secret]"),
        ("身份证 11010119900307123X", "身份证 [id number]"),
        ("卡 6222 0000 1111 2222", "卡 [card number]"),
        ("INV-2026-0123 239200", "INV-2026-0123 239200"),
    ],
)
def test_personal_fields_are_masked(text: str, masked: str) -> None:
    assert mask(text) == masked
    assert mask({"deep": [{"x": text}]}) == {"deep": [{"x": masked}]}


def test_fields_that_are_secret_by_name_are_masked_whole() -> None:
    assert mask({"password": "hunter2", "apiKey": "k", "n": 3}) == {
        "password": "[masked]",
        "apiKey": "[masked]",
        "n": 3,
    }


def test_text_that_no_encoding_takes_is_still_written(tmp_path: Path) -> None:
    trace = Trace(tmp_path / "t.jsonl")
    trace.write("route", query="bad \ud800 and \x00")
    assert read_trace(tmp_path / "t.jsonl")[0]["query"] == "bad \ud800 and \x00"


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"event": "route"}\n{oops\n', "utf-8")
    with pytest.raises(DataError, match=r"t\.jsonl:2"):
        read_trace(tmp_path / "t.jsonl")
