"""One question, one JSON object back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from routeagent.errors import ModelError
from routeagent.llm import background
from routeagent.llm.asking import ask
from routeagent.llm.endpoint import Endpoint
from routeagent.llm.loading import load_litellm
from routeagent.llm.naming import vendor_of

# litellm's table says that these take a JSON Schema; their API documents JSON mode alone.
_JSON_MODE_ONLY = frozenset({"deepseek"})
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def complete_json(
    name: str,
    messages: Sequence[Mapping[str, Any]],
    schema: Mapping[str, Any],
    *,
    timeout: float = 30.0,
    base_url: str | None = None,
    api_key: str | None = None,
) -> dict[str, Any]:
    """Ask a model for a JSON object, synchronously and once.

    The schema goes to the provider where it takes one, and into the first message always, so that models without
    structured output answer too. An answer is accepted when it is an object with all required members; whether
    their values make sense is for the caller to judge.

    Args:
        name: the model's litellm name.
        messages: OpenAI chat messages.
        schema: a JSON Schema of type object.
        timeout: seconds for the whole call.
        base_url: the address of the API; None is the provider's own.
        api_key: None leaves it to the provider's environment variable.

    Raises:
        ModelError: the request failed or took too long, or the model declined or answered something else.
    """
    return background.wait(_complete_json(Endpoint(name, base_url, api_key, timeout), messages, schema))


async def _complete_json(
    endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]
) -> dict[str, Any]:
    asked = f"Answer with one JSON object and nothing else. Its JSON Schema: {json.dumps(schema, ensure_ascii=False)}"
    body: dict[str, Any] = {"messages": [{"role": "system", "content": asked}, *messages], "temperature": 0}
    if form := _response_format(endpoint.name, schema):
        body["response_format"] = form
    choice = (await ask(endpoint, **body)).choices[0]
    if getattr(choice.message, "refusal", None) or choice.finish_reason == "content_filter":
        raise ModelError(f"{endpoint.name}: the model declined to answer; rephrase or choose another model")
    text = choice.message.content or ""
    found = find_object(text, cast("Sequence[str]", schema.get("required", ())))
    if found is None:
        cut = " (it was cut off)" if choice.finish_reason == "length" else ""
        raise ModelError(
            f"{endpoint.name}: the answer holds no JSON object of the kind asked for{cut}: {_start(text)}; "
            "choose a model that follows a schema"
        )
    return found


def _response_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    if vendor_of(name) in _JSON_MODE_ONLY:
        return {"type": "json_object"}
    if not load_litellm().supports_response_schema(name):
        return None
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}


def find_object(text: str, required: Sequence[str] = ()) -> dict[str, Any] | None:
    """The first JSON object in a text that has the required members; thoughts, prose and code fences are skipped."""
    text = _THOUGHT.sub(" ", text)
    decoder, start = json.JSONDecoder(), text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if all(member in value for member in required):
                return value
            end = start + 1  # the object asked for may be a member of this one
        start = text.find("{", end)
    return None


def _start(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 80 else line[:79] + "…")
