"""One request to a model: never tried twice, never longer than allowed, and every failure explained."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from routeagent.errors import ModelError
from routeagent.llm.endpoint import Endpoint
from routeagent.llm.loading import load_litellm


async def ask(endpoint: Endpoint, **body: Any) -> Any:
    """litellm's answer to a chat request: a `ModelResponse`, or with `stream=True` an async iterator of chunks.

    To be run on the background loop, as is everything done with the answer's stream.

    The timeout covers the whole answer, or the wait for a stream to open. It is enforced here as well as by
    litellm, whose own starts anew with every byte: busy providers send blank lines to keep a connection alive.

    Raises:
        ModelError: it was refused, failed, took too long, or the answer is no completion.
    """
    litellm = load_litellm()
    try:
        async with asyncio.timeout(endpoint.timeout):
            answer = await litellm.acompletion(**endpoint.arguments(), **_encodable(body))
    except Exception as exc:
        raise endpoint.explain(exc) from exc
    if answer is None:  # litellm drops parameters on a 422, asks once more, and then swallows the second 422
        raise ModelError(
            f"{endpoint.name}: the request was refused (422); check the model settings and the schemas of the tools"
        )
    if not body.get("stream") and not answer.choices:
        raise ModelError(f"{endpoint.name}: the answer is empty; try again or choose another model")
    return answer


def _encodable(value: Any) -> Any:
    """The value with halves of surrogate pairs joined, or replaced by U+FFFD: UTF-8 cannot carry them."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list):
        return [_encodable(item) for item in cast("list[Any]", value)]
    return value
