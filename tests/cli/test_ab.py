"""`ab`: the contract of its JSON, the same figures twice, mistakes in a line, and models that cost or were recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Ran, lines
from tests.conftest import ROOT
from tests.models import server as serve
from tests.models.server import RecordingServer

ONCALL = ROOT / "routeagent" / "templates" / "oncall"
ARMS = ("--a", "exposure=all,router=flat,retriever=bm25", "--b", "exposure=append,router=flat,retriever=bm25")
NOTE: dict[str, Any] = {
    "id": "note",
    "request": "open an issue",
    "lang": "en",
    "kind": "write",
    "needs": ["issues_create"],
    "effects": [{"sql": "SELECT count(*) FROM issue", "expect": [[7]]}],
    "answer": {"contains": [["ISS-326"]]},
}
CALL: dict[str, Any] = {"service": "search", "title": "slow", "body": "it is slow"}
PRICED = "openai/gpt-4o-mini"


def without_times(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran
    return {key: value for key, value in ran.json.items() if key != "times"}


def test_the_contract(command: Command) -> None:
    report = command("ab", *ARMS, "--domains", ONCALL, "--limit", "2", "--repeat", "2", "--json", "-").json
    assert set(report) == {
        *("schema_version", "config", "runs_per_arm", "done", "means", "differences", "causes", "not_retrieved"),
        *("verdict", "runs", "times"),
    }
    assert report["runs_per_arm"] == 4
    assert [(row["task"], row["arm"], row["repeat"]) for row in report["runs"]] == [
        (f"oncall-0{task}", arm, repeat) for repeat in (0, 1) for task in (1, 2) for arm in ("a", "b")
    ]
    assert len(report["times"]) == 8
    assert report["means"]["tools_shown"]["a"] == 18
    assert report["config"]["model"] == "offline planner"


def test_two_runs_print_the_same_figures(command: Command) -> None:
    words = ("ab", *ARMS, "--domains", ONCALL, "--limit", "3", "--json", "-")
    assert without_times(command(*words)) == without_times(command(*words))


def test_people_get_a_table_and_a_verdict(command: Command) -> None:
    ran = command("ab", *ARMS, "--domains", ONCALL, "--limit", "2")
    assert ran.code == 0
    for words in ("2 tasks", "offline planner", "definition_tokens", "95 % interval", "definition tokens"):
        assert words in ran.out


@pytest.mark.parametrize(
    ("words", "tells"),
    [
        (("--a", "exposure=everything", "--b", "exposure=all"), ("everything", "append")),
        (("--a", "exposre=all", "--b", "exposure=all"), ("Did you mean 'exposure'",)),
        ((*ARMS, "--repeat", "0"), ("--repeat 0",)),
        ((*ARMS, "--budget", "-1"), ("--budget -1",)),
        ((*ARMS, "--tasks", "nowhere.jsonl"), ("nowhere.jsonl",)),
        ((*ARMS, "--model", PRICED), ("--budget USD",)),
        ((*ARMS, "--model", "openai/nobody-knows-it", "--budget", "1"), ("no price",)),
        ((*ARMS, "--replay"), ("--cassette DIR",)),
        ((*ARMS, "--cassette", "kept"), ("--model",)),
        (("--a", "exposure=all"), ("--b",)),
    ],
)
def test_a_mistake_is_told_in_a_line(command: Command, words: tuple[str, ...], tells: tuple[str, ...]) -> None:
    command("ab", *words, "--domains", ONCALL).refused(*tells)


def test_a_folder_without_tasks_is_told(shop: Command, domains: Path, command: Command) -> None:
    command("ab", *ARMS, "--domains", domains).refused("tasks.jsonl", "--tasks FILE")


def noted(command: Command, tmp_path: Path, server: RecordingServer, *words: str | Path) -> Ran:
    """One task by a model on loopback that opens the issue and says so, in every run anew."""

    def answer(request: serve.Request) -> serve.Answer:
        if request.body["messages"][-1]["role"] == "tool":
            return serve.completion("opened ISS-326")
        return serve.completion(calls=[serve.call("issues_create", CALL)])

    (tmp_path / "note.jsonl").write_text(lines([NOTE]))
    server.answers(answer)
    place = ("--domains", ONCALL, "--tasks", tmp_path / "note.jsonl", "--base-url", server.url, "--json", "-")
    return command("ab", *ARMS, "--model", PRICED, *place, *words)


def test_a_model_does_the_tasks(command: Command, tmp_path: Path, server: RecordingServer) -> None:
    report = noted(command, tmp_path, server, "--budget", "1").json
    assert report["done"] == {"a": 1, "b": 1}
    assert report["runs"][0]["input_tokens"] == 22  # two answers that say eleven each, definitions included
    assert len(server.requests) == 4


def test_kept_answers_are_replayed_without_asking(command: Command, tmp_path: Path, server: RecordingServer) -> None:
    kept = tmp_path / "kept"
    recorded = without_times(noted(command, tmp_path, server, "--cassette", kept, "--repeat", "2"))
    asked = len(server.requests)
    replayed = without_times(noted(command, tmp_path, server, "--cassette", kept, "--repeat", "2", "--replay"))
    assert replayed == recorded
    assert asked == len(server.requests) == 8
    text = "".join(path.read_text() for path in kept.iterdir())
    assert "issues_create" in text
    assert "sk-for-loopback-only" not in text


def test_a_key_in_an_answer_is_not_kept(command: Command, tmp_path: Path, server: RecordingServer) -> None:
    (tmp_path / "note.jsonl").write_text(lines([{**NOTE, "request": "my key is sk-live-12345678"}]))
    server.answers(serve.completion("your key is sk-live-12345678"))
    place = ("--domains", ONCALL, "--tasks", tmp_path / "note.jsonl", "--base-url", server.url)
    assert command("ab", *ARMS, "--model", PRICED, *place, "--cassette", tmp_path / "kept").code == 0
    assert "12345678" not in "".join(path.read_text() for path in (tmp_path / "kept").iterdir())


def test_a_request_that_was_not_kept_is_told(command: Command, tmp_path: Path, server: RecordingServer) -> None:
    ran = noted(command, tmp_path, server, "--cassette", tmp_path / "empty", "--replay")
    assert ran.code == 1
    assert "holds no answer" in ran.err
    assert server.requests == []


def test_a_budget_stops_cleanly(command: Command, tmp_path: Path, server: RecordingServer) -> None:
    """The first request alone could cost more than a millionth of a dollar, so none is made."""
    ran = noted(command, tmp_path, server, "--budget", "0.000001")
    assert ran.code == 0
    assert server.requests == []
    assert "is used up" in ran.err
    assert json.loads(ran.out)["runs_per_arm"] == 0


def test_a_provider_that_never_answers_is_one_error(command: Command, tmp_path: Path, server: RecordingServer) -> None:
    (tmp_path / "note.jsonl").write_text(lines([NOTE]))
    server.answers(serve.raw(401, {"error": {"message": "no such key"}}))
    place = ("--domains", ONCALL, "--tasks", tmp_path / "note.jsonl", "--base-url", server.url)
    ran = command("ab", *ARMS, "--model", PRICED, *place)
    assert ran.code == 1
    assert len(server.requests) == 1
