"""The record of who ran what. Where it cannot be written, nothing that changes something runs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from routeagent.trace import mask


class Audit:
    """Appends one JSON line a fact to a file, flushed to disk before the call goes on.

    Args:
        path: the file; its folder is made.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def write(self, fact: str, **fields: Any) -> None:
        """Record a fact. Arguments are masked as in a trace.

        Raises:
            OSError: the file cannot be written.
        """
        row = {"fact": fact, "time": datetime.now(UTC).isoformat(), **fields}
        line = json.dumps(mask(row), ensure_ascii=False, default=str) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line.encode("utf-8", "backslashreplace"))
            os.fsync(handle)
        finally:
            os.close(handle)


def name_of(principal: Any) -> str | None:
    """How a principal stands in the audit: its `name` or `id`, else its text."""
    if principal is None:
        return None
    if isinstance(principal, Mapping):
        return str(principal.get("name") or principal.get("id"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    for field in ("name", "id"):
        if (value := getattr(principal, field, None)) is not None:
            return str(value)
    return str(principal)
