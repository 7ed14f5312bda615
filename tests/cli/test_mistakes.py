"""A user's mistake: one sentence on stderr, exit code 2, never a traceback."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command, write

MISTAKES = {
    "an empty request": (("search", ""), "request is empty"),
    "white space": (("search", " \n\t"), "request is empty"),
    "an unknown command": (("serch", "x"), "serch"),
    "an unknown option": (("search", "x", "--nope"), "--nope"),
    "a number that is none": (("search", "x", "-k", "many"), "--top-k"),
    "no hits at all": (("search", "x", "-k", "0"), "top_k"),
    "no room": (("route", "x", "--max-tools", "1"), "max_tools"),
    "an unknown router": (("search", "x", "--router", "tfidff"), "tfidf"),
    "a router's unknown argument": (("search", "x", "--router", "tfidf:depth=3"), "depth"),
    "a class that is not there": (("search", "x", "--retriever", "nowhere.at.all:Thing"), "nowhere"),
    "an unknown embedder": (("search", "x", "--retriever", "dense", "--embedder", "bge"), "bge"),
    "an unknown namespace": (("search", "x", "--only", "refunds"), "refund"),
    "nothing left": (("search", "x", "--exclude", "refund", "--exclude", "desk", "--exclude", "weather"), "no tool"),
    "an unknown tool": (("explain", "x", "refund_sbmit"), "refund_submit"),
    "explain without a tool": (("explain", "x"), "TOOL"),
    "an unknown metric": (("eval", "--fail-under", "recal@5=0.9"), "recall@5"),
    "a threshold without a number": (("eval", "--fail-under", "recall@5=high"), "high"),
    "a threshold without a value": (("eval", "--fail-under", "recall@5"), "METRIC=VALUE"),
    "a limit of nothing": (("eval", "--limit", "0"), "--limit"),
    "queries that are not there": (("eval", "--queries", "nowhere.jsonl"), "nowhere.jsonl"),
    "an unknown tool to approve": (("run", "x", "--approve", "refund_sbmit"), "refund_submit"),
    "JSON into a folder": (("search", "x", "--json", "."), "folder"),
    "an unknown template": (("init", "new", "--template", "big"), "cloudledger"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(command: Command, domains: Path, mistake: str) -> None:
    words, told = MISTAKES[mistake]
    source = () if words[0] in ("init", "serch") else ("--domains", domains)
    command(*words, *source).refused(told)


def test_two_sources(command: Command, domains: Path) -> None:
    command("search", "x", "--domains", domains, "--data", domains).refused("--domains and --data")


def test_sources_that_are_not_there(command: Command, tmp_path: Path) -> None:
    command("search", "x", "--domains", tmp_path / "nowhere").refused("nowhere", "routeagent init")
    command("search", "x", "--data", tmp_path / "nowhere").refused("tools.jsonl")


def test_an_empty_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    command("search", "x", "--domains", tmp_path / "empty").refused("no tools")


def test_nothing_on_stdin(shop: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    shop("search").refused("request is empty")


def test_a_case_that_needs_an_unknown_tool(shop: Command, tmp_path: Path) -> None:
    write(tmp_path, {"odd.jsonl": '{"query": "x", "tools": ["refund_undo"]}\n'})
    shop("eval", "--queries", tmp_path / "odd.jsonl").refused("refund_undo")


def test_a_queries_file_with_a_bad_line(shop: Command, tmp_path: Path) -> None:
    write(tmp_path, {"odd.jsonl": '{"query": "x", "tools": []}\nnot json\n'})
    shop("eval", "--queries", tmp_path / "odd.jsonl").refused("odd.jsonl:2")


def test_data_cannot_be_run(command: Command, tmp_path: Path) -> None:
    write(tmp_path / "data", {"tools.jsonl": '{"name": "a_b", "description": "x"}\n'})
    command("run", "x", "--data", tmp_path / "data").refused("no code behind its tools")


def test_a_part_that_fails_is_named_and_the_rest_goes_on(shop: Command, domains: Path) -> None:
    write(domains, {"broken/__init__.py": "import module_that_is_not_there\n"})
    ran = shop("search", "forecast", "--json", "-")
    assert ran.json["tools"][0]["name"] == "weather_forecast"
    (warning,) = ran.err.splitlines()[:1]
    assert warning.startswith("warning: ")
    assert "module_that_is_not_there" in warning


def test_many_problems_are_counted(shop: Command, domains: Path) -> None:
    write(domains, {"refund/examples.jsonl": '{"query": "x", "tools": ["refund_undo"]}\n' * 50})
    err = shop("search", "forecast").err.splitlines()
    assert len(err) == 21
    assert "30 problems more" in err[-1]


def test_what_nobody_expected_is_one_line(command: Command, domains: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("search", "x", "--domains", domains, "--router", "tests.cli.broken:Broken")
    ran = command(*words)
    assert ran.code == 1
    assert ran.err == "error: unexpected ZeroDivisionError: nobody expected this (ROUTEAGENT_DEBUG=1 shows where)\n"
    monkeypatch.setenv("ROUTEAGENT_DEBUG", "1")
    assert "Traceback" in command(*words).err


def test_a_reader_that_goes_away(domains: Path) -> None:
    words = [sys.executable, "-m", "routeagent.cli", "search", "forecast", "--domains", str(domains)]
    words += ["--retriever", "bm25", "--router", "flat"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
