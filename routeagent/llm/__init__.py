"""One call to a language model through litellm, for whoever needs an answer and not a conversation.

Knows nothing of agents and tools. litellm itself takes seconds to import, so that happens with the first request.
"""

from routeagent.llm.counting import count_prompt_tokens
from routeagent.llm.endpoint import Endpoint
from routeagent.llm.explaining import explain_error
from routeagent.llm.loading import load_litellm
from routeagent.llm.structured import complete_json

__all__ = ["Endpoint", "complete_json", "count_prompt_tokens", "explain_error", "load_litellm"]
