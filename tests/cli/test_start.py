"""Help and version: quick, because nothing heavy is imported for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import routeagent
from tests.cli.conftest import Command

HEAVY = {"pydantic_ai", "sklearn", "scipy", "litellm", "faiss", "jieba", "numpy", "openai", "structlog", "tiktoken"}
COMMANDS = ("run", "route", "search", "tokens", "eval", "explain", "init")


def imported_by(*words: str) -> set[str]:
    code = (
        "import sys\nfrom routeagent.cli import main\n"
        f"code = main({list(words)!r})\nprint(*{{name.partition('.')[0] for name in sys.modules}}, file=sys.stderr)\n"
        "sys.exit(code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stderr.split())


def test_help_imports_nothing_heavy() -> None:
    assert not imported_by("--help") & HEAVY


def test_init_imports_nothing_heavy(tmp_path: Path) -> None:
    assert not imported_by("init", str(tmp_path / "new")) & HEAVY


def test_a_warm_search_imports_only_what_it_ranks_by(domains: Path) -> None:
    words = ("search", "forecast", "--domains", str(domains), "--retriever", "bm25")
    imported_by(*words)
    assert not imported_by(*words) & {"pydantic_ai", "sklearn", "litellm", "openai", "tiktoken", "structlog"}


def test_tokens_are_counted_without_litellm(domains: Path) -> None:
    words = ("tokens", "forecast", "--domains", str(domains), "--retriever", "bm25", "--router", "flat")
    assert not imported_by(*words) & {"litellm", "openai"}


def test_version(command: Command) -> None:
    assert command("--version").out == f"routeagent {routeagent.__version__}\n"


def test_help_lists_the_commands(command: Command) -> None:
    out = command("--help").out
    assert all(f" {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_json(command: Command, name: str) -> None:
    ran = command(name, "--help")
    assert ran.code == 0
    assert "--json" in ran.out
