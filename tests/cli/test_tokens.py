"""`tokens`: what definitions cost, and whether routing is worth it."""

from __future__ import annotations

from pathlib import Path

from routeagent.catalog import load_catalog
from routeagent.tokens import definition_tokens
from tests.cli.conftest import Command, lines, write
from tests.models import server as serve
from tests.models.server import Answer, RecordingServer, Request


def test_the_contract(shop: Command, domains: Path) -> None:
    counted = shop("tokens", "forecast", "-k", "1", "--max-tools", "3", "--json", "-").json
    assert {"none", "core", "routed", "all"} <= set(counted)
    catalog = load_catalog(domains)
    assert counted["none"] == 0
    assert counted["all"] == definition_tokens(catalog)
    # the hit is all that a routed turn has beyond the core
    assert counted["routed"] - counted["core"] == definition_tokens([catalog["weather_forecast"]])


def test_without_a_request_it_is_the_mean_of_the_cases(shop: Command) -> None:
    ran = shop("tokens")
    assert "mean of 5 cases" in ran.out
    assert "o200k_base" in ran.out


def test_by_tool(shop: Command, domains: Path) -> None:
    listed = shop("tokens", "forecast", "--by-tool", "--json", "-").json["by_tool"]
    assert sum(row["tokens"] for row in listed) == definition_tokens(load_catalog(domains))
    assert [row["tokens"] for row in listed] == sorted((row["tokens"] for row in listed), reverse=True)


def test_few_tools_need_no_routing(shop: Command) -> None:
    assert "merge or drop near-duplicates first" in shop("tokens", "forecast").out


def test_many_tools_do(command: Command, tmp_path: Path) -> None:
    def data(count: int) -> Path:
        rows = [
            {"name": f"space{n % 9}_tool{n}", "namespace": f"space{n % 9}", "description": f"Does thing number{n}"}
            for n in range(count)
        ]
        return write(tmp_path / str(count), {"tools.jsonl": lines(rows)})

    quick = ("--retriever", "bm25", "--router", "flat", "-k", "1")
    assert "Routing may be worth it" in command("tokens", "number3", "--data", data(27), *quick).out
    assert "Routing is worth it" in command("tokens", "number3", "--data", data(90), *quick).out
    nothing_to_ask = command("tokens", "--data", data(90), *quick, "--json", "-")
    assert nothing_to_ask.json["routed"] is None


def test_a_model_bills(shop: Command, server: RecordingServer) -> None:
    def billed(request: Request) -> Answer:
        prompt = 8 + 50 * len(request.body.get("tools", []))
        return serve.completion(
            "H", usage={"prompt_tokens": prompt, "completion_tokens": 1, "total_tokens": prompt + 1}
        )

    server.answers(billed)
    ran = shop(
        "tokens",
        "forecast",
        "-k",
        "1",
        "--max-tools",
        "3",
        "--model",
        "openai/x",
        "--base-url",
        server.url,
        "--json",
        "-",
    )
    figures = {name: ran.json[name] for name in ("none", "core", "routed", "all")}
    assert figures == {"none": 0, "core": 100, "routed": 150, "all": 350}
