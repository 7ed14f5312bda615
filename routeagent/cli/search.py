"""`routeagent search`: which tools fit a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from routeagent.catalog import Catalog, Tool
from routeagent.cli.options import Json, Ranking, Request, Source
from routeagent.cli.output import Output, nothing_fits, output, warn
from routeagent.cli.sources import people_name, request_text, set_up

if TYPE_CHECKING:
    from routeagent.search import Search, ToolIndex

_NAMESPACES = 3
_DESCRIPTION = 60


def search_command(source: Source, ranking: Ranking, request: Request = None, json_target: Json = None) -> None:
    """Rank the tools for a request, best first."""
    with output(json_target) as out:
        text = request_text(request)
        setup = set_up(source, ranking)
        found = find(setup.index(), text, setup.top_k)
        _print(out, setup.catalog, found)
        out.json(payload(found))


def find(index: ToolIndex, text: str, k: int) -> Search:
    """Search, with a remark on stderr for each part that failed or was left out."""
    found = index.search(text, k)
    for note in found.degraded:
        if note not in index.notes:  # those were said when the index was made
            warn(note)
    return found


def payload(found: Search) -> dict[str, Any]:
    """A search as its JSON contract has it."""
    return {
        "query": found.query,
        "namespaces": [{"name": one.name, "score": round(one.score, 4)} for one in found.namespaces],
        "tools": [{"name": one.name, "namespace": one.namespace, "score": round(one.score, 4)} for one in found.tools],
    }


def namespaces_line(found: Search, count: int = _NAMESPACES) -> str:
    """The best namespaces with their scores, in a line."""
    return " · ".join(f"{one.name} {one.score:.2f}" for one in found.namespaces[:count])


def about(tool: Tool) -> str:
    """The beginning of what a tool says of itself."""
    text = " ".join(tool.description.split())
    return text if len(text) <= _DESCRIPTION else f"{text[:_DESCRIPTION]}…"


def _print(out: Output, catalog: Catalog, found: Search) -> None:
    if not found.tools:
        out.line(nothing_fits(found.query))
        return
    rows = [
        (place, people_name(catalog[one.name]), one.namespace, f"{one.score:.2f}", about(catalog[one.name]))
        for place, one in enumerate(found.tools, 1)
    ]
    out.table(("#", "tool", "namespace", "score", "what it does"), rows, right=("#", "score"))
    out.line(f"namespaces: {namespaces_line(found)}", style="dim")
