"""What a provider itself counts for a request: the only token count that is right for every model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from routeagent.errors import ModelError
from routeagent.llm import background
from routeagent.llm.asking import ask
from routeagent.llm.endpoint import Endpoint


def count_prompt_tokens(
    name: str,
    tools: Sequence[dict[str, Any]],
    *,
    timeout: float = 60.0,
    base_url: str | None = None,
    api_key: str | None = None,
) -> int:
    """The prompt tokens of a one-word request with these tools, as the provider bills them.

    Costs one request with one token of output. The difference between two counts is what the tools cost.

    Args:
        name: the model's litellm name.
        tools: OpenAI function definitions; none is the bare request.
        timeout: seconds.
        base_url: the address of the API; None is the provider's own.
        api_key: None leaves it to the provider's environment variable.

    Raises:
        ModelError: the request failed, or the provider does not report usage.
    """
    body: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
    if tools:
        body["tools"] = list(tools)
    answer = background.wait(ask(Endpoint(name, base_url, api_key, timeout), **body))
    counted = getattr(getattr(answer, "usage", None), "prompt_tokens", None)
    if not counted:
        raise ModelError(f"{name}: the provider reports no token counts; count with a tokenizer instead")
    return int(counted)
