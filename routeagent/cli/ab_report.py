"""What `routeagent ab` prints and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean
from typing import TYPE_CHECKING, Any

from routeagent.cli.output import Output

if TYPE_CHECKING:
    from routeagent.evaluation.comparison import Comparison
    from routeagent.evaluation.experiment import Run

_SHOWN = 60
"""Characters of what is wrong in the table of runs that failed."""
_MOST = 40


def print_report(out: Output, found: Comparison, runs: Sequence[Run], config: dict[str, Any]) -> None:
    """The experiment as tables and sentences."""
    tasks = len({run.task.id for run in runs})
    out.line(f"{tasks} tasks × {config['repeat']} by two arms, {config['model']}", style="bold")
    _print_figures(out, found)
    _print_times(out, found, runs)
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


def _print_times(out: Output, found: Comparison, runs: Sequence[Run]) -> None:
    """Apart from the figures: it is all that differs when an experiment is done again."""
    if runs:
        means = [fmean(run.ms for run in runs if run.arm is arm) for arm in (found.a, found.b)]
        out.line(f"wall time: a {means[0]:.0f} ms a run, b {means[1]:.0f} ms a run", style="dim")
        out.line()


def _print_tasks(out: Output, runs: Sequence[Run]) -> None:
    rows = [
        (run.task.id, run.arm.name, run.cause, ", ".join(run.not_retrieved) or "-", run.wrong[0][:_SHOWN])
        for run in runs
        if run.cause is not None
    ]
    if rows:
        shown = rows[:_MOST]
        out.table(("task", "arm", "cause", "not retrieved", "what is wrong"), shown, title=f"not done: {len(rows)}")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def payload(config: dict[str, Any], found: Comparison, runs: Sequence[Run]) -> dict[str, Any]:
    """The experiment as JSON; all but `times` is the same when it is done again with the same answers."""
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
