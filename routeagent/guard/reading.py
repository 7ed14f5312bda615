"""An answer made ready for judging: folded, contractions opened, quotations out, cut into sentences and n-grams."""

from __future__ import annotations

import re
from collections.abc import Iterator

from routeagent.text import clean

HALF = 2_000
"""Characters looked at from the start and, in longer answers, as many from the end, where denials like to stand."""

QUOTATION = "\u25a1"
"""Stands where a quotation stood: what somebody else said is not what the answer claims."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_QUOTED = re.compile(r"“[^”]{4,300}”|「[^」]{4,300}」|`[^`]{4,300}`|(?<!\w)\"[^\"\n]{4,300}\"")
_SENTENCE_END = re.compile(r"(?<=[。!?;\n])|(?<=\.)\s+|[::](?=\s)|\s(?=[-*•] )")
_NUMBERED = re.compile(r"\b[a-z]{0,4}-?\d[\w.,:/%-]*")
_TOKEN = re.compile(rf"[{_HAN}]+|[a-z]+|[#{QUOTATION}?]")
_CONTRACTIONS = (
    ("’", "'"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("i'm", "i am"),
    ("'ve", " have"),
    ("'d ", " would "),
    ("'ll", " will"),
    ("we're", "we are"),
)


def readable(text: str) -> str:
    """The text folded to lower case NFKC with contractions opened and quotations replaced by one mark."""
    seen = text if len(text) <= 2 * HALF else f"{text[:HALF]}\n{text[-HALF:]}"
    folded = _QUOTED.sub(QUOTATION, clean(seen, 2 * HALF + 1).lower())
    for short, long in _CONTRACTIONS:
        folded = folded.replace(short, long)
    return folded


def sentences(readable_text: str) -> list[str]:
    """Its sentences, without empty ones."""
    return [sentence for part in _SENTENCE_END.split(readable_text) if (sentence := part.strip())]


def grams(readable_text: str) -> Iterator[str]:
    """Runs of one to three Chinese characters and of one to three English words; numbers and ids count as `#`."""
    words: list[str] = []
    for token in _TOKEN.findall(_NUMBERED.sub("#", readable_text)):
        if "\u3400" <= token[0] <= "\u9fff":
            yield from _runs(token, "")
        else:
            words.append(token)
    yield from _runs(words, " ")


def _runs(parts: str | list[str], joint: str) -> Iterator[str]:
    for length in (1, 2, 3):
        for start in range(len(parts) - length + 1):
            yield joint.join(parts[start : start + length])
