"""Finding texts by words, Chinese and English, in tables small enough to be read whole."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from .database import Row

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[a-z0-9][a-z0-9-]*[a-z0-9]")
_COMMON = "the and for with how what why can our you are does not from this that have has was but when"
_STOP = frozenset(_COMMON.split(" "))
_ENDING = re.compile(r"(?:ing|ed|es|e|s)$")
_SNIPPET = 80
_FEWEST = 0.2
"""A text has to score at least this share of the best one's score."""


def terms(text: str) -> list[str]:
    """Pairs of neighbouring Chinese characters (a lone one by itself), stems of English words, codes whole."""
    plain = unicodedata.normalize("NFKC", text).lower()
    found = [_stem(word) for word in _WORD.findall(plain) if word not in _STOP]
    for run in _HAN.findall(plain):
        found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return found


def best(query: str, rows: Sequence[Row], fields: Sequence[str], most: int) -> list[Row]:
    """The rows that share the rarest terms with a query, best first, each with a `snippet` of where it says so."""
    asked = set(terms(query))
    bags = [_bag("\n".join(str(row[field] or "") for field in fields), asked) for row in rows]
    spread = Counter(term for bag in bags for term in bag.keys() & asked)
    scores = [
        sum(math.log(1 + len(rows) / spread[term]) * min(bag[term], 3) ** 0.5 for term in asked if term in bag)
        for bag in bags
    ]
    ranked = sorted(range(len(rows)), key=lambda place: (-scores[place], place))
    top = scores[ranked[0]] if ranked else 0.0
    return [
        {**rows[place], "snippet": _snippet(asked, rows[place], fields)}
        for place in ranked[:most]
        if scores[place] > max(0.0, _FEWEST * top)
    ]


def _bag(text: str, asked: set[str]) -> Counter[str]:
    """How often a text has each term; a single character that was asked for counts inside longer words too."""
    alone = {term: text.count(term) for term in asked if len(term) == 1 and term in text}
    return Counter(terms(text)) | Counter(alone)


def _stem(word: str) -> str:
    """`charg` of charge, charges, charged and charging; `cancel` of cancelled. Short words and codes stay."""
    if len(word) < 4 or not word.isalpha():
        return word
    short = _ENDING.sub("", word)
    return short[:-1] if short[-1:] == short[-2:-1] else short


def _snippet(asked: set[str], row: Row, fields: Sequence[str]) -> str:
    """The piece of a row's text that says the most of what was asked."""
    # Of equals the later field wins: a body tells more than the title that stands beside it anyway.
    pieces = [
        piece.strip() for field in reversed(fields) for piece in re.split(r"[。\n!?;]|\. ", str(row[field] or ""))
    ]
    said = max(pieces, key=lambda piece: len(asked & _bag(piece, asked).keys()), default="")
    return said[:_SNIPPET]
