"""One question, one JSON object: what the `llm` router asks a small model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from routeagent.errors import ModelError
from routeagent.llm import complete_json
from routeagent.llm.structured import find_object
from tests.models import server as serve
from tests.models.server import RecordingServer

SCHEMA = {"type": "object", "properties": {"namespaces": {"type": "array"}}, "required": ["namespaces"]}
ASKED = [{"role": "user", "content": "重复扣款"}]


def ask(server: RecordingServer, name: str = "openai/x", **more: Any) -> dict[str, Any]:
    return complete_json(name, ASKED, SCHEMA, timeout=5, base_url=server.url, api_key="sk-0123456789", **more)


def test_the_schema_is_given_in_words_to_a_model_that_takes_none(server: RecordingServer) -> None:
    server.answers(serve.completion('{"namespaces": ["billing", "发票"]}'))
    assert ask(server) == {"namespaces": ["billing", "发票"]}
    [body] = server.bodies
    assert "response_format" not in body
    assert '"required": ["namespaces"]' in body["messages"][0]["content"]
    assert body["messages"][1:] == ASKED


def test_the_schema_goes_to_a_provider_that_takes_one(server: RecordingServer) -> None:
    server.answers(serve.completion('{"namespaces": []}'))
    assert ask(server, "openai/gpt-4o-mini") == {"namespaces": []}
    form = server.bodies[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"]["required"] == ["namespaces"]


def test_deepseek_is_asked_in_json_mode(server: RecordingServer) -> None:
    server.answers(serve.completion('{"namespaces": []}'))
    ask(server, "deepseek/deepseek-chat")
    assert server.bodies[0]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure! Here it is: {"a": {"b": "}"}} Anything else?', {"a": {"b": "}"}}),
        ('<think>maybe {"a": 0}?</think>{"a": 1}', {"a": 1}),
        ('{"b": 2} {"a": 1}', {"a": 1}),
        ('{"answer": {"a": 1}}', {"a": 1}),
        ('{broken {"a": 1}', {"a": 1}),
        ('[{"a": 1}]', {"a": 1}),
        ("{" * 5000, None),
        ('{"a":' * 5000, None),
        ('{"a": 1', None),
        ("[1, 2]", None),
        ("", None),
    ],
)
def test_an_object_is_found_in_a_text(text: str, found: dict[str, Any] | None) -> None:
    assert find_object(text, ["a"]) == found


@pytest.mark.parametrize("text", ["I don't know.", "", '{"other": 1}', '["billing"]'])
def test_junk_is_refused(server: RecordingServer, text: str) -> None:
    server.answers(serve.completion(text))
    with pytest.raises(ModelError, match="openai/x: the answer holds no JSON object of the kind asked for"):
        ask(server)
    assert len(server.requests) == 1


def test_a_refusal_is_told_apart_from_junk(server: RecordingServer) -> None:
    server.answers(serve.completion(None, refusal="I cannot help with that"))
    with pytest.raises(ModelError, match="openai/x: the model declined"):
        ask(server)


def test_errors_are_explained(server: RecordingServer) -> None:
    server.answers(serve.refusal(429, "Slow down"))
    with pytest.raises(ModelError, match=r"openai/x: too many requests.*\(429: Slow down\)"):
        ask(server)


def test_the_timeout_covers_the_whole_call(server: RecordingServer) -> None:
    server.answers(serve.drip(300, 0.1))
    with pytest.raises(ModelError, match=r"no answer within 0\.5 s"):
        complete_json("openai/x", ASKED, SCHEMA, timeout=0.5, base_url=server.url)
    assert len(server.requests) == 1


def test_it_can_be_asked_while_an_event_loop_runs(server: RecordingServer) -> None:
    server.answers(serve.completion('{"namespaces": []}'))

    async def inside() -> dict[str, Any]:
        return ask(server)

    assert asyncio.run(inside()) == {"namespaces": []}
