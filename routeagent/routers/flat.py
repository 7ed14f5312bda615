"""The null: every namespace, all equal. What routing is worth is measured against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from routeagent.catalog import Catalog, Example
from routeagent.scored import ScoredNamespace
from routeagent.strategies import check_fitted


class FlatRouter:
    """Cuts nothing and prefers nothing."""

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Learn the names."""
        self.namespaces_ = [ScoredNamespace(namespace.name, 1.0) for namespace in catalog.namespaces]
        return self

    def route(self, query: str) -> list[ScoredNamespace]:
        """See `Router.route`."""
        check_fitted(self, "namespaces_")
        return list(self.namespaces_)
