"""A project's own defaults: the table `[tool.routeagent]` of the nearest pyproject.toml that has one."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import Any, cast

from routeagent.errors import UsageError

_TEXT = ("router", "retriever", "embedder", "model", "base-url")
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


def _value(key: str, value: Any, path: Path) -> Any:
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(KEYS)}"
        raise UsageError(f"{path}: [tool.routeagent] has no key {key!r}; {hint}")
    if key in _NUMBERS:
        wanted, fits = "a whole number", isinstance(value, int) and not isinstance(value, bool)
    elif key in _LISTS:
        items = cast("list[Any]", value) if isinstance(value, list) else [None]
        wanted, fits = "a list of texts", all(isinstance(item, str) for item in items)
    else:
        wanted, fits = "a text", isinstance(value, str)
    if not fits:
        raise UsageError(f"{path}: [tool.routeagent] {key} = {value!r} is not {wanted}")
    return (path.parent / value).resolve() if key in _PATHS else value
