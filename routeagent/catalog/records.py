"""JSONL files of tools, namespaces, examples and cases, read line by line so that one bad line costs one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from routeagent.catalog.tool import Example
from routeagent.errors import DataError


def read_rows(path: Path, problems: list[str] | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each JSON object of a file with its place (`file:line`). Blank lines are passed over.

    Args:
        path: a UTF-8 file, one JSON object a line.
        problems: where a malformed line is reported before going on; None makes it an error.

    Raises:
        DataError: the file cannot be read, or a line is malformed and `problems` is None.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read as UTF-8 text: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            _complain(f"{place} is not JSON: {error}", problems)
            continue
        if isinstance(row, dict):
            yield place, cast("dict[str, Any]", row)
        else:
            _complain(f"{place} is not a JSON object", problems)


def read_examples(path: Path, resolve: Callable[[str], str | None], problems: list[str] | None = None) -> list[Example]:
    """Examples or cases of one file.

    Args:
        path: rows of `query`, `tools` and optionally `id`, `history`, `principal`, `alternatives`.
        resolve: a tool's written name to its wire name, None where there is no such tool.
        problems: where bad rows are reported; None makes the first one an error.

    Raises:
        DataError: the file cannot be read, or a row is bad and `problems` is None.
    """
    found: list[Example] = []
    for place, row in read_rows(path, problems):
        try:
            found.append(_example(row, place, resolve))
        except DataError as error:
            _complain(str(error), problems)
    return found


def _example(row: dict[str, Any], place: str, resolve: Callable[[str], str | None]) -> Example:
    query = row.get("query")
    if not isinstance(query, str) or not query.strip():
        raise DataError(f'{place} has no "query" text')
    named = _strings(row.get("tools"), place, "tools")
    missing = [name for name in named if resolve(name) is None]
    if missing:
        raise DataError(f"{place} names {missing[0]!r}, which is no tool of this catalogue")
    alternatives = cast("dict[str, list[str]]", row.get("alternatives") or {})
    return Example(
        query=query,
        tools=tuple(_known(named, resolve)),
        history=_strings(row.get("history") or [], place, "history"),
        principal=row.get("principal"),
        id=str(row.get("id") or place.rpartition(":")[2]),
        alternatives={
            name: tuple(_known(others, resolve))
            for own, others in alternatives.items()
            if (name := resolve(own)) is not None
        },
    )


def _known(names: tuple[str, ...] | list[str], resolve: Callable[[str], str | None]) -> Iterator[str]:
    return (name for own in names if (name := resolve(own)) is not None)


def _strings(value: Any, place: str, field: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[Any]", value)):
        raise DataError(f'{place}: "{field}" is not a list of strings')
    return tuple(cast("list[str]", value))


def _complain(sentence: str, problems: list[str] | None) -> None:
    if problems is None:
        raise DataError(sentence)
    problems.append(sentence)
