"""Okapi BM25 over Chinese words and bigrams and English stems.

rank-bm25 defines the weights, a sparse matrix of them serves: the same scores without a scan.
Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Self

from routeagent.catalog import Catalog, Example
from routeagent.document import document
from routeagent.fitted import remembered
from routeagent.postings import Postings
from routeagent.retrievers.base import Pool, Scores
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.strategies import check_fitted
from routeagent.text import tokenizer_for

_FEW = 10


class Bm25:
    """Ranks tools by the words that they share with the request. Tools that share none are not found.

    Okapi's inverse document frequency is zero or less for a word of half the documents, which leaves nothing of a
    catalogue of a few tools; among fewer than ten that of BM25+ (Lv and Zhai, 2011) takes its place.

    Args:
        k1: how soon more of the same word stops counting.
        b: how much long documents are held back, from 0 to 1.
    """

    def __init__(self, k1: float = 1.5, b: float = 0.75) -> None:
        self.k1 = k1
        self.b = b

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Index the words of all tools; examples are not looked at."""
        self.tokenizer_ = tokenizer_for(catalog.terms)
        self.pool_ = Pool(catalog)
        key = (catalog.fingerprint, self.k1, self.b)
        self.postings_ = Postings.from_arrays(remembered("bm25", key, lambda: self._weights(catalog).arrays()))
        return self

    def scores(self, query: str) -> Scores:
        """A score for each tool of the catalogue, in its order."""
        check_fitted(self, "postings_")
        return self.postings_.scores((term, 1.0) for term in self.tokenizer_.terms(query))

    def retrieve(
        self, query: str, namespaces: Sequence[ScoredNamespace], k: int, *, allowed: Collection[str] | None = None
    ) -> list[ScoredTool]:
        """See `Retriever.retrieve`."""
        scores = self.scores(query)
        # Not "above zero": words that most tools share can weigh less than nothing, and in a catalogue of one all do.
        mask = self.pool_.mask(namespaces, allowed) & (scores != 0)
        return self.pool_.best(scores, mask, k, {"lexical": scores})

    def _weights(self, catalog: Catalog) -> Postings:
        documents = [self.tokenizer_.terms(document(tool), limit=None) for tool in catalog]
        if not any(documents):
            return Postings.build([{} for _ in documents])
        from rank_bm25 import BM25Okapi, BM25Plus

        variant: Any = BM25Plus if len(documents) < _FEW else BM25Okapi
        okapi: Any = variant(documents, k1=self.k1, b=self.b)
        return Postings.build([self._row(okapi, terms) for terms in documents])

    def _row(self, okapi: Any, terms: Sequence[str]) -> dict[str, float]:
        base = self.k1 * (1 - self.b + self.b * len(terms) / okapi.avgdl)
        return {term: okapi.idf[term] * (n * (self.k1 + 1) / (n + base)) for term, n in Counter(terms).items()}
