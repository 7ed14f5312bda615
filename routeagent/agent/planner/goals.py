"""Which tool a clause is about: the ranker's order, corrected by what the clause names and whether it acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.clauses import asks_for_action, demand_of, without_quotes
from routeagent.agent.planner.dates import moments, months
from routeagent.agent.planner.entities import amounts, currencies, emails
from routeagent.agent.planner.parameters import finds_by_key, parameters_of
from routeagent.agent.planner.scope import Scope
from routeagent.meta import SEARCH_TOOLS

Rank = Callable[[str, Collection[str]], Sequence[tuple[str, float]]]
_CONSIDERED = 20
_KNOWLEDGE = re.compile(
    r"什么意思|怎么(?!样)|如何|为什么|多久|收费|规则|支持.*吗|"
    r"\bhow (?:do|to|can|long)|\bwhat does|\bmean\b|\bwhy|\bdo you",
    re.IGNORECASE,
)
_SHOWN = 5
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Goal:
    """What one clause wants.

    Attributes:
        clause: its words.
        acts: it asks for a change, so a writing tool may serve it.
        ranked: tools with scores, best first, 1.0 being the ranker's best; writing tools only where it acts.
        nearest: the ranker's own first five, whatever they do.
        raw: the ranker's own best score, comparable between clauses.
    """

    clause: str
    acts: bool
    ranked: tuple[tuple[str, float], ...]
    nearest: tuple[str, ...]
    raw: float

    @property
    def best(self) -> str | None:
        """The tool that serves the clause best, None where none fits."""
        return self.ranked[0][0] if self.ranked else None


def goal_of(scope: Scope, rank: Rank, writes: Callable[[str], bool], before: str = "") -> Goal:
    """The clause's goal among the visible tools. A short clause also leans on the one before it.

    Args:
        scope: the clause and the tools in sight.
        rank: scores tools for a text.
        writes: whether a tool changes something.
        before: the clause that came before, empty for the first.
    """
    names = [name for name in scope.tools if name != SEARCH_TOOLS]
    scores = _scores(scope.clause, names, rank)
    if before and len(scope.clause) < _SHORT:
        context = _scores(f"{before} {scope.clause}", names, rank)
        scores = {name: 0.6 * scores[name] + 0.4 * context[name] for name in names}
    acts = asks_for_action(scope.clause)
    scaled = {name: share for name, share in _shares(scores).items() if acts or not writes(name)}
    best = max(scaled.values(), default=0.0)
    if best and _asks_nobody(scope):
        scaled |= {name: max(scaled[name], 0.3 * best) for name in scaled if _searches_freely(scope.tools[name])}
    top = sorted((name for name in scaled if scaled[name] > 0), key=lambda name: (-scaled[name], name))[:_CONSIDERED]
    adjusted = {name: scaled[name] / best + _bonus(scope.tools[name], scope, acts, writes) for name in top}
    ranked = tuple(sorted(adjusted.items(), key=lambda item: (-item[1], item[0])))
    nearest = tuple(sorted(scores, key=lambda name: (-scores[name], name))[:_SHOWN])
    return Goal(scope.clause, acts, ranked, nearest, max((scores[name] for name in top), default=0.0))


def _shares(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores between 0, which doesn't fit, and 1, the best; rankers differ in scale, and some go below zero."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    if high == low:
        return dict.fromkeys(scores, float(high > 0))
    return {name: (score - low) / (high - low) for name, score in scores.items()}


def _scores(text: str, names: Sequence[str], rank: Rank) -> dict[str, float]:
    """The ranker's scores for a text less its addresses and quotations: who and what words, not what to do."""
    bare = demand_of(without_quotes(text))
    for address in emails(text):
        bare = bare.replace(address, " ")
    found = dict(rank(bare if re.search(r"\w", bare) else text, names)) if names else {}
    low = min(found.values(), default=0.0) if len(found) == len(names) else min(0.0, *found.values(), 0.0)
    return {name: found.get(name, low) for name in names}


def _bonus(tool: ToolDefinition, scope: Scope, acts: bool, writes: Callable[[str], bool]) -> float:
    """What speaks for a tool beside its rank: it acts as asked, it takes the ids and codes named, its name is said."""
    parameters = parameters_of(tool)
    takes_id = any(p.kind == "id" and scope.ids(scope.clause, p, tool.name) for p in parameters)
    takes_code = any(p.kind == "code" for p in parameters) and bool(scope.codes(scope.clause))
    said = set(re.findall(r"[a-z]{3,}", scope.clause.lower()))
    words = [word for word in tool.name.lower().split("_") if len(word) > 2]
    spoken = sum(word in said or f"{word}s" in said for word in words) / max(len(words), 1)
    kinds = {parameter.kind for parameter in parameters}
    named = 0.2 * takes_id + 0.15 * takes_code + 0.2 * spoken + _named_kinds(kinds, _searches_freely(tool), scope)
    return 0.25 * (acts and writes(tool.name)) + named


def _asks_nobody(scope: Scope) -> bool:
    """Whether the clause is a question of knowledge, about no record in particular."""
    return _KNOWLEDGE.search(scope.clause) is not None and not scope.names_somebody(scope.clause)


def _searches_freely(tool: ToolDefinition) -> bool:
    """Whether a tool takes words to search for."""
    return any(p.kind == "query" and not finds_by_key(p, tool) for p in parameters_of(tool))


def _named_kinds(kinds: Collection[str], free_query: bool, scope: Scope) -> float:
    """What speaks for a tool whose kinds of arguments the clause names: times, currencies, months; or for knowledge."""
    clause, today = scope.clause, scope.transcript.today
    named = scope.names_somebody(clause)
    asks_nobody = _asks_nobody(scope)
    return (
        0.4 * ("moment" in kinds and bool(moments(clause, today)))
        + 0.6 * ("currency" in kinds and len(currencies(clause)) > 1)
        + 0.1 * ("month" in kinds and not named and bool(months(clause, today)))
        + 0.15 * ("amount" in kinds and bool(amounts(clause)))
        + 0.5 * (asks_nobody and free_query)
        - 0.5 * (asks_nobody and "id" in kinds)
        - 0.15 * (named and not {"id", "email", "query"} & set(kinds))
    )


def weak_goals(goals: Sequence[Goal]) -> tuple[str, ...]:
    """Clauses that the visible tools serve clearly worse than the others, or not at all, or only by a shared tool."""
    strongest = max((goal.raw for goal in goals), default=0.0)
    owners: Mapping[str | None, Goal] = {goal.best: goal for goal in sorted(goals, key=lambda goal: goal.raw)}
    weak = [
        goal.clause
        for goal in goals
        if goal.best is None or goal.raw < 0.5 * strongest or owners[goal.best].clause != goal.clause
    ]
    return tuple(dict.fromkeys(weak))
