"""What crosses the arrows from router to retriever to selection: names with scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ScoredNamespace:
    """A namespace and how likely it is needed; scores of one routing are comparable, mostly from 0 to 1."""

    name: str
    score: float


@dataclass(frozen=True, slots=True)
class ScoredTool:
    """A tool and how well it fits.

    Attributes:
        name: the wire name.
        namespace: where it belongs.
        score: higher is better; comparable within one request only.
        parts: what the score is made of, by channel.
    """

    name: str
    namespace: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict[str, float])
