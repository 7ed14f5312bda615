"""What an on-call engineer of a fictional firm, Larkfield, has at hand: seven namespaces over one SQLite database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ._store.database import open_database


@dataclass(frozen=True)
class Deps:
    """What every tool gets.

    Attributes:
        database: the SQLite file that tools read and write.
        user: who is on call; written beside every change.
    """

    database: Path
    user: str = "on-call"


def make_deps(database: Path | None = None) -> Deps:
    """Deps over a database, built where it does not exist.

    Args:
        database: the file; None takes the one that `ONCALL_DB` names, or the one beside this file.
    """
    return Deps(open_database(database))
