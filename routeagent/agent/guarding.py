"""The give-up guard: a final answer that denies an ability while a fitting tool was permitted and not shown.

The failure is silent otherwise: retrieval misses a tool, the model concludes that the ability does not exist, and
politely leaves the job undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Literal, get_args

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from routeagent.agent.state import RunState
from routeagent.errors import StrategyError
from routeagent.guard import DenialClassifier
from routeagent.meta import second_thought

Policy = Literal["off", "trace", "retry"]
_NEAR = 10
"""A tool that was not shown fits where it stands among so many of the ranking."""
_OFFERED = 5
"""So many candidates are traced and, under `retry`, revealed."""


def check_policy(policy: str) -> None:
    """Refuse a policy that does not exist.

    Raises:
        StrategyError: it is none of `off`, `trace`, `retry`.
    """
    if policy not in get_args(Policy):
        raise StrategyError(f"unknown guard {policy!r}; known are {', '.join(get_args(Policy))}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that was there all the time: its name, its score and its rank for the request, from 1."""

    tool: str
    score: float
    rank: int


def denied_in_vain(run: RunState, response: ModelResponse, request: str) -> list[Candidate]:
    """Permitted tools that fit the request, were never shown, and are denied by a final answer; best first.

    Empty where the response calls tools, denies nothing, or was right: nothing unseen fits. What fits is the
    retriever's view, so a denial is only doubted where there is something to offer instead.
    """
    if any(isinstance(part, ToolCallPart) for part in response.parts) or run.exposure.name == "all":
        return []
    answer = "\n".join(part.content for part in response.parts if isinstance(part, TextPart))
    if not answer.strip() or not _classifier().denies(answer):
        return []
    discovery = run.discovery
    ranked = discovery.index.search(request, _NEAR, allowed=discovery.allowed).tools
    fitting = [Candidate(scored.name, round(scored.score, 4), rank) for rank, scored in enumerate(ranked, 1)]
    return [one for one in fitting if one.tool not in discovery.visible][:_OFFERED]


def trace_denial(run: RunState, step: int, candidates: Sequence[Candidate], *, retried: bool) -> None:
    """Record what was denied although it was there."""
    run.trace.write("capability_denied", step=step, candidates=[asdict(one) for one in candidates], retried=retried)


def reveal_candidates(run: RunState, candidates: Sequence[Candidate]) -> str:
    """Make the candidates visible, under the cap, and say so in words for the model."""
    names = [one.tool for one in candidates]
    shown = run.discovery.reveal(names, why="denied although it was there")
    return second_thought(shown or names, run.discovery.catalog)


@cache
def _classifier() -> DenialClassifier:
    return DenialClassifier.load()
