"""`search`, `route`, `explain`: what is found, and why."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.conftest import Command


def test_search_gives_its_contract(shop: Command) -> None:
    found = shop("search", "forecast the weather", "--json", "-", "-k", "2").json
    assert set(found) == {"query", "namespaces", "tools"}
    assert found["query"] == "forecast the weather"
    assert [set(one) for one in found["namespaces"]] == [{"name", "score"}] * 3
    assert [set(one) for one in found["tools"]] == [{"name", "namespace", "score"}] * 2
    assert [one["name"] for one in found["tools"]] == ["weather_forecast", "weather_history"]
    assert found["tools"][0]["score"] > found["tools"][1]["score"]


def test_search_shows_people_their_own_names(shop: Command) -> None:
    ran = shop("search", "撤回退款申请", "-k", "1")
    assert ran.code == 0
    assert "refund_取消" in ran.out
    (tool,) = shop("search", "撤回退款申请", "-k", "1", "--json", "-").json["tools"]
    assert tool["name"].isascii()


@pytest.mark.parametrize("strategies", [("tfidf", "hybrid"), ("rules", "dense"), ("flat", "regex")])
def test_strategies_by_name(command: Command, domains: Path, strategies: tuple[str, str]) -> None:
    router, retriever = strategies
    options = ("--domains", domains, "--router", router, "--retriever", retriever, "--embedder", "lsa")
    found = command("search", "forecast", *options, "--json", "-").json
    assert found["tools"][0]["name"] == "weather_forecast"


def test_a_strategy_takes_arguments_and_may_be_a_class(command: Command, domains: Path) -> None:
    options = ("--domains", domains, "--router", "tfidf:C=4,at_least=1")
    ran = command("search", "天气", *options, "--retriever", "routeagent.retrievers.bm25:Bm25", "--json", "-")
    assert ran.code == 0


def test_only_and_exclude(shop: Command) -> None:
    everything = ("--json", "-", "-k", "9")
    only = shop("search", "forecast refund 退款", "--only", "refund", *everything).json
    assert {one["namespace"] for one in only["tools"]} == {"refund"}
    rest = shop("search", "forecast refund 退款", "--exclude", "refund", *everything).json
    assert {one["namespace"] for one in rest["tools"]} == {"weather"}


@pytest.mark.parametrize("sentence", ["🎉🎉", "!?…"])
def test_a_request_without_words_is_answered(shop: Command, sentence: str) -> None:
    ran = shop("search", sentence)
    assert ran.code == 0
    assert "No tool fits" in ran.out
    assert shop("search", sentence, "--json", "-").json == {"query": sentence, "namespaces": [], "tools": []}


def test_unusable_characters_and_length(shop: Command) -> None:
    odd = "forecast \udcff \0 " * 10_000
    ran = shop("search", odd, "--json", "-", "-k", "1")
    assert ran.json["query"] == odd
    assert ran.json["tools"][0]["name"] == "weather_forecast"
    assert shop("search", odd).code == 0


def test_json_to_a_file_leaves_the_table(shop: Command, tmp_path: Path) -> None:
    ran = shop("search", "forecast", "--json", tmp_path / "made" / "found.json")
    assert "weather_forecast" in ran.out
    assert '"weather_forecast"' in (tmp_path / "made" / "found.json").read_text("utf-8")


@pytest.mark.parametrize("words", [("-",), ()])
def test_the_request_from_a_pipe(shop: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("forecast\n"))
    assert shop("search", *words, "--json", "-").json["tools"][0]["name"] == "weather_forecast"


def test_route_shows_what_a_model_would_see(shop: Command) -> None:
    routed = shop("route", "forecast the weather", "-k", "1", "--json", "-").json
    names = [one["name"] for one in routed["shown"]]
    # core, search_tools, the hit, then the hit's group
    assert names == ["desk_find", "search_tools", "weather_forecast", "weather_history"]
    assert routed["tokens"] == sum(one["tokens"] for one in routed["shown"])
    assert [one["name"] for one in routed["namespaces"]] == ["desk", "refund", "weather"]


def test_route_keeps_to_the_cap(shop: Command) -> None:
    routed = shop("route", "forecast the weather", "-k", "1", "--max-tools", "3", "--json", "-").json
    assert [one["name"] for one in routed["shown"]] == ["desk_find", "search_tools", "weather_forecast"]


def test_route_says_why_each_tool_is_there(shop: Command) -> None:
    out = shop("route", "forecast the weather", "-k", "1").out
    reasons = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "core" in reasons["desk_find"]
    assert "hit 1" in reasons["weather_forecast"]
    assert "group" in reasons["weather_history"]


def test_explain_a_tool_that_is_shown(shop: Command) -> None:
    told = shop("explain", "forecast the weather", "weather_forecast", "--json", "-").json
    assert told["shown"] is True
    assert told["cut"] == ""
    assert told["rank"] == 1
    assert set(told["terms"]["shared"]) == {"forecast", "weather"}
    assert told["namespace"] == {"name": "weather", "score": 1.0, "rank": 3}


def test_explain_names_every_channel(command: Command, domains: Path) -> None:
    options = ("--domains", domains, "--embedder", "lsa", "--json", "-")
    told = command("explain", "forecast the weather", "weather_forecast", *options).json
    assert {"lexical", "dense"} <= set(told["channels"])
    assert told["channels"]["lexical"]["rank"] == 1


@pytest.mark.parametrize(
    ("request_words", "tool", "options", "cut"),
    [
        ("forecast", "refund_submit", (), "retriever"),
        ("🎉", "refund_submit", (), "no words"),
        ("forecast weather city refund", "weather_history", ("-k", "1", "--max-tools", "3"), "group"),
        ("forecast weather city", "weather_history", ("--max-tools", "3"), "cap"),
        ("forecast weather city refund", "refund_status", ("-k", "1"), "top-k"),
    ],
)
def test_explain_says_what_cut_a_tool(
    shop: Command, request_words: str, tool: str, options: tuple[str, ...], cut: str
) -> None:
    told = shop("explain", request_words, tool, *options, "--json", "-").json
    assert told["shown"] is False
    assert cut in told["cut"]


def test_explain_says_that_the_router_cut(command: Command, domains: Path) -> None:
    options = ("--domains", domains, "--router", "tests.cli.strategies:OnlyWeather", "--embedder", "lsa", "--json", "-")
    told = command("explain", "forecast 退款", "refund_submit", *options).json
    assert told["cut"].startswith("router")
    assert told["namespace"]["rank"] is None
    assert told["channels"]["lexical"]["rank"] >= 1


def test_explain_reads_well(shop: Command) -> None:
    out = shop("explain", "forecast the weather", "weather_forecast").out
    assert "weather_forecast: shown in the first turn" in out
    assert "shared terms: forecast weather" in out
