"""What a tool finds in `ctx.deps`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from .database import Change, Row, change, rows


@dataclass(frozen=True)
class Deps:
    """The desk that a tool works at.

    Attributes:
        database: the SQLite file.
        today: the day on which the desk works; fixed with the data, so that "in the last 90 days" means the same
            in every run.
        user: the agent at the desk, who signs notes and requests.
    """

    database: Path
    today: date
    user: str = "客服小林"

    @classmethod
    def at(cls, database: Path) -> Deps:
        """The desk of a database, on the day that it was made for."""
        (row,) = rows(database, "SELECT value FROM meta WHERE key = 'today'")
        return cls(database, date.fromisoformat(row["value"]))

    @property
    def now(self) -> str:
        """The moment that is written beside what happens now."""
        return f"{self.today} 12:00:00"

    def rows(self, sql: str, *values: object) -> list[Row]:
        """What a query finds. Cannot write."""
        return rows(self.database, sql, *values)

    def change(self) -> AbstractContextManager[Change]:
        """One transaction: `with ctx.deps.change() as change`. Raising inside it undoes everything."""
        return change(self.database)
