"""Where a run's routed tools come from: a catalogue of ours, or the toolsets that the host agent has already."""

from __future__ import annotations

from typing import Any, Protocol

import pydantic_ai
from pydantic_ai import RunContext
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets.abstract import ToolsetTool

from routeagent.catalog import Catalog, Tool
from routeagent.catalog.names import prefix_namespace

RETRIES = 3
"""How often a model may correct its arguments for one tool before the call counts as failed."""


class Source(Protocol):
    """Tools that can be looked up and run by name."""

    @property
    def catalog(self) -> Catalog: ...

    def entry(self, tool: Tool, owner: AbstractToolset[Any]) -> ToolsetTool[Any]:
        """The tool as pydantic-ai validates and runs it, on behalf of `owner`."""
        ...

    async def call(self, name: str, arguments: dict[str, Any], ctx: RunContext[Any]) -> Any:
        """Run a tool with validated arguments."""
        ...


class CatalogSource:
    """Tools of a catalogue bound to the code behind them. Shared by all runs; each tool is bound on first use."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._bound: dict[str, pydantic_ai.Tool[Any]] = {}

    def entry(self, tool: Tool, owner: AbstractToolset[Any]) -> ToolsetTool[Any]:
        """See `Source.entry`."""
        definition = ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=dict(tool.parameters),
            kind="unapproved" if tool.writes else "function",
        )
        validator = self._tool(tool.name).function_schema.validator
        return ToolsetTool(toolset=owner, tool_def=definition, max_retries=RETRIES, args_validator=validator)

    async def call(self, name: str, arguments: dict[str, Any], ctx: RunContext[Any]) -> Any:
        """See `Source.call`."""
        return await self._tool(name).function_schema.call(arguments, ctx)

    def _tool(self, name: str) -> pydantic_ai.Tool[Any]:
        if name not in self._bound:
            self._bound[name] = self._bind(self.catalog[name])
        return self._bound[name]

    def _bind(self, tool: Tool) -> pydantic_ai.Tool[Any]:
        function = self.catalog.function(tool.name)
        if not self.catalog.typed:
            return pydantic_ai.Tool.from_schema(function, tool.name, tool.description, dict(tool.parameters))
        return pydantic_ai.Tool(function, name=tool.name, description=tool.description)


class HostSource:
    """The host agent's own tools, as they are in one step."""

    def __init__(self, wrapped: AbstractToolset[Any], tools: dict[str, ToolsetTool[Any]], catalog: Catalog) -> None:
        self.catalog = catalog
        self._wrapped = wrapped
        self._tools = tools

    def entry(self, tool: Tool, owner: AbstractToolset[Any]) -> ToolsetTool[Any]:
        """See `Source.entry`."""
        return self._tools[tool.name]

    async def call(self, name: str, arguments: dict[str, Any], ctx: RunContext[Any]) -> Any:
        """See `Source.call`."""
        return await self._wrapped.call_tool(name, arguments, ctx, self._tools[name])


def host_catalog(tools: dict[str, ToolsetTool[Any]], keep: frozenset[str]) -> Catalog:
    """The host's tools as a catalogue: the toolset's id is the namespace, else the name's prefix.

    `metadata` of a tool may say `namespace`, `scopes` and `writes`, as pydantic-ai's tools carry it.
    """
    return Catalog([_host_tool(tool.tool_def, keep) for tool in tools.values()])


def _host_tool(definition: ToolDefinition, keep: frozenset[str]) -> Tool:
    said = definition.metadata or {}
    namespace = said.get("namespace") or definition.toolset_id
    if not namespace or str(namespace).startswith("<"):  # ids in angle brackets are pydantic-ai's own
        namespace = prefix_namespace(definition.name)
    return Tool(
        name=definition.name,
        namespace=str(namespace),
        description=definition.description or "",
        parameters=definition.parameters_json_schema,
        label=definition.name,
        core=definition.name in keep,
        writes=definition.kind == "unapproved" or bool(said.get("writes")),
        scopes=tuple(said.get("scopes") or ()),
        timeout=definition.timeout,
    )
