"""The part of the OpenAI client that `OpenAIChatModel` uses, with litellm behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, cast

from openai import NotGiven, Omit
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from routeagent.errors import ModelError
from routeagent.llm import background
from routeagent.llm.asking import ask
from routeagent.llm.endpoint import Endpoint
from routeagent.llm.masking import mask


class LiteLLMClient:
    """`client.chat.completions.create(...)` over litellm, in-process.

    Raises:
        ModelError: from `create` and from its streams, for whatever a provider does wrong.
    """

    _client = None  # pydantic-ai hands the HTTP client on to `with_options`; there is none here

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    @property
    def chat(self) -> LiteLLMClient:
        return self

    @property
    def completions(self) -> LiteLLMClient:
        return self

    def with_options(self, **_: object) -> LiteLLMClient:
        """pydantic-ai asks for a copy that retries; nothing here does, since a retry belongs to whoever waits."""
        return self

    async def create(self, *, model: str, timeout: object = None, **body: Any) -> ChatCompletion | Chunks:
        """Ask. `model` is the endpoint's own; `timeout` overrides its seconds for this request."""
        endpoint = replace(self._endpoint, timeout=_seconds(timeout) or self._endpoint.timeout)
        given = {key: value for key, value in body.items() if value is not None and not isinstance(value, _ABSENT)}
        if given.get("stream"):
            return Chunks(await background.run(ask(endpoint, **given)), endpoint)
        return ChatCompletion.construct(**await self.answer(endpoint, given))

    async def answer(self, endpoint: Endpoint, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request that is not streamed, as a chat completion's JSON."""
        answer = await background.run(ask(endpoint, **body))
        return answer.model_dump()


_ABSENT = (Omit, NotGiven)


def _seconds(timeout: object) -> float | None:
    """The seconds of a number or of an httpx timeout, whose read timeout is the one that counts here."""
    seconds = timeout if isinstance(timeout, int | float) else getattr(timeout, "read", None)
    return float(seconds) if isinstance(seconds, int | float) else None


class Chunks:
    """A stream of chunks, each of which must come within the endpoint's timeout."""

    def __init__(self, stream: Any, endpoint: Endpoint) -> None:
        self._stream = stream
        self._iterator = cast("AsyncIterator[Any]", aiter(stream))
        self._endpoint = endpoint
        self._heard = False

    async def __aenter__(self) -> Chunks:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __aiter__(self) -> Chunks:
        return self

    async def __anext__(self) -> ChatCompletionChunk:
        chunk = await background.run(self._next())
        if chunk is None:
            if self._heard:
                raise StopAsyncIteration
            raise _nothing(self._endpoint)
        self._heard = self._heard or _says_something(chunk)
        return ChatCompletionChunk.construct(**chunk.model_dump())

    async def _next(self) -> Any:
        try:
            async with asyncio.timeout(self._endpoint.timeout):
                return await anext(self._iterator, None)
        except Exception as exc:
            raise self._endpoint.explain(exc) from exc

    async def close(self) -> None:
        """Give the connection back. Closing twice does nothing."""
        await background.run(self._stream.aclose())


def _says_something(chunk: Any) -> bool:
    """Whether a provider said this: litellm makes up an end, without usage, for a stream that held no completion."""
    if getattr(chunk, "usage", None):
        return True
    deltas = (choice.delta.model_dump(exclude_none=True) for choice in chunk.choices)
    return any(value for delta in deltas for key, value in delta.items() if key != "role")


def _nothing(endpoint: Endpoint) -> ModelError:
    where = mask(endpoint.base_url or "its base URL")
    return ModelError(
        f"{endpoint.name}: the answer is not a stream of chat completion chunks; check that {where} is the address "
        "of the API itself (many end in /v1)"
    )
