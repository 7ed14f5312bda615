"""Text to terms, for Chinese and English alike.

Chinese runs are cut by jieba in search mode and doubled by character bigrams, so that a word that the dictionary
joins differently in a request and in a description still meets itself. Identifiers are split, English words lose
their endings (Snowball) and the words that mean nothing alone.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal

from routeagent.storage import cache_dir

QUERY_LIMIT = 4_000
"""Characters of a request that are looked at; what stands behind them is ignored."""

_REMEMBERED = 512
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_RUNS = re.compile(rf"([{_HAN}]+)|((?:(?![{_HAN}])[^\W_])+)")
_HAN_CHARACTER = re.compile(rf"[{_HAN}]")
_LETTER = re.compile(r"[^\W\d_]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[\s_./:\-]+")
# Lone surrogates cannot be encoded, and NUL ends a C string early.
_UNUSABLE = re.compile("[\ud800-\udfff\x00]")

STOP_WORDS = frozenset(
    """a about above after again against all am an and any are as at be because been before being below between both
    but by can could did do does doing don down during each few for from further had has have having he her here hers
    him his how i if in into is it its itself just let ll m may me might more most must my myself need no nor not now
    of off on once only or other our ours out over own please re s same shall she should so some such t than that the
    their theirs them then there these they this those through to too under until up us use used using ve very want
    was we were what when where which while who whom why will with would you your yours""".split()  # noqa: SIM905
)

Language = Literal["zh", "en"]


def clean(text: str, limit: int = QUERY_LIMIT) -> str:
    """The text in NFKC, at most `limit` characters of it, without lone surrogates and NUL."""
    return unicodedata.normalize("NFKC", _UNUSABLE.sub(" ", text[:limit]))


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit to search by."""
    return _RUNS.search(clean(text)) is not None


def split_identifier(name: str) -> str:
    """`refund_submit`, `refundSubmit` and `refund.submit` as the words "refund submit", case kept."""
    return _SEPARATORS.sub(" ", _CAMEL.sub(" ", name)).strip()


def language(text: str) -> Language:
    """`zh` where at least a fifth of the letters are Chinese characters, else `en`.

    A Chinese character says about as much as an English word, hence a fifth and not a half.
    """
    letters = len(_LETTER.findall(text))
    return "zh" if letters and 5 * len(_HAN_CHARACTER.findall(text)) >= letters else "en"


class Tokenizer:
    """Cuts text into terms; safe to share between threads.

    jieba's dictionary is loaded when the first Chinese text comes by (half a second), into an instance of our own:
    the user dictionary of one catalogue never leaks into another.

    Args:
        terms: words that stay whole, such as product names.
    """

    def __init__(self, terms: Iterable[str] = ()) -> None:
        self.words = tuple(dict.fromkeys(word for term in terms if (word := _fold(term).strip())))
        # jieba only sees runs of Chinese characters; words with anything else in them are looked for as they are.
        self._mixed = tuple(word for word in self.words if not all(map(_HAN_CHARACTER.match, word)))
        self._jieba: Any = None
        self._lock = threading.Lock()
        self._remembered: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def terms(self, text: str, limit: int | None = QUERY_LIMIT) -> tuple[str, ...]:
        """Terms in the order in which they stand, repetitions included; empty for text without letters or digits."""
        text = clean(text, len(text) if limit is None else limit)
        with self._lock:
            if (known := self._remembered.get(text)) is not None:
                self._remembered.move_to_end(text)
                return known
        terms = tuple(self._cut(text))
        with self._lock:
            self._remembered[text] = terms
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return terms

    def _cut(self, text: str) -> list[str]:
        folded = _CAMEL.sub(" ", text).lower()
        found: list[str] = []
        for chinese, other in _RUNS.findall(folded):
            if chinese:
                found += self._chinese(chinese)
            elif other not in STOP_WORDS:
                found.append(_stem(other))
        return found + [word for word in self._mixed if word in text.lower()]

    def _chinese(self, run: str) -> list[str]:
        words: list[str] = list(self._segmenter().lcut_for_search(run))
        # A two-character word counts twice, as a word and as a bigram: what the dictionary vouches for weighs more.
        return words + [run[start : start + 2] for start in range(len(run) - 1)]

    def _segmenter(self) -> Any:
        if self._jieba is None:
            with self._lock:
                if self._jieba is None:
                    self._jieba = _load_jieba(self.words)
        return self._jieba


@lru_cache(maxsize=4)
def tokenizer_for(terms: tuple[str, ...] = ()) -> Tokenizer:
    """The tokenizer of a user dictionary, shared: a router and a retriever cut each request once between them."""
    return Tokenizer(terms)


def _fold(text: str) -> str:
    return clean(text).lower()


def _load_jieba(words: Iterable[str]) -> Any:
    import logging

    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL + 1)
    segmenter: Any = jieba.Tokenizer()
    try:
        folder = cache_dir() / "jieba"
        folder.mkdir(parents=True, exist_ok=True)
        segmenter.tmp_dir = str(folder)
    except OSError:
        pass  # jieba then keeps its cache in the system's folder for temporary files
    segmenter.initialize()
    for word in words:
        segmenter.add_word(word)
    return segmenter


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return _stemmer().stemWord(word) if word.isascii() and word.isalpha() else word


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer

    library: Any = snowballstemmer
    return _LockedStemmer(library.stemmer("english"))


class _LockedStemmer:
    """Snowball's stemmers keep the word that they work on in themselves."""

    def __init__(self, stemmer: Any) -> None:
        self._stemmer = stemmer
        self._lock = threading.Lock()

    def stemWord(self, word: str) -> str:  # noqa: N802 - snowballstemmer's own name
        with self._lock:
            return self._stemmer.stemWord(word)
