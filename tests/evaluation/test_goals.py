"""The two sets of goals that come with the project: the routed arm does at least as many of them as `all`."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeagent.catalog import load_catalog
from routeagent.evaluation.arms import parse_arm
from routeagent.evaluation.comparison import compare
from routeagent.evaluation.experiment import run_experiment
from routeagent.evaluation.tasks import read_tasks
from tests.conftest import ROOT

ALL, ROUTED = parse_arm("exposure=all"), parse_arm("exposure=append")


@pytest.mark.parametrize(
    ("folder", "tasks"), [(ROOT / "domains", 20), (ROOT / "routeagent" / "templates" / "oncall", 12)]
)
def test_the_routed_arm_does_at_least_as_many(folder: Path, tasks: int) -> None:
    runs = run_experiment(load_catalog(folder), read_tasks(folder / "tasks.jsonl"), [ALL, ROUTED])
    found = compare(ALL, ROUTED, runs)
    assert found.runs == tasks
    assert 0 < found.done[0] <= found.done[1]
    all_tokens, routed_tokens = found.means["definition_tokens"]
    assert all_tokens is not None
    assert routed_tokens is not None
    assert routed_tokens < all_tokens
