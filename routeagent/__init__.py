"""An agent works with hundreds of tools while the model sees only the few it needs.

Everything here is imported when it is first used, so that `import routeagent` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routeagent.agent import Approval, RouteAgent, RoutedTools, RunResult
    from routeagent.catalog import Catalog, Example, Namespace, Tool, load_catalog, tool
    from routeagent.errors import RouteAgentError
    from routeagent.search import ToolIndex
    from routeagent.selector import ToolSelector

__version__ = "0.1.0"

_HOMES = {
    "Approval": "routeagent.agent",
    "Catalog": "routeagent.catalog",
    "Example": "routeagent.catalog",
    "Namespace": "routeagent.catalog",
    "RouteAgent": "routeagent.agent",
    "RouteAgentError": "routeagent.errors",
    "RoutedTools": "routeagent.agent",
    "RunResult": "routeagent.agent",
    "Tool": "routeagent.catalog",
    "ToolIndex": "routeagent.search",
    "ToolSelector": "routeagent.selector",
    "load_catalog": "routeagent.catalog",
    "tool": "routeagent.catalog",
}

__all__ = [
    "Approval",
    "Catalog",
    "Example",
    "Namespace",
    "RouteAgent",
    "RouteAgentError",
    "RoutedTools",
    "RunResult",
    "Tool",
    "ToolIndex",
    "ToolSelector",
    "load_catalog",
    "tool",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'routeagent' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
