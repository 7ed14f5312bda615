"""The give-up guard: a final answer that denies an ability while a fitting tool was permitted and not shown.

The failure is silent otherwise: retrieval misses a tool, the model concludes that the ability does not exist, and
politely leaves the job undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, get_args

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from routeagent.agent.state import RunState
from routeagent.errors import StrategyError
from routeagent.guard import DenialClassifier
from routeagent.meta import second_thought
from routeagent.scored import ScoredTool

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


def denied_in_vain(run: RunState, response: ModelResponse, request: str) -> list[ScoredTool]:
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
    return [scored for scored in ranked if scored.name not in discovery.visible][:_OFFERED]


def trace_denial(run: RunState, step: int, candidates: Sequence[ScoredTool], request: str, *, retried: bool) -> None:
    """Record what was denied although it was there."""
    ranked = [scored.name for scored in run.discovery.index.search(request, _NEAR, allowed=run.discovery.allowed).tools]
    found: list[dict[str, Any]] = [
        {"tool": scored.name, "score": round(scored.score, 4), "rank": ranked.index(scored.name) + 1}
        for scored in candidates
    ]
    run.trace.write("capability_denied", step=step, candidates=found, retried=retried)


def reveal_candidates(run: RunState, candidates: Sequence[ScoredTool]) -> str:
    """Make the candidates visible, under the cap, and say so in words for the model."""
    names = [scored.name for scored in candidates]
    shown = run.discovery.reveal(names, why="denied although it was there")
    return second_thought(shown or names, run.discovery.catalog)


@cache
def _classifier() -> DenialClassifier:
    return DenialClassifier.load()
