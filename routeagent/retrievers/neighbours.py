"""Votes of labelled requests: what people needed when they said something like this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from routeagent.catalog import Catalog, Example
from routeagent.embedders.base import Vectors
from routeagent.fitted import examples_digest, remembered
from routeagent.postings import TfIdf
from routeagent.retrievers.base import Pool, Scores, zscores
from routeagent.text import Tokenizer


class Neighbours:
    """The nearest labelled requests vote for the tools that they needed.

    Likeness is the cosine of the embeddings plus that of TF-IDF; a vote weighs its square.

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

        def build() -> TfIdf:
            return TfIdf.build([tokenizer.terms(example.query) for example in examples])

        key = (examples_digest(examples), list(catalog.terms))
        self.tfidf_ = TfIdf.from_arrays(remembered("neighbours", key, lambda: build().arrays()))
        return self

    def votes(self, query: str, vector: Vectors | None) -> Scores:
        """Votes as z-scores, in the catalogue's order. Tools that no example names are neither raised nor lowered."""
        likeness = self.tfidf_.cosines(self.tokenizer_.terms(query))
        if vector is not None and self.vectors_ is not None:
            likeness = likeness + (self.vectors_ @ vector[0])
        nearest = np.argsort(-likeness, kind="stable")[: self.count]
        votes = np.zeros(self.size_, dtype=np.float64)
        for number in map(int, nearest):
            votes[self.needed_[number]] += max(float(likeness[number]), 0.0) ** 2
        votes[self.known_] = zscores(votes[self.known_])
        return votes
