"""What a litellm model name says: who serves it, and where its key is looked up."""

from __future__ import annotations

# Names without a provider are OpenAI's, except those that litellm knows by their family.
_FAMILIES = {"claude": "anthropic", "gemini": "gemini", "deepseek": "deepseek", "command-": "cohere"}

# Everyone else's variable is the provider's name followed by _API_KEY.
_KEY_VARIABLES = {
    "bedrock": "AWS_ACCESS_KEY_ID",
    "huggingface": "HF_TOKEN",
    "ollama_chat": "OLLAMA_API_KEY",
    "perplexity": "PERPLEXITYAI_API_KEY",
    "together_ai": "TOGETHERAI_API_KEY",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS",
}


def vendor_of(name: str) -> str:
    """The provider in litellm's spelling: `deepseek` for `deepseek/deepseek-chat`, `openai` for a bare `gpt-…`."""
    vendor, slash, _ = name.partition("/")
    if slash:
        return vendor.lower()
    return next((vendor for start, vendor in _FAMILIES.items() if name.lower().startswith(start)), "openai")


def model_of(name: str) -> str:
    """The name without its provider."""
    return name.partition("/")[2] or name


def key_variable(name: str) -> str:
    """The environment variable in which litellm looks for the key of a model."""
    vendor = vendor_of(name)
    return _KEY_VARIABLES.get(vendor, f"{vendor.upper()}_API_KEY")
