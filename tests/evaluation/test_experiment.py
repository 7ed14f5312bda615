"""The experiment: each run by itself, what it measured worked out by hand, and the cause of every kind of failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from routeagent.errors import CatalogError, DataError
from routeagent.evaluation.arms import parse_arm
from routeagent.evaluation.comparison import Miss, compare
from routeagent.evaluation.experiment import Run, run_experiment
from routeagent.evaluation.outcomes import Called
from routeagent.evaluation.tasks import Expected, Task
from tests.evaluation.house import ALL, LIT, NARROW, ON, QUICK, Step, house, make_deps, one_run, runs_of, scripted

HIDDEN = replace(LIT, request="fire up the boiler")
"""A task whose words lead a search to another tool than the one it needs."""


def test_a_task_is_done_by_effects_and_answer() -> None:
    run = one_run(LIT, ON, "the kitchen is lit")
    assert run.done
    assert run.cause is None
    assert run.wrong == ()
    assert run.calls == (Called("light_switch", "ok"),)
    assert (run.steps, run.tool_errors, run.first_tool, run.first_tool_right) == (2, 0, "light_switch", True)


def test_every_run_has_a_fresh_database() -> None:
    """Each run adds a row and the effect allows one: a second run on the same file would find two."""
    runs = runs_of(LIT, ON, "the kitchen is lit", repeat=3)
    assert [run.done for run in runs] == [True] * 6
    assert [(run.arm, run.repeat) for run in runs] == [
        (ALL, 0),
        (NARROW, 0),
        (ALL, 1),
        (NARROW, 1),
        (ALL, 2),
        (NARROW, 2),
    ]


def test_a_tool_that_was_made_unreachable_was_not_retrieved() -> None:
    run = one_run(HIDDEN, "I cannot do that", arm=NARROW)
    assert run.shown == ("house_rooms", "heat_boiler")
    assert run.cause == "not_retrieved"
    assert run.not_retrieved == ("light_switch",)
    assert run.writes_not_called == ("light_switch",)


def test_a_tool_that_was_offered_and_ignored_was_not_chosen() -> None:
    run = one_run(HIDDEN, "I cannot do that", arm=ALL)
    assert "light_switch" in run.shown
    assert run.cause == "not_chosen"
    assert run.not_retrieved == ()
    assert run.first_tool_right is False


FAILURES: list[tuple[str, Task, tuple[Step, ...], str]] = [
    ("another room", LIT, ([("light_switch", {"room": "hall", "lit": True})], "the kitchen is lit"), "bad_arguments"),
    ("refused", LIT, ([("light_switch", {"room": "moon", "lit": True})], "the kitchen is lit"), "bad_arguments"),
    ("not valid", LIT, ([("light_switch", {"room": "moon"})], "the kitchen is lit"), "bad_arguments"),
    ("breaks", replace(LIT, needs=("heat_boiler",)), ([("heat_boiler", {})], "kitchen"), "tool_error"),
    ("silent", LIT, (ON, "it is lit"), "wrong_answer"),
    ("lies", Task("no", "sing", "en", "unservable", (), answer=Expected((), ("la",))), ("la la",), "wrong_answer"),
]


@pytest.mark.parametrize(("task", "steps", "cause"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_the_cause_of_a_failure(task: Task, steps: tuple[Step, ...], cause: str) -> None:
    run = one_run(task, *steps)
    assert not run.done
    assert run.cause == cause


@pytest.mark.parametrize(("room", "tries"), [("moon", 1), ("moon", 4)])
def test_a_refusal_is_one_however_often_it_came(room: str, tries: int) -> None:
    refused: Step = [("light_switch", {"room": room, "lit": True})]
    run = one_run(LIT, *([refused] * tries), "the kitchen is lit")
    assert {call.outcome for call in run.calls} == {"bad_arguments"}
    assert run.tool_errors == len(run.calls) == tries


def test_a_run_without_an_answer_is_a_run_that_failed() -> None:
    endless: list[Step] = [[("house_rooms", {})]] * 40
    run = one_run(LIT, *endless)
    assert run.error is not None
    assert run.cause == "not_chosen"
    assert run.steps == 30


def test_core_tools_are_not_the_first_tool() -> None:
    run = one_run(LIT, [("house_rooms", {})], [("light_list", {})], ON, "the kitchen is lit")
    assert run.done
    assert (run.first_tool, run.first_tool_right) == ("light_list", False)
    assert [call.tool for call in run.calls] == ["house_rooms", "light_list", "light_switch"]


def test_a_dispatched_call_counts_under_its_own_name() -> None:
    arm = parse_arm(f"exposure=dispatch,{QUICK}")
    inner = {"name": "light_switch", "arguments": {"room": "kitchen", "lit": True}}
    run = one_run(LIT, [("call_tool", inner)], "the kitchen is lit", arm=arm)
    assert run.done
    assert run.calls == (Called("light_switch", "ok"),)


def test_a_person_who_declines_is_no_error() -> None:
    declined = replace(LIT, approve=False, effects=(replace(LIT.effects[0], expect=()),))
    run = one_run(declined, ON, "the kitchen stays dark")
    assert run.done
    assert run.calls == (Called("light_switch", "denied"),)
    assert run.tool_errors == 0


@pytest.mark.parametrize("exposure", ["all", "append", "dispatch"])
@pytest.mark.parametrize(("held", "done"), [(("owner",), True), (("guest",), False), (None, False)])
def test_a_task_may_ask_for_scopes(exposure: str, held: tuple[str, ...] | None, done: bool) -> None:
    scoped = replace(LIT, scopes={"light_switch": ("owner",)}, principal=held)
    run = one_run(scoped, ON, "the kitchen is lit", arm=parse_arm(f"exposure={exposure},{QUICK}"))
    assert run.done is done
    assert ("light_switch" in run.shown) is done


def test_what_the_caller_may_not_have_was_not_missed() -> None:
    forbidden = replace(LIT, kind="forbidden", effects=(), scopes={"light_switch": ("owner",)}, principal=("guest",))
    run = one_run(forbidden, "not the kitchen", arm=NARROW)
    assert run.done
    assert (run.not_retrieved, run.writes_not_called, run.first_tool_right) == ((), (), None)


def test_earlier_turns_are_heard() -> None:
    def hears(task: Task, arm: Any) -> Any:
        from pydantic_ai.messages import ModelResponse, TextPart
        from pydantic_ai.models.function import FunctionModel

        return FunctionModel(lambda messages, _: ModelResponse(parts=[TextPart(str(messages))]))

    told = replace(LIT, effects=(), history=("my kitchen is dark",), request="then do it")
    (run,) = run_experiment(house(), [told], [ALL], model=hears)
    assert "my kitchen is dark" in run.answer


def test_the_comparison_by_hand() -> None:
    """`all` does both tasks in both repeats; the narrow arm never sees the tool, so its model says no."""
    tasks = [HIDDEN, replace(HIDDEN, id="again")]
    a = run_experiment(house(), tasks, [ALL], repeat=2, model=scripted(ON, "the kitchen is lit"))
    b = run_experiment(house(), tasks, [NARROW], repeat=2, model=scripted("I cannot"))
    found = compare(ALL, NARROW, [*a, *b])
    assert (found.runs, found.done) == (4, (4, 0))
    assert found.means["done"] == (1.0, 0.0)
    assert found.means["tools_shown"] == (4.0, 2.0)
    assert found.means["steps"] == (2.0, 1.0)
    gap = found.differences["done"]
    assert (gap.mean, gap.low, gap.high, gap.tasks) == (-1.0, -1.0, -1.0, 2)
    assert found.causes == ({}, {"not_retrieved": 4})
    assert found.misses == ([], [Miss("light_switch", missed=4, needed=4, tasks=2)])
    verdict = " ".join(found.verdict)
    assert f"{ALL.name} does more tasks" in verdict
    assert "Candidates for core" in verdict
    assert "light_switch" in verdict


def test_one_task_alone_makes_no_tool_core() -> None:
    runs = run_experiment(house(), [HIDDEN], [ALL, NARROW], repeat=3, model=scripted("I cannot"))
    found = compare(ALL, NARROW, runs)
    assert found.misses == ([], [Miss("light_switch", missed=3, needed=3, tasks=1)])
    assert "Candidates for core" not in " ".join(found.verdict)


def test_definitions_stand_apart_from_the_whole_input() -> None:
    run = one_run(LIT, ON, "the kitchen is lit")
    narrow = one_run(LIT, ON, "the kitchen is lit", arm=NARROW)
    assert 0 < run.definition_tokens < run.input_tokens
    rest = run.input_tokens - run.definition_tokens
    assert narrow.input_tokens - narrow.definition_tokens == rest  # the conversations are the same, word for word


def test_an_index_is_ranked_the_same_with_and_without_scopes() -> None:
    scoped = replace(LIT, scopes={"light_switch": ("owner",)}, principal=("owner",))
    plain, variant = one_run(LIT, "no", arm=NARROW), one_run(scoped, "no", arm=NARROW)
    assert plain.shown == variant.shown == ("house_rooms", "light_switch")


def test_tools_that_share_one_database_are_refused() -> None:
    with pytest.raises(CatalogError, match="database: Path"):
        run_experiment(house(lambda: make_deps(Path("never"))), [LIT], [ALL], model=scripted("no"))


@pytest.mark.parametrize("task", [replace(LIT, needs=("light_switsh",)), replace(LIT, scopes={"light_switsh": ("x",)})])
def test_a_task_that_names_no_tool_is_refused(task: Task) -> None:
    with pytest.raises(DataError, match=r"'lit'.*'light_switsh'"):
        run_experiment(house(), [task], [ALL], model=scripted("no"))


def figures(runs: list[Run]) -> list[Run]:
    return [replace(run, ms=0.0) for run in runs]


def test_the_offline_planner_says_the_same_twice() -> None:
    once, again = (run_experiment(house(), [LIT, HIDDEN], [ALL, NARROW]) for _ in range(2))
    assert figures(once) == figures(again)
    assert len(once) == 4
