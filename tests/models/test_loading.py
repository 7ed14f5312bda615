"""litellm costs seconds and talks; a program pays only when it asks a model, and hears nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from routeagent.llm.masking import mask
from routeagent.llm.naming import key_variable
from tests.models import server as serve
from tests.models.server import RecordingServer


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ))


@pytest.mark.parametrize("module", ["routeagent.llm", "routeagent.agent.litellm_model"])
def test_importing_does_not_import_litellm(module: str) -> None:
    done = python(f"import sys, {module}; sys.exit('litellm' in sys.modules)")
    assert (done.returncode, done.stderr) == (0, "")


def test_asking_without_an_agent_does_not_import_pydantic_ai(server: RecordingServer) -> None:
    server.answers(serve.completion('{"a": 1}'))
    code = (
        "import sys; from routeagent.llm import complete_json;"
        "complete_json('openai/x', [], {'type': 'object'}, base_url=sys.argv[1]);"
        "sys.exit('pydantic_ai' in sys.modules)"
    )
    assert python(code, server.url).returncode == 0


SILENT = """
import asyncio, sys
from pydantic_ai import Agent
from routeagent.agent.litellm_model import LiteLLMModel
from routeagent.llm import complete_json
url = sys.argv[1]
complete_json("openai/x", [], {"type": "object"}, base_url=url)
agent = Agent(LiteLLMModel("openai/x", base_url=url))
agent.run_sync("hello")
asyncio.run(agent.run("hello"))
try:
    agent.run_sync("fail")
except Exception as error:
    sys.exit(type(error).__name__ != "ModelError")
"""


def test_a_process_that_asks_in_every_way_and_fails_prints_nothing(server: RecordingServer) -> None:
    right = serve.completion('{"a": 1}')
    server.answers(right, right, right, serve.refusal(500, "Down"))
    done = python(SILENT, server.url)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("deepseek/deepseek-chat", "DEEPSEEK_API_KEY"),
        ("dashscope/qwen-plus", "DASHSCOPE_API_KEY"),
        ("gpt-4o", "OPENAI_API_KEY"),
        ("claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("together_ai/x/y", "TOGETHERAI_API_KEY"),
    ],
)
def test_the_variable_of_a_key(name: str, variable: str) -> None:
    assert key_variable(name) == variable


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Incorrect API key provided: sk-proj-abc***xyz.", "Incorrect API key provided: ***"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("https://user:pass@example.com/v1?key=abc&x=1", "https://***@example.com/v1?key=***&x=1"),
        ("my own secret is swordfish!", "my own secret is ***!"),
        ("the task-force asked", "the task-force asked"),
        ("short", "short"),
    ],
)
def test_masking(text: str, masked: str) -> None:
    assert mask(text, "swordfish", "short", None) == masked
