"""The read-only call that yields an id which another call needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.arguments import Filling, fill
from routeagent.agent.planner.parameters import Parameter, parameters_of
from routeagent.agent.planner.results import values_of
from routeagent.agent.planner.scope import Scope
from routeagent.meta import SEARCH_TOOLS

_DEEPEST = 3


def call_before(lacking: Iterable[Parameter], tool: str, scope: Scope, writes: Callable[[str], bool]) -> Filling | None:
    """The next look-up on the way to what `tool` lacks, or None where no visible read-only tool leads there."""
    return next((step for parameter in lacking if (step := _step_to(parameter, tool, scope, writes, (tool,)))), None)


def _step_to(
    parameter: Parameter, tool: str, scope: Scope, writes: Callable[[str], bool], path: tuple[str, ...]
) -> Filling | None:
    if parameter.kind not in ("id", "number") or len(path) > _DEEPEST:
        return None
    for producer in _producers(parameter, tool, scope, writes):
        if producer.name in path:
            continue
        filling = fill(producer, scope)
        if filling.complete and not was_called(filling, scope):
            return filling
        if not filling.complete and not filling.several:
            deeper = (_step_to(need, producer.name, scope, writes, (*path, producer.name)) for need in filling.lacking)
            step = next((step for step in deeper if step is not None), None)
            if step is not None:
                return step
    return None


def was_called(filling: Filling, scope: Scope) -> bool:
    """Whether this very call has been made since the request."""
    return any(
        call.tool == filling.tool and dict(call.arguments) == dict(filling.arguments) for call in scope.transcript.calls
    )


def _producers(parameter: Parameter, tool: str, scope: Scope, writes: Callable[[str], bool]) -> list[ToolDefinition]:
    """Read-only tools that speak of the parameter's thing, the likeliest first."""
    scored = [
        (_likelihood(candidate, parameter, tool, scope), -place, candidate)
        for place, candidate in enumerate(scope.tools.values())
        if candidate.name not in (tool, SEARCH_TOOLS) and not writes(candidate.name)
    ]
    return [candidate for score, _, candidate in sorted(scored, key=lambda item: item[:2], reverse=True) if score >= 2]


def _likelihood(candidate: ToolDefinition, parameter: Parameter, tool: str, scope: Scope) -> float:
    """How plainly a tool's name and description speak of the thing; zero where it asks for what it should yield."""
    if any(need.name == parameter.name for need in parameters_of(candidate) if need.required):
        return 4.0 if parameter.kind == "number" else 0.0
    words, about = candidate.name.lower().split("_"), candidate.description or ""
    stem = parameter.stem
    score = (
        3.0 * (words[0] == stem)
        + 2.0 * (stem in words[1:])
        + 2.0 * (bool(parameter.label) and parameter.label in about)
    )
    score += 2.0 * bool(stem and len(stem) > 3 and stem in about.lower())
    if parameter.kind == "number":
        score += _shows_state(candidate, tool)
    elsewhere = any(name.split("_")[0] == stem for name in scope.tools)
    family = words[0] == tool.lower().split("_")[0] and not elsewhere
    score += 2.0 * (family and bool({"list", "search", "find", "status", "pending"} & set(words)))
    score += 0.5 * bool({"find", "search", "list", "lookup", "get"} & set(words)) if score else 0.0
    known = any(call.tool == candidate.name and values_of(call.data, parameter.name) for call in scope.good_calls())
    return score + 2.0 * known


def _shows_state(candidate: ToolDefinition, tool: str) -> float:
    """Whether a tool shows the current state of what `tool` changes: the family's `get` or `status`."""
    words = candidate.name.lower().split("_")
    return 3.0 * (words[0] == tool.lower().split("_")[0] and bool({"get", "status", "show"} & set(words)))
