"""Retrieval degrades rung by rung; nothing of it ends a run or widens what a caller may use."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeagent.agent import RouteAgent
from routeagent.embedders import Embedder
from routeagent.embedders.cache import CachedEmbedder
from routeagent.errors import EmbedderError
from routeagent.search import ToolIndex
from tests.agent.shop import Script, Shop


class Flaky:
    """An embedder that fails, hangs or works, as it is told."""

    name = "flaky"

    def __init__(self) -> None:
        self.mood = "works"
        self.asked = 0

    def embed(self, texts: Sequence[str], kind: str) -> Any:
        self.asked += kind == "query"
        if kind == "query" and self.mood == "fails":
            raise EmbedderError("the embedder is down")
        if kind == "query" and self.mood == "hangs":
            time.sleep(30)
        return np.eye(len(texts), 8, dtype=np.float32)


class Broken:
    """A strategy that raises whatever it is asked."""

    def fit(self, catalog: Any, examples: Any) -> Broken:
        return self

    def route(self, query: str) -> Any:
        raise RuntimeError("the router is broken")

    def retrieve(self, query: str, namespaces: Any, k: int, *, allowed: Any = None) -> Any:
        raise RuntimeError("the retriever is broken")


def run(shop: Shop, index: ToolIndex, script: Script) -> Any:
    agent = RouteAgent(shop.catalog, script.model(), index=index, exposure="append", max_tools=8, top_k=2)
    return agent.run_sync("退款进度")


def why(result: Any) -> list[str]:
    return [event["why"] for event in result.trace.named("degrade")]


@pytest.mark.parametrize("mood", ["fails", "hangs"])
def test_without_the_embedder_words_rank(shop: Shop, mood: str) -> None:
    flaky = Flaky()
    index = ToolIndex(shop.catalog, router="flat", retriever="hybrid", embedder=flaky)
    index.retriever.dense_.embedder_.deadline = 0.2  # type: ignore[attr-defined]
    flaky.mood = mood
    script = Script(["ok"])
    started = time.perf_counter()
    result = run(shop, index, script)
    assert time.perf_counter() - started < 10
    assert "refund_status" in script.shown[0]
    assert len(why(result)) == 1


def test_after_a_failure_the_embedder_rests_and_then_is_tried_again(shop: Shop) -> None:
    flaky = Flaky()
    index = ToolIndex(shop.catalog, router="flat", retriever="hybrid", embedder=flaky)
    cached = index.retriever.dense_.embedder_  # type: ignore[attr-defined]
    cached.rest = 0.3
    flaky.mood = "fails"
    for number in range(5):
        assert index.search(f"退款 {number}").degraded
    assert flaky.asked == 1
    time.sleep(0.4)
    flaky.mood = "works"
    assert not index.search("退款 again").degraded


def break_words(index: ToolIndex) -> None:
    index.retriever = index.words = Broken()  # type: ignore[assignment]


def test_without_any_ranking_the_routers_groups_come(shop: Shop) -> None:
    index = ToolIndex(shop.catalog, router="tfidf", retriever="bm25")
    break_words(index)
    script = Script(["ok"])
    assert why(run(shop, index, script))
    assert {"refund_status", "refund_submit"} <= set(script.shown[0])


def test_without_router_and_ranking_core_and_search_stay(shop: Shop) -> None:
    index = ToolIndex(shop.catalog, router=Broken(), retriever="bm25")  # type: ignore[arg-type]
    break_words(index)
    script = Script(["ok"])
    assert why(run(shop, index, script))
    assert script.shown == [["customer_find", "search_tools"]]


def test_without_a_search_the_namespaces_are_loadable_by_name(shop: Shop) -> None:
    index = ToolIndex(shop.catalog, router=Broken(), retriever="bm25")  # type: ignore[arg-type]
    break_words(index)
    script = Script(
        [[("search_tools", {"queries": ["weather please"]})], [("search_tools", {"queries": ["Weather"]})], "ok"]
    )
    run(shop, index, script)
    first, second = script.told("search_tools")[:2]
    assert "weather" in first["namespaces"]
    assert "weather_today" in second["loaded"]
    assert "weather_today" in script.shown[2]


def test_degrading_never_widens_permissions(shop: Shop) -> None:
    index = ToolIndex(shop.catalog, router=Broken(), retriever="bm25")  # type: ignore[arg-type]
    break_words(index)
    script = Script([[("search_tools", {"queries": ["misc"]})], "ok"])
    run(shop, index, script)
    assert "misc_job19" not in str(script.told("search_tools"))
    assert "misc_job19" not in str(script.shown)


def test_an_embedder_that_cannot_be_made_is_named(shop: Shop) -> None:
    class Absent:
        name = "absent"

        def embed(self, texts: Sequence[str], kind: str) -> Any:
            raise EmbedderError("no such model here")

    absent: Embedder = Absent()
    index = ToolIndex(shop.catalog, router="flat", retriever="dense", embedder=absent)
    found = index.search("退款进度")
    assert found.tools[0].name == "refund_status"
    assert any("no such model here" in note for note in found.degraded)


def test_examples_take_their_time(cache: Path) -> None:
    """The deadline is for a request that somebody waits for; embedding a catalogue's examples takes minutes at most."""

    class Slow(Flaky):
        name = "slow"

        def embed(self, texts: Sequence[str], kind: str) -> Any:
            time.sleep(0.3)
            return super().embed(texts, kind)

    embedder = CachedEmbedder(Slow(), deadline=0.1)
    assert len(embedder.embed([f"example {number}" for number in range(20)], "query")) == 20
    with pytest.raises(EmbedderError, match="no vector within"):
        embedder.embed(["one request"], "query")
