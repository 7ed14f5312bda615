"""What a model can do and how its provider wants to be asked, by the provider in its litellm name."""

from __future__ import annotations

from pydantic_ai.profiles import ModelProfile, merge_profile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.alibaba import AlibabaProvider
from pydantic_ai.providers.deepseek import DeepSeekProvider
from pydantic_ai.providers.litellm import LiteLLMProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider

from routeagent.llm.naming import model_of, vendor_of

_PROVIDERS = {
    "azure": OpenAIProvider,
    "dashscope": AlibabaProvider,
    "deepseek": DeepSeekProvider,
    "ollama": OllamaProvider,
    "ollama_chat": OllamaProvider,
    "openai": OpenAIProvider,
}

# litellm's names for families that pydantic-ai calls otherwise.
_FAMILIES = {"gemini": "google", "vertex_ai": "google", "moonshot": "moonshotai", "bedrock": "amazon"}


def profile_of(name: str, base_url: str | None = None) -> ModelProfile:
    """The profile of a litellm model name.

    Only OpenAI's own API is asked with `max_completion_tokens` and strict tool schemas; everyone else documents
    `max_tokens`, and litellm renames it where needed. Provider-side tools and deferral stay off: litellm speaks
    the chat protocol, which has neither.
    """
    itself = vendor_of(name) in ("openai", "azure") and base_url is None
    over_chat = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=itself,
        openai_supports_strict_tool_definition=itself,
        supported_native_tools=frozenset(),
        tool_deferral_mode=None,
        tool_addition_mode=None,
    )
    return merge_profile(_family(name, base_url), over_chat)


def _family(name: str, base_url: str | None) -> ModelProfile | None:
    vendor, model = vendor_of(name), model_of(name)
    if vendor == "openai" and base_url is not None:  # a gateway or a server of one's own: `openai/qwen/qwen3`
        return LiteLLMProvider.model_profile(model)
    if provider := _PROVIDERS.get(vendor):
        return provider.model_profile(model)
    return LiteLLMProvider.model_profile(f"{_FAMILIES.get(vendor, vendor)}/{model}")
