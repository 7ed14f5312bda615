"""`eval`: the contract of its JSON, its figures worked out by hand, and the ways to fail a build with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeagent.catalog import load_catalog
from routeagent.discovery import Discovery
from routeagent.search import ToolIndex
from routeagent.selection import Limits
from tests.cli.conftest import Command, lines, write

METRICS = [
    *("recall@1", "recall@3", "recall@5", "recall@10", "complete@5", "complete@10", "complete@20", "ndcg@10", "mrr"),
    *("namespace_recall@1", "namespace_recall@3", "shown_recall", "shown_complete", "tools_shown"),
    "definition_tokens",
]


def test_the_contract(shop: Command) -> None:
    report = shop("eval", "--json", "-").json
    assert report["schema_version"] == 1
    assert set(report) == {"schema_version", "config", "data", "metrics", "latency_ms", "misses"}
    assert {"tools": 7, "namespaces": 3, "queries": 5}.items() <= report["data"].items()
    assert sorted(report["metrics"]) == sorted(METRICS)
    assert {"p50", "p95", "embed_p50", "route_p50", "retrieve_p50"} <= set(report["latency_ms"])
    assert report["config"]["retriever"] == "bm25"


def test_the_figures_by_hand(shop: Command) -> None:
    """Four cases need one tool each; three stand first and "zebra quagga" finds nothing."""
    report = shop("eval", "--json", "-").json
    for name in ("recall@1", "recall@5", "complete@20", "mrr", "ndcg@10"):
        assert report["metrics"][name] == 0.75
    (miss,) = report["misses"]
    assert miss["query"] == "zebra quagga"
    assert miss["ranked"] == []


def test_people_see_what_was_missed(shop: Command) -> None:
    ran = shop("eval")
    assert ran.code == 0
    assert "recall@5" in ran.out
    assert "missed: 1" in ran.out
    assert "zebra quagga" in ran.out
    assert "refund_取消" in ran.out


@pytest.mark.parametrize(
    ("thresholds", "code"),
    [
        (("recall@5=0.75",), 0),
        (("recall@5=0.76",), 1),
        (("recall@5=0.7", "shown_recall=1"), 1),
    ],
)
def test_fail_under(shop: Command, thresholds: tuple[str, ...], code: int) -> None:
    words = [word for threshold in thresholds for word in ("--fail-under", threshold)]
    ran = shop("eval", "--json", "-", *words)
    assert ran.code == code
    assert ran.json["metrics"]["recall@5"] == 0.75
    assert ("under" in ran.err) == bool(code)


def test_the_run_file_has_a_line_a_query(shop: Command, tmp_path: Path) -> None:
    path = tmp_path / "runs" / "words.jsonl"
    assert shop("eval", "--run", path).code == 0
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["r1", "r2", "w1", "m1", "n1"]
    assert rows[0]["gold"] == ["refund_status"]
    assert rows[0]["ranked"][0] == "refund_status"
    assert rows[4]["gold"] == []


def test_shown_is_what_a_first_turn_shows(shop: Command, domains: Path, tmp_path: Path) -> None:
    shop("eval", "--run", tmp_path / "run.jsonl", "-k", "2", "--max-tools", "5")
    index = ToolIndex(load_catalog(domains), router="flat", retriever="bm25")
    for line in (tmp_path / "run.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        discovery = Discovery(index, Limits(max_tools=5, top_k=2))
        discovery.route(row["query"])
        assert row["shown"] == discovery.visible


def test_limit_draws_the_same_with_the_same_seed(shop: Command, tmp_path: Path) -> None:
    def drawn(seed: str) -> list[str]:
        path = tmp_path / "run.jsonl"
        shop("eval", "--limit", "2", "--seed", seed, "--run", path)
        return [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()]

    assert len(drawn("1")) == 2
    assert drawn("1") == drawn("1")
    assert len({tuple(drawn(str(seed))) for seed in range(8)}) > 1


def test_queries_named_by_label_and_lenient_scoring(shop: Command, tmp_path: Path) -> None:
    case = {"query": "查询退款进度", "tools": ["refund_取消"], "alternatives": {"refund_取消": ["refund_status"]}}
    path = write(tmp_path, {"own.jsonl": lines([case])}) / "own.jsonl"
    strict = shop("eval", "--queries", path, "--json", "-").json
    lenient = shop("eval", "--queries", path, "--lenient", "--json", "-").json
    assert strict["metrics"]["recall@1"] == 0
    assert lenient["metrics"]["recall@1"] == 1


def test_examples_may_be_left_out_or_added(shop: Command, tmp_path: Path) -> None:
    def fitted(*words: str | Path) -> int:
        return shop("eval", "--json", "-", *words).json["config"]["examples"]

    more = write(tmp_path, {"more.jsonl": lines([{"query": "退钱", "tools": ["refund_submit"]}])}) / "more.jsonl"
    assert fitted() == 2
    assert fitted("--no-examples") == 0
    assert fitted("--fit-queries", more) == 3
    assert fitted("--fit-queries", more, "--no-examples") == 1


def test_a_case_among_the_examples_is_told(shop: Command, domains: Path) -> None:
    ran = shop("eval", "--fit-queries", domains / "refund" / "cases.jsonl")
    assert "2 examples are cases too" in ran.err


def test_cases_outside_the_chosen_namespaces_are_left_out(shop: Command) -> None:
    ran = shop("eval", "--only", "weather", "--json", "-")
    assert ran.json["data"]["queries"] == 2
    assert "3 of 5 cases" in ran.err


def test_a_folder_of_data_brings_its_queries(command: Command, tmp_path: Path) -> None:
    tools = [{"name": "desk.find", "namespace": "desk", "description": "Find a person"}]
    tools += [{"name": f"desk.other{n}", "namespace": "desk", "description": "Something else"} for n in range(3)]
    write(tmp_path / "set", {"tools.jsonl": lines(tools)})
    write(tmp_path / "set", {"queries.jsonl": lines([{"query": "find a person", "tools": ["desk.find"]}])})
    report = command("eval", "--data", tmp_path / "set", "--retriever", "bm25", "--json", "-").json
    assert report["metrics"]["recall@1"] == 1
