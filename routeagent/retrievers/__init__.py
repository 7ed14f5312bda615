"""Request and namespaces to scored tools. A strategy is one file here and one row below."""

from routeagent.retrievers.base import PreparedRetriever, Retriever, ScoredTool

RETRIEVERS = {
    "bm25": "routeagent.retrievers.bm25:Bm25",
    "dense": "routeagent.retrievers.dense:Dense",
    "hybrid": "routeagent.retrievers.hybrid:Hybrid",
    "regex": "routeagent.retrievers.regex:Regex",
}
"""Name to `module:Class`; loaded on first use."""

__all__ = ["RETRIEVERS", "PreparedRetriever", "Retriever", "ScoredTool"]
