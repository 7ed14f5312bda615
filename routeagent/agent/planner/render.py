"""One result as a few readable lines: records by row, money in major units, nothing as raw JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from routeagent.agent.planner.phrases import key_name, phrase
from routeagent.agent.planner.results import (
    DUPLICATE_WORDS,
    Mentions,
    Row,
    amount_of,
    day_of,
    duplicates,
    lists_in,
    narrowed,
)

_MOST_ROWS = 8
_LONGEST = 600
_LONGEST_CELL = 200


def result_lines(data: Any, said: Mentions, language: str) -> list[str]:
    """The lines of a result; none where it holds nothing.

    Args:
        data: the parsed result of a call.
        said: what the request names; rows that fit it are shown first, alone where some do.
        language: `zh` or `en`.
    """
    if data is None or data in ("", [], {}):
        return []
    if not isinstance(data, Mapping | list | tuple):
        return [clipped(str(data), _LONGEST)]
    lists = list(lists_in(data))
    lines = (
        [row_line(cast(Row, data), language)] if isinstance(data, Mapping) else _plain_items(cast(Sequence[Any], data))
    )
    if lists and all(not rows for _, rows in lists) and isinstance(data, Mapping) and _only_names(cast(Row, data)):
        return []
    for key, rows in lists:
        lines.extend(_list_lines(key, rows, said, language))
    return [line for line in lines if line]


def _only_names(data: Row) -> bool:
    """Whether all that a result says beside its empty list is what was asked for."""
    scalars = [key for key, value in data.items() if isinstance(value, str | int | float) and value not in ("", 0)]
    return all(re.search(r"_id$|query|^id$|keyword|month|limit", key) for key in scalars)


def _list_lines(key: str, rows: Sequence[Row], said: Mentions, language: str) -> list[str]:
    if not rows:
        return [f"{key_name(key, language)}: 0"] if key else []
    kept = narrowed(rows, said)
    counted = phrase("matching" if len(kept) < len(rows) else "all_rows", language, count=len(kept))
    lines = [f"{key_name(key, language)} {counted}".strip()] if len(rows) > 1 else []
    if DUPLICATE_WORDS.search(said.text) and any(amount_of(row) is not None for row in rows):
        lines = duplicate_lines(kept, language) + lines
    lines.extend(f"- {row_line(row, language)}" for row in kept[:_MOST_ROWS])
    return lines + ([phrase("more", language, count=len(kept) - _MOST_ROWS)] if len(kept) > _MOST_ROWS else [])


def duplicate_lines(rows: Sequence[Row], language: str) -> list[str]:
    """Which records repeat each other, or that none do."""
    groups = duplicates(rows)
    if not groups:
        return [phrase("no_duplicates", language)]
    return [
        phrase(
            "duplicates",
            language,
            ids=(" 与 " if language == "zh" else " and ").join(_own_id(row) for row in group),
            day=_spelt_day(day_of(group[0]), language),
            amount=short_money(amount_of(group[0]) or Decimal(0), str(group[0].get("currency") or "CNY"), language),
        )
        for group in groups
    ]


def _own_id(row: Row) -> str:
    ids = [str(value) for key, value in row.items() if re.search(r"(?:^|_)id$|_no$|number$", key)]
    return next((word for word in ids if "-" in word), ids[0] if ids else row_line(row, "en"))


def _spelt_day(day: str, language: str) -> str:
    return f"{day}({int(day[5:7])} 月 {int(day[8:10])} 日)" if language == "zh" else day


def row_line(row: Row, language: str) -> str:
    """A record's scalars on one line, `key: value`; ids without their key; a sum given twice only once."""
    cells = [_cell(key, value, row, language) for key, value in row.items()]
    return (",".join if language == "zh" else ", ".join)([cell for cell in cells if cell])


def _cell(key: str, value: Any, row: Row, language: str) -> str:
    if value is None or value == "" or (key.endswith("_cents") and key.removesuffix("_cents") in row):
        return ""
    if isinstance(value, Mapping):
        return row_line(cast(Row, value), language)
    if isinstance(value, list | tuple):
        items = cast(Sequence[Any], value)
        simple = [str(item) for item in items if isinstance(item, str | int | float)]
        return (
            f"{key_name(key, language)} {'、'.join(simple[:_MOST_ROWS])}"
            if simple and len(simple) == len(items)
            else ""
        )
    shown = _shown(key, value, row, language)
    return shown if re.fullmatch(r"(?:\w+_)?id", key) else f"{key_name(key, language)} {shown}"


def _shown(key: str, value: Any, row: Row, language: str) -> str:
    if isinstance(value, bool):
        return {"zh": ("否", "是"), "en": ("no", "yes")}[language][value]
    currency = str(row.get("currency") or "CNY")
    if key.endswith("_cents") and isinstance(value, int):
        return money(Decimal(value) / 100, currency, language)
    if key.endswith("_yuan") and isinstance(value, int | float):
        return money(Decimal(str(value)), "CNY", language)
    return clipped(str(value), _LONGEST_CELL)


def money(value: Decimal, currency: str, language: str) -> str:
    """`2392.00 元` or `CNY 2392.00`; other currencies by their code."""
    return f"{value:.2f} 元" if language == "zh" and currency == "CNY" else f"{currency} {value:.2f}"


def short_money(value: Decimal, currency: str, language: str) -> str:
    """As `money`, without the cents of a whole sum, and in yuan by name."""
    number = f"{value:.2f}".removesuffix(".00")
    if currency == "CNY":
        return f"{number} 元" if language == "zh" else f"{number} yuan"
    return f"{currency} {number}"


def _plain_items(items: Sequence[Any]) -> list[str]:
    return [
        f"- {clipped(str(item), _LONGEST_CELL)}"
        for item in items[:_MOST_ROWS]
        if not isinstance(item, Mapping | list | tuple)
    ]


def clipped(text: str, longest: int) -> str:
    """Text on one line, cut at `longest` characters."""
    flat = re.sub(r"\s+", " ", text).strip()
    return flat if len(flat) <= longest else f"{flat[:longest]}…"
