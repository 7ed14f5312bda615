"""What tool definitions cost as prompt, counted offline."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from routeagent.catalog import Tool

if TYPE_CHECKING:
    from tiktoken import Encoding

TOKENIZER = "o200k_base"
"""The vocabulary that counts are made with (tiktoken's name); other vendors' counts differ by some per cent."""


def definition_tokens(tools: Iterable[Tool]) -> int:
    """Tokens of the tools' definitions as compact JSON, the form in which they go to a provider."""
    return sum(_tokens_of(_text(tool)) for tool in tools)


def count_tokens(text: str) -> int:
    """Tokens of a text. Special-token spellings in it count as the plain text that they are here."""
    return len(_encoding().encode(text, disallowed_special=()))


def cut_tokens(text: str, most: int) -> str:
    """The beginning of a text, at most so many tokens of it."""
    if len(text.encode("utf-8", "replace")) <= most:
        return text  # a token is at least one byte
    head = text[: most * 8]  # hardly a token is longer, and ten megabytes need not be counted
    tokens = _encoding().encode(head, disallowed_special=())
    return text if len(tokens) <= most and len(head) == len(text) else _encoding().decode(tokens[:most], "ignore")


@cache
def _tokens_of(text: str) -> int:
    return count_tokens(text)


def _text(tool: Tool) -> str:
    return json.dumps(tool.definition(), ensure_ascii=False, separators=(",", ":"))


@cache
def _encoding() -> Encoding:
    _point_to_shipped_vocabulary()
    import tiktoken

    return tiktoken.get_encoding(TOKENIZER)


def _point_to_shipped_vocabulary() -> None:
    """Let tiktoken find the vocabulary inside litellm's package, which is found without importing it."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    if folder.is_dir():
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))
