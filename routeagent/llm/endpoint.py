"""Which model to ask, where, with which key and for how long."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from routeagent.errors import ModelError
from routeagent.llm.explaining import explain_error
from routeagent.llm.naming import vendor_of


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind litellm.

    Attributes:
        name: as litellm writes it, `deepseek/deepseek-chat`, `ollama_chat/qwen3`, `openai/NAME`.
        base_url: the address of the API; None is the provider's own.
        api_key: None leaves it to the provider's environment variable.
        timeout: seconds until a whole answer, or the next piece of a streamed one, must have arrived.

    Raises:
        ModelError: the name is empty or the timeout is not positive.
    """

    name: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ModelError("the model has no name; write PROVIDER/MODEL, for example deepseek/deepseek-chat")
        if self.timeout <= 0:
            raise ModelError(f"{self.name}: a timeout of {self.timeout:g} s leaves no time to answer; give more")

    def arguments(self) -> dict[str, Any]:
        """What litellm must be told. It never tries again by itself: whoever waits knows better whether to."""
        return {
            "model": self.name,
            "api_base": self.base_url,
            "api_key": self.api_key or self._stand_in(),
            "timeout": self.timeout,
            "max_retries": 0,
            "num_retries": 0,
        }

    def explain(self, exc: BaseException) -> ModelError:
        """What went wrong with this endpoint, in one line."""
        return explain_error(exc, self.name, base_url=self.base_url, api_key=self.api_key, timeout=self.timeout)

    def _stand_in(self) -> str | None:
        """A server of one's own wants no key, yet the OpenAI client refuses to start without one."""
        own_server = self.base_url is not None and vendor_of(self.name) == "openai"
        return "none" if own_server and not os.environ.get("OPENAI_API_KEY") else None
