"""A pydantic-ai agent over litellm, against a server that speaks the providers' protocols."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, Tool
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage

from routeagent.agent.litellm_model import LiteLLMModel
from tests.models import server as serve
from tests.models.server import Answer, Json, RecordingServer

KEY = "sk-0123456789abcdef"
OPENAI = {
    "prompt_tokens": 100,
    "completion_tokens": 2,
    "total_tokens": 102,
    "prompt_tokens_details": {"cached_tokens": 64},
}
DEEPSEEK = {
    "prompt_tokens": 100,
    "completion_tokens": 2,
    "total_tokens": 102,
    "prompt_cache_hit_tokens": 64,
    "prompt_cache_miss_tokens": 36,
}
# Anthropic counts what was read from and written to the cache apart from the rest: 5 + 64 + 31 = 100.
ANTHROPIC = {
    "input_tokens": 5,
    "cache_read_input_tokens": 64,
    "cache_creation_input_tokens": 31,
    "output_tokens": 2,
}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def multiply(a: int, b: int) -> int:
    """Multiply two numbers."""
    return a * b


def names(body: Json) -> list[str]:
    """The tools in a request, in OpenAI's shape or in Anthropic's."""
    return [tool["name"] if "name" in tool else tool["function"]["name"] for tool in body.get("tools", [])]


def model(server: RecordingServer, name: str = "openai/x", **more: Any) -> LiteLLMModel:
    return LiteLLMModel(name, base_url=server.url, api_key=KEY, timeout=10, **more)


async def streamed(agent: Agent[None, str], prompt: str) -> tuple[list[str], RunUsage]:
    async with agent.run_stream(prompt) as result:
        return [piece async for piece in result.stream_text(delta=True, debounce_by=None)], result.usage


def test_a_run_asks_and_answers(server: RecordingServer) -> None:
    server.answers(serve.completion("你好"))
    agent = Agent(model(server), instructions="回答简短")
    assert agent.run_sync("在吗?").output == "你好"
    [request] = server.requests
    assert request.path == "/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["model"] == "x"
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert request.body["messages"][1]["content"] == "在吗?"


def test_tools_are_called_and_their_results_go_back(server: RecordingServer) -> None:
    server.answers(serve.completion(calls=[serve.call("add", {"a": 2, "b": 3})]), serve.completion("five"))
    assert Agent(model(server), tools=[add]).run_sync("2 + 3").output == "five"
    first, second = server.bodies
    assert names(first) == ["add"]
    result = second["messages"][-1]
    assert (result["role"], result["content"], result["tool_call_id"]) == ("tool", "5", "call_1")


def test_two_calls_in_one_answer(server: RecordingServer) -> None:
    calls = [serve.call("add", {"a": 2, "b": 3}, "c1"), serve.call("multiply", {"a": 2, "b": 3}, "c2")]
    server.answers(serve.completion(calls=calls), serve.completion("done"))
    Agent(model(server), tools=[add, multiply]).run_sync("both")
    results = {m["tool_call_id"]: m["content"] for m in server.bodies[1]["messages"] if m["role"] == "tool"}
    assert results == {"c1": "5", "c2": "6"}


def test_a_stream_comes_in_pieces(server: RecordingServer) -> None:
    server.answers(serve.stream("one ", "two ", "three"))
    pieces, usage = asyncio.run(streamed(Agent(model(server)), "count"))
    assert pieces == ["one ", "two ", "three"]
    assert (usage.input_tokens, usage.output_tokens) == (11, 7)
    assert server.bodies[0]["stream"] is True


def test_a_stream_with_a_tool_call(server: RecordingServer) -> None:
    server.answers(serve.stream(calls=[serve.call("add", {"a": 2, "b": 3})]), serve.stream("fi", "ve"))
    pieces, _ = asyncio.run(streamed(Agent(model(server), tools=[add]), "2 + 3"))
    assert "".join(pieces) == "five"
    assert server.bodies[1]["messages"][-1]["content"] == "5"


def test_a_stream_that_is_left_early_is_closed(server: RecordingServer) -> None:
    server.answers(serve.stream("one ", "two ", "three"), serve.completion("again"))
    agent = Agent(model(server))

    async def leave() -> str:
        async with agent.run_stream("count") as result:
            return await anext(aiter(result.stream_text(delta=True, debounce_by=None)))

    assert asyncio.run(leave()) == "one "
    assert agent.run_sync("again").output == "again"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("openai/x", serve.completion("ok")),
        ("openai/gpt-5", serve.completion("ok")),
        ("deepseek/deepseek-chat", serve.completion("ok")),
        ("dashscope/qwen-plus", serve.completion("ok")),
        ("anthropic/claude-sonnet-4-5", serve.message("ok")),
    ],
)
def test_deferred_tools_are_not_sent(server: RecordingServer, name: str, answer: Answer) -> None:
    server.answers(answer)
    agent = Agent(model(server, name), tools=[add, Tool(multiply, defer_loading=True)])
    assert agent.run_sync("hello").output == "ok"
    assert names(server.bodies[0]) == ["add", "search_tools"]


def test_a_deferred_tool_is_found_and_called(server: RecordingServer) -> None:
    server.answers(
        serve.completion(calls=[serve.call("search_tools", {"queries": ["multiply"]}, "c1")]),
        serve.completion(calls=[serve.call("multiply", {"a": 6, "b": 7}, "c2")]),
        serve.completion("42"),
    )
    agent = Agent(model(server), tools=[add, Tool(multiply, defer_loading=True)])
    assert agent.run_sync("6 * 7").output == "42"
    assert "multiply" not in names(server.bodies[0])
    assert "multiply" in names(server.bodies[1])
    assert server.bodies[2]["messages"][-1]["content"] == "42"


USAGE = {
    "openai": ("openai/x", serve.completion("ok", usage=OPENAI), serve.stream("ok", usage=OPENAI)),
    "deepseek": ("deepseek/deepseek-chat", serve.completion("ok", usage=DEEPSEEK), serve.stream("ok", usage=DEEPSEEK)),
    "anthropic": (
        "anthropic/claude-sonnet-4-5",
        serve.message("ok", usage=ANTHROPIC),
        serve.message_stream("ok", usage=ANTHROPIC),
    ),
}


@pytest.mark.parametrize(("name", "plain", "stream"), USAGE.values(), ids=USAGE.keys())
def test_usage_and_cached_tokens(server: RecordingServer, name: str, plain: Answer, stream: Answer) -> None:
    server.answers(plain, stream)
    agent = Agent(model(server, name))
    at_once = agent.run_sync("hello").usage
    _, in_pieces = asyncio.run(streamed(agent, "hello"))
    for usage in (at_once, in_pieces):
        assert (usage.input_tokens, usage.cache_read_tokens, usage.output_tokens) == (100, 64, 2)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("openai/x", serve.completion("ok")),
        ("deepseek/deepseek-chat", serve.completion("ok")),
        ("dashscope/qwen-plus", serve.completion("ok")),
        ("anthropic/claude-sonnet-4-5", serve.message("ok")),
    ],
)
def test_the_limit_is_called_max_tokens(server: RecordingServer, name: str, answer: Answer) -> None:
    server.answers(answer)
    Agent(model(server, name, settings=ModelSettings(max_tokens=50))).run_sync("hello")
    assert server.bodies[0]["max_tokens"] == 50
    assert "max_completion_tokens" not in server.bodies[0]


def test_settings_that_a_provider_does_not_know_are_dropped(server: RecordingServer) -> None:
    server.answers(serve.message("ok"))
    settings = ModelSettings(seed=7, logit_bias={"50256": -100}, temperature=0.5)
    assert Agent(model(server, "anthropic/claude-sonnet-4-5", settings=settings)).run_sync("hello").output == "ok"
    assert server.bodies[0]["temperature"] == 0.5
    assert "seed" not in server.bodies[0]


def test_max_retries_in_the_settings_breaks_nothing(server: RecordingServer) -> None:
    server.answers(serve.completion("ok"))
    assert Agent(model(server, settings=ModelSettings(max_retries=2))).run_sync("hello").output == "ok"


def test_a_server_of_ones_own_needs_no_key(server: RecordingServer) -> None:
    server.answers(serve.completion("ok"))
    assert Agent(LiteLLMModel("openai/qwen3", base_url=server.url)).run_sync("hello").output == "ok"


def test_one_model_serves_one_event_loop_after_another_and_many_runs_at_once(server: RecordingServer) -> None:
    server.answers(lambda request: serve.completion(request.body["messages"][-1]["content"]))
    agent = Agent(model(server))
    asked = [f"request {number}" for number in range(20)]

    async def all_at_once() -> list[str]:
        return [result.output for result in await asyncio.gather(*(agent.run(text) for text in asked))]

    assert asyncio.run(all_at_once()) == asked
    assert asyncio.run(all_at_once()) == asked
    assert agent.run_sync("last").output == "last"


@pytest.mark.parametrize(
    ("sent", "arrived"), [("a \ud800 b", "a \ufffd b"), ("a \ud83d\ude00 b", "a 😀 b"), ("nul \0 b", "nul \0 b")]
)
def test_text_that_utf8_cannot_carry_reaches_the_model_mended(server: RecordingServer, sent: str, arrived: str) -> None:
    server.answers(serve.completion("ok"))
    assert Agent(model(server)).run_sync(sent).output == "ok"
    assert server.bodies[0]["messages"][-1]["content"] == arrived
