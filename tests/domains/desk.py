"""A desk of one's own for a test: a fresh database in a folder of its own."""

from datetime import date
from functools import cache
from pathlib import Path

from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from domains._ledger.database import build
from domains._ledger.deps import Deps

_built = cache(build)


def desk(tmp_path: Path, today: date | None = None) -> RunContext[Deps]:
    """What a tool is given at a desk with a fresh database, on the database's day or another."""
    path = tmp_path / "cloudledger.db"
    path.write_bytes(_built())
    deps = Deps.at(path)
    return RunContext(deps=Deps(path, today or deps.today), model=TestModel(), usage=RunUsage())
