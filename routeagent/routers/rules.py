"""Keywords and prefixes: for those who know how their users speak, and want to read why a request went where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from routeagent.catalog import Catalog, Example
from routeagent.errors import StrategyError
from routeagent.routers.base import best_first
from routeagent.scored import ScoredNamespace
from routeagent.strategies import check_fitted
from routeagent.text import clean, split_identifier, tokenizer_for


class RulesRouter:
    """Looks for keywords in the request; the more of them, the better the namespace. No match cuts nothing.

    Args:
        keywords: namespace to its keywords, found anywhere in the request, whatever the case. Without them, a
            namespace's keywords are its name's and its tools' names' words.

    Raises:
        StrategyError: from `fit`, when a keyword's namespace does not exist.
    """

    def __init__(self, keywords: Mapping[str, Sequence[str]] | None = None) -> None:
        self.keywords = keywords

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Learn the names; examples are not looked at."""
        known = [namespace.name for namespace in catalog.namespaces]
        for name in self.keywords or ():
            if name not in known:
                raise StrategyError(
                    f"router 'rules': there is no namespace {name!r}; known are {', '.join(known[:20])}"
                )
        self.tokenizer_ = tokenizer_for(catalog.terms)
        self.given_ = {name: [clean(word).lower() for word in words] for name, words in (self.keywords or {}).items()}
        self.words_ = {} if self.keywords else {name: self._name_words(catalog, name) for name in known}
        self.namespaces_ = known
        return self

    def route(self, query: str) -> list[ScoredNamespace]:
        """See `Router.route`. The score is the share of the best namespace's matches, from 0 to 1."""
        check_fitted(self, "namespaces_")
        text = clean(query).lower()
        terms = set(self.tokenizer_.terms(query))
        matches = {
            name: sum(word in text for word in self.given_.get(name, ()))
            + len(terms & self.words_.get(name, frozenset()))
            for name in self.namespaces_
        }
        most = max(matches.values(), default=0)
        if not most:
            return [ScoredNamespace(name, 1.0) for name in self.namespaces_]
        return best_first({name: number / most for name, number in matches.items() if number})

    def _name_words(self, catalog: Catalog, namespace: str) -> frozenset[str]:
        names = [namespace, *(part for tool in catalog.group(namespace) for part in (tool.name, tool.label))]
        return frozenset(self.tokenizer_.terms(" ".join(map(split_identifier, names)), limit=None))
