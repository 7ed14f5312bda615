"""Fills a fresh database: the hand-written records, then the lines and points that surround them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from .clock import NOW, stamp
from .incidents import COMMITS, DEPLOYS, ERRORS, LOGS, SERVICES, SOURCE
from .paperwork import COMMENTS, DOCS, ISSUES
from .series import METRICS, value_at

_STEP = timedelta(minutes=10)
_FIRST = NOW - timedelta(hours=36)
_ROUTES = {
    "checkout": "POST /pay 200",
    "ledger-api": "POST /entries 201",
    "search": "GET /search 200",
    "mailer": "sent template=receipt",
    "web": "GET /cart 200",
    "auth": "POST /session 200",
}


def seed(database: sqlite3.Connection) -> None:
    """Fill the tables. Nothing is drawn by chance and no clock is read."""
    _fill(database, "service", SERVICES)
    _fill(database, "deploy", DEPLOYS)
    _fill(database, "code_commit", COMMITS)
    _fill(database, "code_line", SOURCE)
    _fill(database, "issue", ISSUES)
    _fill(database, "issue_comment", COMMENTS)
    _fill(database, "error_group", ERRORS)
    _fill(database, "doc", DOCS)
    _fill(database, "metric", METRICS)
    lines = sorted([*LOGS, *_routine_lines()], key=lambda line: (line[1], line[0], line[3]))
    _fill(database, "log_line", [(number, *line) for number, line in enumerate(lines, 1)])
    _fill(database, "metric_point", list(_points()))


def _fill(database: sqlite3.Connection, table: str, records: Sequence[tuple[object, ...]]) -> None:
    places = ", ".join("?" * len(records[0]))
    database.executemany(f"INSERT INTO {table} VALUES ({places})", records)  # noqa: S608 - names are ours


def _moments() -> Iterator[tuple[int, datetime]]:
    for number in range(int((NOW - _FIRST) / _STEP) + 1):
        yield number, _FIRST + number * _STEP


def _routine_lines() -> Iterator[tuple[str, str, str, str]]:
    """One ordinary line a service every half hour: what a search has to see past."""
    for number, moment in _moments():
        if number % 3 == 0:
            for place, (service, text) in enumerate(_ROUTES.items()):
                yield service, stamp(moment), "INFO", f"{text} {20 + (number * 7 + place * 11) % 40}ms"


def _points() -> Iterator[tuple[str, str, str, float]]:
    for number, moment in _moments():
        for service, metric, _, _ in METRICS:
            at = stamp(moment)
            yield service, metric, at, value_at(service, metric, at, number)
