"""`routeagent tokens`: what tool definitions cost, with and without routing, and whether routing is worth it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routeagent.catalog import Tool
from routeagent.cli.cases import case_files, read_files
from routeagent.cli.options import BaseUrl, Json, ModelName, Queries, Ranking, Request, Source
from routeagent.cli.output import Output, output, progress, waiting
from routeagent.cli.sources import Setup, people_name, request_text, set_up

if TYPE_CHECKING:
    from routeagent.search import ToolIndex

_AT_MOST = 200
"""Requests that the mean is taken over; more are drawn from."""
_FEW, _SOME = 10, 30

Count = Callable[[Sequence[Tool]], int]


def tokens_command(
    source: Source,
    ranking: Ranking,
    request: Request = None,
    queries: Queries = None,
    by_tool: Annotated[bool, typer.Option("--by-tool", help="List every tool's own tokens.")] = False,
    model: ModelName = None,
    base_url: BaseUrl = None,
    json_target: Json = None,
) -> None:
    """Count the tokens of tool definitions, and say whether routing is worth it here."""
    with output(json_target) as out:
        text = None if request is None else request_text(request)
        setup = set_up(source, ranking)

        from routeagent.tokens import TOKENIZER, definition_tokens

        asked, basis = _requests(setup, text, queries)
        shown = _first_turns(setup, setup.index(), asked)
        count, counted_by = definition_tokens, f"{TOKENIZER} (tiktoken)"
        if model:
            shown, basis = _typical(shown, basis)
            count, counted_by = _billing(model, base_url or setup.defaults.get("base-url")), f"{model}, as billed"
        figures = _figures(setup, shown, count)
        advice = f"{_advice(len(setup.catalog), figures)} {_choice(setup, figures, model)}"
        out.table(
            ("definitions", "tokens"),
            [
                ("none", figures["none"]),
                ("core + search_tools", figures["core"]),
                (f"routed ({basis})", "–" if figures["routed"] is None else figures["routed"]),
                (f"all {len(setup.catalog)}", figures["all"]),
            ],
            right=("tokens",),
        )
        payload: dict[str, Any] = {**figures, "tokenizer": counted_by, "advice": advice}
        if by_tool:
            payload["by_tool"] = _list(out, setup)
        out.line(f"counted by {counted_by}", style="dim")
        out.line(advice)
        out.json(payload)


def _requests(setup: Setup, text: str | None, queries: Path | None) -> tuple[list[str], str]:
    """What first turns are made for, and how to call it: the request, else cases, else examples."""
    if text is not None:
        return [text], "this request"

    from routeagent.evaluation.datasets import sample

    files = case_files(setup, queries)
    cases = read_files(files) if files else list(setup.catalog.examples)
    kind = "cases" if files else "examples"
    drawn = sample([case for case in cases if case.query.strip()], _AT_MOST)
    return [case.query for case in drawn], f"mean of {len(drawn)} {kind}" if drawn else "no cases or examples"


def _first_turns(setup: Setup, index: ToolIndex, requests: Sequence[str]) -> list[list[Tool]]:
    """What a model would see in the first turn of each request; before any of them, the core alone."""
    from routeagent.discovery import Discovery

    limits = setup.limits()
    found = [Discovery(index, limits).tools()]
    with progress("routing", len(requests)) as advance:
        for request in requests:
            discovery = Discovery(index, limits)
            discovery.route(request)
            found.append(discovery.tools())
            advance()
    return found


def _figures(setup: Setup, shown: Sequence[Sequence[Tool]], count: Count) -> dict[str, int | None]:
    core, *routed = shown
    return {
        "none": 0,
        "core": count(core),
        "routed": round(fmean(count(tools) for tools in routed)) if routed else None,
        "all": count(list(setup.catalog)),
    }


def _typical(shown: list[list[Tool]], basis: str) -> tuple[list[list[Tool]], str]:
    """The core and the one first turn whose cost is nearest to the mean, so that a provider is asked once."""
    from routeagent.tokens import definition_tokens

    core, *routed = shown
    if len(routed) < 2:
        return shown, basis
    costs = [definition_tokens(tools) for tools in routed]
    mean = fmean(costs)
    nearest = min(range(len(costs)), key=lambda place: abs(costs[place] - mean))
    return [core, routed[nearest]], f"one near the {basis}"


def _billing(model: str, base_url: str | None) -> Count:
    """Tokens as a provider bills them: a request of one token with the definitions, less the same without."""
    from routeagent.llm import count_prompt_tokens

    def ask(tools: Sequence[Tool]) -> int:
        with waiting(f"asking {model}"):
            return count_prompt_tokens(model, [tool.definition() for tool in tools], base_url=base_url)

    bare = ask([])
    return lambda tools: ask(tools) - bare


def _list(out: Output, setup: Setup) -> list[dict[str, Any]]:
    from routeagent.tokens import definition_tokens

    costs = sorted(((definition_tokens([tool]), tool) for tool in setup.catalog), key=lambda pair: -pair[0])
    rows = [(people_name(tool), tool.namespace, cost) for cost, tool in costs]
    out.table(("tool", "namespace", "tokens"), rows, right=("tokens",))
    return [{"name": tool.name, "namespace": tool.namespace, "tokens": cost} for cost, tool in costs]


def _choice(setup: Setup, figures: dict[str, int | None], model: str | None) -> str:
    """The exposure that `auto` takes here, and why."""
    from routeagent.exposure import ModelFacts, choose
    from routeagent.prices import price_of

    price = price_of(model) if model else None
    cheap = price is not None and price.cached < price.input
    facts = ModelFacts(reads_cache=cheap, window=price.window if price else None)
    choice = choose("auto", setup.catalog.tools, figures["all"] or 0, facts)
    return f"--exposure auto takes {choice.exposure.name}: {choice.why}."


def _advice(tools: int, figures: dict[str, int | None]) -> str:
    """Whether routing is worth it here, in words."""
    everything, routed = figures["all"] or 0, figures["routed"]
    if tools < _FEW:
        return (
            f"Routing is not worth it for so few tools ({tools}): show them all. "
            "If the model mixes them up, merge or drop near-duplicates first."
        )
    if routed is None:
        return "Give a REQUEST, cases or examples to see what routing would save here."
    if routed >= everything:
        return f"Routing saves nothing here: it shows {routed} tokens of {everything}. Lower --max-tools, or leave it."
    saved = f"{everything / routed:.1f}× fewer tokens a turn ({routed} instead of {everything})"
    if tools <= _SOME:
        return f"Routing may be worth it: {saved}; with {tools} tools, merge or drop near-duplicates first and measure."
    return f"Routing is worth it: {saved}."
