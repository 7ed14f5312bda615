"""Measures of a ranking, as in information retrieval. The tools that a request needs are its relevant documents.

All but namespace recall are read off the positions at which needed tools stand, counted from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

Position = int | None
"""Where a needed tool stands, from 1; None where it does not stand at all."""


def positions(
    ranked: Sequence[str], needed: Sequence[str], alternatives: Mapping[str, Collection[str]] | None = None
) -> list[Position]:
    """For each needed tool its place in the ranking.

    Args:
        ranked: names, best first.
        needed: names, each once.
        alternatives: for a needed tool, equal ones that count as well (lenient scoring); one place serves one need.
    """
    place = {name: number for number, name in reversed(list(enumerate(ranked, 1)))}
    exact = {name: place.get(name) for name in dict.fromkeys(needed)}
    taken = {number for number in exact.values() if number is not None}
    found: list[Position] = []
    for name, number in exact.items():
        free = [place[other] for other in (alternatives or {}).get(name, ()) if place.get(other, 0) not in {0, *taken}]
        best = min((*free, *((number,) if number is not None else ())), default=None)
        if best is not None:
            taken.add(best)
        found.append(best)
    return found


def recall(found: Sequence[Position], k: int) -> float:
    """The share of needed tools among the first k."""
    return sum(place is not None and place <= k for place in found) / len(found)


def complete(found: Sequence[Position], k: int) -> float:
    """1 where all needed tools are among the first k, else 0."""
    return float(all(place is not None and place <= k for place in found))


def ndcg(found: Sequence[Position], k: int) -> float:
    """Normalised discounted cumulative gain with gains of 0 and 1 (Järvelin and Kekäläinen, 2002)."""
    gain = sum(1 / math.log2(1 + place) for place in found if place is not None and place <= k)
    return gain / sum(1 / math.log2(1 + place) for place in range(1, min(k, len(found)) + 1))


def reciprocal_rank(found: Sequence[Position]) -> float:
    """One over the place of the first needed tool, 0 where none was found."""
    return 1 / min((place for place in found if place is not None), default=math.inf)


def namespace_recall(routed: Sequence[str], needed: Collection[str], m: int) -> float:
    """The share of needed namespaces among the first m that a router named."""
    return len(set(needed) & set(routed[:m])) / len(set(needed))


RANKING: dict[str, Callable[[Sequence[Position]], float]] = {
    "recall@1": lambda found: recall(found, 1),
    "recall@3": lambda found: recall(found, 3),
    "recall@5": lambda found: recall(found, 5),
    "recall@10": lambda found: recall(found, 10),
    "complete@5": lambda found: complete(found, 5),
    "complete@10": lambda found: complete(found, 10),
    "complete@20": lambda found: complete(found, 20),
    "ndcg@10": lambda found: ndcg(found, 10),
    "mrr": reciprocal_rank,
}
"""The measures of a report by name."""

DEPTH = 20
"""As deep as any of them looks."""
