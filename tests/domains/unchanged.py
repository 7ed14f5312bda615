"""A call that is refused must leave the database as it was."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from pydantic_ai import ModelRetry, RunContext

from domains._ledger.deps import Deps


def refused(ctx: RunContext[Deps], function: Callable[..., Any], *arguments: Any) -> str:
    """What the model is told by a tool that refuses; fails where it does not, or where anything was changed."""
    before = _dump(ctx)
    with pytest.raises(ModelRetry) as told:
        function(ctx, *arguments)
    assert _dump(ctx) == before
    return told.value.message


def _dump(ctx: RunContext[Deps]) -> list[str]:
    with closing(sqlite3.connect(ctx.deps.database)) as connection:
        return list(connection.iterdump())
