"""What the provider counts, asked with one token of output."""

from __future__ import annotations

import pytest

from routeagent.errors import ModelError
from routeagent.llm import count_prompt_tokens
from tests.models import server as serve
from tests.models.server import Answer, Json, RecordingServer, Request

TOOL: Json = {
    "type": "function",
    "function": {"name": "add", "description": "Add.", "parameters": {"type": "object", "properties": {}}},
}


def counted(request: Request) -> Answer:
    prompt = 8 + 50 * len(request.body.get("tools", []))
    usage = {"prompt_tokens": prompt, "completion_tokens": 1, "total_tokens": prompt + 1}
    return serve.completion("H", usage=usage)


def test_the_providers_own_count_with_and_without_tools(server: RecordingServer) -> None:
    server.answers(counted)
    assert count_prompt_tokens("openai/x", [], base_url=server.url) == 8
    assert count_prompt_tokens("openai/x", [TOOL, TOOL], base_url=server.url) == 108
    bare, full = server.bodies
    assert "tools" not in bare
    assert full["tools"] == [TOOL, TOOL]
    assert bare["max_tokens"] == full["max_tokens"] == 1


def test_a_provider_that_does_not_count(server: RecordingServer) -> None:
    server.answers(serve.completion("H", usage={"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}))
    with pytest.raises(ModelError, match="openai/x: the provider reports no token counts"):
        count_prompt_tokens("openai/x", [], base_url=server.url)


def test_errors_are_explained(server: RecordingServer) -> None:
    server.answers(serve.refusal(404, "No such model"))
    with pytest.raises(ModelError, match=r"no such model or address \(404: No such model\)"):
        count_prompt_tokens("openai/x", [TOOL], base_url=server.url)
