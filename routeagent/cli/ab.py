"""`routeagent ab`: the same tasks done by two arms, each run on a fresh database."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routeagent.cli.options import BaseUrl, Json, ModelName
from routeagent.cli.options import Source as SourceOptions
from routeagent.cli.output import Output, output, progress, warn
from routeagent.cli.sources import Setup, set_up
from routeagent.errors import UsageError

if TYPE_CHECKING:
    from routeagent.evaluation.comparison import Comparison
    from routeagent.evaluation.experiment import Run
    from routeagent.evaluation.tasks import Task

_SHOWN = 60
"""Characters of a request in the table of tasks."""


def ab_command(
    a: Annotated[str, typer.Option("--a", metavar="ARM", help="One arm, such as exposure=all.")],
    b: Annotated[str, typer.Option("--b", metavar="ARM", help="The other, such as exposure=append,top_k=3.")],
    domains: Annotated[Path | None, typer.Option("--domains", metavar="DIR", help="A folder of domains.")] = None,
    tasks: Annotated[
        Path | None, typer.Option("--tasks", metavar="FILE", help="What is to be done. [default: DIR/tasks.jsonl]")
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", help="Do each task so often.")] = 1,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Only the first N tasks.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the resampling behind the intervals.")] = 0,
    model: ModelName = None,
    base_url: BaseUrl = None,
    budget: Annotated[
        float | None, typer.Option("--budget", metavar="USD", help="Stop before a model costs more than this.")
    ] = None,
    cassette: Annotated[
        Path | None,
        typer.Option("--cassette", metavar="DIR", help="Keep the model's answers here, and use them."),
    ] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Use kept answers alone; nothing is asked.")] = False,
    json_target: Json = None,
) -> None:
    """Let two arms do the same tasks, and say which does more, at what cost, and why the rest failed.

    An ARM is KEY=VALUE,KEY=VALUE of exposure, top_k, max_tools, group_load, re_retrieve, router, retriever, embedder.
    """
    with output(json_target) as out:
        from routeagent.evaluation.arms import parse_arm
        from routeagent.evaluation.comparison import compare
        from routeagent.evaluation.experiment import run_experiment

        arms = parse_arm(a), parse_arm(b)
        _check_numbers(repeat, limit, budget)
        setup = set_up(SourceOptions(domains=domains))
        if not setup.catalog.executable:
            raise UsageError(f"{setup.folder} is data, with no code behind its tools, so nothing can be done with them")
        path, chosen = _read(setup, tasks, limit)
        name = model or os.environ.get("ROUTEAGENT_MODEL") or setup.defaults.get("model")
        kept = _Kept(cassette, replay)
        made = _model(name, base_url or setup.defaults.get("base-url"), budget, kept)
        total = len(chosen) * repeat * len(arms)
        with progress("running", total) as advance:
            runs = run_experiment(
                setup.catalog, chosen, arms, repeat=repeat, model=lambda task, arm: made, advance=advance
            )
        if len(runs) < total:
            warn(f"--budget {budget} is used up: {len(runs)} of {total} runs are reported")
        found = compare(*arms, runs, seed)
        config = {
            "domains": str(setup.folder),
            "tasks": str(path),
            "a": asdict(arms[0]),
            "b": asdict(arms[1]),
            "model": name or "offline planner",
            "repeat": repeat,
            "limit": limit,
            "seed": seed,
            "budget": budget,
        }
        _print(out, found, runs, config)
        out.json(_payload(config, found, runs))


def _check_numbers(repeat: int, limit: int | None, budget: float | None) -> None:
    if repeat < 1 or (limit is not None and limit < 1):
        raise UsageError(f"--repeat {repeat} --limit {limit} leaves nothing to run; both have to be at least 1")
    if budget is not None and budget <= 0:
        raise UsageError(f"--budget {budget} buys nothing; it is an amount in US dollars")


def _read(setup: Setup, named: Path | None, limit: int | None) -> tuple[Path, list[Task]]:
    from routeagent.evaluation.tasks import read_tasks

    path = named or setup.folder / "tasks.jsonl"
    if named is None and not path.is_file():
        raise UsageError(f"{setup.folder} has no tasks.jsonl; name a file of tasks with --tasks FILE")
    found = read_tasks(path)
    if not found:
        raise UsageError(f"{path} holds no tasks")
    return path, found[:limit]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Where a model's answers are kept, and whether those are all there is."""

    folder: Path | None
    only: bool

    def client(self) -> Any:
        from routeagent.agent.litellm_client import LiteLLMClient
        from routeagent.evaluation.cassette import Cassette

        return LiteLLMClient if self.folder is None else Cassette(self.folder, replay_only=self.only).client


def _model(name: str | None, base_url: str | None, budget: float | None, kept: _Kept) -> Any:
    """The model of every run; None is the offline planner.

    Raises:
        UsageError: a model that costs money, and no bound to it; answers that nobody gives.
    """
    if kept.only and kept.folder is None:
        raise UsageError("--replay needs --cassette DIR, the folder of the answers that were kept")
    if name is None:
        if kept.folder is not None:
            raise UsageError("--cassette keeps a model's answers; name the model with --model (the planner needs none)")
        return None
    from routeagent.agent.litellm_model import LiteLLMModel
    from routeagent.evaluation.budget import BudgetedModel
    from routeagent.prices import price_of

    price, made = price_of(name), LiteLLMModel(name, base_url=base_url, client=kept.client())
    if budget is None or kept.only:
        if price is not None and base_url is None and not kept.only:
            raise UsageError(f"{name} costs money; say with --budget USD how much the experiment may cost at most")
        return made
    if price is None:
        raise UsageError(f"no price of {name} is known, so --budget cannot be kept; leave it out if the model is free")
    return BudgetedModel(made, price, budget)


def _print(out: Output, found: Comparison, runs: Sequence[Run], config: dict[str, Any]) -> None:
    tasks = len({run.task.id for run in runs})
    out.line(f"{tasks} tasks × {config['repeat']} by two arms, {config['model']}", style="bold")
    _print_figures(out, found)
    _print_tasks(out, runs)
    for sentence in found.verdict:
        out.line(sentence)


def _print_figures(out: Output, found: Comparison) -> None:
    columns = ("", f"a: {found.a.name}", f"b: {found.b.name}", "b − a", "95 % interval")
    rows: list[tuple[str, ...]] = []
    for name, (first, second) in found.means.items():
        gap = found.differences.get(name)
        change = (f"{gap.mean:+.2f}", f"{gap.low:+.2f} to {gap.high:+.2f}") if gap else ("", "")
        rows.append((name, _number(first), _number(second), *change))
    out.table(columns, rows, right=columns[1:])


def _print_tasks(out: Output, runs: Sequence[Run]) -> None:
    rows = [
        (run.task.id, run.arm.name, run.cause, ", ".join(run.not_retrieved) or "-", run.wrong[0][:_SHOWN])
        for run in runs
        if run.cause is not None
    ]
    if rows:
        out.table(("task", "arm", "cause", "not retrieved", "what is wrong"), rows, title=f"not done: {len(rows)}")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _payload(config: dict[str, Any], found: Comparison, runs: Sequence[Run]) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "config": config,
        "runs_per_arm": found.runs,
        "done": dict(zip("ab", found.done, strict=True)),
        "means": {name: dict(zip("ab", pair, strict=True)) for name, pair in found.means.items()},
        "differences": {name: asdict(gap) for name, gap in found.differences.items()},
        "causes": {side: dict(causes) for side, causes in zip("ab", found.causes, strict=True)},
        "not_retrieved": {
            side: [asdict(one) for one in misses] for side, misses in zip("ab", found.misses, strict=True)
        },
        "verdict": list(found.verdict),
        "runs": [_row(found, run) for run in runs],
        "times": [
            {"task": run.task.id, "arm": _side(found, run), "repeat": run.repeat, "ms": round(run.ms, 1)}
            for run in runs
        ],
    }


def _side(found: Comparison, run: Run) -> str:
    return "a" if run.arm is found.a else "b"


def _row(found: Comparison, run: Run) -> dict[str, Any]:
    return {
        "task": run.task.id,
        "arm": _side(found, run),
        "repeat": run.repeat,
        "done": run.done,
        "cause": run.cause,
        "wrong": list(run.wrong),
        "answer": run.answer,
        "error": run.error,
        "first_tool": run.first_tool,
        "first_tool_right": run.first_tool_right,
        "calls": [asdict(call) for call in run.calls],
        "shown": list(run.shown),
        "not_retrieved": list(run.not_retrieved),
        "writes_not_called": list(run.writes_not_called),
        "steps": run.steps,
        "input_tokens": run.input_tokens,
        "output_tokens": run.output_tokens,
        "definition_tokens": run.definition_tokens,
        "tool_errors": run.tool_errors,
    }
