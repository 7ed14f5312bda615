"""Which rows a search finds: those that hold the most of what was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic_ai import ModelRetry

_IDLE = frozenset(
    {"a", "an", "and", "are", "at", "by", "for", "from", "has", "how", "in", "is", "it", "of", "on", "or", "the"}
    | {"to", "was", "what", "when", "which", "why", "with"}
)


def words_of(query: str) -> tuple[str, ...]:
    """What a query asks for: English words and identifiers in lower case, and Chinese in overlapping pairs.

    Raises:
        ModelRetry: the query holds no word.
    """
    latin = [word for word in re.findall(r"[a-z0-9_]+(?:[.-][a-z0-9_]+)*", query.lower()) if word not in _IDLE]
    runs = re.findall(r"[\u4e00-\u9fff]+", query)
    pairs = [run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))]
    found = tuple(dict.fromkeys([*latin, *pairs]))
    if not found:
        raise ModelRetry(f"query={query!r} holds no word to search for; give a few keywords")
    return found


def best_matches(
    found: Sequence[dict[str, Any]], query: str, columns: Sequence[str], limit: int
) -> list[dict[str, Any]]:
    """The rows that hold at least half as many of the query's words as the best row does, best first.

    Rows that hold equally many stay in the order given.

    Raises:
        ModelRetry: the query holds no word.
    """
    words = words_of(query)
    scored = [(sum(word in _text(row, columns) for word in words), row) for row in found]
    best = max((score for score, _ in scored), default=0)
    kept = [(score, row) for score, row in scored if score and 2 * score >= best]
    return [row for _, row in sorted(kept, key=lambda item: -item[0])][:limit]


def _text(row: dict[str, Any], columns: Sequence[str]) -> str:
    return " ".join(str(row[column]) for column in columns).lower()
