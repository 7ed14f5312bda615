"""A sparse matrix of terms by documents, read a term at a time: ranking touches only the terms of the request."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from routeagent.fitted import Arrays, pack, unpack

Scores = NDArray[np.float64]


class Postings:
    """For each term the documents that hold it, with weights.

    Args:
        vocabulary: term to row.
        starts: where each row starts in `documents` and `weights`; one entry more than there are terms.
        documents: numbers of documents.
        weights: what each counts.
        size: the number of documents.
    """

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        starts: NDArray[np.int64],
        documents: NDArray[np.int64],
        weights: Scores,
        size: int,
    ) -> None:
        self.vocabulary = vocabulary
        self.starts = starts
        self.documents = documents
        self.weights = weights
        self.size = size

    @classmethod
    def build(cls, rows: Sequence[Mapping[str, float]]) -> Postings:
        """From one mapping of terms to weights a document."""
        by_term: dict[str, list[tuple[int, float]]] = {}
        for number, row in enumerate(rows):
            for term, weight in row.items():
                by_term.setdefault(term, []).append((number, weight))
        entries = [entry for postings in by_term.values() for entry in postings]
        return cls(
            {term: row for row, term in enumerate(by_term)},
            np.cumsum([0, *(len(postings) for postings in by_term.values())], dtype=np.int64),
            np.asarray([number for number, _ in entries], dtype=np.int64),
            np.asarray([weight for _, weight in entries], dtype=np.float64),
            len(rows),
        )

    def scores(self, query: Iterable[tuple[str, float]]) -> Scores:
        """For each document the sum over the query's terms of weight times weight, added in the query's order."""
        total = np.zeros(self.size, dtype=np.float64)
        for term, weight in query:
            row = self.vocabulary.get(term)
            if row is not None:
                span = slice(self.starts[row], self.starts[row + 1])
                total[self.documents[span]] += weight * self.weights[span]
        return total

    def arrays(self) -> Arrays:
        """What `from_arrays` needs to build the same again."""
        return {
            "terms": pack(list(self.vocabulary)),
            "starts": self.starts,
            "documents": self.documents,
            "weights": self.weights,
            "size": np.asarray(self.size),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Postings:
        """The postings that `arrays` described."""
        vocabulary = {term: row for row, term in enumerate(unpack(arrays["terms"]))}
        return cls(vocabulary, arrays["starts"], arrays["documents"], arrays["weights"], int(arrays["size"]))


class TfIdf:
    """Cosine of TF-IDF vectors: sublinear term frequency, smooth idf, unit length (scikit-learn's definitions)."""

    def __init__(self, postings: Postings, idf: Scores) -> None:
        self.postings = postings
        self.idf = idf

    @classmethod
    def build(cls, documents: Sequence[Sequence[str]]) -> TfIdf:
        """From the terms of each document."""
        counts = [Counter(document) for document in documents]
        frequency = Counter(term for count in counts for term in count)
        idf = {term: math.log((1 + len(documents)) / (1 + number)) + 1 for term, number in frequency.items()}
        postings = Postings.build(
            [_unit({t: (1 + math.log(n)) * idf[t] for t, n in count.items()}) for count in counts]
        )
        return cls(postings, np.asarray([idf[term] for term in postings.vocabulary], dtype=np.float64))

    def weigh(self, terms: Iterable[str]) -> dict[str, float]:
        """The unit TF-IDF vector of a text; terms that no document holds are left out."""
        vocabulary = self.postings.vocabulary
        counts = Counter(term for term in terms if term in vocabulary)
        return _unit({term: (1 + math.log(n)) * float(self.idf[vocabulary[term]]) for term, n in counts.items()})

    def cosines(self, terms: Iterable[str]) -> Scores:
        """The likeness of a text and each document, from 0 to 1."""
        return self.postings.scores(self.weigh(terms).items())

    def arrays(self) -> Arrays:
        """What `from_arrays` needs to build the same again."""
        return {**self.postings.arrays(), "idf": self.idf}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> TfIdf:
        """The model that `arrays` described."""
        return cls(Postings.from_arrays(arrays), arrays["idf"])


def _unit(row: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(weight * weight for weight in row.values()))
    return {term: weight / length for term, weight in row.items()} if length else {}
