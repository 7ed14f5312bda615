"""Who may use a tool: the one function that everything asks before it ranks, shows, names or runs one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

from routeagent.catalog import Tool


def permitted(tool: Tool, principal: Any) -> bool:
    """Whether a caller may see and use a tool: it holds all of the tool's scopes.

    Args:
        tool: a tool without scopes is open to everyone.
        principal: a collection of scopes, or an object with `scopes`; None holds none.
    """
    return not tool.scopes or set(tool.scopes) <= _scopes(principal)


def _scopes(principal: Any) -> set[str]:
    held = getattr(principal, "scopes", principal)
    if held is None or isinstance(held, str) or not isinstance(held, Collection):
        return set()
    return set(cast("Collection[str]", held))
