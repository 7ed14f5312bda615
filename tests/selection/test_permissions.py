"""One function says who may use a tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from routeagent.catalog import Tool
from routeagent.permissions import permitted


@dataclass
class User:
    scopes: frozenset[str]


@pytest.mark.parametrize(
    ("principal", "answer"),
    [
        (None, False),
        ([], False),
        (["finance"], False),
        (["finance", "write"], True),
        (("write", "finance", "x"), True),
        (User(frozenset({"finance", "write"})), True),
        (User(frozenset({"write"})), False),
        ("finance write", False),
        (42, False),
    ],
)
def test_all_scopes_are_needed(principal: Any, answer: bool) -> None:
    assert permitted(Tool("t", "n", "", scopes=("finance", "write")), principal) is answer


def test_a_tool_without_scopes_is_open() -> None:
    assert permitted(Tool("t", "n", ""), None)
