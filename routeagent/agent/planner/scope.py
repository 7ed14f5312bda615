"""Which ids a clause means: those it names, else those that results gave for what it names, else the conversation's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.entities import Identifier, codes, companies, emails, identifiers, quoted
from routeagent.agent.planner.parameters import Parameter, parameters_of
from routeagent.agent.planner.results import Row, chosen, mentions, rows_shaped, rows_with, values_of
from routeagent.agent.planner.transcript import Call, Transcript

_NEW_VALUE_BEFORE = re.compile(
    r"(?:改成|改为|换成|更新为|转给|转让给|移交给|设为|transfer\w*.*\bto|change\w*.*\bto|update\w*.*\bto)\s*$", re.I
)
_KEPT = re.compile(r"keep|into|target|to_|new|dest|primary|保留", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Several:
    """More than one record fits, so that only the person who asked can choose."""

    parameter: Parameter
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Scope:
    """One clause in its conversation, and the tools in sight.

    Attributes:
        clause: the clause that arguments are sought for.
        transcript: the conversation it stands in.
        tools: the visible tools by name; their schemas teach what ids look like.
    """

    clause: str
    transcript: Transcript
    tools: Mapping[str, ToolDefinition]
    prefixes: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def texts(self) -> tuple[str, ...]:
        """The clause, the whole request, then earlier turns as long as the request names nobody itself."""
        near = (self.clause, self.transcript.request)
        return near if any(self.names_somebody(text) for text in near) else (*near, *self.transcript.earlier)

    def names_somebody(self, text: str) -> bool:
        """Whether a text names a record: a look-up key or an id of a shape that some visible tool takes."""
        known = {prefix for prefixes in self.prefixes.values() for prefix in prefixes}
        return bool(lookup_keys(text)) or any(word.prefix in known for word in identifiers(text))

    def codes(self, text: str) -> tuple[str, ...]:
        """Upper-case codes in `text` that are no record's id: coupons, error codes."""
        known = {prefix for prefixes in self.prefixes.values() for prefix in prefixes}
        records = {word.text for word in identifiers(text) if word.prefix in known}
        return tuple(code for code in codes(text) if code not in records)

    def ids(self, text: str, parameter: Parameter, tool: str) -> tuple[str, ...]:
        """The ids in `text` that `parameter` of `tool` could take."""
        return tuple(word.text for word in identifiers(text) if self.fits(word, parameter, tool))

    def fits(self, word: Identifier, parameter: Parameter, tool: str) -> bool:
        """Whether an id has the parameter's shape: its pattern, its known prefixes, else letters of its own name."""
        if parameter.pattern:
            return re.search(parameter.pattern, word.text) is not None
        known = self.prefixes.get(parameter.name, frozenset()) or frozenset(parameter.prefixes)
        if known:
            return word.prefix in known
        family, *others = tool.lower().split("_")
        return any(abbreviates(word.prefix, part) for part in (parameter.stem, family)) or (
            len(word.prefix) > 1 and any(abbreviates(word.prefix, part) for part in others)
        )

    def resolve(
        self, parameter: Parameter, tool: str, taken: Sequence[str] = (), *, directed: bool = False
    ) -> str | Several | None:
        """The id for a parameter; `Several` where the conversation does not decide, None where it has none.

        Args:
            parameter: what to fill.
            tool: whose parameter it is.
            taken: ids that other parameters of the call hold already.
            directed: the tool takes several ids of one kind, so 到 and "into" tell them apart.
        """
        for text in self.texts():
            named = [word for word in self.ids(text, parameter, tool) if word not in taken]
            if named:
                return _directed(named, parameter, text) if directed else named[0]
            found = self._from_results(text, parameter, taken)
            if found is not None:
                return found
            if self._unasked_keys(text):
                return None
        return None

    def _from_results(self, text: str, parameter: Parameter, taken: Sequence[str]) -> str | Several | None:
        """The record that results give for what `text` names, picked by months, amounts and superlatives."""
        rows = [row for row in self.rows_for(text, parameter.name) if row[parameter.name] not in taken]
        today = self.transcript.today
        for wording in (self.clause, self.transcript.request):
            kept = chosen(rows, mentions(wording, today))
            values = tuple(dict.fromkeys(str(row[parameter.name]) for row in kept))
            if len(values) == 1:
                return values[0]
        return Several(parameter, tuple(rows)) if rows else None

    def rows_for(self, text: str, key: str) -> tuple[Row, ...]:
        """Records with `key` from calls about what `text` names; where it names nothing, from the newest call."""
        anchors = self.anchors(text)
        calls = list(self.good_calls())
        if not anchors:
            newest = (rows for call in reversed(calls) if (rows := self._records(call.data, key)))
            return next(newest, ()) if text == self.transcript.request or text in self.transcript.earlier else ()
        about = [
            row for call in calls if anchors & set(_scalars(call.arguments)) for row in self._records(call.data, key)
        ]
        if about:
            return tuple(about)
        return tuple(row for call in calls for row in self._records(call.data, key) if anchors & set(_scalars(row)))

    def _records(self, data: Any, key: str) -> tuple[Row, ...]:
        """Records with `key`; where there are none, those with an id of its shape under another name or in text."""
        return rows_with(data, key) or rows_shaped(data, key, self.prefixes.get(key, frozenset()))

    def anchors(self, text: str) -> set[str]:
        """What a text names, with the ids that results tie to it."""
        found = {*lookup_keys(text), *(word.text for word in identifiers(text))}
        for call in self.good_calls() if found else ():
            if found & set(_scalars(call.arguments)):
                found |= {str(row[name]) for name in self.prefixes for row in self._records(call.data, name)}
        return found

    def good_calls(self) -> Iterator[Call]:
        """Calls that gave a result, oldest first."""
        calls = (*reversed(self.transcript.past), *self.transcript.calls)
        return (call for call in calls if call.outcome == "success")

    def _unasked_keys(self, text: str) -> bool:
        asked = {value for call in self.good_calls() for value in _scalars(call.arguments)}
        return any(key not in asked for key in lookup_keys(text))


def scope_of(clause: str, transcript: Transcript, tools: Mapping[str, ToolDefinition]) -> Scope:
    """The scope with the id shapes that schemas and results teach."""
    learnt: dict[str, set[str]] = {}
    for tool in tools.values():
        for parameter in parameters_of(tool):
            if parameter.kind == "id":
                learnt.setdefault(parameter.name, set()).update(parameter.prefixes)
    for call in (*transcript.past, *transcript.calls):
        for name, prefixes in learnt.items():
            seen = " ".join(str(value) for value in values_of(call.data, name))
            prefixes.update(word.prefix for word in identifiers(seen))
    return Scope(clause, transcript, tools, {name: frozenset(prefixes) for name, prefixes in learnt.items()})


def lookup_keys(text: str) -> tuple[str, ...]:
    """What a record can be looked up by: e-mail addresses that aren't themselves the new value, then company names."""
    addresses = [word for word in emails(text) if not _NEW_VALUE_BEFORE.search(text[: text.index(word)])]
    names = [name for name in companies(text) if not _NEW_VALUE_BEFORE.search(text[: max(text.find(name), 0)])]
    return (*addresses, *(name for name in names if name not in quoted(text)))


def _directed(named: Sequence[str], parameter: Parameter, text: str) -> str:
    """Of several ids, the one after 到/给/into for a parameter that names the goal, else the first that isn't it."""
    goal = next(
        (word for word in named if re.search(r"(?:到|给|进|保留|into|to|keep)\s*$", text[: text.index(word)], re.I)),
        None,
    )
    if _KEPT.search(parameter.name):
        return goal or named[0]
    return next((word for word in named if word != goal), named[0])


def abbreviates(prefix: str, word: str) -> bool:
    """Whether the prefix's letters stand in the word in order, the first one first: `inv`, `c`, `rf` do."""
    if not word or word[0] != prefix[0]:
        return False
    letters = iter(word)
    return all(letter in letters for letter in prefix)


def _scalars(record: Mapping[str, Any]) -> Iterable[str]:
    return (str(value) for value in record.values() if isinstance(value, str | int))
