"""Latent semantic analysis: TF-IDF of the catalogue, its largest singular vectors. Needs no model.

Deerwester et al., Indexing by Latent Semantic Analysis, 1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from routeagent.catalog import Catalog, Example
from routeagent.document import document
from routeagent.embedders.base import Kind, Vectors, unit_rows
from routeagent.fitted import Arrays, digest, examples_digest, remembered
from routeagent.postings import TfIdf
from routeagent.strategies import check_fitted
from routeagent.text import tokenizer_for


class Lsa:
    """Embeds what shares words, directly or through other texts of the catalogue.

    Args:
        dimensions: singular vectors that are kept, fewer where the catalogue is small.
        random_state: seed of the decomposition.
    """

    def __init__(self, dimensions: int = 128, random_state: int = 0) -> None:
        self.dimensions = dimensions
        self.random_state = random_state

    @property
    def name(self) -> str:
        """Differs by what it was fitted on."""
        check_fitted(self, "key_")
        return f"lsa-{self.key_}"

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Decompose the words of the tools and the examples."""
        self.tokenizer_ = tokenizer_for(catalog.terms)
        self.key_ = digest(catalog.fingerprint, examples_digest(examples), self.dimensions, self.random_state)
        arrays = remembered("lsa", (self.key_,), lambda: self._decompose(catalog, examples))
        self.tfidf_ = TfIdf.from_arrays(arrays)
        self.components_ = arrays["components"]
        return self

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See `Embedder.embed`; requests and tools are embedded alike."""
        check_fitted(self, "components_")
        rows = np.zeros((len(texts), self.components_.shape[1]))
        vocabulary = self.tfidf_.postings.vocabulary
        for row, text in zip(rows, texts, strict=True):
            for term, weight in self.tfidf_.weigh(self.tokenizer_.terms(text)).items():
                row += weight * self.components_[vocabulary[term]]
        return unit_rows(rows)

    def _decompose(self, catalog: Catalog, examples: Sequence[Example]) -> Arrays:
        texts = [document(tool) for tool in catalog] + [example.query for example in examples]
        tfidf = TfIdf.build([self.tokenizer_.terms(text, limit=None) for text in texts])
        return {**tfidf.arrays(), "components": self._components(tfidf)}

    def _components(self, tfidf: TfIdf) -> Vectors:
        postings = tfidf.postings
        rank = min(self.dimensions, postings.size - 1, len(postings.vocabulary) - 1)
        if rank < 1:  # one text has nothing to be compared with: its words are their own dimensions
            return np.eye(max(len(postings.vocabulary), 1), dtype=np.float32)
        from scipy.sparse import csc_matrix
        from sklearn.decomposition import TruncatedSVD

        shape = (postings.size, len(postings.vocabulary))
        matrix: Any = csc_matrix((postings.weights, postings.documents, postings.starts), shape=shape)
        decomposition: Any = TruncatedSVD(rank, random_state=self.random_state)
        return decomposition.fit(matrix).components_.T.astype(np.float32)
