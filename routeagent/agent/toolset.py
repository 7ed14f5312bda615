"""The visible part of a catalogue as a pydantic-ai toolset. It lives for one run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, cast

import anyio.to_thread
import pydantic_ai
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets.abstract import ToolsetTool

from routeagent.catalog import Catalog, Tool
from routeagent.discovery import Discovery
from routeagent.meta import SEARCH_TOOLS

_RETRIES = 3
"""How often a model may correct its arguments for one tool before the call counts as failed."""


class Bindings:
    """Tools of a catalogue bound to the code behind them. Shared by all runs; each tool is bound on first use."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._bound: dict[str, pydantic_ai.Tool[Any]] = {}

    def __getitem__(self, name: str) -> pydantic_ai.Tool[Any]:
        if name not in self._bound:
            self._bound[name] = self._bind(self._catalog[name])
        return self._bound[name]

    def _bind(self, tool: Tool) -> pydantic_ai.Tool[Any]:
        function = self._catalog.function(tool.name)
        if not self._catalog.typed:
            return pydantic_ai.Tool.from_schema(function, tool.name, tool.description, dict(tool.parameters))
        return pydantic_ai.Tool(function, name=tool.name, description=tool.description)


class RoutedToolset(AbstractToolset[Any]):
    """Shows what `Discovery` made visible, in its order, and runs any tool that its principal may use.

    Args:
        discovery: the state of this run.
        bindings: the code behind the catalogue.
    """

    def __init__(self, discovery: Discovery, bindings: Bindings) -> None:
        self.discovery = discovery
        self._bindings = bindings
        self._search = pydantic_ai.Tool(_ask, name=SEARCH_TOOLS)
        self._routed = False
        self._unseen: list[str] = []

    @property
    def id(self) -> str:
        return "routeagent"

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        self.discovery.step = ctx.run_step
        if not self._routed:
            self._routed = True
            await anyio.to_thread.run_sync(self.discovery.route, prompt_text(ctx))
        visible = {tool.name: self._entry(tool) for tool in self.discovery.tools()}
        return visible | {name: self._entry(self.discovery.catalog[name]) for name in self._unseen}

    def admit_calls(self, names: Iterable[str]) -> bool:
        """Make ready what the model calls before it was loaded. True where `get_tools` has more to give by it."""
        unloaded = [name for name in names if self.discovery.may_call(name) and name not in self.discovery.visible]
        shown = self.discovery.reveal(unloaded, why="called before it was loaded")
        self._unseen = [name for name in unloaded if name not in shown]
        return bool(unloaded)

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        if name == SEARCH_TOOLS:
            return await anyio.to_thread.run_sync(self.discovery.search, tool_args["queries"])
        self._unseen = []
        trace, step = self.discovery.trace, self.discovery.step
        trace.write("call", step=step, tool=name, arguments=tool_args)
        started = time.perf_counter()
        ended = partial(trace.write, "result", step=step, tool=name)
        try:
            result = await self._run(name, tool_args, ctx)
        except ModelRetry as error:
            ended(ok=False, error=error.message, ms=_since(started))
            if ctx.last_attempt:  # one more would end the run, and with it what else was asked
                raise ToolFailed(error.message) from error
            raise
        except (ApprovalRequired, CallDeferred):
            raise
        except Exception as error:
            ended(ok=False, error=f"{type(error).__name__}: {error}", ms=_since(started))
            raise ToolFailed(_failure(name, error)) from error
        ended(ok=True, ms=_since(started))
        return result

    async def _run(self, name: str, arguments: dict[str, Any], ctx: RunContext[Any]) -> Any:
        seconds = self.discovery.catalog[name].timeout
        async with asyncio.timeout(seconds):
            return await self._bindings[name].function_schema.call(arguments, ctx)

    def _entry(self, tool: Tool) -> ToolsetTool[Any]:
        bound = self._search if tool.name == SEARCH_TOOLS else self._bindings[tool.name]
        definition = ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=dict(tool.parameters),
            kind="unapproved" if tool.writes else "function",
        )
        schema = bound.function_schema
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=_RETRIES, args_validator=schema.validator)


def _ask(queries: list[str]) -> None:
    """Gives `search_tools` its validator; the call itself is answered by the toolset."""


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)


def _failure(name: str, error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"{name} 超时,结果未知 (timed out; whether it took effect is not known)"
    return f"{name} 出错,没有结果 (failed: {type(error).__name__}: {error})"


def prompt_text(ctx: RunContext[Any]) -> str:
    """What the user said last: the run's prompt, or the last user turn of a run that was resumed without one."""
    content: Any = ctx.prompt
    if content is None:
        turns = [part for message in ctx.messages if isinstance(message, ModelRequest) for part in message.parts]
        content = next((part.content for part in reversed(turns) if isinstance(part, UserPromptPart)), "")
    if isinstance(content, str):
        return content
    return "\n".join(part for part in cast("list[Any]", content) if isinstance(part, str))
