"""What can be known about a failed request, read off an exception and its causes.

litellm renames what happened: a refused connection and a page of HTML both become "500", and the provider's own
words may be left in a cause. So the whole chain is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

_LONGEST = 200
_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w+(?:Error|Exception|Timeout)\b\s*(?::|-)\s*|Error code: \d+( - )?)")
_SUFFIX = re.compile(r"\.? Handle with `litellm\.\w+`\.?$")
_DECODING = re.compile(r"(Unable to get json response - )?Expecting value: .*?\(char \d+\)(, Original Response: )?")
_MARKUP = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Failure:
    """Facts about a failed request.

    Attributes:
        kinds: class names of the exception and its causes, base classes included.
        text: all of their texts, in lower case.
        status: the HTTP status, if a server answered with one.
        declared: the status that litellm gives the failure, whether or not there was an answer.
        words: what the provider said, in one line; empty if nothing.
        keyed: a key was at hand.
    """

    kinds: frozenset[str]
    text: str
    status: int | None
    declared: int | None
    words: str
    keyed: bool

    @classmethod
    def of(cls, exc: BaseException, *, keyed: bool) -> Failure:
        """Read an exception."""
        chain = list(_chain(exc))
        kinds = frozenset(base.__name__ for one in chain for base in type(one).__mro__)
        text = " ".join(str(one) for one in chain).lower()
        status = next((code for one in chain if (code := _answered(one))), None)
        return cls(kinds, text, status, getattr(exc, "status_code", None), _words(chain), keyed)


def _chain(exc: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while exc is not None and id(exc) not in seen:
        seen.add(id(exc))
        yield exc
        exc = exc.__cause__ or exc.__context__


def _answered(exc: BaseException) -> int | None:
    """The status of a real answer: litellm's own exceptions carry made-up ones."""
    if not any(base.__name__ == "HTTPStatusError" for base in type(exc).__mro__):
        return None
    return getattr(getattr(exc, "response", None), "status_code", None)


def _words(chain: list[BaseException]) -> str:
    for exc in chain:
        body = getattr(exc, "body", None)
        if isinstance(body, Mapping) and (said := _said(cast("Mapping[str, Any]", body))):
            return _one_line(said)
    text = str(chain[0])
    return _one_line(_said_in_json(text) or _bare(text))


def _said(value: object) -> str:
    """The message in an error body, however deep the provider puts it."""
    if isinstance(value, Mapping):
        body = cast("Mapping[str, Any]", value)
        return next((said for key in ("error", "message", "detail", "msg") if (said := _said(body.get(key)))), "")
    return value if isinstance(value, str) else ""


def _said_in_json(text: str) -> str:
    start = text.find("{")
    if start < 0:
        return ""
    try:
        return _said(json.JSONDecoder().raw_decode(text[start:])[0])
    except (ValueError, RecursionError):
        return ""


def _bare(text: str) -> str:
    text = text.partition("Traceback (most recent call last)")[0]
    while stripped := _PREFIX.match(text):
        text = text[stripped.end() :]
    return _SUFFIX.sub("", _DECODING.sub("", text))


def _one_line(text: str) -> str:
    line = " ".join(_MARKUP.sub(" ", text).split()).rstrip(".;: ")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
