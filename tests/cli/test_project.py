"""Defaults of a project: `[tool.routeagent]` of the nearest pyproject.toml, and where tools come from without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeagent.cli.templates import template_path
from tests.cli.conftest import Command, write

TABLE = """
[tool.routeagent]
domains = "shop"
router = "flat"
retriever = "bm25"
top-k = 1
exclude = ["desk"]
"""


@pytest.fixture
def project(tmp_path: Path, domains: Path, command: Command) -> Command:
    """A command run two folders below a project whose `domains` is `shop`."""
    write(tmp_path, {"pyproject.toml": TABLE})
    return command


def test_defaults_hold_from_below(project: Command) -> None:
    found = project("search", "forecast the weather", "--json", "-").json
    assert [one["name"] for one in found["tools"]] == ["weather_forecast"]
    assert {one["name"] for one in found["namespaces"]} == {"refund", "weather"}


def test_options_win(project: Command) -> None:
    found = project("search", "forecast the weather", "-k", "2", "--json", "-").json
    assert len(found["tools"]) == 2


def test_a_nearer_pyproject_without_the_table_does_not_hide_it(project: Command, tmp_path: Path) -> None:
    write(tmp_path / "here", {"pyproject.toml": '[project]\nname = "inner"\n'})
    assert len(project("search", "forecast the weather", "--json", "-").json["tools"]) == 1


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('[tool.routeagent]\nretreiver = "bm25"\n', "'retriever'"),
        ('[tool.routeagent]\ntop-k = "five"\n', "top-k"),
        ("[tool.routeagent]\nrouter = 3\n", "router"),
        ("[tool.routeagent]\nonly = [1]\n", "only"),
        ("[tool.routeagent\n", "pyproject.toml cannot be read"),
    ],
)
def test_a_table_that_means_nothing(command: Command, tmp_path: Path, table: str, told: str) -> None:
    write(tmp_path / "here", {"pyproject.toml": table})
    command("search", "x").refused(told)


def test_a_folder_called_domains_is_found(command: Command, domains: Path, tmp_path: Path) -> None:
    domains.rename(tmp_path / "here" / "domains")
    found = command("search", "forecast", "--retriever", "bm25", "--json", "-").json
    assert found["tools"][0]["name"] == "weather_forecast"


def test_templates_are_where_they_are_looked_for() -> None:
    assert (template_path("cloudledger") / "refund" / "examples.jsonl").is_file()
    assert (template_path("minimal") / "hello" / "greetings.py").is_file()
