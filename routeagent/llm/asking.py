"""One request to a model: never tried twice, never longer than allowed, and every failure explained."""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from routeagent.errors import ModelError
from routeagent.llm.endpoint import Endpoint
from routeagent.llm.loading import load_litellm

_T = TypeVar("_T")


async def ask(endpoint: Endpoint, **body: Any) -> Any:
    """litellm's answer to a chat request: a `ModelResponse`, or with `stream=True` an async iterator of chunks.

    The timeout covers the whole answer, or the wait for a stream to open. It is enforced here as well as by
    litellm, whose own starts anew with every byte: busy providers send blank lines to keep a connection alive.

    Raises:
        ModelError: it was refused, failed, took too long, or the answer is no completion.
    """
    litellm = await asyncio.to_thread(load_litellm)
    try:
        async with asyncio.timeout(endpoint.timeout):
            answer = await litellm.acompletion(**endpoint.arguments(), **body)
    except Exception as exc:
        raise endpoint.explain(exc) from exc
    if answer is None:  # litellm drops parameters on a 422, asks once more, and then swallows the second 422
        raise ModelError(
            f"{endpoint.name}: the request was refused (422); check the model settings and the schemas of the tools"
        )
    if not body.get("stream") and not answer.choices:
        raise ModelError(f"{endpoint.name}: the answer is empty; try again or choose another model")
    return answer


def wait_for(request: Coroutine[Any, Any, _T]) -> _T:
    """Run a request from synchronous code, also where an event loop is running already."""
    future = asyncio.run_coroutine_threadsafe(request, _loop(os.getpid()))
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


@functools.cache
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """One loop for all synchronous requests of a process, so that they share connections. A fork makes its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name=f"routeagent-llm-{process}", daemon=True).start()
    return loop
