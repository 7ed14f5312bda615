"""Cases from JSONL files, and their tools tied to a catalogue's."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from routeagent.catalog import Catalog, Example
from routeagent.errors import DataError

_NAMED = 5


def read_cases(path: Path) -> list[Example]:
    """The cases of a file: one JSON object a line with `query` and `tools`; empty lines are skipped.

    `id`, `history`, `principal` and `alternatives` may stand beside them; other keys are ignored.

    Raises:
        DataError: the file cannot be read, or a line is not a case; the file and the line are named.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
    return [_case(line, path, number) for number, line in enumerate(lines, 1) if line.strip()]


def sample(cases: Sequence[Example], limit: int | None, seed: int = 0) -> list[Example]:
    """At most `limit` cases, drawn without replacement, in the file's order; the same seed draws the same."""
    if limit is None or limit >= len(cases):
        return list(cases)
    drawn = random.Random(seed).sample(range(len(cases)), max(limit, 0))  # noqa: S311 - a draw, not a secret
    return [cases[number] for number in sorted(drawn)]


def bind(cases: Sequence[Example], catalog: Catalog) -> list[Example]:
    """The cases with wire names for tools, which may be named by their label.

    Raises:
        DataError: cases need tools that the catalogue does not have; the first of both are named.
    """
    wire = {tool.label: tool.name for tool in catalog if tool.label} | {tool.name: tool.name for tool in catalog}
    unknown = {name: case.id or case.query for case in cases for name in case.tools if name not in wire}
    if unknown:
        listed = "; ".join(f"{name!r} (case {case!r})" for name, case in list(unknown.items())[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        raise DataError(f"cases need tools that are not among the catalogue's {len(catalog)}: {listed}{more}")
    return [
        replace(
            case,
            tools=tuple(dict.fromkeys(wire[name] for name in case.tools)),
            alternatives={
                wire[name]: tuple(wire[other] for other in others if other in wire)
                for name, others in case.alternatives.items()
                if name in wire
            },
        )
        for case in cases
    ]


def _case(line: str, path: Path, number: int) -> Example:
    try:
        raw: object = json.loads(line)
    except ValueError as error:
        raise DataError(f"{path}:{number}: not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise DataError(f"{path}:{number}: a case is an object with 'query' and 'tools'")
    row = cast("dict[str, Any]", raw)
    if not isinstance(query := row.get("query"), str):
        raise DataError(f"{path}:{number}: 'query' must be a text")
    principal = row.get("principal")
    if principal is not None and not isinstance(principal, str):
        raise DataError(f"{path}:{number}: 'principal' must be a text")
    return Example(
        query,
        _texts(row.get("tools"), "tools", path, number),
        _texts(row.get("history", []), "history", path, number),
        principal,
        str(row.get("id", number)),
        _alternatives(row.get("alternatives"), path, number),
    )


def _texts(value: object, key: str, path: Path, number: int) -> tuple[str, ...]:
    items = cast("list[object]", value) if isinstance(value, list) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise DataError(f"{path}:{number}: {key!r} must be a list of texts")
    return tuple(cast("list[str]", items))


def _alternatives(value: object, path: Path, number: int) -> Mapping[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DataError(f"{path}:{number}: 'alternatives' must be an object of lists")
    return {
        name: _texts(others, "alternatives", path, number) for name, others in cast("dict[str, Any]", value).items()
    }
