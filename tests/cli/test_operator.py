"""To a caller a forbidden tool is like one that does not exist; an operator sees the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, Ran, write

ASK = ("explain", "give the money back", "money_refund")


@pytest.fixture
def guarded(command: Command, tmp_path: Path) -> Command:
    source = '''
from routeagent import tool

@tool(scopes=["supervisor"])
def refund(invoice: str) -> str:
    """Give the money of an invoice back."""
    return invoice

def count() -> int:
    """Count the money."""
    return 3
'''
    folder = write(tmp_path / "till", {"money/__init__.py": '"""Money."""\n', "money/till.py": source})

    def run(name: str, *words: str | Path) -> Ran:
        return command(name, *words, "--domains", folder, "--retriever", "bm25", "--router", "flat")

    return run


def test_a_caller_without_the_scope_hears_what_a_made_up_name_hears(guarded: Command) -> None:
    forbidden, absent = guarded(*ASK), guarded("explain", "give the money back", "money_refunx")
    assert (forbidden.code, absent.code) == (2, 2)
    assert forbidden.err.replace("money_refund", "X") == absent.err.replace("money_refunx", "X")
    assert forbidden.out == absent.out == ""


def test_a_caller_with_the_scope_sees_it(guarded: Command) -> None:
    told = guarded(*ASK, "--scope", "supervisor", "--json", "-").json
    assert told["shown"] is True


def test_an_operator_sees_that_the_permission_decides(guarded: Command) -> None:
    told = guarded(*ASK, "--as-operator", "--json", "-").json
    assert told["shown"] is False
    assert told["cut"].startswith("permission: the caller lacks supervisor")


def test_a_run_without_the_scope_never_shows_it(guarded: Command) -> None:
    without = guarded("run", "give the money back", "--exposure", "all", "--json", "-").json
    held = guarded("run", "give the money back", "--exposure", "all", "--scope", "supervisor", "--json", "-").json
    assert "money_refund" not in without["tools_shown"]
    assert "money_refund" in held["tools_shown"]
