"""Request to scored namespaces. A strategy is one file here and one row below."""

from routeagent.routers.base import ExplainedRouter, Router, Routing
from routeagent.scored import ScoredNamespace

ROUTERS = {
    "tfidf": "routeagent.routers.tfidf:TfidfRouter",
    "llm": "routeagent.routers.llm:LlmRouter",
    "rules": "routeagent.routers.rules:RulesRouter",
    "flat": "routeagent.routers.flat:FlatRouter",
}
"""Name to `module:Class`; loaded on first use."""

__all__ = ["ROUTERS", "ExplainedRouter", "Router", "Routing", "ScoredNamespace"]
