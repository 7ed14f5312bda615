"""The on-call template: eighteen tools that really work, refuse what makes no sense, and always say the same."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic_ai import ModelRetry

from routeagent.catalog import Catalog, load_catalog
from routeagent.evaluation.datasets import bind, read_cases
from routeagent.evaluation.tasks import Task, check_answer, check_effects, read_tasks
from tests.conftest import ROOT

FOLDER = ROOT / "routeagent" / "templates" / "oncall"
Call = Callable[..., dict[str, Any]]
SPACES = ["code", "deploys", "docs", "errors", "issues", "logs", "metrics"]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "oncall.db"
    monkeypatch.setenv("ONCALL_DB", str(path))
    return path


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(FOLDER)


@pytest.fixture
def call(catalog: Catalog, database: Path) -> Call:
    assert catalog.make_deps is not None
    context = SimpleNamespace(deps=catalog.make_deps())

    def run(tool: str, /, **arguments: Any) -> dict[str, Any]:
        return catalog.function(tool)(context, **arguments)

    return run


def test_eighteen_tools_in_seven_namespaces(catalog: Catalog) -> None:
    assert sorted(tool.name for tool in catalog) == [
        "code_get_commit",
        "code_list_commits",
        "code_search",
        "deploys_get",
        "deploys_list",
        "deploys_rollback",
        "docs_get",
        "docs_search",
        "errors_get_group",
        "errors_list_groups",
        "errors_search",
        "issues_create",
        "issues_get",
        "issues_search",
        "logs_search",
        "logs_tail",
        "metrics_get_series",
        "metrics_list",
    ]
    assert sorted(space.name for space in catalog.namespaces) == SPACES
    assert list(catalog.problems) == []
    assert [tool.name for tool in catalog if tool.core] == ["docs_search"]
    assert sorted(tool.name for tool in catalog if tool.writes) == ["deploys_rollback", "issues_create"]


def test_every_tool_and_argument_is_described(catalog: Catalog) -> None:
    for tool in catalog:
        assert tool.description
        assert all(schema.get("description") for schema in tool.parameters["properties"].values()), tool.name


READS: list[tuple[str, dict[str, Any], str]] = [
    ("code_search", {"query": "to_minor_units"}, "c8f3a1d"),
    ("code_search", {"query": "pool", "service": "ledger-api"}, "ledger/db/pool.py"),
    ("code_list_commits", {"service": "checkout", "since": "2026-10-20"}, "Mira Holt"),
    ("code_get_commit", {"commit_id": " B71E0C4 "}, "count_facet(value)"),
    ("deploys_list", {"service": "web"}, "v5.8.0"),
    ("deploys_list", {}, "DEP-380"),
    ("deploys_get", {"deploy_id": "dep-412"}, "4be7720"),
    ("docs_search", {"query": "证书过期了怎么续"}, "DOC-11"),
    ("docs_search", {"query": "roll back a deploy"}, "DOC-05"),
    ("docs_get", {"doc_id": "DOC-07"}, "jobctl pause monthly-statements"),
    ("errors_get_group", {"group_id": "ERR-71"}, "rounding.py:41"),
    ("errors_list_groups", {"service": "checkout", "since": "14:00"}, "ERR-71"),
    ("errors_search", {"query": "removeItem"}, "ERR-73"),
    ("issues_get", {"issue_id": "ISS-318"}, "idempotency key"),
    ("issues_search", {"query": "回执重复发送"}, "ISS-318"),
    ("logs_search", {"query": "pool exhausted", "since": "09:00", "until": "09:20"}, "2026-10-20 09:12"),
    ("logs_tail", {"service": "mailer", "level": "ERROR"}, "queue is growing"),
    ("metrics_list", {"service": "ledger-api"}, "db_pool_in_use"),
    ("metrics_get_series", {"service": "search", "metric": "p95_latency_ms"}, "'highest'"),
]


@pytest.mark.parametrize(("tool", "arguments", "tells"), READS)
def test_a_read_tells_and_changes_nothing(
    call: Call, database: Path, tool: str, arguments: dict[str, Any], tells: str
) -> None:
    before = database.read_bytes()
    assert tells in str(call(tool, **arguments))
    assert database.read_bytes() == before


def test_a_span_of_time_leaves_out_the_rest(call: Call) -> None:
    lines = call("logs_search", query="pool exhausted", since="09:00", until="09:20")["lines"]
    assert [line["logged_at"] for line in lines] == ["2026-10-20 09:12"]
    assert [group["group_id"] for group in call("errors_list_groups", service="checkout", since="14:00")["groups"]] == [
        "ERR-71"
    ]


def test_levels_and_counts_of_the_newest_lines(call: Call) -> None:
    lines = call("logs_tail", service="mailer", level="WARN", count=3)["lines"]
    assert [line["logged_at"] for line in lines] == ["2026-10-20 06:00", "2026-10-20 12:30", "2026-10-20 15:28"]


def test_the_pool_was_full_while_the_job_ran(call: Call) -> None:
    series = call("metrics_get_series", service="ledger-api", metric="db_pool_in_use", since="08:00", until="11:00")
    full = [point["measured_at"][-5:] for point in series["points"] if point["value"] == 20]
    assert full == ["09:10", "09:20", "09:30", "09:40"]


def test_a_search_that_finds_nothing_says_so(call: Call) -> None:
    assert call("logs_search", query="zebra") == {"since": "2026-10-19 15:30", "until": "2026-10-20 15:30", "lines": []}


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql).fetchall()


def test_a_rollback_puts_the_version_before_it_live_once(call: Call, database: Path) -> None:
    assert call("deploys_rollback", deploy_id="DEP-412", reason="500s")["live_version"] == "v2.30.4"
    with pytest.raises(ModelRetry, match="DEP-413"):
        call("deploys_rollback", deploy_id="DEP-412", reason="500s")
    live = rows(database, "SELECT deploy_id, version FROM deploy WHERE service = 'checkout' AND status = 'live'")
    assert live == [("DEP-413", "v2.30.4")]
    assert rows(database, "SELECT tool, subject FROM change_log") == [("deploys_rollback", "DEP-412")]


def test_an_issue_is_opened_once(call: Call, database: Path) -> None:
    wanted = {"service": "search", "title": "Slow facets", "body": "Since b71e0c4", "severity": "high"}
    assert call("issues_create", **wanted)["issue_id"] == "ISS-326"
    with pytest.raises(ModelRetry, match="ISS-326"):
        call("issues_create", **wanted)
    assert rows(database, "SELECT title, state, severity FROM issue WHERE issue_id = 'ISS-326'") == [
        ("Slow facets", "open", "high")
    ]


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("code_search", {"query": "!!"}, "no word"),
    ("code_search", {"query": "pool", "service": "billing"}, "checkout"),
    ("code_list_commits", {"service": "checkout", "since": "yesterday"}, "YYYY-MM-DD"),
    ("code_get_commit", {"commit_id": "zzz"}, "code_list_commits"),
    ("deploys_list", {"service": "billing"}, "checkout"),
    ("deploys_get", {"deploy_id": "DEP-1"}, "deploys_list"),
    ("deploys_rollback", {"deploy_id": "DEP-405", "reason": "old"}, "DEP-412"),
    ("deploys_rollback", {"deploy_id": "DEP-412", "reason": " "}, "reason"),
    ("deploys_rollback", {"deploy_id": "DEP-1", "reason": "x"}, "deploys_list"),
    ("docs_search", {"query": " "}, "no word"),
    ("docs_get", {"doc_id": "DOC-99"}, "docs_search"),
    ("errors_list_groups", {"service": ""}, "checkout"),
    ("errors_list_groups", {"service": "web", "since": "2026-13-01"}, "YYYY-MM-DD"),
    ("errors_get_group", {"group_id": "71"}, "errors_list_groups"),
    ("errors_search", {"query": ""}, "no word"),
    ("issues_search", {"query": "?"}, "no word"),
    ("issues_get", {"issue_id": "ISS-1' OR '1'='1"}, "issues_search"),
    ("issues_create", {"service": "billing", "title": "x", "body": "y"}, "checkout"),
    ("issues_create", {"service": "web", "title": "  ", "body": "y"}, "title"),
    ("issues_create", {"service": "web", "title": "x" * 121, "body": "y"}, "121"),
    ("issues_create", {"service": "web", "title": "x", "body": ""}, "body"),
    ("issues_create", {"service": "web", "title": "x", "body": "y", "severity": "sev1"}, "medium"),
    ("issues_create", {"service": "web", "title": "remove button in the cart does nothing", "body": "y"}, "ISS-325"),
    ("logs_search", {"query": "pool", "since": "10:00", "until": "09:00"}, "later"),
    ("logs_tail", {"service": "web", "count": 0}, "between 1 and 50"),
    ("logs_tail", {"service": "web", "level": "DEBUG"}, "WARN"),
    ("metrics_list", {"service": "billing"}, "checkout"),
    ("metrics_get_series", {"service": "search", "metric": "queue_depth"}, "p95_latency_ms"),
    ("metrics_get_series", {"service": "search", "metric": "p95_latency_ms", "until": "2026-01-01"}, "36 hours"),
]


@pytest.mark.parametrize(("tool", "arguments", "tells"), BAD)
def test_a_bad_argument_is_told_to_the_model_and_changes_nothing(
    call: Call, database: Path, tool: str, arguments: dict[str, Any], tells: str
) -> None:
    before = database.read_bytes()
    with pytest.raises(ModelRetry) as caught:
        call(tool, **arguments)
    assert tells in caught.value.message
    assert "\n" not in caught.value.message
    assert database.read_bytes() == before


def test_the_database_is_the_same_every_time(catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert catalog.make_deps is not None
    made: list[bytes] = []
    for name in ("one.db", "deep/two.db"):
        monkeypatch.setenv("ONCALL_DB", str(tmp_path / name))
        made.append(catalog.make_deps().database.read_bytes())
    assert made[0] == made[1]


def test_a_path_of_ones_own_goes_before_the_variable(catalog: Catalog, database: Path, tmp_path: Path) -> None:
    made = catalog.make_deps(database=tmp_path / "deep" / "own.db").database
    assert made == tmp_path / "deep" / "own.db"
    assert made.is_file()
    assert not database.exists()


def at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a copy of the template has its database when no variable names one."""
    monkeypatch.delenv("ONCALL_DB", raising=False)
    make_deps = load_catalog(folder).make_deps
    assert make_deps is not None
    return make_deps().database


def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "mine", ignore=shutil.ignore_patterns(".data", "__pycache__")))


def test_the_database_lies_beside_the_tools(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(tmp_path)
    assert at_home(folder, monkeypatch) == folder / ".data" / "oncall.db"


def test_the_cache_serves_where_the_folder_cannot_be_written(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    (folder / ".data").write_text("in the way")
    path = at_home(folder, monkeypatch)
    assert path.is_relative_to(cache)
    assert path.is_file()


def test_a_database_that_is_there_is_kept(catalog: Catalog, call: Call) -> None:
    call("deploys_rollback", deploy_id="DEP-412", reason="500s")
    assert catalog.make_deps is not None
    again = SimpleNamespace(deps=catalog.make_deps())
    assert catalog.function("deploys_list")(again, service="checkout")["deploys"][0]["deploy_id"] == "DEP-413"


def likeness(one: str, other: str) -> float:
    """The share of letter pairs that two texts have in common: 1.0 for the same letters."""
    pairs = [{text[at : at + 2] for at in range(len(text) - 1)} for text in (one.casefold(), other.casefold())]
    return len(pairs[0] & pairs[1]) / len(pairs[0] | pairs[1])


def test_examples_and_cases_are_enough_and_never_the_same(catalog: Catalog) -> None:
    cases = bind([case for path in sorted(FOLDER.glob("*/cases.jsonl")) for case in read_cases(path)], catalog)
    asked = [example.query.casefold() for example in catalog.examples]
    assert len(set(asked)) == len(asked)
    measured = [case.query for case in cases] + [task.request for task in TASKS]
    assert [(ask, other) for ask in asked for other in measured if likeness(ask, other) > 0.5] == []
    for tool in catalog:
        own = [example.query for example in catalog.examples if tool.name in example.tools]
        assert len(own) >= 8, tool.name
        assert 3 <= sum(any("\u4e00" <= sign <= "\u9fff" for sign in query) for query in own) < len(own), tool.name
        assert sum(tool.name in case.tools for case in cases) >= 3, tool.name


CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "oncall-01": [("errors_list_groups", {"service": "checkout"}), ("deploys_list", {"service": "checkout"})],
    "oncall-02": [("code_search", {"query": "to_minor_units"}), ("code_get_commit", {"commit_id": "c8f3a1d"})],
    "oncall-03": [("deploys_rollback", {"deploy_id": "DEP-412", "reason": "日元和韩元付款报 500"})],
    "oncall-04": [],
    "oncall-05": [("logs_search", {"query": "pool", "service": "ledger-api", "since": "09:00", "until": "10:00"})],
    "oncall-06": [("metrics_get_series", {"service": "search", "metric": "p95_latency_ms", "since": "00:00"})],
    "oncall-07": [
        ("errors_list_groups", {"service": "mailer"}),
        ("docs_search", {"query": "邮件证书"}),
        ("docs_get", {"doc_id": "DOC-11"}),
    ],
    "oncall-08": [
        ("code_search", {"query": "count_facet"}),
        ("issues_create", {"service": "search", "title": "Facet counts run one query each", "body": "b71e0c4"}),
    ],
    "oncall-09": [("issues_get", {"issue_id": "ISS-301"})],
    "oncall-10": [("issues_search", {"query": "receipt twice"})],
    "oncall-11": [("deploys_list", {"service": "web"}), ("deploys_get", {"deploy_id": "DEP-411"})],
    "oncall-12": [],
}
TASKS = read_tasks(FOLDER / "tasks.jsonl")
SEVERAL = [task for task in TASKS if len(task.needs) > 1]
GATHERING = [task for task in SEVERAL if task.id not in {"oncall-02", "oncall-08", "oncall-11"}]
"""Tasks whose answer takes facts from several tools; in the three others the last tool repeats what led to it."""


def test_there_are_twelve_tasks(catalog: Catalog) -> None:
    assert [task.id for task in TASKS] == list(CALLS)
    assert {name for task in TASKS for name in task.needs} <= {tool.name for tool in catalog}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_needed_tools_reach_the_goal_of_a_task(call: Call, database: Path, task: Task) -> None:
    told = " ".join(str(call(tool, **arguments)) for tool, arguments in CALLS[task.id])
    if task.approve:
        assert {tool for tool, _ in CALLS[task.id]} == set(task.needs)
    assert check_effects(task, database) == []
    assert check_answer(task, told) == []


@pytest.mark.parametrize("task", SEVERAL, ids=lambda task: task.id)
def test_all_but_the_last_needed_tool_does_not_reach_the_goal(call: Call, database: Path, task: Task) -> None:
    told = " ".join(str(call(tool, **arguments)) for tool, arguments in CALLS[task.id][:-1])
    assert check_effects(task, database) + check_answer(task, told)


@pytest.mark.parametrize("task", GATHERING, ids=lambda task: task.id)
def test_the_last_needed_tool_alone_does_not_reach_the_goal(call: Call, database: Path, task: Task) -> None:
    tool, arguments = CALLS[task.id][-1]
    assert check_answer(task, str(call(tool, **arguments))) or check_effects(task, database)


@pytest.mark.parametrize("task", [task for task in TASKS if task.kind != "unservable" and task.approve])
def test_a_task_that_nothing_was_done_for_is_not_done(call: Call, database: Path, task: Task) -> None:
    assert check_effects(task, database) + check_answer(task, "I cannot do that. 我没有这个工具。")
