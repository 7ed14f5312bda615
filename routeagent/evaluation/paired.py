"""Differences between two arms on the same tasks, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of b minus a over tasks, with the interval that holds it with 95 % confidence.

    Attributes:
        mean: of the differences, a task being one pair.
        low, high: the 2.5 and 97.5 percentiles of resampled means (Efron's percentile bootstrap).
        tasks: how many pairs.
    """

    mean: float
    low: float
    high: float
    tasks: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def difference(pairs: Sequence[tuple[float, float]], seed: int) -> Difference | None:
    """The paired difference of `(a, b)` values, a pair a task; None without any. A seed fixes the figures."""
    if not pairs:
        return None
    gaps = np.asarray([b - a for a, b in pairs], dtype=float)
    drawn = np.random.default_rng(seed).integers(0, len(gaps), (_RESAMPLES, len(gaps)))
    low, high = np.percentile(gaps[drawn].mean(axis=1), [2.5, 97.5])
    return Difference(float(gaps.mean()), float(low), float(high), len(gaps))
