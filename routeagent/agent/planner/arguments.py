"""A tool's arguments filled from a clause and its conversation, or what exactly is lacking."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner import entities, quantities
from routeagent.agent.planner.dates import moments, months
from routeagent.agent.planner.parameters import Parameter, finds_by_key, parameters_of
from routeagent.agent.planner.places import place_in
from routeagent.agent.planner.scope import Scope, Several, abbreviates
from routeagent.agent.planner.slot import Slot
from routeagent.agent.planner.wording import query_from, subject_key, wording_for

_UNSURE = ("number", "query", "boolean", "text", "currency")
"""Kinds that an optional parameter is never filled with on a guess."""


@dataclass(frozen=True, slots=True)
class Filling:
    """What is known for one call.

    Attributes:
        tool: the tool's wire name.
        arguments: by parameter, in the schema's order.
        lacking: required parameters without a value.
        several: parameters for which more than one record fits.
    """

    tool: str
    arguments: Mapping[str, Any]
    lacking: tuple[Parameter, ...] = ()
    several: tuple[Several, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the call can be made."""
        return not self.lacking and not self.several


def fill(tool: ToolDefinition, scope: Scope, given: Mapping[str, Any] | None = None) -> Filling:
    """The tool's arguments as far as the conversation gives them. Optional ones only where they are plainly meant."""
    filled: dict[str, Any] = dict(given or {})
    lacking: list[Parameter] = []
    several: list[Several] = []
    for parameter in parameters_of(tool):
        if parameter.name in filled or (not parameter.required and not _plainly_meant(parameter, scope, tool.name)):
            continue
        value = _FILLERS[parameter.kind](Slot(parameter, tool, scope, filled))
        if isinstance(value, Several):
            several.append(value)
        elif value is not None:
            filled[parameter.name] = value
        elif parameter.required:
            lacking.append(parameter)
    return Filling(tool.name, filled, tuple(lacking), tuple(several))


def _plainly_meant(parameter: Parameter, scope: Scope, tool: str) -> bool:
    if parameter.kind == "id":
        return bool(scope.ids(scope.clause, parameter, tool))
    if parameter.kind == "text":
        added = re.search(r"追加|备注[:]|记一|记下|写上|原因|说明|\b(?:append|add|note|because|saying)\b", scope.clause)
        return bool(added) and wording_for(parameter, scope.clause, scope.clause) not in (None, scope.clause)
    return parameter.kind not in _UNSURE


def _id(slot: Slot) -> str | Several | None:
    taken = [str(value) for value in slot.filled.values()]
    several = sum(other.kind == "id" for other in parameters_of(slot.tool)) > 1
    return slot.scope.resolve(slot.parameter, slot.tool.name, taken, directed=several)


def _email(slot: Slot) -> str | None:
    """The address meant as a value: the one after 给/到/为/to, else the only one."""
    for text in slot.texts:
        found = entities.emails(text)
        goal = [word for word in found if re.search(r"(?:给|到|成|为|to)\s*$", text[: text.index(word)], re.IGNORECASE)]
        if goal or len(found) == 1:
            return (goal or list(found))[-1]
    return None


def _enum(slot: Slot) -> Any:
    """The choice that the text names last after 到/成/为/to, else the longest word it names."""
    for text in slot.texts:
        found = [
            (_is_goal(text, at), len(word), at, value)
            for value, words in slot.parameter.choices
            for word in words
            if (at := _index(text, word)) >= 0
        ]
        if found:
            return max(found, key=lambda item: item[:3])[3]
    return None


def _index(text: str, word: str) -> int:
    if re.fullmatch(r"[\w ]+", word) and word.isascii():
        match = re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", text, re.IGNORECASE)
        return match.start() if match else -1
    return text.find(word)


def _is_goal(text: str, at: int) -> bool:
    return re.search(r"(?:到|成|为|至|改|换|\bto(?: the)?)\s*$", text[:at], re.IGNORECASE) is not None


def _boolean(slot: Slot) -> bool | None:
    return entities.is_on(slot.scope.clause)


def _month(slot: Slot) -> str | None:
    texts = (*slot.texts, *slot.scope.transcript.earlier)
    return next((found[0] for text in texts if (found := months(text, slot.scope.transcript.today))), None)


def _moment(slot: Slot) -> str | None:
    """A day or a time as the parameter writes it: with a space where its description does, seconds for `date-time`."""
    found = next((found for text in slot.texts if (found := moments(text, slot.scope.transcript.today))), ())
    if not found:
        return None
    spaced = re.search(r"DD HH|\d{4}-\d{2}-\d{2} \d{2}:", slot.parameter.description)
    return found[0].replace("T", " ") if spaced else found[0]


def _code(slot: Slot) -> str | None:
    """An upper-case code that isn't the id of a record."""
    for text in slot.texts:
        for code in (*slot.scope.codes(text), *entities.quoted(text)):
            if code not in slot.filled.values():
                return code
    return None


def _region(slot: Slot) -> str | None:
    return next((found for text in slot.texts if (found := place_in(text))), None)


def _query(slot: Slot) -> str | None:
    """A look-up key alone where the tool finds records by one, else the user's words."""
    if finds_by_key(slot.parameter, slot.tool):
        family = slot.tool.name.lower().split("_")[0]
        known = {prefix for prefixes in slot.scope.prefixes.values() for prefix in prefixes}

        def is_record(word: entities.Identifier) -> bool:
            return word.prefix in known or abbreviates(word.prefix, family)

        return next((key for text in slot.scope.texts() if (key := subject_key(text, is_record))), None)
    return query_from(*slot.texts)


def _text(slot: Slot) -> str | None:
    """The user's words; a subject may repeat a short message, as nobody writes both in one breath."""
    found = wording_for(slot.parameter, *slot.texts)
    if found is None and re.search(r"subject", slot.parameter.name):
        body = wording_for(Parameter("body", "text", True), *slot.texts)
        found = body if body and len(body) <= 40 else None
    if found is not None and slot.parameter.pattern and not re.search(slot.parameter.pattern, found):
        return None
    return None if found is None else slot.scope.transcript.verbatim(found)


_FILLERS: dict[str, Callable[[Slot], Any]] = {
    "id": _id,
    "email": _email,
    "enum": _enum,
    "boolean": _boolean,
    "number": quantities.number,
    "amount": quantities.amount,
    "currency": quantities.currency,
    "month": _month,
    "moment": _moment,
    "code": _code,
    "region": _region,
    "query": _query,
    "text": _text,
}
