"""The database file: found, built whole on first use, read and changed."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from routeagent.storage import cache_dir, write_atomic

from .schema import SCHEMA, VERSION
from .seed import seed

VARIABLE = "CLOUDLEDGER_DB"
BUSY_SECONDS = 10.0
_FOLDER = Path(__file__).resolve().parent.parent

Row = dict[str, Any]


def open_database(path: Path | None = None) -> Path:
    """The database file: `path`, else `$CLOUDLEDGER_DB`, else `.data/cloudledger.db` here, else in the cache folder.

    The cache folder serves where this one is read-only. A file that is damaged or of an older version is put aside
    as `.bak` and built again.

    Raises:
        OSError: none of the places can be written to.
    """
    named = path or os.environ.get(VARIABLE)
    if named:
        return _ready(Path(named).expanduser())
    try:
        return _ready(_FOLDER / ".data" / "cloudledger.db")
    except OSError:
        return _ready(cache_dir() / "cloudledger.db")


def build() -> bytes:
    """A fresh database as the bytes of its file; the same every time."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.executescript(SCHEMA)
        seed(database)
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.commit()
        return database.serialize()


def rows(database: Path, sql: str, *values: object) -> list[Row]:
    """What a query finds, each row by column name, over a connection that cannot write."""
    address = f"{database.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)) as connection:
        return _rows(connection, sql, *values)


class Change:
    """One open transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[Row]:
        """What a query finds inside the transaction."""
        return _rows(self._connection, sql, *values)

    def run(self, sql: str, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""
        return self._connection.execute(sql, values).rowcount

    def insert(self, table: str, **fields: object) -> int:
        """Add a row; its rowid. Table and fields are names from our own code, values go as parameters."""
        marks = ", ".join("?" * len(fields))
        sql = f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({marks})"  # noqa: S608
        return self._connection.execute(sql, tuple(fields.values())).lastrowid or 0


@contextmanager
def change(database: Path) -> Generator[Change]:
    """One transaction under foreign keys: all of it or, where anything is raised, nothing."""
    with closing(sqlite3.connect(database, isolation_level=None, timeout=BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield Change(connection)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _rows(connection: sqlite3.Connection, sql: str, *values: object) -> list[Row]:
    cursor = connection.execute(sql, values)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _ready(path: Path) -> Path:
    if not _current(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone(path):
            _renew(path)
    return path


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Only one process at a time builds a file: a second would put the first one's aside, with what was written to it.

    The lock is an empty database beside the file, so that it works on every system and ends with its process.
    """
    address = path.with_name(f".{path.name}.lock")
    try:
        with closing(sqlite3.connect(address, isolation_level=None, timeout=BUSY_SECONDS)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.OperationalError as error:
        raise OSError(f"{path} cannot be built: {address} cannot be locked ({error})") from error


def _renew(path: Path) -> None:
    if _current(path):  # another process was faster
        return
    if path.exists():
        path.replace(path.with_name(f"{path.name}.bak"))
    write_atomic(path, build())


def _current(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        return rows(path, "PRAGMA user_version")[0]["user_version"] == VERSION and bool(
            rows(path, "SELECT 1 FROM meta")
        )
    except sqlite3.DatabaseError:
        return False
