"""Tasks of an experiment: a goal in words, and how to tell from the database and the answer that it was reached."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast, get_args

from routeagent.catalog.records import read_rows
from routeagent.errors import DataError

Kind = Literal["read", "write", "multi", "forbidden", "unservable"]
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a query of the task's own database must give after the run, row by row in that order."""

    sql: str
    expect: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer must say.

    Attributes:
        contains: of each group at least one wording must stand in the answer.
        absent: none of these may.
    """

    contains: tuple[tuple[str, ...], ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One goal.

    Attributes:
        id: unique in its file.
        request: what the person says.
        lang: `zh` or `en`.
        kind: `read` changes nothing; `write` changes one thing; `multi` needs several tools; `forbidden` needs a tool
            that the principal may not use; `unservable` needs one that does not exist.
        needs: wire names of the tools by which it is meant to be done; where others lead there too, effects and answer
            still count.
        effects: what the database must hold afterwards.
        answer: what the answer must and must not say.
        history: earlier user turns, oldest first.
        principal: the caller's scopes; None is a caller without a principal.
        approve: whether the person approves of writes when asked.
        scopes: tools that need these scopes in this task, instead of their own.
    """

    id: str
    request: str
    lang: Literal["zh", "en"]
    kind: Kind
    needs: tuple[str, ...]
    effects: tuple[Effect, ...] = ()
    answer: Expected = field(default_factory=Expected)
    history: tuple[str, ...] = ()
    principal: tuple[str, ...] | None = None
    approve: bool = True
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def read_tasks(path: str | Path) -> list[Task]:
    """The tasks of a JSONL file, in its order.

    Raises:
        DataError: the file cannot be read, a row is malformed, or two rows share an id; file and line are named.
    """
    tasks: dict[str, Task] = {}
    for place, row in read_rows(Path(path)):
        task = _task(row, place)
        if task.id in tasks:
            raise DataError(f"{place}: there is a task {task.id!r} already; give this one another id")
        tasks[task.id] = task
    return list(tasks.values())


def check_answer(task: Task, text: str) -> list[str]:
    """What is wrong with an answer, a sentence each; empty where it says all it must and nothing it must not.

    Case and width of letters do not matter. A wording that begins or ends with a digit does not match inside a longer
    number.
    """
    said = _folded(text)
    missing = [group for group in task.answer.contains if not any(_says(said, wording) for wording in group)]
    wrong = [wording for wording in task.answer.absent if _says(said, wording)]
    return [f"the answer lacks {' or '.join(map(repr, group))}" for group in missing] + [
        f"the answer says {wording!r}" for wording in wrong
    ]


def check_effects(task: Task, sqlite_path: str | Path) -> list[str]:
    """What a database lacks after a run, a sentence each; empty where all effects hold. The connection cannot write.

    Raises:
        DataError: there is no such database, or a query of the task is no SQL that it can answer.
    """
    address = f"{Path(sqlite_path).resolve().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            found = [(effect, _rows(database, effect.sql)) for effect in task.effects]
    except sqlite3.Error as error:
        raise DataError(f"task {task.id!r}: {sqlite_path} does not answer its effects: {error}") from error
    return [
        f"{effect.sql} gave {_shown(rows)} instead of {_shown(effect.expect)}"
        for effect, rows in found
        if rows != effect.expect
    ]


def _rows(database: sqlite3.Connection, sql: str) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(row) for row in database.execute(sql))


def _shown(rows: tuple[tuple[Cell, ...], ...]) -> str:
    return str([list(row) for row in rows])


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _says(said: str, wording: str) -> bool:
    words = _folded(wording)
    before = r"(?<!\d)" if words[:1].isdigit() else ""
    after = r"(?!\d)" if words[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(words)}{after}", said) is not None


def _task(row: dict[str, Any], place: str) -> Task:
    principal = row.get("principal")
    return Task(
        id=_text(row, "id", place),
        request=_text(row, "request", place),
        lang=_one_of(row, "lang", ("zh", "en"), place),
        kind=_one_of(row, "kind", get_args(Kind), place),
        needs=_texts(row.get("needs"), "needs", place),
        effects=tuple(_effect(effect, place) for effect in _list(row.get("effects", []), "effects", place)),
        answer=_expected(row.get("answer", {}), place),
        history=_texts(row.get("history", []), "history", place),
        principal=None if principal is None else _texts(principal, "principal", place),
        approve=_truth(row.get("approve", True), "approve", place),
        scopes=_scopes(row.get("scopes", {}), place),
    )


def _effect(value: object, place: str) -> Effect:
    row = _object(value, "an effect", place)
    sql = _text(row, "sql", place)
    if not re.match(r"\s*(?:select|with)\b", sql, re.IGNORECASE):
        raise DataError(f"{place}: the effect {sql!r} is not a SELECT; an effect only looks")
    rows = [_list(cells, "expect", place) for cells in _list(row.get("expect"), "expect", place)]
    if not all(isinstance(cell, Cell) for cells in rows for cell in cells):
        raise DataError(f'{place}: "expect" is not rows of texts, numbers and nulls')
    return Effect(sql, tuple(tuple(cast("list[Cell]", cells)) for cells in rows))


def _expected(value: object, place: str) -> Expected:
    row = _object(value, '"answer"', place)
    groups = [_texts(group, "contains", place) for group in _list(row.get("contains", []), "contains", place)]
    if not all(groups):
        raise DataError(f'{place}: a group in "contains" is empty, so no answer could hold one of it')
    return Expected(tuple(groups), _texts(row.get("absent", []), "absent", place))


def _scopes(value: object, place: str) -> dict[str, tuple[str, ...]]:
    return {tool: _texts(held, "scopes", place) for tool, held in _object(value, '"scopes"', place).items()}


def _object(value: object, what: str, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{place}: {what} is not an object")
    return cast("dict[str, Any]", value)


def _list(value: object, key: str, place: str) -> list[object]:
    if not isinstance(value, list):
        raise DataError(f'{place}: "{key}" is not a list')
    return cast("list[object]", value)


def _text(row: dict[str, Any], key: str, place: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f'{place} has no "{key}" text')
    return value


def _texts(value: object, key: str, place: str) -> tuple[str, ...]:
    items = _list(value, key, place)
    if not all(isinstance(item, str) and item for item in items):
        raise DataError(f'{place}: "{key}" is not a list of texts')
    return tuple(cast("list[str]", items))


def _one_of(row: dict[str, Any], key: str, choices: tuple[str, ...], place: str) -> Any:
    value = row.get(key)
    if value not in choices:
        raise DataError(f'{place}: "{key}" is {value!r}; it is one of {", ".join(choices)}')
    return value


def _truth(value: object, key: str, place: str) -> bool:
    if not isinstance(value, bool):
        raise DataError(f'{place}: "{key}" is neither true nor false')
    return value
