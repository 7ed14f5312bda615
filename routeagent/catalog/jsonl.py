"""A catalogue from data files: `tools.jsonl`, with `namespaces.jsonl` and `examples.jsonl` where they lie beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from routeagent.catalog.catalog import Catalog
from routeagent.catalog.names import prefix_namespace, wire_name
from routeagent.catalog.records import read_examples, read_rows
from routeagent.catalog.tool import Example, Namespace, Tool
from routeagent.errors import CatalogError, DataError


def load_jsonl(folder: str | Path) -> Catalog:
    """Read a folder of data files into a catalogue for evaluation; there is no code behind its tools.

    `tools.jsonl` has rows of `name`, `namespace`, `description` and `parameters` (JSON Schema); `namespaces.jsonl`
    rows of `namespace`, `title` and `description`; `examples.jsonl` rows of `query` and `tools`.

    Raises:
        CatalogError: there is no `tools.jsonl`.
        DataError: a row of tools is malformed; file and line are named.
        DuplicateToolError: two rows share a name.
    """
    root = Path(folder)
    path = root / "tools.jsonl"
    if not path.is_file():
        raise CatalogError(f"{root} holds no tools.jsonl")
    tools = [_tool(row, place) for place, row in read_rows(path)]
    names = {tool.label: tool.name for tool in tools}
    problems: list[str] = []
    examples: list[Example] = []
    if (written := root / "examples.jsonl").is_file():
        examples = read_examples(written, names.get, problems)
    return Catalog(tools, _namespaces(root / "namespaces.jsonl"), examples, problems=problems)


def _tool(row: dict[str, Any], place: str) -> Tool:
    label = row.get("name")
    if not isinstance(label, str) or not label:
        raise DataError(f'{place} has no "name"')
    return Tool(
        name=wire_name(label),
        namespace=str(row.get("namespace") or prefix_namespace(label)),
        description=str(row.get("description") or ""),
        parameters=row.get("parameters") or {"type": "object", "properties": {}},
        label=label,
        core=bool(row.get("core", False)),
        origin=place,
    )


def _namespaces(path: Path) -> list[Namespace]:
    if not path.is_file():
        return []
    return [
        Namespace(
            str(row.get("namespace") or ""),
            ". ".join(str(row[key]) for key in ("title", "description") if row.get(key)),
            origin=place,
        )
        for place, row in read_rows(path)
    ]
