"""One event loop, on a thread of its own, for everything that goes through litellm.

litellm binds its connections and a worker task to the loop it first meets, and complains on stderr when a program
brings another one. Synchronous callers, an agent's loop and the next agent's loop all meet here, share connections,
and none of them stands still while litellm is imported.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


async def run(request: Coroutine[Any, Any, _T]) -> _T:
    """Await a coroutine that runs on the background loop; cancelling this cancels it."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(request, _loop(os.getpid())))


def wait(request: Coroutine[Any, Any, _T]) -> _T:
    """The same from synchronous code, also where an event loop is running, which then stands still."""
    future = asyncio.run_coroutine_threadsafe(request, _loop(os.getpid()))
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


@functools.cache
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """The loop of a process; threads do not survive a fork, so a child makes its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name=f"routeagent-llm-{process}", daemon=True).start()
    return loop
