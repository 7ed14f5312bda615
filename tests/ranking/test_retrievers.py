from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jieba
import numpy as np
import pytest

from routeagent.catalog import Catalog, Tool
from routeagent.document import document
from routeagent.errors import NotFittedError
from routeagent.retrievers import RETRIEVERS, Retriever
from routeagent.retrievers.bm25 import Bm25
from routeagent.retrievers.hybrid import Hybrid
from routeagent.retrievers.regex import Regex
from routeagent.scored import ScoredNamespace
from routeagent.strategies import resolve
from routeagent.text import Tokenizer

from .conftest import EXAMPLES, TOOLS

ALL = [ScoredNamespace(name, 1.0) for name in ("refund", "ticket", "weather")]
DATA = Path(os.environ.get("ROUTEAGENT_DATA") or Path(__file__).parents[2].parent / "shared" / "data")


def _make(name: str) -> Retriever:
    return resolve(RETRIEVERS, name, "retriever", {"embedder": "lsa"})


@pytest.mark.parametrize("name", RETRIEVERS)
class TestEveryRetriever:
    def test_must_be_fitted(self, name: str) -> None:
        with pytest.raises(NotFittedError, match="fit"):
            _make(name).retrieve("x", ALL, 5)

    def test_finds_the_tool(self, name: str, catalog: Catalog) -> None:
        retriever = _make(name)
        assert retriever.fit(catalog, EXAMPLES) is retriever
        assert retriever.retrieve("close a ticket", ALL, 2)[0].name == "ticket_close"

    def test_finds_only_in_the_namespaces(self, name: str, catalog: Catalog) -> None:
        found = _make(name).fit(catalog, ()).retrieve("ticket refund weather region 退款", ALL[:1], 10)
        assert found and {tool.namespace for tool in found} == {"refund"}

    def test_finds_only_what_is_allowed(self, name: str, catalog: Catalog) -> None:
        found = _make(name).fit(catalog, ()).retrieve("ticket", ALL, 10, allowed=["ticket_create"])
        assert [tool.name for tool in found] == ["ticket_create"]

    def test_is_best_first_and_at_most_k(self, name: str, catalog: Catalog) -> None:
        retriever = _make(name).fit(catalog, EXAMPLES)
        found = retriever.retrieve("support ticket for a customer", ALL, 50)
        assert [tool.score for tool in found] == sorted((tool.score for tool in found), reverse=True)
        assert len({tool.name for tool in found}) == len(found) <= len(TOOLS)
        assert found[:2] == retriever.retrieve("support ticket for a customer", ALL, 2)
        assert retriever.retrieve("ticket", ALL, 0) == []

    @pytest.mark.parametrize("query", ["", "  ", "🙂", "\ud800\x00"])
    def test_a_request_without_words_raises_nothing(self, name: str, query: str, catalog: Catalog) -> None:
        assert len(_make(name).fit(catalog, ()).retrieve(query, ALL, 5)) <= 5

    def test_an_empty_catalogue_has_no_tools(self, name: str) -> None:
        assert _make(name).fit(Catalog([]), ()).retrieve("ticket", [], 5) == []

    def test_equals_stand_in_the_catalogues_order(self, name: str) -> None:
        twins = Catalog([Tool(f"t{number}_ticket", "n", "ticket") for number in (3, 1, 2)])
        found = _make(name).fit(twins, ()).retrieve("ticket", [ScoredNamespace("n", 1.0)], 3)
        assert [tool.name for tool in found] == ["t3_ticket", "t1_ticket", "t2_ticket"]


def test_bm25_gives_rank_bm25s_own_scores(empty_cache: Path) -> None:
    from rank_bm25 import BM25Okapi

    tokenizer = Tokenizer()
    tools = [*TOOLS, *(Tool(f"misc_job{number}", "misc", f"不相干的杂事 chore {number}") for number in range(6))]
    oracle: Any = BM25Okapi([list(tokenizer.terms(document(tool))) for tool in tools])
    retriever = Bm25().fit(Catalog(tools))
    for query in ["给客户退款", "support ticket ticket", "name of the city", "退款编号 region"]:
        expected = oracle.get_scores(list(tokenizer.terms(query)))
        assert np.any(expected)
        np.testing.assert_allclose(retriever.scores(query), expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["bm25", "hybrid"])
def test_the_only_tool_is_found_by_its_word_and_scores_above_nothing(name: str, empty_cache: Path) -> None:
    retriever = _make(name).fit(Catalog([Tool("hello_greet", "hello", "Greet somebody")]), ())
    (found,) = retriever.retrieve("greet Ada", [ScoredNamespace("hello", 1.0)], 5)
    assert found.score > 0


def test_documents_hold_parameters_and_choices() -> None:
    schema = {"type": "object", "properties": {"payFrom": {"enum": ["wallet"], "description": "source of money"}}}
    words = document(Tool("a_b", "space", "does it", schema, label="点号.名字"))
    assert set(words.replace("\n", " ").split()) >= {
        "space",
        "a",
        "b",
        "点号",
        "does",
        "pay",
        "From",
        "wallet",
        "source",
    }


def test_hybrid_goes_on_without_its_embedder(catalog: Catalog) -> None:
    from routeagent.errors import EmbedderError

    class Broken:
        name = "broken"

        def embed(self, texts: Any, kind: Any) -> Any:
            raise EmbedderError("the server is down")

    retriever = Hybrid(Broken()).fit(catalog, EXAMPLES)
    assert "the server is down" in retriever.degraded_
    found = retriever.retrieve("close a ticket", ALL, 1)
    assert found[0].name == "ticket_close" and "dense" not in found[0].parts


def test_hybrid_scores_are_the_sum_of_their_parts(catalog: Catalog) -> None:
    for tool in Hybrid("lsa").fit(catalog, EXAMPLES).retrieve("退款", ALL, 6):
        assert tool.score == pytest.approx(sum(tool.parts.values()))


def test_hybrid_learns_from_examples(catalog: Catalog) -> None:
    query = "shall I take an umbrella tomorrow"
    examples = [*EXAMPLES, *(EXAMPLES[6] for _ in range(3))]
    learned = Hybrid("lsa").fit(catalog, examples).retrieve(query, ALL, 1)[0]
    assert learned.name == "weatherForecast" and learned.parts["votes"] > 0


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("^ticket_", ["ticket_create", "ticket_close"]),
        ("alerts|storm", ["weather_alerts"]),
        ("approve or submit", ["refund_submit", "refund_approve"]),
        ("(unclosed alerts", ["weather_alerts"]),
        ("(a+)+$ alerts", ["weather_alerts"]),
        ("FORECAST", ["weatherForecast"]),
    ],
)
def test_regex(query: str, names: list[str], catalog: Catalog) -> None:
    assert sorted(tool.name for tool in Regex().fit(catalog).retrieve(query, ALL, 9)) == sorted(names)


STOP = set("的 了 是 吗 呢 我 他 她 怎么 一下 帮 能 想 要 这个 客户".split())  # noqa: SIM905
ADDED = ("年付", "月付", "红冲", "两步验证", "自动续费", "席位", "抬头", "优惠券", "重复扣款")


@pytest.mark.data
def test_the_published_figures_of_plain_jieba_words_are_reproduced() -> None:
    """rank-bm25 over jieba words on the 30 public requests: recall@1, @3 and @5 as published."""
    folder = DATA / "cloudledger"
    if not folder.exists():
        pytest.skip(f"no evaluation data in {DATA}")
    from rank_bm25 import BM25Okapi

    segmenter: Any = jieba.Tokenizer()
    for word in ADDED:
        segmenter.add_word(word)

    def words(text: str) -> list[str]:
        cut: Iterable[str] = segmenter.lcut(text.replace("_", " ").lower())
        return [word for word in cut if re.fullmatch(r"[\w一-鿿]+", word) and word not in STOP]

    tools, queries = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("tools.jsonl", "queries.jsonl")
    )
    oracle: Any = BM25Okapi([words(_plain(tool)) for tool in tools])
    ranked = [np.argsort(-oracle.get_scores(words(row["query"])), kind="stable") for row in queries]
    for k, published in ((1, 0.63), (3, 0.73), (5, 0.73)):
        hits = [
            len({tools[i]["name"] for i in order[:k]} & set(row["tools"])) / len(row["tools"])
            for row, order in zip(queries, ranked, strict=True)
        ]
        assert round(sum(hits) / len(hits), 2) == published


def _plain(tool: dict[str, Any]) -> str:
    parts = [tool["name"], tool["description"]]
    for name, schema in tool["parameters"]["properties"].items():
        parts += [name, schema.get("description", "")]
    return " ".join(parts)
