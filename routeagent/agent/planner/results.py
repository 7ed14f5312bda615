"""Results searched as data: values under a key at any depth, rows, and the row that a request means."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, cast

from routeagent.agent.planner.dates import moments, months
from routeagent.agent.planner.entities import amounts, identifiers, to_decimal

Row = Mapping[str, Any]
DUPLICATE_WORDS = re.compile(r"两次|两笔|重复|多扣|扣重|twice|double|duplicat", re.IGNORECASE)
_LATEST = re.compile(r"最新|最近|最后|上一张|latest|most recent|newest|\blast\b", re.IGNORECASE)
_EARLIEST = re.compile(r"最早|第一张|最旧|earliest|oldest|\bfirst\b", re.IGNORECASE)
_STATUS = {
    "fail": r"失败|没成功|fail",
    "unpaid|open|due|overdue": r"未付|没付|欠|逾期|unpaid|overdue",
    "pending|submitted|waiting": r"待审|等待|没批|未批|pending",
    "paid": r"已付|付过|\bpaid\b",
}


def values_of(data: Any, key: str) -> tuple[Any, ...]:
    """Scalars under `key` at any depth of a result, in order, each once."""
    found = (row[key] for row in _mappings(data) if isinstance(row.get(key), str | int | float))
    return tuple(dict.fromkeys(found))


def rows_with(data: Any, key: str) -> tuple[Row, ...]:
    """The innermost records that carry `key`, in order."""
    return tuple(row for row in _mappings(data) if isinstance(row.get(key), str | int))


def rows_shaped(data: Any, key: str, prefixes: Collection[str]) -> tuple[Row, ...]:
    """Records that hold an id with one of `prefixes` under another name, or lines of text; given it as `key`."""
    if isinstance(data, str):
        written = ((line, identifiers(line)) for line in data.splitlines())
        return tuple(
            {key: word.text, **_facts(line)} for line, words in written for word in words[:1] if word.prefix in prefixes
        )
    named = ((row, value) for row in _mappings(data) for value in row.values() if isinstance(value, str))
    return tuple(
        {**row, key: value}
        for row, value in named
        for word in identifiers(value)
        if word.text == value and word.prefix in prefixes
    )


def _facts(line: str) -> Row:
    """A line of text with the day and the amount that stand in it, as a record has them."""
    day = re.search(r"\d{4}-\d{2}-\d{2}", line)
    sums = amounts(line)
    return {"text": line} | ({"date": day[0]} if day else {}) | ({"amount": str(sums[0].value)} if sums else {})


def _mappings(data: Any) -> Iterator[Row]:
    if isinstance(data, Mapping):
        row = cast(Row, data)
        yield row
        for value in row.values():
            yield from _mappings(value)
    elif isinstance(data, Sequence) and not isinstance(data, str | bytes):
        for value in cast(Sequence[Any], data):
            yield from _mappings(value)


def day_of(row: Row) -> str:
    """The first ISO day among a row's values, or nothing."""
    days = (m[0] for value in row.values() if isinstance(value, str) and (m := re.match(r"\d{4}-\d{2}-\d{2}", value)))
    return next(days, "")


def _month_of(row: Row) -> str:
    months_in = (value for value in row.values() if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}", value))
    return day_of(row)[:7] or next(months_in, "")


def amount_of(row: Row) -> Decimal | None:
    """A row's amount in major units: `*_cents` divided by a hundred, else `*amount*` or `*_yuan`."""
    for key, value in row.items():
        if key.endswith("_cents") and isinstance(value, int) and not isinstance(value, bool):
            return Decimal(value) / 100
    for key, value in row.items():
        if re.search(r"amount|_yuan$|price|total", key) and isinstance(value, str | int | float):
            number = re.search(r"-?\d[\d,]*(?:\.\d+)?", str(value))
            return to_decimal(number[0]) if number else None
    return None


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a text says of the rows it means.

    Attributes:
        text: the text itself.
        months: as `YYYY-MM`.
        days: as `YYYY-MM-DD`.
            amounts: in major units.
        yearless: no year is named, so months and days fit those of any year.
    """

    text: str
    months: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    amounts: tuple[Decimal, ...] = ()
    yearless: bool = False

    def same(self, recorded: str, named: str) -> bool:
        """Whether a recorded month or day is the one named."""
        return recorded[4:] == named[4:] if self.yearless and recorded else recorded == named


def mentions(text: str, today: date, year: int | None = None) -> Mentions:
    """The months, days and amounts that a text names."""
    days = tuple(moment[:10] for moment in moments(text, today, year))
    named = tuple(month for month in months(text, today, year) if not any(day.startswith(month) for day in days))
    yearless = re.search(r"(?<!\d)20\d\d(?!\d)", text) is None
    return Mentions(text, named, days, tuple(money.value for money in amounts(text)), yearless)


def narrowed(rows: Sequence[Row], said: Mentions) -> tuple[Row, ...]:
    """The rows that fit the days, months, amounts and states named; a criterion that no row meets is dropped."""
    kept = tuple(rows)
    if said.days:
        kept = _some(kept, lambda row: any(said.same(day_of(row), day) for day in said.days))
    if said.months:
        kept = _some(kept, lambda row: any(said.same(_month_of(row), month) for month in said.months))
    if said.amounts:
        kept = _some(kept, lambda row: amount_of(row) in said.amounts)
    for states, words in _STATUS.items():
        if re.search(words, said.text, re.IGNORECASE):
            kept = _some(kept, partial(_has_state, states))
    return kept


def _has_state(states: str, row: Row) -> bool:
    return re.match(states, str(row.get("status", ""))) is not None


def chosen(rows: Sequence[Row], said: Mentions) -> tuple[Row, ...]:
    """The one row that the text picks out of `rows`, or all that remain where it does not decide."""
    kept = narrowed(rows, said)
    if DUPLICATE_WORDS.search(said.text):
        pairs = duplicates(kept)
        told_apart = all(amount_of(row) is not None for row in kept)
        kept = (pairs[0][-1],) if len(pairs) == 1 else () if told_apart and not pairs else kept
    dated = [row for row in kept if day_of(row)]
    if len(kept) > 1 and dated and (_LATEST.search(said.text) or _EARLIEST.search(said.text)):
        edge = (max if _LATEST.search(said.text) else min)(day_of(row) for row in dated)
        kept = tuple(row for row in dated if day_of(row) == edge)
    return kept


def duplicates(rows: Sequence[Row]) -> tuple[tuple[Row, ...], ...]:
    """Groups of two or more rows with the same amount on the same day, in order of first appearance."""
    groups: dict[tuple[Decimal, str], list[Row]] = {}
    for row in rows:
        amount, day = amount_of(row), day_of(row)
        if amount is not None and day:
            groups.setdefault((amount, day), []).append(row)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def lists_in(data: Any) -> Iterable[tuple[str, tuple[Row, ...]]]:
    """The lists of records in a result, by key: those at the top and one level down. A bare list has the key ''."""
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        yield "", tuple(cast(Row, row) for row in cast(Sequence[Any], data) if isinstance(row, Mapping))
    elif isinstance(data, Mapping):
        for key, value in cast(Row, data).items():
            if isinstance(value, list | tuple):
                items = cast(Sequence[Any], value)
                if all(isinstance(item, Mapping) for item in items):
                    yield key, tuple(cast(Row, item) for item in items)


def _some(rows: tuple[Row, ...], keep: Callable[[Row], bool]) -> tuple[Row, ...]:
    return tuple(row for row in rows if keep(row)) or rows
