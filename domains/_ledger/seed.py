"""The rows that a fresh database starts with: the same every time."""

import sqlite3


def seed(database: sqlite3.Connection) -> None:
    """Fill the tables."""
    database.execute("INSERT INTO meta VALUES ('today', '2026-10-20')")
