"""One step of planning: from a history and the visible tools to the next call or the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic_ai.messages import ModelMessage, ToolCallPart
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.answer import write_answer
from routeagent.agent.planner.arguments import fill
from routeagent.agent.planner.chains import call_before, was_called
from routeagent.agent.planner.clauses import split_clauses
from routeagent.agent.planner.goals import Goal, Rank, goal_of, weak_goals
from routeagent.agent.planner.outcomes import Obstacle, Plan, call_id, serves
from routeagent.agent.planner.parameters import parameters_of
from routeagent.agent.planner.scope import Scope, scope_of
from routeagent.agent.planner.transcript import Call, Transcript, read_transcript
from routeagent.errors import ModelError
from routeagent.meta import SEARCH_TOOLS

_MOST_CLAUSES = 6
_NEAR = 0.8
"""A reading tool is tried in the best one's place if it scores at least this much of it."""


@dataclass(frozen=True)
class Planning:
    """The planner's settings, and one step of planning from a history; see `OfflinePlanner` for what they mean."""

    rank: Rank
    writes: Callable[[str], bool]
    max_calls: int
    today: date | None

    def step(self, messages: Sequence[ModelMessage], info: AgentInfo) -> str | ToolCallPart:
        """The next call, or the answer where no call is left to make."""
        if not info.allow_text_output:
            raise ModelError(
                "the offline planner answers in text only, and this agent wants structured output; "
                "give it a language model with --model"
            )
        transcript = read_transcript(messages, self.today or _stated_day(info.instructions))
        tools = {tool.name: tool for tool in info.function_tools}
        plan = self._plan(transcript, tools)
        exhausted = len(transcript.calls) >= self.max_calls
        if plan.next_call is not None and not exhausted:
            return plan.next_call
        return write_answer(transcript, tools, plan, limit=self.max_calls if plan.next_call is not None else None)

    def _plan(self, transcript: Transcript, tools: dict[str, ToolDefinition]) -> Plan:
        clauses = split_clauses(transcript.request)[:_MOST_CLAUSES]
        scopes = [scope_of(clause, transcript, tools) for clause in clauses]
        goals: list[Goal] = []
        for scope in scopes:
            goals.append(goal_of(scope, self.rank, self.writes, goals[-1].clause if goals else ""))
        search = self._search(transcript, tools, weak_goals(goals))
        if search is not None:
            return Plan(tuple(goals), search)
        obstacles: list[Obstacle] = []
        for place, (scope, goal) in enumerate(zip(scopes, goals, strict=True)):
            outcome = self._toward(place, scope, goal)
            if isinstance(outcome, ToolCallPart):
                return Plan(tuple(goals), outcome)
            if outcome is not None:
                obstacles.append(outcome)
        stuck = [obstacle.goal.clause for obstacle in obstacles if not obstacle.several]
        return Plan(tuple(goals), self._search(transcript, tools, stuck), tuple(obstacles))

    def _search(
        self, transcript: Transcript, tools: dict[str, ToolDefinition], queries: Collection[str]
    ) -> ToolCallPart | None:
        """One search for the clauses that visible tools don't serve; never a second one."""
        if not queries or SEARCH_TOOLS not in tools or any(call.tool == SEARCH_TOOLS for call in transcript.calls):
            return None
        name, schema = next(iter(tools[SEARCH_TOOLS].parameters_json_schema.get("properties", {"queries": {}}).items()))
        value = list(queries) if schema.get("type", "array") == "array" else " ".join(queries)
        return ToolCallPart(SEARCH_TOOLS, {name: value}, call_id(transcript, "search"))

    def _toward(self, place: int, scope: Scope, goal: Goal) -> ToolCallPart | Obstacle | None:
        """The next call for a clause, what stands in its way, or None where it has been served."""
        transcript = scope.transcript
        made = [call for call in transcript.calls if serves(call, place)]
        if made:
            return self._again(place, scope, made)
        if goal.best is None:
            return Obstacle(goal)
        first: Obstacle | None = None
        for name in self._options(goal):
            filling = fill(scope.tools[name], scope)
            if filling.complete:
                if was_called(filling, scope):
                    return Obstacle(goal) if goal.acts and not self.writes(name) else None
                return ToolCallPart(name, dict(filling.arguments), call_id(transcript, f"goal{place}"))
            before = call_before(filling.lacking, name, scope, self.writes)
            if before is not None:
                return ToolCallPart(before.tool, dict(before.arguments), call_id(transcript, f"step{place}"))
            first = first or Obstacle(goal, name, filling.lacking, filling.several)
        return first

    def _again(self, place: int, scope: Scope, made: Sequence[Call]) -> ToolCallPart | None:
        """The same reading call for the next of several ids that one clause names."""
        tool = scope.tools.get(made[0].tool)
        ids = [p for p in parameters_of(tool) if p.kind == "id"] if tool else []
        if tool is None or len(ids) != 1 or self.writes(tool.name):
            return None
        done = {str(call.arguments.get(ids[0].name)) for call in made}
        rest = [word for word in scope.ids(scope.clause, ids[0], tool.name) if word not in done]
        filling = fill(tool, scope, {ids[0].name: rest[0]}) if rest else None
        if filling is None or not filling.complete or was_called(filling, scope):
            return None
        return ToolCallPart(tool.name, dict(filling.arguments), call_id(scope.transcript, f"goal{place}"))

    def _options(self, goal: Goal) -> list[str]:
        """The best tool; after it, for a clause that only reads, others that come near it."""
        if goal.acts and goal.best and self.writes(goal.best):
            return [goal.best]
        top = goal.ranked[0][1]
        return [name for name, score in goal.ranked[:3] if score >= _NEAR * top and not self.writes(name)]


def _stated_day(instructions: str | None) -> date | None:
    """The day that instructions give as today's, in ISO form after a word for today."""
    match = re.search(r"(?:今天|日期|today|date)\D{0,12}(\d{4}-\d{2}-\d{2})", instructions or "", re.IGNORECASE)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None
