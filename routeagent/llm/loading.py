"""litellm, loaded late, offline and silent."""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any

# litellm fetches a price list from the network on import unless it is told to use its own copy, and reads a `.env`
# file into the environment unless it believes itself in production. Both are read once, while it is imported.
_ENVIRONMENT = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}


@functools.cache
def load_litellm() -> Any:
    """The litellm module, set up. The first call imports it and takes seconds; call it from a thread in async code."""
    for variable, value in _ENVIRONMENT.items():
        os.environ.setdefault(variable, value)
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True  # otherwise every error prints advice to stdout
    litellm.drop_params = True  # otherwise a parameter that a provider does not know ends the request
    return litellm
