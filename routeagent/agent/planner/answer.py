"""The final text: what was found, what needs approval, what failed, and what is lacking."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.clauses import is_chinese
from routeagent.agent.planner.outcomes import Obstacle, Plan
from routeagent.agent.planner.phrases import DISCLAIMER, phrase
from routeagent.agent.planner.render import clipped, result_lines, row_line
from routeagent.agent.planner.results import mentions
from routeagent.agent.planner.transcript import Call, Transcript
from routeagent.meta import SEARCH_TOOLS

_SHOWN_TOOLS = 5
_LONGEST_REASON = 300


def write_answer(
    transcript: Transcript, tools: Mapping[str, ToolDefinition], plan: Plan, *, limit: int | None = None
) -> str:
    """The answer in the request's language. `limit` is the bound on calls, given where it stopped the planner."""
    language = "zh" if is_chinese(transcript.request) else "en"
    lines = [DISCLAIMER[language]]
    for call in transcript.calls:
        if call.tool != SEARCH_TOOLS or call.outcome != "success":
            lines.extend(_call_lines(call, transcript, language))
    lines.extend(line for obstacle in plan.obstacles for line in _obstacle_lines(obstacle, tools, language))
    if not tools:
        lines.append(phrase("no_tools", language))
    elif not transcript.request:
        lines.append(phrase("empty_request", language))
    elif not plan.goals:
        lines.append(phrase("no_clause", language))
    if limit is not None:
        lines.append(phrase("limit", language, limit=limit))
    return "\n".join(lines)


def _call_lines(call: Call, transcript: Transcript, language: str) -> list[str]:
    written = call_text(call.tool, call.arguments)
    if call.outcome == "denied":
        return [phrase("denied", language, call=written, reason=reason_text(call.data))]
    if call.outcome == "pending":
        return [phrase("pending", language, call=written)]
    if call.outcome != "success":
        return [phrase("failed", language, call=written, reason=reason_text(call.data))]
    if call.data is None:
        return [phrase("done", language, call=written)]
    lines = result_lines(call.data, mentions(transcript.request, transcript.today), language)
    if not lines:
        return [phrase("empty_result", language, call=written)]
    return [f"{written}:", *(f"  {line}" for line in lines)]


def call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as people write it: `refund_submit(invoice_id="INV-2026-0102", amount_yuan=2392)`."""
    given = (f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in arguments.items())
    return clipped(f"{tool}({', '.join(given)})", _LONGEST_REASON)


def reason_text(data: Any) -> str:
    """What a refused or failed call said, as a sentence; validation errors by argument."""
    if isinstance(data, list):
        errors = [cast(Mapping[str, Any], item) for item in cast(Sequence[Any], data) if isinstance(item, Mapping)]
        parts = [f"{'.'.join(str(place) for place in e.get('loc', ()))} {e.get('msg', '')}".strip() for e in errors]
        return clipped("; ".join(parts), _LONGEST_REASON)
    if isinstance(data, Mapping):
        return clipped(row_line(cast(Mapping[str, Any], data), "en"), _LONGEST_REASON)
    return clipped(str(data or "—"), _LONGEST_REASON)


def _obstacle_lines(obstacle: Obstacle, tools: Mapping[str, ToolDefinition], language: str) -> list[str]:
    clause = clipped(obstacle.goal.clause, 60)
    if obstacle.several:
        return _several_lines(obstacle, clause, language)
    if obstacle.tool is None:
        first = phrase("nothing_fits", language, clause=clause)
    else:
        names = ", ".join(_named(parameter.name, parameter.description) for parameter in obstacle.lacking)
        first = phrase("lacking", language, clause=clause, tool=obstacle.tool, names=names)
    ranked = [name for name in obstacle.goal.nearest if name in tools]
    shown = [
        f"  {place}. {name}: {clipped(tools[name].description or '', 60)}" for place, name in enumerate(ranked, start=1)
    ]
    return [first, phrase("nearest", language), *shown] if shown else [first]


def _several_lines(obstacle: Obstacle, clause: str, language: str) -> list[str]:
    lines: list[str] = []
    for several in obstacle.several:
        name = several.parameter.name
        lines.append(phrase("several", language, clause=clause, name=name, count=len(several.rows)))
        lines.extend(f"  - {row_line(row, language)}" for row in several.rows[:_SHOWN_TOOLS])
    return lines


def _named(name: str, description: str) -> str:
    return f"{name} ({clipped(description, 60)})" if description else name
