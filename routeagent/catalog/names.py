"""Wire names: what providers accept as the name of a function, mapped one to one from what people write."""

from __future__ import annotations

import hashlib
import re

WIRE_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
RESERVED = frozenset({"search_tools", "call_tool"})
_DIGEST = 10


def wire_name(label: str) -> str:
    """The name under which a tool goes to a provider.

    A label that providers accept (`^[a-zA-Z0-9_-]{1,64}$`, the rule of OpenAI and Anthropic) stays as it is. Any
    other (Chinese, dotted, too long, reserved) keeps what is readable of it and gets ten hexadecimal digits of its
    SHA-256, so that two labels never share a wire name: `a.b` and `a_b` stay apart.
    """
    if WIRE_NAME.match(label) and label not in RESERVED:
        return label
    digest = hashlib.sha256(label.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
    readable = re.sub(r"[^a-zA-Z0-9_-]+", "_", label).strip("_")[: 64 - _DIGEST - 1]
    return f"{readable or 'tool'}_{digest}"


def tool_label(namespace: str, function: str) -> str:
    """The name of a tool from its folder and its function.

    `refund`, `submit` is `refund_submit`; a function that carries the prefix already is not doubled, and one
    trailing underscore, which only keeps Python's built-ins free, is dropped: `invoice`, `list_` is `invoice_list`.
    """
    bare = function[:-1] if function.endswith("_") and len(function) > 1 else function
    return bare if bare.startswith(f"{namespace}_") else f"{namespace}_{bare}"


def prefix_namespace(label: str) -> str:
    """The namespace that a tool's own name suggests: all before the first `__`, `::`, `.`, `/` or `_`."""
    for separator in ("__", "::", ".", "/", "_", "-"):
        head, found, _ = label.partition(separator)
        if found and head:
            return head
    return label
