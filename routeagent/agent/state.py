"""What one run has seen, found and spent. Made for the run; concurrent runs never meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart

from routeagent.agent.exposure import Choice, Exposure, ModelFacts, choose
from routeagent.agent.sources import Source
from routeagent.catalog import Catalog
from routeagent.discovery import Discovery
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
    """The state of a run: opened in its first step, when the tools, the caller and the model are known."""

    def __init__(self, settings: Settings, trace: Trace) -> None:
        self.settings = settings
        self.trace = trace
        self.principal: Any = None
        self.choice: Choice | None = None
        self.ledger = Ledger()
        self.approvers: dict[str, str] = {}
        self.steps = 0
        self.definition_tokens = 0
        self.all_definition_tokens = 0
        self._discovery: Discovery | None = None
        self._every_tokens = 0

    @property
    def opened(self) -> bool:
        """Whether the first step has begun."""
        return self._discovery is not None

    @property
    def discovery(self) -> Discovery:
        """What is visible. Only after `open`."""
        if self._discovery is None:
            raise RuntimeError("the run has not begun: its tools are not known yet")
        return self._discovery

    @property
    def exposure(self) -> Exposure:
        """How it reaches the wire. Only after `open`."""
        if self.choice is None:
            raise RuntimeError("the run has not begun: its model is not known yet")
        return self.choice.exposure

    def open(self, source: Source, ctx: RunContext[Any], facts: ModelFacts) -> None:
        """Begin: take in the caller, choose the exposure, and show again what the conversation used before."""
        catalog = source.catalog
        self.principal = self.settings.principal(ctx) if self.settings.principal else None
        index = self.settings.index(catalog)
        self._discovery = Discovery(index, self.settings.limits, self.principal, self.trace)
        permitted = self._discovery.permitted()
        self._every_tokens = definition_tokens(permitted)
        self.choice = choose(self.settings.exposure, permitted, self._every_tokens, facts)
        self.trace.write("expose", step=ctx.run_step, exposure=self.exposure.name, why=self.choice.why)
        self._discovery.reveal(revealed_before(ctx.messages), why="found earlier in this conversation")

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
        everything = self.choice is not None and self.choice.exposure.name == "all"
        return [tool.name for tool in self._discovery.permitted()] if everything else list(self._discovery.visible)


def revealed_before(messages: Iterable[ModelMessage]) -> list[str]:
    """Tools that a conversation found or called, oldest first: what a resumed run shows again."""
    names: list[str] = []
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelResponse) and isinstance(part, ToolCallPart):
                names.append(part.tool_name)
            elif isinstance(part, ToolReturnPart) and part.tool_name == SEARCH_TOOLS:
                names += _loaded(part.content)
    return list(dict.fromkeys(names))


def _loaded(content: Any) -> list[str]:
    loaded = content.get("loaded") if isinstance(content, dict) else None  # pyright: ignore
    return [name for name in loaded if isinstance(name, str)] if isinstance(loaded, list) else []  # pyright: ignore
