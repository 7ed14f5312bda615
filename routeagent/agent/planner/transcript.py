"""The message history read back: what is asked now, what was said before, which calls ran and what they gave."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, cast

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]
    TextContent,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from routeagent.agent.planner.clauses import cleaned, narrowed_width
from routeagent.meta import SEARCH_TOOLS

Outcome = Literal["success", "failed", "denied", "retried", "interrupted", "pending"]
_FRAMED = re.compile(r"<pyai:|^\s*<system[\s>]|^The following tool\(s\) are now available")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call and what came of it.

    Attributes:
        id: the call's id; the planner's own ids say which clause the call serves.
        tool: its wire name.
        arguments: as sent.
        outcome: `pending` where no result has arrived.
        data: the result, parsed from JSON where it is JSON text.
    """

    id: str
    tool: str
    arguments: Mapping[str, Any]
    outcome: Outcome = "pending"
    data: Any = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """All that the planner knows at one step.

    Attributes:
        request: the newest thing the user said, cleaned, its full-width forms narrowed.
        original: the same before narrowing, character by character.
        earlier: what the user said before, newest first.
        calls: calls since the request, oldest first.
        past: calls before the request, newest first.
        today: the day the request was made, from its own timestamp.
        turn: how many times the user has spoken; makes call ids unique over a conversation.
    """

    request: str
    original: str
    earlier: tuple[str, ...]
    calls: tuple[Call, ...]
    past: tuple[Call, ...]
    today: date
    turn: int

    def verbatim(self, text: str) -> str:
        """A piece of the request as the user wrote it, full-width forms and all."""
        at = self.request.find(text)
        return self.original[at : at + len(text)] if at >= 0 else text


def read_transcript(messages: Sequence[ModelMessage], today: date | None = None) -> Transcript:
    """The transcript of a history, whoever wrote it. Text that the framework adds in the user's name is left out."""
    said: list[tuple[str, date]] = []
    calls: list[tuple[int, Call]] = []
    for message in messages:
        if isinstance(message, ModelRequest):
            said.extend(_spoken(message))
            calls = [(turn, _settled(call, message)) for turn, call in calls]
        else:
            calls.extend((len(said), _call(part)) for part in message.parts if isinstance(part, ToolCallPart))
    request, asked = said[-1] if said else ("", date.today())
    now = tuple(call for turn, call in calls if turn == len(said))
    past = tuple(call for turn, call in reversed(calls) if turn != len(said))
    earlier = tuple(narrowed_width(text) for text, _ in reversed(said[:-1]))
    return Transcript(narrowed_width(request), request, earlier, now, past, today or asked, len(said))


def _spoken(message: ModelRequest) -> list[tuple[str, date]]:
    said: list[tuple[str, date]] = []
    for part in message.parts:
        if isinstance(part, UserPromptPart):
            text = _text(part.content)
            if not _FRAMED.search(text[:200]):
                said.append((cleaned(text), part.timestamp.date()))
    return said


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    items = cast(Sequence[object], content)
    return "\n".join(
        item if isinstance(item, str) else item.content for item in items if isinstance(item, str | TextContent)
    )


def _call(part: ToolCallPart) -> Call:
    try:
        arguments = part.args_as_dict()
    except (ValueError, AssertionError):
        arguments = {}
    return Call(part.tool_call_id, part.tool_name, arguments)


def _settled(call: Call, message: ModelRequest) -> Call:
    """The call with its result, if the message brings it."""
    for part in message.parts:
        if isinstance(part, ToolReturnPart) and part.tool_call_id == call.id:
            # What a search returns describes tools: the ids in it are examples, not facts to work with.
            data = None if call.tool == SEARCH_TOOLS and part.outcome == "success" else _data(part.content)
            return Call(call.id, call.tool, call.arguments, part.outcome, data)
        if isinstance(part, RetryPromptPart) and part.tool_call_id == call.id:  # pyright: ignore[reportDeprecated]
            return Call(call.id, call.tool, call.arguments, "retried", _data(part.content))
    return call


def _data(content: Any) -> Any:
    if isinstance(content, str):
        try:
            return json.loads(content) if content.lstrip()[:1] in ("{", "[") else content
        except ValueError:
            return content
    if hasattr(content, "model_dump"):
        return content.model_dump(mode="json")
    return content
