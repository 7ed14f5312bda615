"""Tasks done by two arms, each run on a fresh database: what was done, what it cost, and why the rest was not."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import ModelMessage, ModelRequest
from pydantic_ai.models import Model
from pydantic_ai.models.function import FunctionModel

from routeagent.agent import RouteAgent
from routeagent.agent.approval import Approver, deny_writes
from routeagent.catalog import Catalog
from routeagent.errors import ModelError
from routeagent.evaluation.arms import Arm
from routeagent.evaluation.bench import Databases, Indexes, check_tasks
from routeagent.evaluation.budget import OutOfBudgetError
from routeagent.evaluation.causes import Cause, cause_of, not_retrieved, servable
from routeagent.evaluation.outcomes import Called, calls_of, calls_traced
from routeagent.evaluation.tasks import Task, check_answer, check_effects
from routeagent.meta import CALL_TOOL, SEARCH_TOOLS
from routeagent.trace import read_trace

ModelFor = Callable[[Task, Arm], str | Model | None]
"""The model of a run; None is the offline planner, unless `$ROUTEAGENT_MODEL` names another."""


@dataclass(frozen=True, slots=True)
class Run:
    """One task done once by one arm.

    Attributes:
        task, arm, repeat: which.
        wrong: what the database and the answer lack, a sentence each; the task is done where there is nothing.
        answer: what was said.
        error: why there is no answer, where there is none.
        cause: why it was not done.
        first_tool: the first tool called that is neither core nor `search_tools`.
        first_tool_right: whether it is needed; None where the task needs no such tool or the caller may not have it.
        calls: the tools called, in order, with what each came to.
        shown: catalogue tools that the model saw.
        not_retrieved: needed tools that it never saw.
        writes_not_called: needed tools that change something and were not called.
        steps: model requests.
        input_tokens: of all requests, tool definitions included, as the provider counted them; the offline planner
            reads no definitions, so theirs are added to its estimate of the messages.
        output_tokens: as the provider counted them, or the planner's estimate.
        definition_tokens: of the tool definitions in all requests alone.
        ms: wall time, which alone differs from run to run of one experiment.
    """

    task: Task
    arm: Arm
    repeat: int
    wrong: tuple[str, ...]
    answer: str
    error: str | None
    cause: Cause | None
    first_tool: str | None
    first_tool_right: bool | None
    calls: tuple[Called, ...]
    shown: tuple[str, ...]
    not_retrieved: tuple[str, ...]
    writes_not_called: tuple[str, ...]
    steps: int
    input_tokens: int
    output_tokens: int
    definition_tokens: int
    ms: float

    @property
    def done(self) -> bool:
        return not self.wrong

    @property
    def tool_errors(self) -> int:
        """Calls that failed, whether the tool broke or refused its arguments; what a person denied is none."""
        return sum(call.outcome in ("error", "bad_arguments") for call in self.calls)


def run_experiment(
    catalog: Catalog,
    tasks: Sequence[Task],
    arms: Sequence[Arm],
    *,
    repeat: int = 1,
    model: ModelFor = lambda task, arm: None,
    advance: Callable[[], None] = lambda: None,
) -> list[Run]:
    """Run every task with every arm, `repeat` times; the arms of one task run one after the other.

    Where the budget runs out, the runs that were finished by all arms are what is left.

    Args:
        catalog: tools with code behind them.
        tasks: what is to be done.
        arms: what is compared.
        repeat: how often.
        model: who does it.
        advance: called after each run.

    Raises:
        DataError: a task names a tool that does not exist, or effects that the database does not answer.
        CatalogError: the catalogue's tools cannot work on a database of their own.
    """
    check_tasks(catalog, list(tasks))
    return asyncio.run(_all_runs(catalog, tasks, arms, repeat, model, advance))


async def _all_runs(
    catalog: Catalog,
    tasks: Sequence[Task],
    arms: Sequence[Arm],
    repeat: int,
    model: ModelFor,
    advance: Callable[[], None],
) -> list[Run]:
    runs: list[Run] = []
    with tempfile.TemporaryDirectory(prefix="routeagent-ab-") as folder:
        bench = _Bench(Databases(catalog, Path(folder)), Indexes(catalog), Path(folder) / "trace.jsonl", model)
        for number in range(repeat):
            for task in tasks:
                finished: list[Run] = []
                for arm in arms:
                    try:
                        finished.append(await bench.run(task, arm, number))
                    except OutOfBudgetError:
                        return runs
                    advance()
                runs += finished
    return runs


@dataclass(frozen=True, slots=True)
class _Heard:
    """What came of a request: an answer, or the error in its place."""

    answer: str
    calls: tuple[Called, ...]
    error: str | None = None


@dataclass(slots=True)
class _Bench:
    databases: Databases
    indexes: Indexes
    trace: Path
    model: ModelFor
    begun: bool = False

    async def run(self, task: Task, arm: Arm, repeat: int) -> Run:
        index = self.indexes.get(arm, task)
        agent = RouteAgent(
            index.catalog,
            self.model(task, arm),
            index=index,
            approve=_approver(task),
            principal=lambda _: task.principal,
            **arm.routing,
        )
        self.trace.unlink(missing_ok=True)
        deps = self.databases.fresh()
        started = time.perf_counter()
        heard = await self._ask(agent, task, deps)
        self.begun = True
        ms = (time.perf_counter() - started) * 1000
        effects = check_effects(task, self.databases.path) if task.effects else []
        said = check_answer(task, heard.answer) if heard.error is None else [f"there is no answer: {heard.error}"]
        first = _first_tool(index.catalog, heard.calls)
        closing = next(row for row in reversed(read_trace(self.trace)) if row["event"] == "answer")
        shown = tuple(closing["tools_shown"])
        unread = closing["definitions"] if isinstance(agent.model, FunctionModel) else 0
        return Run(
            task=task,
            arm=arm,
            repeat=repeat,
            wrong=(*effects, *said),
            answer=heard.answer,
            error=heard.error,
            cause=cause_of(task, shown, heard.calls, effects_hold=not effects, answer_holds=not said),
            first_tool=first,
            first_tool_right=_first_right(index.catalog, task, first),
            calls=tuple(call for call in heard.calls if call.tool not in (SEARCH_TOOLS, CALL_TOOL)),
            shown=shown,
            not_retrieved=not_retrieved(task, shown, heard.calls),
            writes_not_called=_writes_missing(index.catalog, task, heard.calls),
            steps=closing["steps"],
            input_tokens=closing["input"] + unread,
            output_tokens=closing["output"],
            definition_tokens=closing["definitions"],
            ms=ms,
        )

    async def _ask(self, agent: RouteAgent, task: Task, deps: Any) -> _Heard:
        history = _history(task)
        try:
            result = await agent.run(task.request, deps=deps, message_history=history, trace_path=self.trace)
        except ModelError as error:
            if not self.begun and not isinstance(error.__cause__, AgentRunError):
                raise  # the provider does not answer at all, so the other runs would all say the same
            return _Heard("", calls_traced(read_trace(self.trace)), str(error))
        return _Heard(result.output, calls_of(result.messages[len(history) :], result.trace))


def _approver(task: Task) -> Approver:
    return (lambda _: True) if task.approve else deny_writes


def _history(task: Task) -> list[ModelMessage]:
    return [ModelRequest.user_text_prompt(turn) for turn in task.history]


def _first_tool(catalog: Catalog, calls: Sequence[Called]) -> str | None:
    names = (call.tool for call in calls if call.tool not in (SEARCH_TOOLS, CALL_TOOL))
    return next((name for name in names if name not in catalog or not catalog[name].core), None)


def _first_right(catalog: Catalog, task: Task, first: str | None) -> bool | None:
    if not servable(task) or all(catalog[name].core for name in task.needs):
        return None
    return first in task.needs


def _writes_missing(catalog: Catalog, task: Task, calls: Sequence[Called]) -> tuple[str, ...]:
    called = {call.tool for call in calls}
    if not servable(task):
        return ()
    return tuple(name for name in task.needs if catalog[name].writes and name not in called)
