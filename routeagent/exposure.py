"""How revealed tools reach the wire: four ways, and `auto`, which takes the one that fits the catalogue and the model.

`append` lets `tools[]` grow at its end, so each request's list is a prefix of the next one's. `dispatch` never changes
it: definitions come as text, and `call_tool` runs what they name. `native` hands the whole catalogue to a provider
that can hold definitions back itself. `all` shows everything, the control of every comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from routeagent.catalog import Tool
from routeagent.discovery import Discovery
from routeagent.errors import StrategyError
from routeagent.meta import call_tool

Delivery = Literal["definition", "text", "deferred"]
FEW = 10
"""Under so many tools everything is shown: there is nothing to choose from."""
SMALL = 30
"""Up to so many are shown where their definitions are a small share of the model's window."""
SHARE = 0.10
HELD_BACK = 10_000
"""Tools that a provider holds back at most (Anthropic's limit)."""
WINDOW = 128_000
"""Tokens of context that are assumed of a model that does not say how many it takes."""


class Exposure(Protocol):
    """Decides what stands in `tools[]`, and how what was found is told."""

    @property
    def name(self) -> str: ...

    @property
    def delivery(self) -> Delivery:
        """How a found tool reaches the model: as a definition in `tools[]`, as text, or deferred by the provider."""
        ...

    def listed(self, discovery: Discovery) -> list[Tool]:
        """The tools of the catalogue's side that stand in `tools[]`, in order, meta tools included."""
        ...


class Append:
    """Core, `search_tools`, then what was found, in the order in which it was found."""

    name = "append"
    delivery: Delivery = "definition"

    def listed(self, discovery: Discovery) -> list[Tool]:
        """See `Exposure.listed`."""
        return discovery.tools()


class Dispatch:
    """Core, `search_tools` and `call_tool`, always the same bytes."""

    name = "dispatch"
    delivery: Delivery = "text"

    def listed(self, discovery: Discovery) -> list[Tool]:
        """See `Exposure.listed`."""
        return [*discovery.core(), discovery.search_tool, call_tool(discovery.catalog)]


class Native:
    """Everything that is permitted, held back by the provider until it is found."""

    name = "native"
    delivery: Delivery = "deferred"

    def listed(self, discovery: Discovery) -> list[Tool]:
        """See `Exposure.listed`."""
        core = discovery.core()
        names = {tool.name for tool in core}
        return [*core, *(tool for tool in discovery.permitted() if tool.name not in names)]


class All:
    """Everything that is permitted, from the start."""

    name = "all"
    delivery: Delivery = "definition"

    def listed(self, discovery: Discovery) -> list[Tool]:
        """See `Exposure.listed`."""
        return discovery.permitted()


EXPOSURES: dict[str, type[Append | Dispatch | Native | All]] = {
    "append": Append,
    "dispatch": Dispatch,
    "native": Native,
    "all": All,
}


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the choice depends on of a model.

    Attributes:
        native: it can hold definitions back itself.
        reads_cache: its provider sells cached prompt tokens for less.
        window: tokens of context, None where unknown.
    """

    native: bool = False
    reads_cache: bool = False
    window: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The exposure of a run and why it is that one."""

    exposure: Exposure
    why: str


def check_spec(spec: str) -> None:
    """Refuse an exposure that does not exist, before a run asks for it.

    Raises:
        StrategyError: see `choose`.
    """
    choose(spec, (), 0, ModelFacts())


def choose(spec: str, tools: Sequence[Tool], tokens: int, facts: ModelFacts) -> Choice:
    """Resolve an exposure by name for a catalogue and a model.

    Args:
        spec: a name of `EXPOSURES`, `auto`, or `auto:N`: everything is shown while the definitions stay under N per
            cent of the model's window.
        tools: what the caller may use.
        tokens: what their definitions cost.
        facts: what the model can do.

    Raises:
        StrategyError: an unknown name, or an N that is not a percentage.
    """
    name, _, percent = spec.partition(":")
    if name == "auto":
        return _automatic(len(tools), tokens, facts, _share(spec, percent))
    if name not in EXPOSURES or percent:
        raise StrategyError(f"unknown exposure {spec!r}; known are auto, auto:N, {', '.join(EXPOSURES)}")
    if name == "native" and not facts.native:
        return Choice(Append(), "the model cannot hold definitions back itself, so native falls back to append")
    if name == "native" and len(tools) > HELD_BACK:
        return Choice(Append(), f"{len(tools)} tools are too many to be held back, so native falls back to append")
    return Choice(EXPOSURES[name](), "asked for by name")


def _automatic(count: int, tokens: int, facts: ModelFacts, share: float | None) -> Choice:
    window = facts.window or WINDOW
    if count < FEW and share is None:
        return Choice(All(), f"{count} tools are under {FEW}: all are shown")
    limit = (SHARE if share is None else share) * window
    if tokens <= limit and (count <= SMALL or share is not None):
        return Choice(All(), f"{tokens} definition tokens are at most {limit:.0f}, a share of {window}: all are shown")
    if facts.native and count <= HELD_BACK:
        return Choice(Native(), f"{count} tools, and the provider holds definitions back itself, cache unharmed")
    if facts.reads_cache:
        return Choice(Dispatch(), f"{count} tools, and cached prompt is cheap, which a fixed list keeps whole")
    return Choice(Append(), f"{count} tools, and no price for cached prompt is known: definitions join as found")


def _share(spec: str, percent: str) -> float | None:
    if not percent:
        return None
    try:
        share = float(percent) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise StrategyError(f"{spec!r} is not auto:N with N from 0 to 100 per cent")
    return share
