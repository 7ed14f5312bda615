"""Numbers, sums of money and currencies for arguments."""

from __future__ import annotations

import re
from decimal import Decimal

from routeagent.agent.planner import entities
from routeagent.agent.planner.parameters import parameters_of
from routeagent.agent.planner.results import amount_of, rows_with
from routeagent.agent.planner.slot import Slot


def number(slot: Slot) -> int | float | str | None:
    """A number by the word beside it, else the only one; "5 more" counts from what results say there is."""
    clause, name, about = slot.scope.clause, slot.parameter.name, slot.parameter.description
    unit = next((words for names, words in _UNITS if re.search(names, name)), None)
    found = _beside(clause, unit) if unit else None
    found = found or (entities.numbers(clause) if len(entities.numbers(clause)) == 1 else ())
    if not found:
        return None
    number = entities.to_decimal(found[-1])
    more = re.search(r"(?:加|增加|多加|再加|add)\s*(?:了)?\s*\d|\d+\s*more", clause, re.IGNORECASE)
    less = re.search(r"(?:减|减少|去掉|reduce by|remove)\s*(?:了)?\s*\d|\d+\s*(?:fewer|less)", clause, re.IGNORECASE)
    if number is not None and (more or less) and not re.search(r"增加|减少|变化|delta|by how", about, re.IGNORECASE):
        now = _known_count(slot)
        number = None if now is None else now + number if more else now - number
    return None if number is None else _typed(number, slot.parameter.type)


_UNITS: tuple[tuple[str, str], ...] = (
    (r"seat|席位", r"席|个|人|seats?|users?|licen[sc]es?"),
    (r"month", r"个?月|months?"),
    (r"day", r"天|日|days?"),
    (r"limit|count|top", r"条|个|张|笔|results?|items?"),
)


def _beside(text: str, unit: str) -> tuple[str, ...]:
    han = r"[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
    match = re.search(
        rf"(?<![\w-])(\d+|{han})\s*(?:more |fewer )?(?:{unit})(?!\w*@)",
        re.sub(r"(?<=[\u4e00-\u9fff])(?=\d)", " ", text),
        re.I,
    )
    if match is None:
        return ()
    return (match[1] if match[1].isdigit() else str(entities.han_number(match[1])),)


def _known_count(slot: Slot) -> Decimal | None:
    """The value that a result about the same record holds under the parameter's own name."""
    ids = {str(value) for value in slot.filled.values()}
    for call in slot.scope.good_calls():
        about = ids & {str(value) for value in call.arguments.values()}
        for row in rows_with(call.data, slot.parameter.name) if about else ():
            return Decimal(str(row[slot.parameter.name]))
    return None


def amount(slot: Slot) -> int | float | str | None:
    """The sum of money named; where none is, that of the one record the call is about. Cents where the name says so."""
    named = next((found[0].value for text in slot.texts if (found := entities.amounts(text))), None)
    if named is None and not any(kind.kind == "id" for kind in parameters_of(slot.tool)):
        found = entities.numbers(slot.scope.clause)
        named = entities.to_decimal(found[0]) if found else None
    value = named if named is not None else _recorded_amount(slot)
    if value is None:
        return None
    cents = slot.parameter.name.endswith("cents") or re.search(r"单位[:是为]?分|in cents", slot.parameter.description)
    return _typed(value * 100 if cents else value, slot.parameter.type)


def _recorded_amount(slot: Slot) -> Decimal | None:
    for call in slot.scope.good_calls():
        for name, value in slot.filled.items():
            for row in rows_with(call.data, name):
                if str(row[name]) == str(value) and amount_of(row) is not None:
                    return amount_of(row)
    return None


def _typed(value: Decimal, json_type: str) -> int | float | str | None:
    if json_type == "integer":
        return int(value) if value == int(value) else None
    if json_type == "number":
        return float(value)
    return f"{value.normalize():f}"


def currency(slot: Slot) -> str | None:
    """The first currency named for a parameter that says from, the last for one that says to."""
    allowed = {str(value) for value, _ in slot.parameter.choices}
    named = next((found for text in slot.texts if (found := entities.currencies(text))), ())
    found = [code for code in named if not allowed or code in allowed or len(named) > 1]
    if re.search(r"to|target|dest", slot.parameter.name):
        return found[-1] if len(named) > 1 else None
    return found[0] if found else None
