"""`routeagent route`: where a request goes, and what a model would be shown of the catalogue for it."""

from __future__ import annotations

from routeagent.cli.options import Json, Ranking, Request, Source
from routeagent.cli.output import Output, nothing_fits, output
from routeagent.cli.search import find
from routeagent.cli.sources import people_name, request_text, set_up

_SHOWN = 10


def route_command(source: Source, ranking: Ranking, request: Request = None, json_target: Json = None) -> None:
    """Show the namespaces of a request, and the tools that a model would see in its first turn."""
    with output(json_target) as out:
        text = request_text(request)
        setup = set_up(source, ranking)
        index = setup.index()
        found = find(index, text, setup.top_k)

        from routeagent.discovery import Discovery
        from routeagent.tokens import definition_tokens

        discovery = Discovery(index, setup.limits())
        discovery.route(text)
        tools = discovery.tools()
        rows = [{"name": tool.name, "namespace": tool.namespace, "tokens": definition_tokens([tool])} for tool in tools]
        namespaces = [{"name": one.name, "score": round(one.score, 4)} for one in found.namespaces]
        if not found.tools:
            out.line(nothing_fits(text))
        _print_namespaces(out, [(one.name, one.score) for one in found.namespaces])
        why = [_why(tool.name, tool.core, [one.name for one in found.tools]) for tool in tools]
        out.table(
            ("tool", "namespace", "why", "tokens"),
            [(people_name(tool), tool.namespace, why[n], rows[n]["tokens"]) for n, tool in enumerate(tools)],
            right=("tokens",),
            title=f"shown: {len(discovery.visible)} of {len(setup.catalog)} tools",
        )
        total, everything = definition_tokens(tools), definition_tokens(setup.catalog)
        out.line(f"{total} tokens of definitions; all of them would be {everything}", style="dim")
        out.json({"query": text, "namespaces": namespaces, "shown": rows, "tokens": total, "tokens_all": everything})


def _print_namespaces(out: Output, namespaces: list[tuple[str, float]]) -> None:
    if not namespaces:
        return
    most = max((score for _, score in namespaces), default=0.0) or 1.0
    rows = [(name, f"{score:.3f}", "█" * max(round(20 * score / most), 0)) for name, score in namespaces[:_SHOWN]]
    out.table(("namespace", "score", ""), rows, right=("score",))
    if len(namespaces) > _SHOWN:
        out.line(f"and {len(namespaces) - _SHOWN} more namespaces", style="dim")


def _why(name: str, core: bool, hits: list[str]) -> str:
    """What made a tool visible."""
    if core:
        return "core"
    if name in hits:
        return f"hit {hits.index(name) + 1}"
    return "finds others" if name == "search_tools" else "group"
