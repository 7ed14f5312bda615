"""The loop on pydantic-ai: the capability, the models it can talk to, and a thin agent over both."""

from routeagent.agent.approval import Approval, Approver, Granted, Verdict, deny_writes
from routeagent.agent.calls import idempotency_key
from routeagent.agent.capability import RoutedTools
from routeagent.agent.route_agent import Call, RouteAgent, RunResult, RunTokens

__all__ = [
    "Approval",
    "Approver",
    "Call",
    "Granted",
    "RouteAgent",
    "RoutedTools",
    "RunResult",
    "RunTokens",
    "Verdict",
    "deny_writes",
    "idempotency_key",
]
