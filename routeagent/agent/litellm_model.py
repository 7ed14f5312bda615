"""Any model that litellm knows, as a pydantic-ai model, in-process."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers import Provider
from pydantic_ai.settings import ModelSettings

from routeagent.agent.litellm_client import LiteLLMClient
from routeagent.agent.litellm_profile import profile_of
from routeagent.llm.endpoint import Endpoint


class LiteLLMModel(OpenAIChatModel):
    """A model by its litellm name: `deepseek/deepseek-chat`, `ollama_chat/qwen3`, `openai/NAME` with a `base_url`.

    Messages, tools, deferral and usage are mapped by pydantic-ai as for any chat-completions model; litellm
    translates to the provider. It is imported with the first request. Nothing is retried.

    Args:
        name: as litellm writes it.
        base_url: the address of the API; None is the provider's own.
        api_key: None leaves it to the provider's environment variable, such as DEEPSEEK_API_KEY.
        timeout: seconds for an answer, or for each piece of a streamed one; `ModelSettings(timeout=…)` overrides it.
        settings: pydantic-ai's model settings, as defaults.
        profile: replaces what is known of the provider.
        client: makes the client of an endpoint; another one may keep or replay answers.

    Raises:
        ModelError: on construction for an empty name, in a run for whatever the provider does wrong.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        settings: ModelSettings | None = None,
        profile: ModelProfile | None = None,
        client: Callable[[Endpoint], LiteLLMClient] = LiteLLMClient,
    ) -> None:
        self.endpoint = Endpoint(name, base_url, api_key, timeout)
        provider = _InProcess(client(self.endpoint))
        super().__init__(name, provider=provider, profile=profile or profile_of(name, base_url), settings=settings)


class _InProcess(Provider[AsyncOpenAI]):
    """What pydantic-ai calls a provider: the client and its name."""

    def __init__(self, client: LiteLLMClient) -> None:
        self._client = cast("AsyncOpenAI", client)

    @property
    def name(self) -> str:
        return "litellm"

    @property
    def base_url(self) -> str:
        """Not the address: from it pydantic-ai would guess at the shape of usage, which litellm has made uniform."""
        return "litellm://in-process"

    @property
    def client(self) -> AsyncOpenAI:
        return self._client
