"""`--fail-under recall@5=0.9`: the figures that an evaluation must reach."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass

from routeagent.errors import UsageError

METRICS = (
    "recall@1",
    "recall@3",
    "recall@5",
    "recall@10",
    "complete@5",
    "complete@10",
    "complete@20",
    "ndcg@10",
    "mrr",
    "namespace_recall@1",
    "namespace_recall@3",
    "shown_recall",
    "shown_complete",
    "tools_shown",
    "definition_tokens",
)
"""The metrics of `eval` in the order of its report; its JSON names them so."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least value that a metric may have."""

    metric: str
    least: float


def read_threshold(text: str) -> Threshold:
    """`METRIC=VALUE`.

    Raises:
        UsageError: no such metric, or the value is not a number.
    """
    metric, equals, value = text.partition("=")
    metric = metric.strip()
    if not equals:
        raise UsageError(f"--fail-under {text!r} is not of the form METRIC=VALUE, such as recall@5=0.9")
    if metric not in METRICS:
        near = difflib.get_close_matches(metric, METRICS, 1)
        hint = f"did you mean {near[0]}? There are" if near else "there are"
        raise UsageError(f"--fail-under {text!r}: no metric is called {metric!r}; {hint} {', '.join(METRICS)}")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not math.isfinite(least):
        raise UsageError(f"--fail-under {text!r}: {value!r} is not a number")
    return Threshold(metric, least)
