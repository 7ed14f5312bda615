"""Each way a provider can fail becomes one clear line: what happened, to which model, what to do next."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import pytest
from pydantic_ai import Agent

from routeagent.agent.litellm_model import LiteLLMModel
from routeagent.errors import ModelError
from routeagent.llm import explain_error, load_litellm
from tests.models import server as serve
from tests.models.server import Answer, RecordingServer

KEY = "sk-0123456789abcdef"
TOO_LONG = "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens."
UNSUPPORTED = "Unsupported parameter: 'top_k' is not supported with this model."


@dataclass(frozen=True)
class Case:
    """A provider's answer, and what the line must say; `quoted` are the provider's own words in it."""

    answer: Answer
    what: str
    then: str
    quoted: str = ""


def refused(status: int) -> Answer:
    return serve.refusal(status, f"It said no to {KEY}")


CASES = {
    "400": Case(refused(400), "the request was refused", "check the model settings", "(400: It said no to ***)"),
    "401": Case(refused(401), "the key was refused", "check {variable}", "(401: It said no to ***)"),
    "402": Case(refused(402), "no credit", "top it up", "(402: It said no to ***)"),
    "403": Case(refused(403), "access was denied", "{variable}", "(403: It said no to ***)"),
    "404": Case(refused(404), "no such model or address", "check the model's name", "(404: It said no to ***)"),
    "413": Case(refused(413), "too large", "show fewer tools", "(413: It said no to ***)"),
    "422": Case(refused(422), "the request was refused (422", "check the model settings"),
    "429": Case(refused(429), "too many requests", "wait and try again", "(429: It said no to ***)"),
    "500": Case(refused(500), "the provider failed", "try again later", "(500: It said no to ***)"),
    "503": Case(refused(503), "the provider failed", "try again later", "(503: It said no to ***)"),
    "529": Case(refused(529), "the provider failed", "try again later", "(529: It said no to ***)"),
    "HTML 502": Case(
        serve.raw(502, "<html><h1>Bad gateway</h1></html>", "text/html"), "the provider failed", "try again later"
    ),
    "context": Case(
        serve.refusal(400, TOO_LONG, code="context_length_exceeded"), "longer than the model can read", "fewer tools"
    ),
    "parameter": Case(serve.refusal(400, UNSUPPORTED), "a setting is not supported", "take it out", "'top_k'"),
    "HTML": Case(serve.raw(200, "<html>Welcome</html>", "text/html"), "not a chat completion", "/v1", "Welcome"),
    "text": Case(serve.raw(200, "It works!"), "not a chat completion", "/v1"),
    "nothing": Case(serve.raw(200, ""), "not a chat completion", "/v1"),
    "other JSON": Case(serve.raw(200, {"hello": 1}), "not a chat completion", "/v1"),
    "no choices": Case(serve.raw(200, {"id": "1", "choices": []}), "the answer is empty", "choose another model"),
}


def failure(model: LiteLLMModel) -> ModelError:
    with pytest.raises(ModelError) as caught:
        Agent(model).run_sync("hello")
    return caught.value


@pytest.mark.parametrize("name", ["openai/x", "deepseek/deepseek-chat"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_answer_that_is_no_answer(server: RecordingServer, name: str, case: Case) -> None:
    server.answers(case.answer)
    line = str(failure(LiteLLMModel(name, base_url=server.url, api_key=KEY, timeout=5)))
    variable = name.partition("/")[0].upper() + "_API_KEY"
    assert line.startswith(f"{name}: ")
    assert case.what in line
    assert case.then.format(variable=variable) in line
    assert case.quoted in line
    assert KEY not in line
    assert "\n" not in line
    assert "Traceback" not in line
    if case is not CASES["422"]:  # on a 422 litellm asks once more without the parameters that it finds named
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "what"),
    [(401, "the key was refused"), (404, "no such model"), (429, "too many requests"), (529, "the provider failed")],
)
def test_anthropic_words_its_errors_otherwise(server: RecordingServer, status: int, what: str) -> None:
    server.answers(serve.raw(status, {"type": "error", "error": {"type": "some_error", "message": "Not today"}}))
    line = str(failure(LiteLLMModel("anthropic/claude-sonnet-4-5", base_url=server.url, api_key=KEY)))
    assert f"{what}" in line
    assert f"({status}: Not today)" in line


def test_ollama_does_not_know_the_model(server: RecordingServer) -> None:
    server.answers(serve.raw(404, {"error": "model 'qwen3' not found"}))
    line = str(failure(LiteLLMModel("ollama_chat/qwen3", base_url=server.url)))
    assert line.startswith("ollama_chat/qwen3: no such model or address (404: model 'qwen3' not found)")


@pytest.mark.parametrize("name", ["openai/x", "deepseek/deepseek-chat", "anthropic/claude-x", "ollama_chat/qwen3"])
@pytest.mark.parametrize("answer", [serve.silence(30), serve.drip(300, 0.1)], ids=["silence", "blank lines"])
def test_a_timeout_is_kept_and_nothing_is_tried_twice(server: RecordingServer, name: str, answer: Answer) -> None:
    load_litellm()
    server.answers(answer)
    started = time.monotonic()
    line = str(failure(LiteLLMModel(name, base_url=server.url, api_key=KEY, timeout=1)))
    assert 1 <= time.monotonic() - started < 3
    assert line == f"{name}: no answer within 1 s; try again, or allow more time"
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["openai/x", "deepseek/deepseek-chat", "anthropic/claude-x", "ollama_chat/qwen3"])
def test_nobody_listens(name: str) -> None:
    with RecordingServer() as gone:
        address = gone.url
    line = str(failure(LiteLLMModel(name, base_url=address, api_key=KEY)))
    assert line == f"{name}: no connection to {address}; check the address, the network, and that the server runs"


def test_a_password_in_the_address_stays_out_of_the_line() -> None:
    error = explain_error(ConnectionRefusedError("no"), "openai/x", base_url="http://someone:hunter2@example.com/v1")
    assert "no connection to http://***@example.com/v1;" in str(error)


@pytest.mark.parametrize("name", ["nosuch/model", "mymodel"])
def test_an_unknown_provider(name: str) -> None:
    bare = name.rpartition("/")[2]
    assert str(failure(LiteLLMModel(name))) == (
        f"{name}: litellm knows no provider for this name; "
        f"write PROVIDER/MODEL, for example deepseek/deepseek-chat, or openai/{bare} with a base URL"
    )


@pytest.mark.parametrize(
    ("name", "variable"), [("openai/gpt-x", "OPENAI_API_KEY"), ("anthropic/claude-x", "ANTHROPIC_API_KEY")]
)
def test_no_key_is_noticed_before_anything_is_sent(name: str, variable: str) -> None:
    assert str(failure(LiteLLMModel(name))) == f"{name}: no API key was found; set {variable}"


def test_no_key_is_noticed_by_the_provider(server: RecordingServer) -> None:
    server.answers(refused(401))
    line = str(failure(LiteLLMModel("deepseek/deepseek-chat", base_url=server.url)))
    assert line == "deepseek/deepseek-chat: no API key was found (401); set DEEPSEEK_API_KEY"


def test_a_key_from_the_environment_stays_out_of_the_line(
    server: RecordingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "correct-horse-battery-staple")
    server.answers(serve.refusal(401, "Your api key: correct-horse-battery-staple is invalid"))
    line = str(failure(LiteLLMModel("deepseek/deepseek-chat", base_url=server.url)))
    assert "(401: Your api key: *** is invalid); check DEEPSEEK_API_KEY" in line
    assert server.requests[0].headers["authorization"] == "Bearer correct-horse-battery-staple"


def test_the_cause_is_kept(server: RecordingServer) -> None:
    server.answers(refused(401))
    cause = failure(LiteLLMModel("openai/x", base_url=server.url, api_key=KEY)).__cause__
    assert isinstance(cause, load_litellm().AuthenticationError)


STREAMS = {
    "401": (refused(401), "the key was refused (401: It said no to ***)"),
    "500": (refused(500), "the provider failed (500: It said no to ***)"),
    "HTML": (serve.raw(200, "<html>Welcome</html>", "text/html"), "not a stream of chat completion chunks"),
    "other JSON": (serve.raw(200, {"hello": 1}), "not a stream of chat completion chunks"),
    "cut off": (serve.stream("one ", "two", cut=True), "the connection broke off before the answer was complete"),
    "an error in the stream": (
        Answer(pieces=(b'data: {"error": {"message": "Overloaded"}}\n\n',), content_type="text/event-stream"),
        "the provider broke off in the middle of its answer (Overloaded)",
    ),
    "silence": (serve.silence(30), "no answer within 1 s"),
}


@pytest.mark.parametrize(("answer", "what"), STREAMS.values(), ids=STREAMS.keys())
def test_a_stream_that_fails(server: RecordingServer, answer: Answer, what: str) -> None:
    server.answers(answer)
    agent = Agent(LiteLLMModel("openai/x", base_url=server.url, api_key=KEY, timeout=1))

    async def read() -> str:
        async with agent.run_stream("hello") as result:
            return await result.get_output()

    with pytest.raises(ModelError) as caught:
        asyncio.run(read())
    assert str(caught.value).startswith("openai/x: ")
    assert what in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["", "  "])
def test_a_model_without_a_name(name: str) -> None:
    with pytest.raises(ModelError, match="has no name"):
        LiteLLMModel(name)


def test_a_timeout_that_leaves_no_time() -> None:
    with pytest.raises(ModelError, match="openai/x: a timeout of 0 s"):
        LiteLLMModel("openai/x", timeout=0)
