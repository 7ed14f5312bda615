"""`routeagent run`: do what is asked, with the tools."""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from routeagent.cli.approvals import approver
from routeagent.cli.options import BaseUrl, Exposure, Json, ModelName, Ranking, Request, Scopes, Source
from routeagent.cli.output import Output, output
from routeagent.cli.sources import Setup, people_name, request_text, set_up
from routeagent.errors import UsageError
from routeagent.storage import cache_dir

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from routeagent.agent import Call, RunResult
    from routeagent.agent.guarding import Policy

_ARGUMENTS = 80


def run_command(
    source: Source,
    ranking: Ranking,
    request: Request = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    yes: Annotated[bool, typer.Option("--yes", help="Approve every call that changes something.")] = False,
    approve: Annotated[
        list[str] | None, typer.Option("--approve", metavar="TOOL", help="Approve calls of this tool; may be repeated.")
    ] = None,
    exposure: Exposure = None,
    scope: Scopes = None,
    guard: Annotated[
        str | None,
        typer.Option("--guard", metavar="POLICY", help="On a denial in vain: off, trace or retry. [default: trace]"),
    ] = None,
    audit: Annotated[
        Path | None, typer.Option("--audit", metavar="FILE", help="Record every call here; no record, no write.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="Where the run's events go. [default: the cache]")
    ] = None,
    json_target: Json = None,
) -> None:
    """Do what a request asks, with the tools that it needs.

    Without a model (--model or ROUTEAGENT_MODEL) an offline planner, which is no language model, takes its place.
    """
    with output(json_target) as out:
        text = request_text(request)
        setup = set_up(source, ranking)
        if not setup.catalog.executable:
            raise UsageError(
                f"{setup.folder} is data, with no code behind its tools, so nothing can be run; "
                "route, search and eval work on it"
            )
        index = setup.index()
        path = _trace_file(trace)

        from routeagent.agent import RouteAgent

        agent = RouteAgent(
            setup.catalog,
            _model(model or os.environ.get("ROUTEAGENT_MODEL") or setup.defaults.get("model"), base_url, setup),
            index=index,
            max_tools=setup.limits().max_tools,
            top_k=setup.top_k,
            exposure=exposure or setup.defaults.get("exposure") or "auto",
            approve=approver(setup.catalog, everything=yes, names=approve or ()),
            audit=audit,
            guard=cast("Policy", guard or "trace"),
            principal=lambda _: frozenset(scope or ()),
        )
        result = agent.run_sync(text, trace_path=path)
        _print(out, setup, result, path)
        out.json(_payload(result, path))


def _model(name: str | None, base_url: str | None, setup: Setup) -> str | Model | None:
    address = base_url or setup.defaults.get("base-url")
    if address is None or name is None:
        return name
    from routeagent.agent.litellm_model import LiteLLMModel

    return LiteLLMModel(name, base_url=address)


def _trace_file(named: Path | None) -> Path:
    """The file of this run's events, made so that a place that cannot be written is found before the work."""
    started = datetime.now(UTC)
    path = named or cache_dir() / "runs" / f"{started:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}.jsonl"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise UsageError(f"--trace {path} cannot be written: {error.strerror or error}") from error
    return path


def _payload(result: RunResult, path: Path) -> dict[str, Any]:
    return {
        "answer": result.output,
        "steps": result.steps,
        "tools_shown": list(result.tools_shown),
        "calls": [asdict(call) for call in result.calls],
        "tokens": asdict(result.tokens),
        "trace": str(path),
    }


def _print(out: Output, setup: Setup, result: RunResult, path: Path) -> None:
    out.line(result.output)
    out.line()
    for call in result.calls:
        out.line(f"  {'✓' if call.ok else '✗'} {_call(setup, call)}", style="green" if call.ok else "red")
    tokens = result.tokens
    share = f" ({tokens.definitions / tokens.definitions_all:.0%})" if tokens.definitions_all else ""
    out.line(
        f"{result.steps} steps · {len(result.tools_shown)} of {len(setup.catalog)} tools shown · definitions "
        f"{tokens.definitions} of {tokens.definitions_all} tokens{share} · "
        f"input {tokens.input}, output {tokens.output}",
        style="dim",
    )
    out.line(f"trace: {path}", style="dim")


def _call(setup: Setup, call: Call) -> str:
    name = people_name(setup.catalog[call.tool]) if call.tool in setup.catalog else call.tool
    arguments = json.dumps(call.arguments, ensure_ascii=False, default=str)
    return f"{name} {arguments if len(arguments) <= _ARGUMENTS else arguments[:_ARGUMENTS] + '…'}"
