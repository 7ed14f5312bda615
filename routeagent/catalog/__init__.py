"""Tools, namespaces and where they come from. Knows nothing of routing."""

from routeagent.catalog.catalog import Catalog, Dispatch, Executor
from routeagent.catalog.folder import load_folder
from routeagent.catalog.jsonl import load_jsonl
from routeagent.catalog.load import load_catalog
from routeagent.catalog.records import read_examples
from routeagent.catalog.tool import Example, Namespace, Tool, tool

__all__ = [
    "Catalog",
    "Dispatch",
    "Example",
    "Executor",
    "Namespace",
    "Tool",
    "load_catalog",
    "load_folder",
    "load_jsonl",
    "read_examples",
    "tool",
]
