"""TF-IDF and one-vs-rest logistic regression, fitted on examples and the tools' own text.

scikit-learn fits; the coefficients serve from arrays, so that a warm process never imports it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from routeagent.catalog import Catalog, Example
from routeagent.document import document
from routeagent.fitted import Arrays, examples_digest, pack, remembered, unpack
from routeagent.postings import TfIdf
from routeagent.routers.base import best_first
from routeagent.scored import ScoredNamespace
from routeagent.strategies import check_fitted
from routeagent.text import Tokenizer, split_identifier, tokenizer_for

Scores = NDArray[np.float64]
_GRAM = 4


class TfidfRouter:
    """Scores namespaces by what people said when they needed them.

    With examples a score is a probability, and namespaces are cut once those kept hold the share `keep` of the
    whole, never below `at_least` of them, and never one that no example names. Without examples there is
    nothing to cut by: each namespace is scored by the cosine of its best tool or its description, and all stay.

    Args:
        C: inverse of the regularisation of the logistic regression.
        keep: share of the probability that is kept.
        at_least: namespaces that are always kept.
        max_features: the most frequent words and character sequences that are looked at.
    """

    def __init__(self, C: float = 10.0, keep: float = 0.95, at_least: int = 5, max_features: int = 20_000) -> None:  # noqa: N803
        self.C = C
        self.keep = keep
        self.at_least = at_least
        self.max_features = max_features

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Fit the regression, or without examples index the tools' words."""
        self.tokenizer_ = tokenizer_for(catalog.terms)
        self.namespaces_ = [namespace.name for namespace in catalog.namespaces]
        needed = _needed_namespaces(catalog, examples)
        self.seen_ = {name for names in needed for name in names}
        self.scorer_: _Regression | _BestDocument
        if any(needed) and len(self.namespaces_) > 1:
            key = (catalog.fingerprint, examples_digest(examples), self.C, self.max_features)
            self.scorer_ = _Regression(remembered("regression", key, lambda: self._train(catalog, examples, needed)))
        else:
            arrays = remembered("documents", (catalog.fingerprint,), lambda: _index(catalog, self.tokenizer_))
            self.scorer_ = _BestDocument(arrays, len(self.namespaces_))
        return self

    def route(self, query: str) -> list[ScoredNamespace]:
        """See `Router.route`."""
        check_fitted(self, "scorer_")
        terms = self.tokenizer_.terms(query)
        ranked = best_first(dict(zip(self.namespaces_, self.scorer_.scores(terms), strict=True)))
        return self._cut(ranked) if self.seen_ and terms else ranked

    def _cut(self, ranked: Sequence[ScoredNamespace]) -> list[ScoredNamespace]:
        wanted = self.keep * sum(one.score for one in ranked)
        kept: list[ScoredNamespace] = []
        mass = 0.0
        for rank, one in enumerate(ranked):
            if rank < self.at_least or mass < wanted or one.name not in self.seen_:
                kept.append(one)
            mass += one.score
        return kept

    def _train(self, catalog: Catalog, examples: Sequence[Example], needed: Sequence[set[str]]) -> Arrays:
        texts = [example.query for example in examples] + [document(tool) for tool in catalog]
        labels = [*needed, *({tool.namespace} for tool in catalog)]
        return train(
            [features(self.tokenizer_.terms(text, limit=None)) for text in texts],
            np.asarray([[name in names for name in self.namespaces_] for names in labels], dtype=np.int64),
            self.C,
            self.max_features,
        )


def features(terms: Sequence[str]) -> list[str]:
    """Terms, and for longer English words their four-letter sequences: misspelt words still meet in part."""
    grams = [
        f"#{padded[start : start + _GRAM]}"
        for term in terms
        if len(term) > 2 and term.isascii()
        for padded in (f" {term} ",)
        for start in range(len(padded) - _GRAM + 1)
    ]
    return [*terms, *grams]


def train(documents: Sequence[Sequence[str]], labels: NDArray[np.int64], C: float, max_features: int) -> Arrays:  # noqa: N803
    """Fit with scikit-learn: sublinear TF-IDF, then one logistic regression a column of `labels`."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    make: Any = TfidfVectorizer
    vectorizer: Any = make(analyzer=list, sublinear_tf=True, max_features=max_features)
    matrix = vectorizer.fit_transform(documents)
    regression: Any = OneVsRestClassifier(LogisticRegression(C=C, solver="liblinear", random_state=0))
    regression.fit(matrix, labels)
    return {
        "terms": pack(list(vectorizer.get_feature_names_out())),
        "idf": vectorizer.idf_,
        "coefficients": np.stack([one.coef_[0] for one in regression.estimators_], axis=1),
        "intercepts": np.asarray([one.intercept_[0] for one in regression.estimators_]),
    }


class _Regression:
    """The fitted regression as arrays: only the rows of the request's features are read."""

    def __init__(self, arrays: Arrays) -> None:
        self._rows = {term: row for row, term in enumerate(unpack(arrays["terms"]))}
        self._idf = arrays["idf"]
        self._coefficients = arrays["coefficients"]
        self._intercepts = arrays["intercepts"]

    def scores(self, terms: Sequence[str]) -> Scores:
        counts = Counter(self._rows[feature] for feature in features(terms) if feature in self._rows)
        rows = list(counts)
        weights = np.asarray([1 + math.log(number) for number in counts.values()]) * self._idf[rows]
        length = np.linalg.norm(weights)
        logits = (weights / length) @ self._coefficients[rows] + self._intercepts if rows else self._intercepts
        return 1 / (1 + np.exp(-logits))


class _BestDocument:
    """A namespace is as good as the best of its tools, or as its description."""

    def __init__(self, arrays: Arrays, namespaces: int) -> None:
        self._tfidf = TfIdf.from_arrays(arrays)
        self._owners = arrays["owners"]
        self._number = namespaces

    def scores(self, terms: Sequence[str]) -> Scores:
        best = np.zeros(self._number)
        np.maximum.at(best, self._owners, self._tfidf.cosines(terms))
        return best


def _index(catalog: Catalog, tokenizer: Tokenizer) -> Arrays:
    order = {namespace.name: number for number, namespace in enumerate(catalog.namespaces)}
    texts = [(document(tool), order[tool.namespace]) for tool in catalog]
    texts += [
        (f"{split_identifier(one.name)}\n{one.description}", order[one.name])
        for one in catalog.namespaces
        if one.description
    ]
    tfidf = TfIdf.build([tokenizer.terms(text, limit=None) for text, _ in texts])
    return {**tfidf.arrays(), "owners": np.asarray([owner for _, owner in texts], dtype=np.int64)}


def _needed_namespaces(catalog: Catalog, examples: Sequence[Example]) -> list[set[str]]:
    return [{catalog[name].namespace for name in example.tools if name in catalog} for example in examples]
