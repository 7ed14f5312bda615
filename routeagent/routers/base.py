"""The seam: a router says in which namespaces to look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from routeagent.catalog import Catalog, Example
from routeagent.scored import ScoredNamespace


class Router(Protocol):
    """Which namespaces a request may need."""

    def fit(self, catalog: Catalog, examples: Sequence[Example]) -> Self:
        """Learn the namespaces; needed before `route`."""
        ...

    def route(self, query: str) -> list[ScoredNamespace]:
        """The namespaces to look in, best first; those left out are cut.

        Raises:
            NotFittedError: `fit` was not called.
        """
        ...


@dataclass(frozen=True, slots=True)
class Routing:
    """One routing with the reason why another way was taken, if one was."""

    namespaces: list[ScoredNamespace]
    fallback: str = ""


@runtime_checkable
class ExplainedRouter(Protocol):
    """A router that can fail over to another and says so, a call at a time."""

    def explain(self, query: str) -> Routing:
        """As `route`, with the reason of a fallback."""
        ...


def best_first(scores: Mapping[str, float]) -> list[ScoredNamespace]:
    """Namespaces by score; equals keep the order that they were given in."""
    return [ScoredNamespace(name, float(scores[name])) for name in sorted(scores, key=lambda name: -scores[name])]
