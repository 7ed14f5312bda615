"""`init`: a folder of domains to begin with, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeagent.catalog import load_catalog
from tests.cli.conftest import Command


def test_the_minimal_template_works_at_once(command: Command, tmp_path: Path) -> None:
    made = command("init", "--template", "minimal", tmp_path / "mine", "--json", "-").json
    assert sorted(made["files"]) == ["hello/__init__.py", "hello/examples.jsonl", "hello/greetings.py"]
    catalog = load_catalog(tmp_path / "mine")
    assert [tool.name for tool in catalog] == ["hello_greet"]
    assert not catalog.problems
    assert catalog.function("hello_greet")("Ada") == "Hello, Ada!"


def test_the_whole_template(command: Command, tmp_path: Path) -> None:
    ran = command("init", tmp_path / "deep" / "ledger")
    assert ran.code == 0
    assert "routeagent run" in ran.out
    names = {path.name for path in (tmp_path / "deep" / "ledger").iterdir()}
    assert {"refund", "invoice", "cases.jsonl"} <= names
    assert not list((tmp_path / "deep").rglob("__pycache__"))
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"ledger"}


def test_twice_is_refused_and_changes_nothing(command: Command, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    command("init", "--template", "minimal", target)
    before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    command("init", target).refused("not empty")
    assert {path: path.read_bytes() for path in target.rglob("*") if path.is_file()} == before


def test_an_empty_folder_will_do(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert command("init", "--template", "minimal", tmp_path / "empty").code == 0
    assert (tmp_path / "empty" / "hello").is_dir()


@pytest.mark.parametrize("target", ["file", "file/below", "."])
def test_places_that_cannot_be_a_folder(command: Command, tmp_path: Path, target: str) -> None:
    (tmp_path / "here" / "file").touch()
    command("init", "--template", "minimal", target).refused()
    assert (tmp_path / "here" / "file").read_bytes() == b""
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["file"]
