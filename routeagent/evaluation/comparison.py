"""Two arms compared: means, paired differences, and a verdict in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from routeagent.evaluation.arms import Arm
from routeagent.evaluation.causes import CAUSES, servable
from routeagent.evaluation.experiment import Run
from routeagent.evaluation.paired import Difference, difference

FIGURES: dict[str, Callable[[Run], float | None]] = {
    "done": lambda run: float(run.done),
    "first_tool_right": lambda run: None if run.first_tool_right is None else float(run.first_tool_right),
    "tools_called": lambda run: len(run.calls),
    "input_tokens": lambda run: run.input_tokens,
    "definition_tokens": lambda run: run.definition_tokens,
    "output_tokens": lambda run: run.output_tokens,
    "steps": lambda run: run.steps,
    "tools_shown": lambda run: len(run.shown),
    "not_retrieved": lambda run: len(run.not_retrieved),
    "writes_not_called": lambda run: len(run.writes_not_called),
    "tool_errors": lambda run: run.tool_errors,
}
"""Figures of a run by name, all but its time; None where the task has no such figure."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A tool that an arm did not show where it was needed: in `missed` of `needed` runs, of `tasks` tasks."""

    tool: str
    missed: int
    needed: int
    tasks: int

    @property
    def core(self) -> bool:
        """Whether it should be shown from the start: two tasks or more need it, and half of their runs missed it."""
        return self.tasks > 1 and 2 * self.missed >= self.needed


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an experiment says.

    Attributes:
        a, b: the arms.
        means: figures of each arm over its runs, in the order (a, b); None where no task has that figure.
        differences: b minus a, a task being one pair.
        causes: failures by cause, of a and of b.
        misses: by arm, tools needed and not retrieved, most often missed first.
        done: runs done, of a and of b; `runs` is how many there were of each.
        verdict: sentences.
    """

    a: Arm
    b: Arm
    runs: int
    done: tuple[int, int]
    means: Mapping[str, tuple[float | None, float | None]]
    differences: Mapping[str, Difference]
    causes: tuple[Mapping[str, int], Mapping[str, int]]
    misses: tuple[Sequence[Miss], Sequence[Miss]]
    verdict: Sequence[str]


def compare(a: Arm, b: Arm, runs: Sequence[Run], seed: int = 0) -> Comparison:
    """Compare the runs of two arms.

    Args:
        a, b: whose runs are compared; the runs of an arm are those with that very arm.
        runs: every task equally often by both.
        seed: of the resampling.
    """
    sides = [run for run in runs if run.arm is a], [run for run in runs if run.arm is b]
    means = {name: (_mean(sides[0], figure), _mean(sides[1], figure)) for name, figure in FIGURES.items()}
    gaps = {name: difference(_pairs(*sides, figure), seed) for name, figure in FIGURES.items()}
    made = Comparison(
        a,
        b,
        len(sides[0]),
        (sum(run.done for run in sides[0]), sum(run.done for run in sides[1])),
        means,
        {name: gap for name, gap in gaps.items() if gap is not None},
        (_causes(sides[0]), _causes(sides[1])),
        (_misses(sides[0]), _misses(sides[1])),
        (),
    )
    return replace(made, verdict=tuple(_verdict(made)))


def _mean(runs: Sequence[Run], figure: Callable[[Run], float | None]) -> float | None:
    values = [value for run in runs if (value := figure(run)) is not None]
    return fmean(values) if values else None


def _pairs(a: Sequence[Run], b: Sequence[Run], figure: Callable[[Run], float | None]) -> list[tuple[float, float]]:
    """A task's mean under a and under b; tasks without the figure are left out."""
    pairs: list[tuple[float, float]] = []
    for name in dict.fromkeys(run.task.id for run in a):
        first = _mean([run for run in a if run.task.id == name], figure)
        second = _mean([run for run in b if run.task.id == name], figure)
        if first is not None and second is not None:
            pairs.append((first, second))
    return pairs


def _causes(runs: Sequence[Run]) -> dict[str, int]:
    counted = Counter(run.cause for run in runs)
    return {cause: counted[cause] for cause in CAUSES if counted[cause]}


def _misses(runs: Sequence[Run]) -> list[Miss]:
    needing = [(name, run.task.id) for run in runs if servable(run.task) for name in run.task.needs]
    needed = Counter(name for name, _ in needing)
    tasks = Counter(name for name, _ in set(needing))
    missed = Counter(name for run in runs for name in run.not_retrieved)
    ordered = sorted(missed.items(), key=lambda one: (-one[1], one[0]))
    return [Miss(name, count, needed[name], tasks[name]) for name, count in ordered]


def _verdict(found: Comparison) -> Iterator[str]:
    if not found.runs:
        yield "No task was finished by both arms, so there is nothing to compare."
        return
    yield _who_does_more(found)
    yield _what_it_costs(found)
    for arm, causes in zip((found.a, found.b), found.causes, strict=True):
        if causes:
            yield f"{arm.name} failed for: " + ", ".join(f"{cause} {count}" for cause, count in causes.items()) + "."
    for arm, misses in zip((found.a, found.b), found.misses, strict=True):
        if misses:
            listed = ", ".join(f"{miss.tool} ({miss.missed} of {miss.needed})" for miss in misses)
            yield f"Needed and not retrieved by {arm.name}: {listed}."
        often = [miss.tool for miss in misses if miss.core]
        if often:
            yield f"Candidates for core, needed by several tasks and missed in half of their runs: {', '.join(often)}."


def _who_does_more(found: Comparison) -> str:
    first, second = found.done
    counts = f"{found.b.name} does {second} of {found.runs} and {found.a.name} {first} of {found.runs}"
    gap = found.differences["done"]
    spread = f"{100 * gap.mean:+.0f} points, 95 % interval {100 * gap.low:+.0f} to {100 * gap.high:+.0f}"
    if first == second:
        return f"Both arms do as many tasks: {counts} ({spread})."
    more = found.b.name if second > first else found.a.name
    caution = "" if gap.clear else "; the interval holds zero, so these tasks alone do not settle it"
    return f"{more} does more tasks: {counts} ({spread}){caution}."


def _what_it_costs(found: Comparison) -> str:
    parts: list[str] = []
    for name, words in (("definition_tokens", "definition tokens"), ("input_tokens", "input tokens")):
        first, second = found.means[name]
        share = f"{second / first:.0%}" if first and second is not None else "no comparable share"
        parts.append(f"{share} of {found.a.name}'s {words} ({second or 0:.0f} a run against {first or 0:.0f})")
    return f"{found.b.name} takes {' and '.join(parts)}."
