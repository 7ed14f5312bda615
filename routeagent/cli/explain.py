"""`routeagent explain`: why a tool was found for a request, or what cut it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routeagent.catalog import Catalog, Tool
from routeagent.cli.options import Json, Ranking, Scopes, Source
from routeagent.cli.output import Output, output
from routeagent.cli.search import find
from routeagent.cli.sources import Setup, find_tool, people_name, request_text, set_up
from routeagent.permissions import permitted
from routeagent.text import QUERY_LIMIT

if TYPE_CHECKING:
    from routeagent.scored import ScoredTool
    from routeagent.search import Search, ToolIndex
    from routeagent.selection import Limits

_TERMS = 40


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that decided over one tool for one request.

    Attributes:
        terms: of the request, of the tool, and those that both have.
        namespace: its score and rank, None where the router left it out.
        channels: score and rank of each part of the ranking, among all tools that could be found.
        rank: its final place, None where it was not ranked.
        shown: whether a model would see it in its first turn.
        cut: what kept it from that, empty where nothing did.
    """

    terms: dict[str, list[str]]
    namespace: dict[str, Any]
    channels: dict[str, dict[str, float | int]]
    score: float | None
    rank: int | None
    shown: bool
    cut: str


def explain_command(
    source: Source,
    ranking: Ranking,
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="What is to be done; - reads it from stdin.")],
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The tool in question.")],
    scope: Scopes = None,
    as_operator: Annotated[
        bool, typer.Option("--as-operator", help="Look past permissions, and say where they decide.")
    ] = False,
    json_target: Json = None,
) -> None:
    """Say why a tool was found for a request, or what cut it."""
    with output(json_target) as out:
        text = request_text(request)
        setup = set_up(source, ranking)
        held = frozenset(scope or ())
        whole = find_tool(setup.catalog, tool) if as_operator else None
        if whole is not None and not permitted(whole, held):
            asked, explained = whole, _forbidden(explain(setup, setup.index(), text, whole, whole.scopes), whole, held)
        else:
            # A forbidden tool is looked for where it is not: the caller is told what a made-up name would be told.
            asked = find_tool(setup.catalog.keep(lambda one: permitted(one, held)), tool)
            explained = explain(setup, setup.index(), text, asked, held)
        _print(out, setup, asked, explained)
        out.json({"query": text, "tool": asked.name, **asdict(explained)})


def explain(setup: Setup, index: ToolIndex, text: str, tool: Tool, held: Collection[str] = ()) -> Explanation:
    """Search as a first turn of a caller with these scopes does, and read off what happened to a tool."""
    from routeagent.discovery import Discovery

    catalog, limits = setup.catalog, setup.limits()
    found = find(index, text, len(catalog))
    ranked = [one.name for one in found.tools]
    place = ranked.index(tool.name) + 1 if tool.name in ranked else None
    discovery = Discovery(index, limits, held)
    discovery.route(text)
    shown = tool.name in discovery.visible
    scored = next((one.score for one in found.tools if one.name == tool.name), None)
    return Explanation(
        terms=_terms(catalog, text, tool),
        namespace=_namespace(found, tool),
        channels=_channels(_everywhere(index, found), tool),
        score=None if scored is None else round(scored, 4),
        rank=place,
        shown=shown,
        cut="" if shown else _cut(catalog, found, tool, place, limits),
    )


def _forbidden(explained: Explanation, tool: Tool, held: Collection[str]) -> Explanation:
    """What an operator sees of a tool that the caller may not use."""
    missing = ", ".join(sorted(set(tool.scopes) - set(held)))
    cut = f"permission: the caller lacks {missing}, so for it there is no such tool"
    return replace(explained, shown=False, cut=cut)


def _terms(catalog: Catalog, text: str, tool: Tool) -> dict[str, list[str]]:
    from routeagent.document import document
    from routeagent.text import tokenizer_for

    tokenizer = tokenizer_for(catalog.terms)
    asked = list(dict.fromkeys(tokenizer.terms(text)))
    told = list(dict.fromkeys(tokenizer.terms(document(tool), None)))
    return {"request": asked, "tool": told, "shared": [term for term in asked if term in set(told)]}


def _namespace(found: Search, tool: Tool) -> dict[str, Any]:
    for place, one in enumerate(found.namespaces, 1):
        if one.name == tool.namespace:
            return {"name": one.name, "score": round(one.score, 4), "rank": place}
    return {"name": tool.namespace, "score": None, "rank": None}


def _channels(ranked: Sequence[ScoredTool], tool: Tool) -> dict[str, dict[str, float | int]]:
    channels: dict[str, dict[str, float | int]] = {}
    for own in (one for one in ranked if one.name == tool.name):
        for name, score in own.parts.items():
            better = sum(one.parts.get(name, score) > score for one in ranked)
            channels[name] = {"score": round(score, 4), "rank": 1 + better}
    return channels


def _everywhere(index: ToolIndex, found: Search) -> Sequence[ScoredTool]:
    """The ranking of every tool, those included that the router cut."""
    if len(found.tools) == len(index.catalog) or not found.tools:
        return found.tools
    return index.retriever.retrieve(found.query[:QUERY_LIMIT], index.flat.route(found.query), len(index.catalog))


def _cut(catalog: Catalog, found: Search, tool: Tool, place: int | None, limits: Limits) -> str:
    """The first thing on the way that kept a tool from being shown."""
    if not found.namespaces:
        return "the request has no words to search by"
    if tool.namespace not in {one.name for one in found.namespaces}:
        return f"router: it left the namespace {tool.namespace} out"
    if place is None:
        return "retriever: no channel gave it a score"
    if place <= limits.top_k:
        return f"cap: it is a hit, but {limits.max_tools} tools were visible already"
    hits = {catalog[one.name].namespace for one in found.tools[: limits.top_k]}
    if tool.namespace not in hits:
        return f"top-k: rank {place} is beyond {limits.top_k}, and no hit is of its namespace {tool.namespace}"
    return (
        f"group: rank {place} is beyond {limits.top_k}, and its group had no room: of {limits.max_tools} places "
        f"{limits.slots_kept} are kept free for search_tools"
    )


def _print(out: Output, setup: Setup, tool: Tool, explained: Explanation) -> None:
    verdict = "shown in the first turn" if explained.shown else f"not shown · {explained.cut}"
    out.line(f"{people_name(tool)}: {verdict}", style="bold")
    where = explained.namespace
    routed = "left out by the router" if where["rank"] is None else f"score {where['score']:.3f}, rank {where['rank']}"
    count = len(setup.catalog)
    final = ("all together", "–" if explained.score is None else f"{explained.score:.3f}", explained.rank or "–")
    rows = [(name, f"{one['score']:.3f}", one["rank"]) for name, one in explained.channels.items()]
    out.table(("channel", "score", f"rank of {count}"), [*rows, final], right=("score", f"rank of {count}"))
    out.line(f"namespace {where['name']}: {routed}")
    for name, words in (
        ("shared terms", explained.terms["shared"]),
        ("request", explained.terms["request"]),
        ("tool", explained.terms["tool"]),
    ):
        more = " …" if len(words) > _TERMS else ""
        out.line(f"{name}: {' '.join(words[:_TERMS]) or '–'}{more}", style="dim" if name != "shared terms" else "")
