"""The database file: found, built on first use, read and changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from routeagent.storage import cache_dir, write_atomic

from .schema import SCHEMA
from .seed import seed

VARIABLE = "ONCALL_DB"
_FOLDER = Path(__file__).resolve().parent.parent


def open_database(path: Path | None = None) -> Path:
    """The database file: `path`, else `$ONCALL_DB`, else `.data/oncall.db` in this folder, else in the cache folder.

    The cache folder serves where this one is read-only. The file is built whole before it gets its name, so two
    processes that start at once never meet half of one.

    Raises:
        OSError: none of the places can be written to.
    """
    named = path or os.environ.get(VARIABLE)
    if named:
        return _built(Path(named).expanduser())
    try:
        return _built(_FOLDER / ".data" / "oncall.db")
    except OSError:
        return _built(cache_dir() / "oncall.db")


def build() -> bytes:
    """A fresh database as the bytes of its file; the same bytes every time."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(SCHEMA)
        seed(database)
        database.commit()
        return database.serialize()


def rows(database: Path, sql: str, *values: object) -> list[dict[str, Any]]:
    """What a query finds, each row by column name. The connection cannot write."""
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, values)]


@contextmanager
def change(database: Path) -> Generator[sqlite3.Connection]:
    """One transaction under foreign keys: all of it or, where anything is raised, nothing."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _built(path: Path) -> Path:
    if not path.exists():
        write_atomic(path, build())
    return path
