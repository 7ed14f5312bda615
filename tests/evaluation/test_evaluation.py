from __future__ import annotations

import math
from pathlib import Path

import pytest

from routeagent.catalog import Catalog, Example
from routeagent.errors import DataError
from routeagent.evaluation.datasets import bind, read_cases, sample
from routeagent.evaluation.metrics import complete, namespace_recall, ndcg, positions, recall, reciprocal_rank
from routeagent.evaluation.offline import evaluate
from routeagent.search import ToolIndex

from .conftest import EXAMPLES

RANKED = ["a", "b", "c", "d"]


def test_positions_count_from_one() -> None:
    assert positions(RANKED, ["c", "a", "z"]) == [3, 1, None]


def test_alternatives_count_only_where_they_are_given_and_once() -> None:
    assert positions(RANKED, ["z"], {"z": ["b"]}) == [2]
    assert positions(RANKED, ["c"], {"c": ["b"]}) == [2]
    assert positions(RANKED, ["y", "z"], {"y": ["b"], "z": ["b"]}) == [2, None]
    assert positions(RANKED, ["y", "b"], {"y": ["b"]}) == [None, 2]


def test_measures_by_hand() -> None:
    found = [3, 1, None]
    assert [recall(found, k) for k in (1, 2, 3)] == [1 / 3, 1 / 3, 2 / 3]
    assert complete(found, 20) == 0 and complete([3, 1], 3) == 1 and complete([3, 1], 2) == 0
    assert ndcg(found, 10) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3) + 1 / 2))
    assert ndcg([2], 1) == 0
    assert reciprocal_rank([3, 2]) == 0.5 and reciprocal_rank([None]) == 0
    assert namespace_recall(["n", "m"], {"m", "o"}, 2) == 0.5 and namespace_recall(["n", "m"], {"m"}, 1) == 0


def test_cases_are_read(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(
        '{"query": "退款", "tools": ["a"], "id": "x1"}\n\n{"query": "none", "tools": []}\n', encoding="utf-8"
    )
    assert read_cases(file) == [Example("退款", ("a",), id="x1"), Example("none", (), id="3")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[]", "object"),
        ('{"tools": []}', "'query'"),
        ('{"query": "x"}', "'tools'"),
        ('{"query": "x", "tools": "a"}', "'tools'"),
        ('{"query": "x", "tools": [], "alternatives": []}', "'alternatives'"),
        ('{"query": "x", "tools": [], "principal": 1}', "'principal'"),
    ],
)
def test_a_bad_line_is_named(line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"query": "x", "tools": []}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=said) as raised:
        read_cases(file)
    assert f"{file}:2" in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"absent\.jsonl"):
        read_cases(tmp_path / "absent.jsonl")


def test_a_sample_is_seeded_and_in_order() -> None:
    drawn = sample(EXAMPLES, 4, seed=1)
    assert drawn == sample(EXAMPLES, 4, seed=1) and len(drawn) == 4
    assert drawn == [example for example in EXAMPLES if example in drawn]
    assert sample(EXAMPLES, 99) == list(EXAMPLES)


def test_unknown_tools_are_named(catalog: Catalog) -> None:
    with pytest.raises(DataError, match=r"'nothing' \(case 'c7'\)"):
        bind([Example("x", ("refund_submit", "nothing"), id="c7")], catalog)


def test_a_report_by_hand(catalog: Catalog) -> None:
    index = ToolIndex(catalog, router="flat", retriever="regex", embedder="lsa")
    cases = [
        Example("close", ("ticket_close",), id="hit"),
        Example("open", ("refund_submit", "ticket_create"), id="half"),
        Example("storm", (), id="unserved"),
    ]
    report = evaluate(
        index, cases, shown=lambda found: [tool.name for tool in found.tools[:1]], tokens=lambda names: 10 * len(names)
    )
    assert report.data == {"tools": 6, "namespaces": 3, "queries": 3, "unserved": 1}
    assert report.metrics["recall@1"] == report.metrics["recall@5"] == pytest.approx((1 + 1 / 2) / 2)
    assert report.metrics["complete@5"] == 0.5 and report.metrics["mrr"] == 1
    assert report.metrics["namespace_recall@1"] == pytest.approx((0 + 1 / 2) / 2)
    assert report.metrics["namespace_recall@3"] == 1
    assert report.metrics["shown_recall"] == 0.75 and report.metrics["tools_shown"] == 1
    assert report.metrics["definition_tokens"] == 10
    assert [(miss["id"], miss["missed"]) for miss in report.misses] == [("half", ["refund_submit"])]
    assert report.rows[0].record()["ranked"] == ["ticket_close"]
    assert set(report.latency_ms) == {"p50", "p95", "embed_p50", "route_p50", "retrieve_p50"}


def test_no_cases_make_an_empty_report(catalog: Catalog) -> None:
    report = evaluate(ToolIndex(catalog, embedder="lsa"), [])
    assert report.metrics == {} and report.rows == [] and report.data["queries"] == 0


def test_lenient_scoring_counts_alternatives(catalog: Catalog) -> None:
    index = ToolIndex(catalog, retriever="regex", embedder="lsa")
    cases = [Example("close", ("refund_submit",), alternatives={"refund_submit": ("ticket_close",)})]
    assert evaluate(index, cases).metrics["recall@1"] == 0
    assert evaluate(index, cases, lenient=True).metrics["recall@1"] == 1
