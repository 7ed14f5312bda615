"""The seam: a retriever finds tools within namespaces."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from routeagent.catalog import Catalog, Example
from routeagent.scored import ScoredNamespace, ScoredTool

Scores = NDArray[np.float64]

__all__ = ["Pool", "PreparedRetriever", "Retriever", "ScoredTool", "Scores", "zscores"]


class Retriever(Protocol):
    """Which tools fit a request."""

    def fit(self, catalog: Catalog, examples: Sequence[Example]) -> Self:
        """Index the tools; needed before `retrieve`."""
        ...

    def retrieve(
        self, query: str, namespaces: Sequence[ScoredNamespace], k: int, *, allowed: Collection[str] | None = None
    ) -> list[ScoredTool]:
        """The k tools that fit best, best first; equals in the catalogue's order.

        Args:
            query: what was asked.
            namespaces: only their tools are found.
            k: at most so many.
            allowed: wire names that may be found; None allows all.

        Raises:
            NotFittedError: `fit` was not called.
        """
        ...


@runtime_checkable
class PreparedRetriever(Protocol):
    """A retriever whose costliest step, embedding the request, can be taken by itself and is then remembered."""

    def prepare(self, query: str) -> None:
        """Embed the request.

        Raises:
            EmbedderError: the embedder failed.
        """
        ...


class Pool:
    """A catalogue's tools as numbers, in order: turns arrays of scores into ranked tools."""

    def __init__(self, catalog: Catalog) -> None:
        self.tools = catalog.tools
        self.number = {tool.name: number for number, tool in enumerate(catalog.tools)}
        names = {namespace.name: number for number, namespace in enumerate(catalog.namespaces)}
        self.namespaces = names
        self.namespace_of: NDArray[np.int64] = np.asarray(
            [names[tool.namespace] for tool in catalog.tools], dtype=np.int64
        )

    def mask(self, namespaces: Sequence[ScoredNamespace], allowed: Collection[str] | None) -> NDArray[np.bool_]:
        """Which tools may be found."""
        wanted = np.zeros(len(self.namespaces), dtype=np.bool_)
        wanted[[self.namespaces[one.name] for one in namespaces if one.name in self.namespaces]] = True
        mask = wanted[self.namespace_of] if len(self.tools) else np.zeros(0, dtype=np.bool_)
        if allowed is not None:
            names = allowed if isinstance(allowed, (set, frozenset)) else frozenset(allowed)
            mask &= np.asarray([tool.name in names for tool in self.tools], dtype=np.bool_)
        return mask

    def best(
        self, scores: Scores, mask: NDArray[np.bool_], k: int, parts: Mapping[str, Scores], floor: float = -np.inf
    ) -> list[ScoredTool]:
        """The k best tools within the mask that score above `floor`."""
        within = np.flatnonzero(mask & (scores > floor))
        order = within[np.argsort(-scores[within], kind="stable")][: max(k, 0)]
        return [
            ScoredTool(
                self.tools[i].name,
                self.tools[i].namespace,
                float(scores[i]),
                {name: float(part[i]) for name, part in parts.items()},
            )
            for i in map(int, order)
        ]


_FEW = 10


def zscores(scores: Scores) -> Scores:
    """Scores as standard deviations from their mean; all zero where they are all equal.

    Among fewer than ten tools, one that scores nothing is thought to stand beside them: the only tool of a catalogue
    has to differ from no tool at all.
    """
    if not len(scores):
        return scores
    sample = np.append(scores, 0.0) if len(scores) < _FEW else scores
    spread = sample.std()
    return (scores - sample.mean()) / spread if spread > 1e-12 else np.zeros_like(scores)
