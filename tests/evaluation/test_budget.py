"""A budget is never overdrawn, and what was finished before it ran out stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

from routeagent.evaluation.budget import BudgetedModel
from routeagent.evaluation.experiment import run_experiment
from routeagent.prices import Price
from tests.evaluation.house import ALL, LIT, NARROW, house

DEAR = Price(input=0.0, cached=0.0, output=1000.0)
"""A tenth of a cent a token of the answer, prompts free: an answer of 2,000 tokens, the most there may be, is $2."""


def talker(tokens: int) -> FunctionModel:
    usage = RequestUsage(input_tokens=0, output_tokens=tokens)
    return FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart("no")], usage=usage))


def spend(budget: float, tokens: int) -> tuple[BudgetedModel, list[Any]]:
    model = BudgetedModel(talker(tokens), DEAR, budget)
    tasks = [replace(LIT, id=f"t{number}") for number in range(10)]
    return model, run_experiment(house(), tasks, [ALL, NARROW], model=lambda task, arm: model)


def test_what_does_not_fit_is_not_asked() -> None:
    """Each answer costs $1 and may cost $2, so $5.50 pays for four of them: before the fifth, only $1.50 are left."""
    model, runs = spend(5.5, 1000)
    assert model.spent == 4.0
    assert [run.task.id for run in runs] == ["t0", "t0", "t1", "t1"]


def test_a_task_that_only_one_arm_finished_is_left_out() -> None:
    model, runs = spend(4.5, 1000)
    assert model.spent == 3.0
    assert [run.task.id for run in runs] == ["t0", "t0"]


def test_enough_is_enough() -> None:
    model, runs = spend(22.0, 1000)
    assert model.spent == 20.0
    assert len(runs) == 20
