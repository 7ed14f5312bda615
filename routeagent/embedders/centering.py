"""Centring: the vectors of small embedders sit in a narrow cone, and requests in another place than tools.

Subtracting the mean of the tools from the tools and the mean of requests in the same language from a request takes
the cone away; what is left tells tools apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from routeagent.embedders.base import Vectors, unit_rows
from routeagent.text import language

MEANS = Path(__file__).with_name("means.json")
ENOUGH = 50
"""Requests in one language below which their mean says more about them than about requests."""


class Centering:
    """The means to subtract, one a language; where none is known, vectors stay as they are.

    Args:
        means: language to the mean of requests in it.
    """

    def __init__(self, means: Mapping[str, Vectors]) -> None:
        self.means = dict(means)

    @classmethod
    def for_embedder(cls, name: str, queries: Sequence[str], vectors: Vectors) -> Centering:
        """Means that ship with the package for this embedder, else those of the examples where they are enough."""
        shipped = shipped_means().get(name)
        if shipped:
            return cls(shipped)
        by_language: dict[str, list[Vectors]] = {}
        for query, vector in zip(queries, vectors, strict=True):
            by_language.setdefault(language(query), []).append(vector)
        return cls({name: np.mean(rows, axis=0) for name, rows in by_language.items() if len(rows) >= ENOUGH})

    def tools(self, vectors: Vectors) -> Vectors:
        """Tools minus their catalogue's mean. One tool alone would vanish, so fewer than three stay as they are."""
        return unit_rows(vectors - vectors.mean(axis=0)) if self.means and len(vectors) > 2 else vectors

    def queries(self, queries: Sequence[str], vectors: Vectors) -> Vectors:
        """Requests minus the mean of requests in their language."""
        nothing = np.zeros(vectors.shape[1], dtype=np.float32)
        return unit_rows(vectors - np.stack([self.means.get(language(query), nothing) for query in queries]))


@lru_cache(maxsize=1)
def shipped_means() -> dict[str, dict[str, Vectors]]:
    """Embedder name to language to mean, as `scripts/build_means.py` wrote them."""
    if not MEANS.exists():
        return {}
    raw: dict[str, dict[str, list[float]]] = json.loads(MEANS.read_text())["means"]
    return {
        name: {lang: np.asarray(mean, dtype=np.float32) for lang, mean in means.items()} for name, means in raw.items()
    }
