"""Arms are read from text, and what is wrong with them is said; differences are paired."""

from __future__ import annotations

import inspect
from dataclasses import asdict

import pytest

from routeagent.agent import RouteAgent
from routeagent.errors import StrategyError
from routeagent.evaluation.arms import Arm, parse_arm
from routeagent.evaluation.paired import difference

READ: list[tuple[str, dict[str, object]]] = [
    ("exposure=all", {"exposure": "all"}),
    ("exposure=append,top_k=3,group_load=false", {"exposure": "append", "top_k": 3, "group_load": False}),
    (" router = flat , retriever=bm25", {"router": "flat", "retriever": "bm25"}),
    ("router=tfidf:C=4,top_m=2,max_tools=9", {"router": "tfidf:C=4,top_m=2", "max_tools": 9}),
    ("exposure=auto:5,re_retrieve=never", {"exposure": "auto:5", "re_retrieve": "never"}),
    ("group_load=TRUE", {}),
]


@pytest.mark.parametrize(("text", "fields"), READ)
def test_an_arm_is_read(text: str, fields: dict[str, object]) -> None:
    assert parse_arm(text) == Arm(text, **fields)  # pyright: ignore[reportArgumentType]


REFUSED = [
    ("", "says nothing"),
    ("exposre=all", "Did you mean 'exposure'"),
    ("colour=red", "Known: exposure, top_k"),
    ("exposure", "write exposure=VALUE"),
    ("exposure=", "exposure"),
    ("exposure=everything", "everything"),
    ("top_k=three", "whole number"),
    ("top_k=0", "top_k"),
    ("top_k=3,top_k=4", "twice"),
    ("group_load=maybe", "true or false"),
    ("re_retrieve=often", "every_step"),
    ("name=x", "no key 'name'"),
]


@pytest.mark.parametrize(("text", "tells"), REFUSED)
def test_an_arm_that_means_nothing_is_refused(text: str, tells: str) -> None:
    with pytest.raises(StrategyError) as caught:
        parse_arm(text)
    assert tells in str(caught.value)


def test_an_arm_that_is_left_alone_is_the_agent_as_it_comes() -> None:
    """Every field is an option of the agent, with the agent's default; `auto` is what an arm says least with."""
    taken = inspect.signature(RouteAgent).parameters
    arm = asdict(parse_arm("exposure=auto"))
    del arm["name"]
    assert {name: taken[name].default for name in arm} == arm


def test_a_difference_by_hand() -> None:
    """Two tasks with differences 0 and 1: a quarter of the resamples holds only the one, a quarter only the other."""
    found = difference([(1.0, 1.0), (0.0, 1.0)], seed=0)
    assert found is not None
    assert (found.mean, found.low, found.high, found.tasks) == (0.5, 0.0, 1.0, 2)
    assert not found.clear


def test_a_difference_that_never_varies_is_clear() -> None:
    found = difference([(2.0, 5.0)] * 4, seed=3)
    assert found is not None
    assert (found.mean, found.low, found.high) == (3.0, 3.0, 3.0)
    assert found.clear


def test_an_interval_is_near_the_textbook_one() -> None:
    """A hundred differences, half of them 0 and half 1: mean 0.5, standard error 0.05, so about 0.5 ± 1.96 × 0.05."""
    found = difference([(0.0, float(number % 2)) for number in range(100)], seed=1)
    assert found is not None
    assert found.low == pytest.approx(0.402, abs=0.02)
    assert found.high == pytest.approx(0.598, abs=0.02)


def test_a_seed_fixes_the_interval() -> None:
    pairs = [(0.0, float(number) ** 1.5) for number in range(12)]
    assert difference(pairs, seed=7) == difference(pairs, seed=7)
    assert difference(pairs, seed=7) != difference(pairs, seed=8)


def test_nothing_to_compare() -> None:
    assert difference([], seed=0) is None
