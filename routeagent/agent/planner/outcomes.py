"""What one step of planning found, and the call ids by which the next step knows what a call was for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic_ai.messages import ToolCallPart

from routeagent.agent.planner.goals import Goal
from routeagent.agent.planner.parameters import Parameter
from routeagent.agent.planner.scope import Several
from routeagent.agent.planner.transcript import Call, Transcript


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a clause went unserved: nothing fits (no tool), an argument is lacking, or several records fit."""

    goal: Goal
    tool: str | None = None
    lacking: tuple[Parameter, ...] = ()
    several: tuple[Several, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The clauses' goals, the next call if one is to be made, and what stands in the way of the rest."""

    goals: tuple[Goal, ...]
    next_call: ToolCallPart | None = None
    obstacles: tuple[Obstacle, ...] = ()


def call_id(transcript: Transcript, purpose: str) -> str:
    """An id unique in the conversation that says what the call is for: `goal1` serves the second clause."""
    return f"offline-{transcript.turn}-{len(transcript.calls)}-{purpose}"


def serves(call: Call, clause: int) -> bool:
    """Whether a call was made to serve the clause with this index itself, rather than on the way there."""
    return re.fullmatch(rf"offline-\d+-\d+-goal{clause}", call.id) is not None
