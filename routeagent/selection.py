"""Which tools the model may see: a pure policy over names, the same for every loop.

Core tools stay. Every hit is admitted before any group fills up, then the best hit's namespace comes whole where it
fits, and the other hits' namespaces by their best members. What is visible stays visible and its order never changes,
so a provider's prompt cache keeps its prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from routeagent.catalog import Catalog, Tool
from routeagent.errors import StrategyError


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tools may be visible, and how they get there.

    Attributes:
        max_tools: the cap on visible tools, core and `search_tools` included.
        top_k: how many of the ranked tools count as hits.
        reserve: slots that groups leave free for what `search_tools` will bring; None is two fifths of the cap. A
            search may fill half of it with groups, and hits may always use all of it.
        group_load: whether a hit brings its namespace.
    """

    max_tools: int = 20
    top_k: int = 5
    reserve: int | None = None
    group_load: bool = True

    def __post_init__(self) -> None:
        if self.max_tools < 2 or self.top_k < 1:
            raise StrategyError(
                f"max_tools={self.max_tools} with top_k={self.top_k} shows nothing: "
                "max_tools has to be at least 2 and top_k at least 1"
            )

    @property
    def slots_kept(self) -> int:
        """Slots that the first turn's groups leave free."""
        return self.max_tools * 2 // 5 if self.reserve is None else self.reserve


@dataclass(frozen=True, slots=True)
class Admission:
    """What one search changed: tools that became visible, in order, and hits that found the cap full."""

    added: tuple[str, ...]
    refused: tuple[str, ...]


def core_tools(catalog: Catalog, allowed: Callable[[Tool], bool] = lambda _: True) -> tuple[str, ...]:
    """The tools that are visible from the start."""
    return tuple(tool.name for tool in catalog if tool.core and allowed(tool))


def admit(
    catalog: Catalog,
    visible: Collection[str],
    ranked: Sequence[str],
    limits: Limits,
    *,
    meta: int = 1,
    first: bool = True,
    allowed: Callable[[Tool], bool] = lambda _: True,
) -> Admission:
    """Decide what a search makes visible.

    Args:
        catalog: the tools and their groups.
        visible: names that are visible already.
        ranked: names, best first; the first `limits.top_k` are the hits, the rest orders the groups.
        limits: the cap and its reserve.
        meta: visible tools that are not in the catalogue (`search_tools`).
        first: whether this is the turn's own routing, which leaves the whole reserve free, or a search in mid-run.
        allowed: the permission; groups bring nothing that it refuses.
    """
    room = limits.max_tools - meta - len(visible)
    hits = list(dict.fromkeys(ranked[: limits.top_k]))
    new = [name for name in hits if name not in visible]
    added = new[: max(room, 0)]
    if limits.group_load:
        kept = limits.slots_kept if first else limits.slots_kept // 2
        seen = {*visible, *added}
        added += _group_members(catalog, hits, ranked, seen, room - len(added) - kept, allowed)
    return Admission(tuple(added), tuple(new[max(room, 0) :]))


def _group_members(
    catalog: Catalog,
    hits: Sequence[str],
    ranked: Sequence[str],
    seen: set[str],
    room: int,
    allowed: Callable[[Tool], bool],
) -> list[str]:
    """Members of the hits' namespaces, the best hit's first, as many as there is room for."""
    place = {name: number for number, name in enumerate(ranked)}
    members: list[str] = []
    for namespace in _namespaces(catalog, hits):
        group = [tool.name for tool in catalog.group(namespace) if tool.name not in seen and allowed(tool)]
        group.sort(key=lambda name: place.get(name, len(place)))  # stable: unranked ones stay as defined
        members += group
    return members[: max(room, 0)]


def _namespaces(catalog: Catalog, hits: Sequence[str]) -> Iterator[str]:
    return iter(dict.fromkeys(catalog[name].namespace for name in hits))
