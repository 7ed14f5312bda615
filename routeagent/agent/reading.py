"""What routing reads from a run: the user's words, the model's stated intent, and what the model can do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolReturnPart, UserPromptPart

from routeagent.exposure import ModelFacts
from routeagent.prices import price_of
from routeagent.selection import Limits

_INTENT = 300
"""Characters of the model's own words that are looked at."""
_ENTITIES = 8
_MOST_FUNCTIONS = {"openai": 128, "azure": 128}
_ENTITY = re.compile(r"[A-Z]{1,5}-?\d[\w-]*|E\d{4}|[\w.+-]+@[\w-]+\.[\w.]+")


def prompt_text(ctx: RunContext[Any]) -> str:
    """What the user said last: the run's prompt, or the last user turn of a run that was resumed without one."""
    content: Any = ctx.prompt
    if content is None:
        turns = [part for message in ctx.messages if isinstance(message, ModelRequest) for part in message.parts]
        content = next((part.content for part in reversed(turns) if isinstance(part, UserPromptPart)), "")
    if isinstance(content, str):
        return content
    return "\n".join(part for part in cast("Iterable[Any]", content) if isinstance(part, str))


def intent_text(messages: Sequence[ModelMessage], request: str) -> str:
    """What the next step is about: the request, what the model last said, and the ids in the last results."""
    said = next((_words(message) for message in reversed(messages) if isinstance(message, ModelResponse)), "")
    found = [text for message in messages[-1:] for text in _results(message)]
    entities = dict.fromkeys(entity for text in found for entity in _ENTITY.findall(text))
    return "\n".join(part for part in (request, said[:_INTENT], " ".join(list(entities)[:_ENTITIES])) if part)


def facts_of(ctx: RunContext[Any]) -> ModelFacts:
    """What the choice of an exposure depends on: pydantic-ai's profile of the model, and its price."""
    profile = cast("dict[str, Any]", getattr(ctx.model, "profile", None) or {})
    searches = any(getattr(kind, "kind", "") == "tool_search" for kind in profile.get("supported_native_tools") or ())
    price = price_of(str(getattr(ctx.model, "model_name", "")))
    return ModelFacts(
        native=searches and profile.get("tool_deferral_mode") is not None,
        reads_cache=price is not None and price.cached < price.input,
        window=profile.get("context_window") or (price.window if price else None),
    )


def within_provider(limits: Limits, ctx: RunContext[Any]) -> Limits:
    """The cap, lowered to what the model's provider takes: OpenAI refuses a request with more than 128 functions."""
    most = _MOST_FUNCTIONS.get(str(getattr(ctx.model, "system", "")))
    return limits if most is None or limits.max_tools <= most else replace(limits, max_tools=most)


def _words(message: ModelResponse) -> str:
    return " ".join(part.content for part in message.parts if isinstance(part, TextPart))


def _results(message: ModelMessage) -> Iterator[str]:
    for part in message.parts:
        if isinstance(part, ToolReturnPart):
            yield json.dumps(part.content, ensure_ascii=False, default=str)
