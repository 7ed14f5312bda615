"""Offline evaluation: how well requests meet their tools, without a model in the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import numpy as np

from routeagent.catalog import Catalog, Example
from routeagent.evaluation.datasets import bind
from routeagent.evaluation.metrics import DEPTH, RANKING, Position, complete, namespace_recall, positions, recall
from routeagent.search import Search, ToolIndex

_HIT = 5
"""A case is missed when a needed tool is not among so many, nor among those shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """One case with what was found for it.

    Attributes:
        case: the request and the tools it needs.
        search: what the index answered.
        shown: what a model would be shown, after core, groups and the cap.
        found: the place of each needed tool in the ranking.
        shown_found: the place of each needed tool among those shown.
    """

    case: Example
    search: Search
    shown: tuple[str, ...]
    found: tuple[Position, ...]
    shown_found: tuple[Position, ...]

    def record(self) -> dict[str, Any]:
        """The row as a line of a run file."""
        return {
            "id": self.case.id,
            "query": self.case.query,
            "gold": list(self.case.tools),
            "ranked": [tool.name for tool in self.search.tools],
            "shown": list(self.shown),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What an evaluation measured.

    Attributes:
        metrics: means over the cases that need a tool; empty without any.
        latency_ms: percentiles over all cases.
        misses: cases of which a needed tool was not found.
        rows: every case, in order.
        data: counts; `unserved` are cases that need no tool, which no measure of recall counts.
    """

    metrics: Mapping[str, float]
    latency_ms: Mapping[str, float]
    misses: Sequence[Mapping[str, Any]]
    rows: Sequence[Row] = field(repr=False)
    data: Mapping[str, int]


def evaluate(
    index: ToolIndex,
    cases: Iterable[Example],
    *,
    shown: Callable[[Search], Sequence[str]] | None = None,
    tokens: Callable[[Sequence[str]], int] | None = None,
    lenient: bool = False,
    depth: int = DEPTH,
) -> Report:
    """Search for every case and measure.

    Args:
        index: what is measured.
        cases: requests with the tools they need, by wire name or label.
        shown: what a model would be shown of a search; None leaves those measures out.
        tokens: what the definitions of tools cost, for the mean `definition_tokens`; needs `shown`.
        lenient: let equal tools that a case names as alternatives count.
        depth: how many tools to rank.

    Raises:
        DataError: a case needs a tool that the catalogue does not have.
    """
    rows = [_row(index, case, shown, lenient, max(depth, DEPTH)) for case in bind(list(cases), index.catalog)]
    scored = [row for row in rows if row.case.tools]
    measured = _metrics(scored, index.catalog)
    if shown is not None and scored:
        measured |= _shown_metrics(scored, rows, tokens)
    data = {
        "tools": len(index.catalog),
        "namespaces": len(index.catalog.namespaces),
        "queries": len(rows),
        "unserved": len(rows) - len(scored),
    }
    return Report(measured, _latency(rows), [_miss(row) for row in scored if _is_miss(row)], rows, data)


def _row(
    index: ToolIndex, case: Example, shown: Callable[[Search], Sequence[str]] | None, lenient: bool, depth: int
) -> Row:
    found = index.search(case.query, depth)
    visible = tuple(shown(found)) if shown else ()
    alternatives = case.alternatives if lenient else None
    ranked = [tool.name for tool in found.tools]
    return Row(
        case,
        found,
        visible,
        tuple(positions(ranked, case.tools, alternatives)),
        tuple(positions(visible, case.tools, alternatives)),
    )


def _metrics(rows: Sequence[Row], catalog: Catalog) -> dict[str, float]:
    if not rows:
        return {}
    measured = {name: fmean(measure(row.found) for row in rows) for name, measure in RANKING.items()}
    for m in (1, 3):
        measured[f"namespace_recall@{m}"] = fmean(
            namespace_recall(
                [one.name for one in row.search.namespaces], {catalog[name].namespace for name in row.case.tools}, m
            )
            for row in rows
        )
    return measured


def _shown_metrics(
    scored: Sequence[Row], rows: Sequence[Row], tokens: Callable[[Sequence[str]], int] | None
) -> dict[str, float]:
    measured = {
        "shown_recall": fmean(recall(row.shown_found, len(row.shown)) for row in scored),
        "shown_complete": fmean(complete(row.shown_found, len(row.shown)) for row in scored),
        "tools_shown": fmean(len(row.shown) for row in rows),
    }
    return measured | ({"definition_tokens": fmean(tokens(row.shown) for row in rows)} if tokens else {})


def _latency(rows: Sequence[Row]) -> dict[str, float]:
    if not rows:
        return {}
    total = [sum(row.search.ms.values()) for row in rows]
    stages = {f"{name}_p50": _percentile([row.search.ms[name] for row in rows], 50) for name in rows[0].search.ms}
    return {"p50": _percentile(total, 50), "p95": _percentile(total, 95), **stages}


def _percentile(values: Sequence[float], percent: float) -> float:
    return round(float(np.percentile(values, percent)), 3)


def _is_miss(row: Row) -> bool:
    return not complete(row.found, _HIT) and not (row.shown and complete(row.shown_found, len(row.shown)))


def _miss(row: Row) -> dict[str, Any]:
    lost = [
        name
        for name, place in zip(dict.fromkeys(row.case.tools), row.found, strict=True)
        if place is None or place > _HIT
    ]
    return {**row.record(), "missed": lost}
