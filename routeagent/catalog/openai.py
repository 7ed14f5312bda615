"""A catalogue from OpenAI function schemas, for people who have a loop of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, cast

from routeagent.catalog.catalog import Catalog, Dispatch, Executor
from routeagent.catalog.names import prefix_namespace, wire_name
from routeagent.catalog.tool import Example, Namespace, Tool
from routeagent.errors import CatalogError


def from_openai(
    tools: Iterable[Mapping[str, Any]],
    call: Dispatch | None = None,
    *,
    namespace: Callable[[str], str] = prefix_namespace,
    descriptions: Mapping[str, str] | None = None,
    core: Collection[str] = (),
    writes: Collection[str] = (),
    examples: Iterable[Example] = (),
) -> Catalog:
    """Take function definitions as the OpenAI SDK takes them.

    Args:
        tools: `{"type": "function", "function": {"name", "description", "parameters"}}`, or the same without the
            inner object, as the Responses API has it.
        call: runs a tool: `call(name, arguments)` with the name as given in `tools`.
        namespace: a tool's name to its namespace; by default what stands before the first separator.
        descriptions: what each namespace is about, for routers.
        core: names that are always shown.
        writes: names that change something and need approval.
        examples: requests with the tools they need.

    Raises:
        CatalogError: an entry is not a function definition.
        DuplicateToolError: two entries share a name.
    """
    found = [_tool(entry, place, namespace, core, writes) for place, entry in enumerate(tools, 1)]
    labels = {tool.name: tool.label for tool in found}

    about = [Namespace(name, text) for name, text in (descriptions or {}).items()]
    return Catalog(found, about, examples, executor=_executor(call, labels) if call else None, typed=False)


def _executor(call: Dispatch, labels: Mapping[str, str]) -> Executor:
    def find(name: str, /) -> Callable[..., Any]:
        def run(**arguments: Any) -> Any:
            return call(labels[name], arguments)

        return run

    return find


def _tool(
    entry: Mapping[str, Any],
    place: int,
    namespace: Callable[[str], str],
    core: Collection[str],
    writes: Collection[str],
) -> Tool:
    function = cast("Mapping[str, Any]", entry.get("function", entry))
    label = function.get("name")
    if not isinstance(label, str) or not label:
        raise CatalogError(f"tool {place} of the list is not an OpenAI function definition: it has no name")
    return Tool(
        name=wire_name(label),
        namespace=namespace(label),
        description=str(function.get("description") or ""),
        parameters=function.get("parameters") or {"type": "object", "properties": {}},
        label=label,
        core=label in core,
        writes=label in writes,
        origin=f"tool {place} of the list",
    )
