"""`run`: the loop from the command line, against a provider on loopback and the offline planner."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.models import server as serve
from tests.models.server import RecordingServer

SUBMIT: dict[str, Any] = {"invoice": "INV-1", "cents": 500}


def asks_for_a_refund(server: RecordingServer) -> tuple[str, ...]:
    """A model that submits a refund and then says so, and the options that reach it."""
    server.answers(serve.completion(calls=[serve.call("refund_submit", SUBMIT)]), serve.completion("done"))
    return ("--model", "openai/x", "--base-url", server.url)


def done(domains: Path) -> str:
    path = domains / "refund" / "done.txt"
    return path.read_text() if path.exists() else ""


def test_the_contract(shop: Command, server: RecordingServer) -> None:
    model = asks_for_a_refund(server)
    ran = shop("run", "submit a refund", *model, "--yes", "--json", "-").json
    assert set(ran) == {"answer", "steps", "tools_shown", "calls", "tokens", "trace"}
    assert ran["answer"] == "done"
    assert ran["steps"] == 2
    assert ran["tools_shown"][0] == "desk_find"
    assert "refund_submit" in ran["tools_shown"]
    assert ran["calls"] == [{"tool": "refund_submit", "arguments": SUBMIT, "ok": True}]
    assert set(ran["tokens"]) == {"definitions", "definitions_all", "input", "output", "cached"}
    assert (ran["tokens"]["input"], ran["tokens"]["output"]) == (22, 14)
    assert Path(ran["trace"]).is_file()


def test_stdout_is_json_alone_though_tools_print(shop: Command, server: RecordingServer) -> None:
    ran = shop("run", "submit a refund", *asks_for_a_refund(server), "--yes", "--json", "-")
    assert "a tool that prints" in ran.err
    assert json.loads(ran.out)["answer"] == "done"


def test_nothing_is_written_where_nobody_can_be_asked(shop: Command, server: RecordingServer, domains: Path) -> None:
    ran = shop("run", "submit a refund", *asks_for_a_refund(server), "--json", "-").json
    assert ran["calls"] == [{"tool": "refund_submit", "arguments": SUBMIT, "ok": False}]
    assert done(domains) == ""


@pytest.mark.parametrize(("approved", "written"), [("refund_submit", "INV-1 500\n"), ("refund_status", "")])
def test_approval_by_name(shop: Command, server: RecordingServer, domains: Path, approved: str, written: str) -> None:
    shop("run", "submit a refund", *asks_for_a_refund(server), "--approve", approved)
    assert done(domains) == written


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", "INV-1 500\n"), (b"n\n", ""), (b"\n", "")])
def test_on_a_terminal_a_person_is_asked(server: RecordingServer, domains: Path, answer: bytes, written: str) -> None:
    words = [sys.executable, "-m", "routeagent.cli", "run", "submit a refund", *asks_for_a_refund(server)]
    words += ["--domains", str(domains), "--retriever", "bm25", "--router", "flat"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(ours, 1024)
        os.write(ours, answer)
        assert process.stdout is not None
        assert b"done" in process.stdout.read()
    os.close(ours)
    assert 'refund_submit {"invoice": "INV-1", "cents": 500}' in shown.decode()
    assert done(domains) == written


def test_ctrl_c_at_the_question_ends_the_run(server: RecordingServer, domains: Path) -> None:
    words = [sys.executable, "-m", "routeagent.cli", "run", "submit a refund", *asks_for_a_refund(server)]
    words += ["--domains", str(domains), "--retriever", "bm25", "--router", "flat"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL) as process:
        os.close(theirs)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(ours, 1024)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    with contextlib.suppress(OSError):  # the end of a terminal that nobody holds any more
        while more := os.read(ours, 1024):
            shown += more
    assert b"Traceback" not in shown
    os.close(ours)
    assert done(domains) == ""


def test_the_trace_goes_where_it_is_named(shop: Command, server: RecordingServer, tmp_path: Path) -> None:
    path = tmp_path / "traces" / "run.jsonl"
    ran = shop("run", "submit a refund", *asks_for_a_refund(server), "--yes", "--trace", path)
    events = [json.loads(line)["event"] for line in path.read_text("utf-8").splitlines()]
    assert events[0] == "expose"
    assert events[-1] == "answer"
    assert "run.jsonl" in ran.out.replace("\n", "")


def test_a_trace_that_cannot_be_written(shop: Command, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    shop("run", "x", "--trace", tmp_path / "file" / "run.jsonl").refused("--trace")


def test_a_provider_that_refuses_is_one_line(shop: Command, server: RecordingServer) -> None:
    server.answers(serve.refusal(401, "Incorrect API key"))
    ran = shop("run", "submit", "--model", "openai/x", "--base-url", server.url, "--json", "-")
    assert ran.code == 1
    assert ran.out == ""
    (line,) = ran.err.splitlines()
    assert line.startswith("error: openai/x: ")


def test_the_environment_names_the_model(
    shop: Command, server: RecordingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, name, *address = asks_for_a_refund(server)
    monkeypatch.setenv("ROUTEAGENT_MODEL", name)
    assert shop("run", "submit", *address, "--json", "-").json["answer"] == "done"


def test_without_a_model_the_first_line_says_so(shop: Command) -> None:
    ran = shop("run", "forecast the weather for Oslo")
    assert ran.code == 0
    assert "no language model" in ran.out.splitlines()[0]
    assert shop("run", "🎉").code == 0
