"""Calls are audited, bounded in time and size, and a write never runs twice."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent, RunContext

from routeagent.agent import Approval, RouteAgent, RoutedTools
from routeagent.agent.approval import Granted
from routeagent.agent.calls import idempotency_key
from routeagent.catalog import Catalog, Tool
from routeagent.search import ToolIndex
from tests.agent.shop import Script

PAY = ("pay_send", {"cents": 5})


def yes(_: Approval) -> bool:
    return True


class Bank:
    """One write and some odd reads; keeps what was done and under which key."""

    def __init__(self, writes: Callable[[int], Any] | None = None) -> None:
        self.sent: list[tuple[int, str | None]] = []

        def send(cents: int) -> Any:
            self.sent.append((cents, idempotency_key()))
            return writes(cents) if writes else "sent"

        functions: dict[str, Callable[..., Any]] = {
            "pay_send": send,
            "pay_big": lambda: "x" * 10_000_000,
            "pay_odd": lambda: {"when": time.gmtime(0), "what": {1, 2}, "who": object},
            "pay_slow": slow,
        }
        schema = {"type": "object", "properties": {"cents": {"type": "integer"}}}
        tools = [
            Tool(name, "pay", f"{name} money", schema, writes=name == "pay_send", timeout=0.2, core=True)
            for name in functions
        ]
        self.catalog = Catalog(tools, executor=lambda name: functions[name], typed=True)
        self.index = ToolIndex(self.catalog, router="flat", retriever="bm25")

    def run(self, script: Script, **options: Any) -> Any:
        given: dict[str, Any] = {"approve": yes, **options}
        agent = RouteAgent(self.catalog, script.model(), index=self.index, **given)
        return agent.run_sync("pay")


async def slow() -> str:
    await asyncio.sleep(30)
    return "never"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_call_is_audited_with_who_and_what(tmp_path: Path) -> None:
    def ann(_: RunContext[Any]) -> Any:
        return {"id": "ann", "name": "ann@example.com"}

    def granted(_: Approval) -> Granted:
        return Granted("bob")

    path = tmp_path / "deep" / "audit.jsonl"
    Bank().run(Script([[PAY], "ok"]), audit=path, principal=ann, approve=granted)
    begin, end = rows(path)
    assert (begin["fact"], begin["tool"], begin["arguments"], begin["approver"]) == ("begin", *PAY, "bob")
    assert begin["principal"] == "a***@example.com"
    assert (end["fact"], end["ok"]) == ("end", True)
    assert end["ms"] >= 0


def test_nobody_approves_a_request_of_their_own() -> None:
    bank = Bank()

    def ann(_: RunContext[Any]) -> Any:
        return {"name": "ann"}

    def granted(_: Approval) -> Granted:
        return Granted("ann")

    result = bank.run(Script([[PAY], "ok"]), principal=ann, approve=granted)
    assert bank.sent == []
    assert "ann" in result.trace.named("deny")[0]["why"]


def test_where_the_audit_cannot_be_written_writes_are_refused_and_reads_go_on(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("not a folder", "utf-8")
    bank = Bank()
    script = Script([[PAY, ("pay_odd", {})], "ok"])
    result = bank.run(script, audit=occupied / "audit.jsonl")
    assert bank.sent == []
    assert [call.ok for call in result.calls] == [False, True]
    assert "audit" in str(script.told("pay_send"))


def test_the_same_write_again_is_not_run_again() -> None:
    bank = Bank()
    script = Script([[PAY], [PAY], [("pay_send", {"cents": 6})], "ok"])
    bank.run(script)
    assert [cents for cents, _ in bank.sent] == [5, 6]
    assert "not run again" in str(script.told("pay_send"))
    keys = [key for _, key in bank.sent]
    assert all(keys)
    assert len(set(keys)) == 2


def test_a_write_whose_outcome_is_unknown_is_not_run_again() -> None:
    def explode(cents: int) -> Any:
        raise ConnectionError("the line went dead")

    bank = Bank(explode)
    script = Script([[PAY], [PAY], "ok"])
    bank.run(script)
    assert len(bank.sent) == 1
    assert "look it up first" in str(script.told("pay_send"))


def test_parallel_writes_of_one_response_run_once_each() -> None:
    bank = Bank()
    script = Script([[("pay_send", {"cents": number}) for number in range(8)], "ok"])
    bank.run(script)
    assert sorted(cents for cents, _ in bank.sent) == list(range(8))


def test_ten_megabytes_are_cut_with_a_mark() -> None:
    script = Script([[("pay_big", {})], "ok"])
    Bank().run(script)
    (told,) = script.told("pay_big")
    assert len(told) < 200_000
    assert "10000000 characters in all" in told


def test_what_cannot_be_serialised_is_told_as_text() -> None:
    script = Script([[("pay_odd", {})], "ok"])
    result = Bank().run(script)
    assert result.output == "ok"
    assert "when" in str(script.told("pay_odd")[0])


def test_a_tool_that_hangs_is_ended_at_its_timeout() -> None:
    script = Script([[("pay_slow", {})], "ok"])
    started = time.perf_counter()
    Bank().run(script)
    assert time.perf_counter() - started < 10
    assert "timed out" in str(script.told("pay_slow"))


def test_a_cancelled_run_leaves_a_complete_trace_and_no_task() -> None:
    bank = Bank()
    routing = RoutedTools(bank.catalog, index=bank.index, approve=yes)
    script = Script([[("pay_slow", {})], "never"])

    async def cancel() -> tuple[int, int]:
        before = len(asyncio.all_tasks())
        task = asyncio.create_task(Agent(script.model(), capabilities=[routing]).run("pay"))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return before, len(asyncio.all_tasks())

    before, after = asyncio.run(cancel())
    assert before == after


def test_an_error_of_the_model_in_mid_run_closes_the_trace() -> None:
    from routeagent.trace import Trace

    bank, trace = Bank(), Trace()
    routing = RoutedTools(bank.catalog, index=bank.index, approve=yes, trace=trace)
    script = Script([[PAY]])  # the second step has nothing to say, which the script tells by an IndexError
    with pytest.raises(IndexError):
        Agent(script.model(), capabilities=[routing]).run_sync("pay")
    (closing,) = trace.named("answer")
    assert "IndexError" in closing["error"]
    assert len(bank.sent) == 1
