"""`routeagent ab`: the same tasks done by two arms, each run on a fresh database."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routeagent.cli.ab_report import payload, print_report
from routeagent.cli.options import BaseUrl, Json, ModelName
from routeagent.cli.options import Source as SourceOptions
from routeagent.cli.output import output, progress, warn
from routeagent.cli.sources import Setup, set_up
from routeagent.errors import UsageError

if TYPE_CHECKING:
    from routeagent.evaluation.tasks import Task


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
        print_report(out, found, runs, config)
        out.json(payload(config, found, runs))


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
