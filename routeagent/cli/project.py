"""A project's own defaults: the table `[tool.routeagent]` of the nearest pyproject.toml that has one."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any, cast

from routeagent.errors import UsageError

_TEXT = ("router", "retriever", "embedder", "model", "exposure", "base-url")
_PATHS = ("domains", "data", "queries")
_NUMBERS = ("top-k", "max-tools")
_LISTS = ("only", "exclude")
KEYS = (*_PATHS, *_TEXT, *_NUMBERS, *_LISTS)


def project_defaults(start: Path | None = None) -> dict[str, Any]:
    """The defaults that hold in a folder: keys as in the table, paths made absolute.

    Args:
        start: where to begin looking upwards; None is the current folder.

    Raises:
        UsageError: a pyproject.toml on the way is not TOML, or the table holds a key or value that means nothing.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        path = folder / "pyproject.toml"
        if path.is_file() and (table := _table(path)) is not None:
            return {key: _value(key, value, path) for key, value in table.items()}
    return {}


def _table(path: Path) -> dict[str, Any] | None:
    try:
        content = tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    table = content.get("tool", {}).get("routeagent")
    return cast("dict[str, Any]", table) if isinstance(table, dict) else None


def _value(key: str, given: Any, path: Path) -> Any:
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(KEYS)}"
        raise UsageError(f"{path}: [tool.routeagent] has no key {key!r}; {hint}")
    wanted, fits = _kind(key, given)
    if not fits:
        raise UsageError(f"{path}: [tool.routeagent] {key} = {given!r} is not {wanted}")
    return (path.parent / str(given)).resolve() if key in _PATHS else given


def _kind(key: str, given: Any) -> tuple[str, bool]:
    """What a key's value has to be, and whether it is that."""
    if key in _NUMBERS:
        return "a whole number", type(given) is int
    if key in _LISTS:
        return "a list of texts", isinstance(given, list) and all(
            isinstance(item, str) for item in cast("list[Any]", given)
        )
    return "a text", isinstance(given, str)
