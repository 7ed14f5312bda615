"""What a tool looks like to rankers: the words it is found by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from routeagent.catalog import Tool
from routeagent.text import clean, split_identifier

EMBEDDED_CHARACTERS = 600
"""Characters of a tool that are embedded."""
QUERY_CHARACTERS = 800
"""Characters of a request that are embedded."""
_DEPTH = 6


def document(tool: Tool) -> str:
    """All words of a tool: namespace, name, description, and its parameters' names, descriptions and choices."""
    name = split_identifier(tool.name)
    label = split_identifier(tool.label) if tool.label and tool.label != tool.name else ""
    words = (split_identifier(tool.namespace), name, label, tool.description, *_parameter_words(tool.parameters))
    return "\n".join(word for word in words if word)


def sentence(tool: Tool) -> str:
    """What is embedded of a tool: "split name: description", cut."""
    name = split_identifier(tool.label or tool.name)
    return clean(f"{name}: {tool.description}" if tool.description else name, EMBEDDED_CHARACTERS)


def request(query: str) -> str:
    """What is embedded of a request."""
    return clean(query, QUERY_CHARACTERS)


def _parameter_words(schema: object, depth: int = 0) -> Iterator[str]:
    if depth > _DEPTH or not isinstance(schema, Mapping):
        return
    node = cast("Mapping[str, Any]", schema)
    properties = node.get("properties")
    if isinstance(properties, Mapping):
        for name, inner in cast("Mapping[str, Any]", properties).items():
            yield split_identifier(str(name))
            yield from _words_of(inner, depth)
    yield from _parameter_words(node.get("items"), depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        for inner in _sequence(node.get(key)):
            yield from _parameter_words(inner, depth + 1)


def _words_of(schema: object, depth: int) -> Iterator[str]:
    if isinstance(schema, Mapping):
        node = cast("Mapping[str, Any]", schema)
        if isinstance(text := node.get("description"), str):
            yield text
        yield from (choice for choice in _sequence(node.get("enum")) if isinstance(choice, str))
        yield from _parameter_words(node, depth + 1)


def _sequence(value: object) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
