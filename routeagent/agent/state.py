"""What one run has seen, found and spent. Made for the run; concurrent runs never meet."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart

from routeagent.agent.reading import facts_of, intent_text, prompt_text, within_provider
from routeagent.agent.sources import Source
from routeagent.catalog import Catalog, Tool
from routeagent.discovery import Discovery
from routeagent.exposure import Choice, Exposure, choose
from routeagent.meta import SEARCH_TOOLS
from routeagent.search import ToolIndex
from routeagent.selection import Limits
from routeagent.tokens import definition_tokens
from routeagent.trace import Trace


@dataclass(frozen=True, slots=True)
class Settings:
    """What a capability was told, and what it built once for all its runs."""

    limits: Limits
    exposure: str
    re_retrieve: str
    index: Callable[[Catalog], ToolIndex]
    principal: Callable[[RunContext[Any]], Any] | None


@dataclass(slots=True)
class Ledger:
    """Writes of one run that were begun, by key, with what they came to: `unknown` or `done`."""

    begun: dict[str, str] = field(default_factory=dict[str, str])


class RunState:
    """The state of a run: opened in its first step, when the tools, the caller and the model are known.

    Args:
        settings: what the capability was told.
        trace: where the run's events go.
    """

    def __init__(self, settings: Settings, trace: Trace) -> None:
        self.settings = settings
        self.trace = trace
        self.principal: Any = None
        self.source: Source | None = None
        self.choice: Choice | None = None
        self.unknown: list[str] = []
        self.ledger = Ledger()
        self.approvers: dict[str, str] = {}
        self.doubted = False
        self.steps = 0
        self.definition_tokens = 0
        self.all_definition_tokens = 0
        self._discovery: Discovery | None = None
        self._every_tokens = 0
        self._step = -1
        self._called_unseen: list[str] = []
        self._told: set[str] = set()

    @property
    def discovery(self) -> Discovery:
        """What is visible. Only once the run has begun."""
        if self._discovery is None:
            raise RuntimeError("the run has not begun: its tools are not known yet")
        return self._discovery

    @property
    def exposure(self) -> Exposure:
        """How it reaches the wire. Only once the run has begun."""
        if self.choice is None:
            raise RuntimeError("the run has not begun: its model is not known yet")
        return self.choice.exposure

    @property
    def begun(self) -> bool:
        """Whether the first step has begun."""
        return self._discovery is not None

    async def begin_step(self, source: Source, ctx: RunContext[Any]) -> None:
        """Take in the tools of a step; route in the first one, and again where the settings say so."""
        if ctx.run_step != self._step:
            self._step = ctx.run_step
            self._called_unseen, self.unknown = [], []
            await anyio.to_thread.run_sync(self._take_in, source, ctx)

    def _take_in(self, source: Source, ctx: RunContext[Any]) -> None:
        first = self._discovery is None
        if first:
            self._open(source, ctx)
        elif self.source is not None and source.catalog is not self.source.catalog:
            self.discovery.replace_index(self.settings.index(source.catalog))
        self.source = source
        self.discovery.step = ctx.run_step
        if self.exposure.name == "all":
            return
        if first:
            self.discovery.route(prompt_text(ctx))
        elif self.settings.re_retrieve == "every_step":
            self.discovery.widen(intent_text(ctx.messages, prompt_text(ctx)))

    def _open(self, source: Source, ctx: RunContext[Any]) -> None:
        self.principal = self.settings.principal(ctx) if self.settings.principal else None
        index = self.settings.index(source.catalog)
        self._discovery = Discovery(index, within_provider(self.settings.limits, ctx), self.principal, self.trace)
        permitted = self._discovery.permitted()
        self._every_tokens = definition_tokens(permitted)
        self.choice = choose(self.settings.exposure, permitted, self._every_tokens, facts_of(ctx))
        self.trace.write("expose", step=ctx.run_step, exposure=self.exposure.name, why=self.choice.why)
        self._discovery.reveal(revealed_before(ctx.messages), why="found earlier in this conversation")

    def listed(self) -> list[Tool]:
        """Tools of the catalogue that can be called in this step, in order."""
        shown = [tool for tool in self.exposure.listed(self.discovery) if tool.namespace]
        names = {tool.name for tool in shown}
        return shown + [self.discovery.catalog[name] for name in self._called_unseen if name not in names]

    def meta(self) -> list[Tool]:
        """Tools that are not of the catalogue; without re-retrieval there is no `search_tools`."""
        never = self.settings.re_retrieve == "never"
        listed = self.exposure.listed(self.discovery)
        return [tool for tool in listed if not tool.namespace and not (never and tool.name == SEARCH_TOOLS)]

    def untold(self) -> list[Tool]:
        """Visible tools whose definitions the conversation does not hold yet; they count as told by this."""
        new = [name for name in self.discovery.found() if name not in self._told]
        self._told.update(new)
        return [self.discovery.catalog[name] for name in new]

    def search(self, queries: list[str]) -> dict[str, Any]:
        """Answer `search_tools`."""
        as_text = self.exposure.delivery == "text"
        reply = self.discovery.search(queries, whole=as_text)
        if as_text:
            self._told.update(row["name"] for row in reply["tools"])
        return reply

    def admit_calls(self, names: Iterable[str], known: Container[str]) -> bool:
        """Make ready what the model calls that is not listed. True where the toolset has more to give by it.

        Args:
            names: what was called.
            known: what is callable already.
        """
        missing = [name for name in dict.fromkeys(names) if name not in known]
        permitted = [name for name in missing if self.discovery.may_call(name)]
        self.discovery.reveal(permitted, why="called before it was loaded")
        self._called_unseen += permitted
        self.unknown += [name for name in missing if name not in permitted]
        return bool(missing)

    def count_step(self, shown: int) -> None:
        """Add one model request: its definitions' tokens, and what all definitions would have been."""
        self.steps += 1
        self.definition_tokens += shown
        self.all_definition_tokens += self._every_tokens

    def summary(self) -> dict[str, Any]:
        """The run in numbers, for the `answer` event."""
        return {
            "steps": self.steps,
            "exposure": self.choice.exposure.name if self.choice else None,
            "tools_shown": self._shown(),
            "definitions": self.definition_tokens,
            "definitions_all": self.all_definition_tokens,
        }

    def _shown(self) -> list[str]:
        if self._discovery is None:
            return []
        if self.exposure.name == "all":
            return [tool.name for tool in self._discovery.permitted()]
        return list(self._discovery.visible)


_MEMORY = "routeagent"


def remember_in(messages: Sequence[ModelMessage], found: list[str]) -> None:
    """Write what was found beside the last request, where the application sees it and the model does not.

    Every request carries the whole list, so a conversation that was stored, resumed or cut down to its last messages
    still knows it.
    """
    last = messages[-1] if messages else None
    if isinstance(last, ModelRequest):
        last.metadata = {**(last.metadata or {}), _MEMORY: {"found": list(found)}}


def revealed_before(messages: Sequence[ModelMessage]) -> list[str]:
    """Tools that a conversation found or called, in the order in which they were found: what a resumed run shows."""
    remembered = [
        message.metadata[_MEMORY]["found"]
        for message in messages
        if isinstance(message, ModelRequest) and _MEMORY in (message.metadata or {}) and message.metadata
    ]
    called = [
        part.tool_name
        for message in messages
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    return list(dict.fromkeys([*(remembered[-1] if remembered else []), *called]))
