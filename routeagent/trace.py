"""One run as data: structlog events, kept in memory and written as JSON lines.

Events: `route`, `retrieve`, `reveal`, `search`, `call`, `result`, `deny`, `degrade`, `answer`. Each has a `step`
and a `timestamp`. Secrets and personal fields are masked before an event is kept or written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any, cast

import structlog

from routeagent.errors import DataError

_SECRET_FIELD = re.compile(
    r"(password|passwd|secret|token|api_?key|authorization|credential|phone|mobile|id_card|card_number)$", re.I
)
_PATTERNS = (
    (re.compile(r"\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{8,}"), "[secret]"),
    (re.compile(r"\bBearer\s+[A-Za-z0-9._~+/=-]{8,}", re.I), "Bearer [secret]"),
    (re.compile(r"([\w.+-])[\w.+-]*@([\w-]+(?:\.[\w-]+)+)"), r"\1***@\2"),
    (re.compile(r"(?<!\d)(?:\+?86[- ]?)?(1[3-9]\d)\d{4}(\d{4})(?!\d)"), r"\1****\2"),
    (re.compile(r"(?<!\d)\d{6}(?:19|20)\d{9}[\dXx](?!\d)"), "[id number]"),
    (re.compile(r"(?<!\d)(?:\d[ -]?){15}\d(?!\d)"), "[card number]"),
)


def mask(value: Any) -> Any:
    """A copy of a JSON value with secrets and personal fields made unreadable.

    Keys, tokens, e-mail addresses (their first letter and domain stay), phone numbers, identity and card numbers are
    masked wherever they stand in a text; fields whose name says that they are secret are masked whole.
    """
    if isinstance(value, str):
        for pattern, replacement in _PATTERNS:
            value = pattern.sub(replacement, value)
        return value
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return {key: "[masked]" if _is_secret(key, item) else mask(item) for key, item in items}
    if isinstance(value, list | tuple):
        return [mask(item) for item in cast("list[Any]", value)]
    return value


def _is_secret(key: Any, value: Any) -> bool:
    return isinstance(value, str) and isinstance(key, str) and _SECRET_FIELD.search(key) is not None


class Trace:
    """The events of one run, in order.

    Args:
        path: a file to which each event is appended as it happens; None keeps them in memory only.
        context: fields that every event carries, such as a run's id.
    """

    def __init__(self, path: str | Path | None = None, **context: Any) -> None:
        self.path = None if path is None else Path(path)
        self.events: list[dict[str, Any]] = []
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()
        self._log = structlog.wrap_logger(
            None,
            processors=[_mask_event, structlog.processors.TimeStamper(fmt="iso", utc=True), self._keep],
            wrapper_class=structlog.BoundLogger,
            **context,
        )

    def write(self, event: str, **fields: Any) -> None:
        """Record an event."""
        self._log.msg(event, **fields)

    def named(self, event: str) -> list[dict[str, Any]]:
        """The events of one name, in order."""
        return [row for row in self.events if row["event"] == event]

    def _keep(self, _: Any, __: str, row: MutableMapping[str, Any]) -> Any:
        row = {"event": row.pop("event"), "timestamp": row.pop("timestamp"), **row}
        self.events.append(row)
        if self.path is not None:
            line = json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")
            with self.path.open("ab") as file:  # one write of one line, so that concurrent runs never mix
                file.write(line + b"\n")
        raise structlog.DropEvent


def _mask_event(_: Any, __: str, row: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return mask(row)


def read_trace(path: str | Path) -> list[dict[str, Any]]:
    """The events of a trace file.

    Raises:
        DataError: the file cannot be read or a line is not JSON; file and line are named.
    """
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read as a trace: {error}") from error
    events: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise DataError(f"{path}:{number} is not JSON: {error}") from error
    return events
