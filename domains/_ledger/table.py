"""Rows for a fresh database: read from tables written as text, and inserted."""

import sqlite3
from typing import Any

Row = dict[str, Any]


def lines(table: str) -> list[list[str]]:
    """The cells of each line, parted by `|`."""
    return [line.split("|") for line in table.strip().splitlines()]


def add(database: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    """Insert rows that all have the same columns; tables and columns are names from our own code."""
    names = list(rows[0])
    marks = ", ".join(f":{name}" for name in names)
    database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)  # noqa: S608
