"""The firm's clock stands still, so that the same request always gives the same answer."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from pydantic_ai import ModelRetry

NOW = datetime(2026, 10, 20, 15, 30)
"""Office time (UTC+8), as are all times in the database."""
_FORMAT = "%Y-%m-%d %H:%M"
_DAY = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"\d{1,2}:\d{2}"


def stamp(moment: datetime) -> str:
    """A moment as the database keeps it: to the minute, so that text order is time order."""
    return moment.strftime(_FORMAT)


def moment_of(text: str, name: str, *, end: bool = False) -> str:
    """What a caller gave as a time, as the database keeps it.

    Args:
        text: `YYYY-MM-DD HH:MM`, `YYYY-MM-DD`, or `HH:MM` of today.
        name: the argument, for the error.
        end: a bare day means its last minute rather than its first.

    Raises:
        ModelRetry: the text is none of the three.
    """
    written = text.strip().replace("T", " ")
    if re.fullmatch(_CLOCK, written):
        written = f"{NOW:%Y-%m-%d} {written}"
    elif re.fullmatch(_DAY, written):
        written += " 23:59" if end else " 00:00"
    try:
        return stamp(datetime.strptime(written, _FORMAT))
    except ValueError:
        raise ModelRetry(f"{name}={text!r} is not a time; write YYYY-MM-DD HH:MM or HH:MM for today") from None


def window(since: str | None, until: str | None, *, hours: int) -> tuple[str, str]:
    """First and last minute of a span of time; without `since` it begins `hours` before its end.

    Raises:
        ModelRetry: an end is no time, or the span ends before it begins.
    """
    last = moment_of(until, "until", end=True) if until else stamp(NOW)
    earliest = stamp(datetime.strptime(last, _FORMAT) - timedelta(hours=hours))
    first = moment_of(since, "since") if since else earliest
    if first > last:
        raise ModelRetry(f"since={first!r} is later than until={last!r}; swap them")
    return first, last
