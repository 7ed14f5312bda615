"""Tools, namespaces and where they come from. Knows nothing of routing."""

from routeagent.catalog.catalog import Catalog, Executor
from routeagent.catalog.tool import Example, Namespace, Tool, ToolOptions, options_of, tool

__all__ = ["Catalog", "Example", "Executor", "Namespace", "Tool", "ToolOptions", "options_of", "tool"]
