from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from routeagent.catalog import Catalog, Example
from routeagent.errors import ModelError, NotFittedError, StrategyError
from routeagent.routers import ROUTERS, Router
from routeagent.routers.llm import LlmRouter
from routeagent.routers.rules import RulesRouter
from routeagent.routers.tfidf import TfidfRouter, features
from routeagent.strategies import resolve
from routeagent.text import Tokenizer

from .conftest import EXAMPLES, TOOLS


def _all_namespaces(model: str, messages: object, schema: Mapping[str, Any], *, timeout: float) -> Mapping[str, Any]:
    return {"namespaces": list(schema["properties"]["namespaces"]["items"]["enum"])}


def _make(name: str) -> Router:
    return LlmRouter("fake/model", complete=_all_namespaces) if name == "llm" else resolve(ROUTERS, name, "router")


@pytest.mark.parametrize("name", ROUTERS)
class TestEveryRouter:
    def test_must_be_fitted(self, name: str) -> None:
        with pytest.raises(NotFittedError, match="fit"):
            _make(name).route("x")

    def test_fit_returns_itself(self, name: str, catalog: Catalog, examples: tuple[Example, ...]) -> None:
        router = _make(name)
        assert router.fit(catalog, examples) is router

    @pytest.mark.parametrize("query", ["退款", "open a ticket", "", "🙂", "\ud800\x00", "x" * 100_000])
    def test_names_namespaces_best_first(self, name: str, query: str, catalog: Catalog) -> None:
        routed = _make(name).fit(catalog, EXAMPLES).route(query)
        names = [one.name for one in routed]
        assert names and len(set(names)) == len(names)
        assert set(names) <= {"refund", "ticket", "weather"}
        assert [one.score for one in routed] == sorted((one.score for one in routed), reverse=True)

    def test_answers_the_same_again(self, name: str, catalog: Catalog) -> None:
        first, second = (_make(name).fit(catalog, EXAMPLES).route("is a storm coming") for _ in range(2))
        assert first == second

    def test_an_unfitted_router_cuts_nothing(self, name: str, catalog: Catalog) -> None:
        assert len(_make(name).fit(catalog, ()).route("qqq")) == 3

    def test_an_empty_catalogue_has_no_namespaces(self, name: str) -> None:
        router = LlmRouter("m", complete=_refuse) if name == "llm" else _make(name)
        assert router.fit(Catalog([]), ()).route("退款") == []

    def test_one_tool(self, name: str) -> None:
        routed = _make(name).fit(Catalog(TOOLS[:1]), EXAMPLES[:1]).route("退款")
        assert [one.name for one in routed] == ["refund"]


def _refuse(model: str, messages: object, schema: object, *, timeout: float) -> Mapping[str, Any]:
    raise ModelError("the provider refused")


@pytest.mark.parametrize("with_examples", [True, False])
@pytest.mark.parametrize(
    ("query", "namespace"), [("我想退款", "refund"), ("open a support ticket", "ticket"), ("storm warnings", "weather")]
)
def test_tfidf_finds_the_namespace(query: str, namespace: str, with_examples: bool, catalog: Catalog) -> None:
    router = TfidfRouter().fit(catalog, EXAMPLES if with_examples else ())
    assert router.route(query)[0].name == namespace


def test_tfidf_probabilities_are_scikit_learns_own(catalog: Catalog, empty_cache: object) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import Pipeline

    from routeagent.document import document

    tokenizer = Tokenizer()
    names = ["refund", "ticket", "weather"]
    texts = [example.query for example in EXAMPLES] + [document(tool) for tool in TOOLS]
    owners = [catalog[example.tools[0]].namespace for example in EXAMPLES] + [tool.namespace for tool in TOOLS]
    vectorizer: Any = TfidfVectorizer
    analyzer: Callable[[str], list[str]] = lambda text: features(tokenizer.terms(text))  # noqa: E731
    regression = OneVsRestClassifier(LogisticRegression(C=4, solver="liblinear", random_state=0))
    vectors: Any = vectorizer(analyzer=analyzer, sublinear_tf=True)
    oracle: Any = Pipeline([("vectors", vectors), ("regression", regression)])
    oracle.fit(texts, np.asarray([[owner == name for name in names] for owner in owners], dtype=int))
    router = TfidfRouter(C=4).fit(catalog, EXAMPLES)
    for query in ["退款批了吗", "storm in Lisbon tomorrow", "nothing known here", "close close close"]:
        expected = dict(zip(names, oracle.predict_proba([query])[0], strict=True))
        assert {one.name: one.score for one in router.route(query)} == pytest.approx(expected)


def test_tfidf_never_cuts_a_namespace_without_examples(catalog: Catalog) -> None:
    refunds = tuple(example for example in EXAMPLES if example.tools[0].startswith("refund")) * 10
    router = TfidfRouter(keep=0.1, at_least=1).fit(catalog, (*refunds, EXAMPLES[3]))
    assert {one.name for one in router.route("我要退款")} == {"refund", "weather"}


def test_rules_by_names_and_by_given_keywords(catalog: Catalog) -> None:
    assert [one.name for one in RulesRouter().fit(catalog).route("close the ticket")] == ["ticket"]
    given = RulesRouter({"refund": ["还钱"], "weather": ["umbrella", "rain"]}).fit(catalog)
    assert [one.name for one in given.route("Umbrella or rain, 还钱")] == ["weather", "refund"]
    assert len(given.route("close the ticket")) == 3


def test_rules_for_a_namespace_that_does_not_exist(catalog: Catalog) -> None:
    with pytest.raises(StrategyError, match=r"'refunds'.*refund, ticket, weather"):
        RulesRouter({"refunds": ["x"]}).fit(catalog)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"namespaces": ["nowhere"]}, "nowhere"),
        ({"namespaces": []}, "none"),
        ({"namespaces": "ticket"}, "no list"),
        ({"namespaces": [1, None]}, "none"),
        ({}, "no list"),
        (ModelError("timed out after 10 s"), "timed out after 10 s"),
    ],
)
def test_llm_falls_back_and_says_why(answer: Any, reason: str, catalog: Catalog) -> None:
    def complete(*args: object, **kwargs: object) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    router = LlmRouter("fake/model", complete=complete).fit(catalog, EXAMPLES)
    routing = router.explain("open a ticket")
    assert routing.namespaces[0].name == "ticket"
    assert "tfidf" in routing.fallback and reason in routing.fallback


def test_llm_keeps_the_models_order_and_drops_what_does_not_exist(catalog: Catalog) -> None:
    def complete(*args: object, **kwargs: object) -> Any:
        return {"namespaces": ["weather", "nowhere", "refund", "weather"]}

    routing = LlmRouter("fake/model", complete=complete).fit(catalog, ()).explain("x")
    assert [(one.name, one.score) for one in routing.namespaces] == [("weather", 1.0), ("refund", 0.5)]
    assert routing.fallback == ""


def test_llm_sees_every_namespace_and_its_description(catalog: Catalog) -> None:
    seen: list[Any] = []

    def complete(model: str, messages: Any, schema: Any, *, timeout: float) -> Any:
        seen.append((model, messages, schema, timeout))
        return {"namespaces": ["refund"]}

    LlmRouter("fake/model", timeout=3, complete=complete).fit(catalog, ()).route("退我钱")
    model, messages, schema, timeout = seen[0]
    assert (model, timeout) == ("fake/model", 3)
    assert "退款的申请和审批" in messages[0]["content"] and messages[1]["content"] == "退我钱"
    assert schema["properties"]["namespaces"]["items"]["enum"] == ["refund", "ticket", "weather"]
