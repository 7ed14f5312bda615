"""What a run's calls came to, read from the conversation, and from the trace where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic_ai.messages import ModelMessage, ToolCallPart

from routeagent.meta import CALL_TOOL
from routeagent.trace import Trace, mask

Outcome = Literal["ok", "bad_arguments", "error", "denied"]


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a run; what went through `call_tool` stands under the name of the tool that it ran.

    Attributes:
        tool: its wire name.
        outcome: `bad_arguments` where validation or the tool itself refused them, `error` where the tool failed or
            ran out of time, `denied` where a person said no.
    """

    tool: str
    outcome: Outcome


def calls_of(messages: Sequence[ModelMessage], trace: Trace) -> tuple[Called, ...]:
    """The calls of a conversation, `search_tools` included, in order."""
    parts = [part for message in messages for part in message.parts]
    answers = {getattr(part, "tool_call_id", None): part for part in parts if not isinstance(part, ToolCallPart)}
    refusals = {row.get("error") for row in trace.named("result") if not row["ok"]}
    return tuple(
        Called(_name(part), _outcome(answers.get(part.tool_call_id), refusals))
        for part in parts
        if isinstance(part, ToolCallPart)
    )


def calls_traced(events: Sequence[Mapping[str, Any]]) -> tuple[Called, ...]:
    """The calls of a run that ended without an answer, as far as they ran."""
    return tuple(_traced(events))


def _traced(events: Sequence[Mapping[str, Any]]) -> Iterator[Called]:
    for row in events:
        if row["event"] == "result":
            yield Called(row["tool"], "ok" if row["ok"] else "error")


def _name(part: ToolCallPart) -> str:
    if part.tool_name != CALL_TOOL:
        return part.tool_name
    try:
        name = part.args_as_dict(raise_if_invalid=True).get("name")
    except ValueError:
        name = None
    return name if isinstance(name, str) else CALL_TOOL


def _outcome(answer: Any, refusals: set[Any]) -> Outcome:
    """What a part that answers a call says of it.

    A part that asks for another attempt has the outcome `retried`, or in older versions none. The last refusal of
    arguments is a failure to the loop; its text stands in the trace as it is, and that of a real failure does not.
    """
    if answer is None:
        return "error"
    outcome, content = getattr(answer, "outcome", "retried"), answer.content
    if outcome == "success":
        return "denied" if isinstance(content, str) and content.startswith("denied: ") else "ok"
    if outcome in ("denied", "retried"):
        return "denied" if outcome == "denied" else "bad_arguments"
    return "bad_arguments" if mask(content) in refusals else "error"
