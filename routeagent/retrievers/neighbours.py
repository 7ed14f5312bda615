"""Votes of labelled requests: what people needed when they said something like this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from routeagent.catalog import Catalog, Example
from routeagent.embedders.base import Vectors
from routeagent.fitted import Arrays, digest, examples_digest, remembered
from routeagent.postings import TfIdf
from routeagent.retrievers.base import Pool, Scores, zscores
from routeagent.text import Tokenizer

_TRIED = 300
"""Examples on which the votes prove themselves, at most."""
_TOP = 5


class Neighbours:
    """The nearest labelled requests vote for the tools that they needed.

    Likeness is the cosine of the embeddings plus that of TF-IDF; a vote weighs its square. How far the votes are
    trusted is measured when they are fitted: each example is answered by the others, and the share of its tools that
    stands among the first five votes is the trust. Where a tool has one example or none, that is next to nothing.

    Args:
        count: how many neighbours vote.
    """

    def __init__(self, count: int = 20) -> None:
        self.count = count

    def fit(self, catalog: Catalog, examples: Sequence[Example], tokenizer: Tokenizer, vectors: Vectors | None) -> Self:
        """Index the requests; `vectors` are theirs, centred, or None without an embedder."""
        self.tokenizer_ = tokenizer
        self.vectors_ = vectors
        numbers = Pool(catalog).number
        self.needed_ = [[numbers[name] for name in example.tools if name in numbers] for example in examples]
        self.size_ = len(catalog)
        self.known_ = np.zeros(len(catalog), dtype=np.bool_)
        self.known_[[number for needed in self.needed_ for number in needed]] = True
        queries = [example.query for example in examples]
        key = (examples_digest(examples), list(catalog.terms))
        build = self._index
        self.tfidf_ = TfIdf.from_arrays(remembered("neighbours", key, lambda: build(queries)))
        seen = digest(vectors.tobytes().hex() if vectors is not None else "")
        proof = remembered("trust", (catalog.fingerprint, *key, self.count, seen), lambda: self._prove(queries))
        self.trust_, self.usual_ = float(proof["trust"]), float(proof["usual"])
        return self

    def votes(self, query: str, vector: Vectors | None) -> Scores:
        """Votes as z-scores times trust, in the catalogue's order.

        They fade where the nearest example is further away than examples are from each other, and tools that no
        example names are neither raised nor lowered.
        """
        likeness = self._likeness(query, vector)
        votes = self._count(likeness)
        votes[self.known_] = zscores(votes[self.known_])
        nearness = min(1.0, max(float(likeness.max()), 0.0) / self.usual_) if self.usual_ > 0 else 0.0
        return self.trust_ * nearness**2 * votes

    def _index(self, queries: Sequence[str]) -> Arrays:
        return TfIdf.build([self.tokenizer_.terms(query) for query in queries]).arrays()

    def _likeness(self, query: str, vector: Vectors | None) -> Scores:
        likeness = self.tfidf_.cosines(self.tokenizer_.terms(query))
        if vector is not None and self.vectors_ is not None:
            likeness = likeness + (self.vectors_ @ vector[0])
        return likeness

    def _count(self, likeness: Scores) -> Scores:
        votes = np.zeros(self.size_, dtype=np.float64)
        for number in map(int, np.argsort(-likeness, kind="stable")[: self.count]):
            votes[self.needed_[number]] += max(float(likeness[number]), 0.0) ** 2
        return votes

    def _prove(self, queries: Sequence[str]) -> Arrays:
        served = [number for number, needed in enumerate(self.needed_) if needed]
        tried = served[:: max(1, len(served) // _TRIED)]
        shares: list[float] = []
        nearest: list[float] = []
        for number in tried:
            likeness = self._likeness(queries[number], self._row(number))
            likeness[number] = -np.inf
            if len(likeness) > 1:
                nearest.append(float(likeness.max()))
                shares.append(self._share(self._count(likeness), self.needed_[number]))
        usual = float(np.median(nearest)) if nearest else 0.0
        return {"trust": _mean(shares), "usual": np.asarray(usual)}

    def _row(self, number: int) -> Vectors | None:
        return None if self.vectors_ is None else self.vectors_[number : number + 1]

    def _share(self, votes: Scores, needed: Sequence[int]) -> float:
        top = {int(number) for number in np.argsort(-votes, kind="stable")[:_TOP] if votes[number] > 0}
        return len(top & set(needed)) / len(set(needed))


def _mean(values: Sequence[float]) -> NDArray[np.float64]:
    return np.asarray(sum(values) / len(values) if values else 0.0)
