"""A model by name: any litellm name, or the offline planner where none is set."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence

from pydantic_ai.models import Model

from routeagent.search import ToolIndex

MODEL_VARIABLE = "ROUTEAGENT_MODEL"


def resolve_model(model: str | Model | None, index: ToolIndex) -> Model:
    """The model that a run talks to.

    Args:
        model: a pydantic-ai model as it is; a litellm name such as `deepseek/deepseek-chat`; None takes
            `$ROUTEAGENT_MODEL`, and where that is not set the offline planner.
        index: what the planner ranks the visible tools by.
    """
    named = model or os.environ.get(MODEL_VARIABLE) or None
    if isinstance(named, Model):
        return named
    if named is None:
        from routeagent.agent.planner import OfflinePlanner

        return OfflinePlanner(_ranking(index), writes=lambda name: name in index.catalog and index.catalog[name].writes)
    from routeagent.agent.litellm_model import LiteLLMModel

    return LiteLLMModel(named)


def _ranking(index: ToolIndex) -> Callable[[str, Collection[str]], Sequence[tuple[str, float]]]:
    def rank(text: str, names: Collection[str]) -> Sequence[tuple[str, float]]:
        found = index.search(text, len(names), allowed=lambda tool: tool.name in names)
        return [(scored.name, scored.score) for scored in found.tools]

    return rank
