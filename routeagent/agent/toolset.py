"""What a run shows of its tools, and what happens to the calls that come back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import anyio.to_thread
import pydantic_ai
from pydantic import TypeAdapter, ValidationError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.exceptions import ToolFailed, UserError
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition, ToolDenied
from pydantic_ai.toolsets import AbstractToolset, WrapperToolset
from pydantic_ai.toolsets.abstract import ToolsetTool
from pydantic_core import SchemaValidator

from routeagent.agent.calls import CallLimits, run_call
from routeagent.agent.native import defer
from routeagent.agent.sources import RETRIES, HostSource, Source, host_catalog
from routeagent.agent.state import RunState
from routeagent.catalog import Tool
from routeagent.meta import CALL_TOOL, SEARCH_TOOLS, unknown_tool

META = (SEARCH_TOOLS, CALL_TOOL)


class CatalogToolset(AbstractToolset[Any]):
    """The listed tools of a catalogue. Made for one run.

    Args:
        state: the state of that run.
        source: the catalogue and its code.
        limits: bounds of each call.
    """

    def __init__(self, state: RunState, source: Source, limits: CallLimits) -> None:
        self._state = state
        self._source = source
        self._limits = limits

    @property
    def id(self) -> str:
        return "routeagent"

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        await self._state.begin_step(self._source, ctx)
        return {tool.name: self._source.entry(tool, self) for tool in self._state.listed()}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        return await run_call(self._state, self._source, self._limits, name, tool_args, ctx)


@dataclass
class RoutedToolset(WrapperToolset[Any]):
    """Around all toolsets of an agent: orders what is visible, adds the meta tools, and answers their calls.

    Tools that are not routed come first, then core, `search_tools`, and what was found in the order in which it was
    found, so that the list only ever grows at its end.

    Attributes:
        wrapped: the agent's toolsets, `CatalogToolset` among them where there is a catalogue.
        state: the state of the run.
        host: whether the agent's own tools are what is routed.
        keep: names of the agent's own tools that are always shown.
        limits: bounds of each call of the agent's own tools.
    """

    state: RunState
    host: bool
    keep: frozenset[str] = frozenset()
    limits: CallLimits = field(default_factory=CallLimits)

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        tools = await self.wrapped.get_tools(ctx)
        if taken := next((name for name in META if name in tools), None):
            raise UserError(f"a tool is called {taken!r}, which routing needs for itself; rename it")
        if self.host:
            await self.state.begin_step(self._host_source(tools), ctx)
        return self._ordered(tools)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        if name == SEARCH_TOOLS:
            return await anyio.to_thread.run_sync(self.state.search, tool_args["queries"])
        if name == CALL_TOOL:
            return await self._dispatch(tool_args["name"], tool_args["arguments"], ctx)
        if name in self.state.unknown:
            return self._explain_unknown(name, ctx)
        if self.host and self.state.source is not None and name in self.state.source.catalog:
            return await run_call(self.state, self.state.source, self.limits, name, tool_args, ctx)
        return await self.wrapped.call_tool(name, tool_args, ctx, tool)

    def _host_source(self, tools: dict[str, ToolsetTool[Any]]) -> Source:
        earlier = self.state.source
        names = tuple(tools)
        if earlier is not None and tuple(tool.name for tool in earlier.catalog) == names:
            return HostSource(self.wrapped, tools, earlier.catalog)
        return HostSource(self.wrapped, tools, host_catalog(tools, self.keep))

    def _ordered(self, tools: dict[str, ToolsetTool[Any]]) -> dict[str, ToolsetTool[Any]]:
        source = self.state.source
        if source is None:
            return tools
        routed = source.catalog
        ordered = {name: tool for name, tool in tools.items() if name not in routed}
        core = {tool.name for tool in self.state.discovery.core()}
        listed = self.state.listed()
        ordered |= {tool.name: tools[tool.name] for tool in listed if tool.name in core and tool.name in tools}
        ordered |= {tool.name: self._meta(tool) for tool in self.state.meta()}
        held_back = self.state.exposure.delivery == "deferred"
        for tool in listed:
            if tool.name not in ordered and tool.name in tools:
                ordered[tool.name] = defer(tools[tool.name]) if held_back else tools[tool.name]
        return ordered | {name: self._unknown(name) for name in self.state.unknown if name not in ordered}

    def _meta(self, tool: Tool) -> ToolsetTool[Any]:
        definition = ToolDefinition(
            name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters)
        )
        schema = (_ASK if tool.name == SEARCH_TOOLS else _RUN).function_schema
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=RETRIES, args_validator=schema.validator)

    def _unknown(self, name: str) -> ToolsetTool[Any]:
        definition = ToolDefinition(name=name)
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=RETRIES, args_validator=_ANYTHING)

    def _explain_unknown(self, name: str, ctx: RunContext[Any]) -> Any:
        text = unknown_tool(name, self.state.discovery.nearest(name), self.state.discovery.catalog)
        self.state.trace.write("deny", step=ctx.run_step, tool=name, why="no such tool for this caller")
        if ctx.last_attempt:
            raise ToolFailed(text)
        raise ModelRetry(text)

    async def _dispatch(self, name: str, arguments: dict[str, Any], ctx: RunContext[Any]) -> Any:
        """Run a tool that is not listed under the same validation, approval and permission as one that is."""
        manager = ctx.tool_manager
        if manager is None or not self.state.discovery.may_call(name):
            return self._explain_unknown(name, ctx)
        call = ToolCallPart(name, arguments, tool_call_id=ctx.tool_call_id or "")
        try:
            result = await manager.handle_call(call, approved=ctx.tool_call_approved, wrap_validation_errors=False)
        except ValidationError as error:
            if ctx.last_attempt:
                raise ToolFailed(f"{name}: {_errors(error)}") from error
            raise ModelRetry(f"{name}: {_errors(error)}") from error
        return f"denied: {result.message}" if isinstance(result, ToolDenied) else result


def _errors(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, row['loc']))}: {row['msg']}" for row in error.errors())


def _ask(queries: list[str]) -> None:
    """Gives `search_tools` its validator; the toolset answers the call."""


def _run(name: str, arguments: dict[str, Any]) -> None:
    """Gives `call_tool` its validator; the toolset answers the call."""


_ASK = pydantic_ai.Tool(_ask, name=SEARCH_TOOLS)
_RUN = pydantic_ai.Tool(_run, name=CALL_TOOL)
_ANYTHING = cast("SchemaValidator", TypeAdapter(dict[str, Any]).validator)
