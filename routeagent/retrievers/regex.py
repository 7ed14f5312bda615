"""Patterns over names and descriptions, for people and models who know what a tool is called."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Self

import numpy as np

from routeagent.catalog import Catalog, Example
from routeagent.retrievers.base import Pool
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.strategies import check_fitted
from routeagent.text import STOP_WORDS, clean, split_identifier

_PATTERN_CHARACTERS = 200
_DESCRIPTION_CHARACTERS = 300
_META = re.compile(r"[\\^$|\[\](){}*+?]|\.[*+?]")
_UNBOUNDED = re.compile(r"(?<!\\)[*+{]")
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_WORD = re.compile(r"\w+")
_NAME_WEIGHT = 2.0


class Regex:
    """Ranks tools by how many patterns their name (twice) and description (once) match, whatever the case.

    A regular expression is one pattern; plain text is one a word. A pattern that is not valid, or that could take
    exponential time (a repeated group, more than two unbounded repetitions), is read as plain text.
    """

    def fit(self, catalog: Catalog, examples: Sequence[Example] = ()) -> Self:
        """Keep the texts to search in; examples are not looked at."""
        self.pool_ = Pool(catalog)
        self.texts_ = [
            (
                f"{tool.name} {tool.label} {split_identifier(tool.name)}",
                clean(tool.description, _DESCRIPTION_CHARACTERS),
            )
            for tool in catalog
        ]
        return self

    def retrieve(
        self, query: str, namespaces: Sequence[ScoredNamespace], k: int, *, allowed: Collection[str] | None = None
    ) -> list[ScoredTool]:
        """See `Retriever.retrieve`."""
        check_fitted(self, "texts_")
        patterns = _patterns(clean(query))
        name, text = np.zeros(len(self.texts_)), np.zeros(len(self.texts_))
        for number, (title, description) in enumerate(self.texts_):
            name[number] = _NAME_WEIGHT * sum(bool(pattern.search(title)) for pattern in patterns)
            text[number] = sum(bool(pattern.search(description)) for pattern in patterns)
        parts = {"name": name, "description": text}
        return self.pool_.best(name + text, self.pool_.mask(namespaces, allowed), k, parts, floor=0.0)


@lru_cache(maxsize=256)
def _patterns(query: str) -> tuple[re.Pattern[str], ...]:
    if _META.search(query) and _is_safe(query):
        try:
            return (re.compile(query, re.IGNORECASE),)
        except (re.error, OverflowError, RecursionError):
            pass
    words = dict.fromkeys(word.lower() for word in _WORD.findall(query))
    return tuple(re.compile(re.escape(word), re.IGNORECASE) for word in words if word not in STOP_WORDS)


def _is_safe(pattern: str) -> bool:
    return (
        len(pattern) <= _PATTERN_CHARACTERS
        and not _REPEATED_GROUP.search(pattern)
        and len(_UNBOUNDED.findall(pattern)) <= 2
    )
