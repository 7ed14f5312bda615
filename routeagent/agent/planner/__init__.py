"""The offline planner: a deterministic model for demos, tests and ablations, without any language model."""

from routeagent.agent.planner.planner import OfflinePlanner

__all__ = ["OfflinePlanner"]
