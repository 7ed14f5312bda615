"""`routeagent eval`: how well requests meet their tools, without a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routeagent.cli.cases import case_files, read_all, read_files
from routeagent.cli.options import Json, Queries, Ranking, Source
from routeagent.cli.output import Output, output, progress, warn, write_file
from routeagent.cli.sources import Setup, people_name, set_up
from routeagent.cli.thresholds import METRICS, Threshold, read_threshold
from routeagent.errors import UsageError

if TYPE_CHECKING:
    from routeagent.catalog import Example
    from routeagent.evaluation.offline import Report
    from routeagent.search import Search, ToolIndex

_DEPTH = 50
"""As deep as a first turn looks when it orders groups."""
_MISSES = 15
_RANKED = 10
_INSTEAD = 3


def eval_command(
    source: Source,
    ranking: Ranking,
    queries: Queries = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="At most so many cases, drawn.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Which draw.")] = 0,
    no_examples: Annotated[bool, typer.Option("--no-examples", help="Fit on tool text alone.")] = False,
    fit_queries: Annotated[
        Path | None, typer.Option("--fit-queries", metavar="FILE", help="More examples to fit on.")
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Let the alternatives of a case count.")] = False,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", metavar="METRIC=VALUE", help="Exit with 1 below it; may be repeated."),
    ] = None,
    run: Annotated[
        Path | None, typer.Option("--run", metavar="FILE", help="A JSON line a query: gold, ranked, shown.")
    ] = None,
    json_target: Json = None,
) -> int:
    """Measure how well requests meet their tools, and show what was missed."""
    with output(json_target) as out:
        thresholds = [read_threshold(text) for text in fail_under or ()]
        if limit is not None and limit < 1:
            raise UsageError(f"--limit {limit} leaves no case; it has to be at least 1")
        setup = set_up(source, ranking)

        from routeagent.evaluation.datasets import sample

        cases = sample(read_all(setup, queries), limit, seed)
        examples = _examples(setup, fit_queries, no_examples, cases)
        report = _measure(setup, setup.index(examples), cases, lenient)
        if run is not None:
            write_file(run, "".join(json.dumps(row.record(), ensure_ascii=False) + "\n" for row in report.rows))
        config = {
            "source": str(setup.folder),
            "queries": [str(path) for path in case_files(setup, queries)],
            **setup.strategies(),
            "top_k": setup.limits().top_k,
            "max_tools": setup.limits().max_tools,
            "examples": len(examples),
            "fit_queries": None if fit_queries is None else str(fit_queries),
            "lenient": lenient,
            "limit": limit,
            "seed": seed,
        }
        _print(out, setup, report)
        out.json(_payload(config, report))
        return _judge(report.metrics, thresholds)


def _examples(setup: Setup, fit_queries: Path | None, none: bool, cases: Sequence[Example]) -> Sequence[Example]:
    """What routers and rankers are fitted on; a case among them would be measured on what it taught."""
    from routeagent.evaluation.datasets import bind

    own = () if none else setup.catalog.examples
    more = bind(read_files([fit_queries]), setup.catalog) if fit_queries else []
    asked = {case.query.strip() for case in cases}
    if shared := sum(example.query.strip() in asked for example in (*own, *more)):
        warn(f"{shared} examples are cases too, so the figures flatter: fit on others")
    return (*own, *more)


def _measure(setup: Setup, index: ToolIndex, cases: Sequence[Example], lenient: bool) -> Report:
    from routeagent.evaluation.offline import evaluate
    from routeagent.meta import search_tool
    from routeagent.selection import admit, core_tools
    from routeagent.tokens import definition_tokens

    catalog, limits = setup.catalog, setup.limits()
    core = core_tools(catalog)
    finder = search_tool(catalog, lambda _: True)

    def cost(names: Sequence[str]) -> int:
        return definition_tokens([finder, *(catalog[name] for name in names)])

    index.search("warm up")  # so that no case's time has the loading of a model in it
    with progress("evaluating", len(cases)) as advance:

        def shown(found: Search) -> Sequence[str]:
            advance()
            return [*core, *admit(catalog, core, [one.name for one in found.tools], limits).added]

        return evaluate(index, cases, shown=shown, tokens=cost, lenient=lenient, depth=_DEPTH)


def _payload(config: Mapping[str, Any], report: Report) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "config": dict(config),
        "data": dict(report.data),
        "metrics": {name: round(value, 4) for name, value in report.metrics.items()},
        "latency_ms": dict(report.latency_ms),
        "misses": [{**miss, "ranked": miss["ranked"][:_RANKED]} for miss in report.misses],
    }


def _print(out: Output, setup: Setup, report: Report) -> None:
    data, metrics, latency = report.data, report.metrics, report.latency_ms
    out.line(f"{data['queries']} queries over {data['tools']} tools in {data['namespaces']} namespaces", style="bold")
    halves = [name for name in METRICS if name in metrics]
    middle = (len(halves) + 1) // 2
    left, right = halves[:middle], [*halves[middle:], ""][:middle]
    cells = [(a, _figure(a, metrics), b, _figure(b, metrics)) for a, b in zip(left, right, strict=True)]
    out.table(("metric", "", "metric ", " "), cells, right=("", " "))
    if latency:
        out.line(" · ".join(f"{name} {value:.1f} ms" for name, value in latency.items()), style="dim")
    if report.misses:
        out.line()
        _print_misses(out, setup, report)


def _print_misses(out: Output, setup: Setup, report: Report) -> None:
    catalog = setup.catalog

    def people(names: Sequence[str]) -> str:
        return ", ".join(people_name(catalog[name]) for name in names)

    rows = [
        (miss["query"], people(miss["missed"]), people([n for n in miss["ranked"] if n not in miss["gold"]][:_INSTEAD]))
        for miss in report.misses[:_MISSES]
    ]
    out.table(("query", "needed", "came instead"), rows, title=f"missed: {len(report.misses)}")
    if len(report.misses) > _MISSES:
        out.line(f"and {len(report.misses) - _MISSES} more (--json FILE has them all)", style="dim")


def _figure(name: str, metrics: Mapping[str, float]) -> str:
    if not name:
        return ""
    value = metrics[name]
    return f"{value:.1f}" if name in ("tools_shown", "definition_tokens") else f"{value:.3f}"


def _judge(metrics: Mapping[str, float], thresholds: Sequence[Threshold]) -> int:
    """The exit code: 1 where a figure is below its threshold, and a line for each."""
    failed = [one for one in thresholds if metrics.get(one.metric, 0.0) < one.least - 1e-9]
    for one in failed:
        warn(f"{one.metric} is {metrics.get(one.metric, 0.0):.4f}, under {one.least:g}")
    return 1 if failed else 0
