"""Who says yes before a tool changes something."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolApprovalResult, DeferredToolRequests, DeferredToolResults, ToolDenied

from routeagent.agent.audit import name_of
from routeagent.agent.state import RunState
from routeagent.catalog import Tool


@dataclass(frozen=True, slots=True)
class Approval:
    """A call that waits for a yes.

    Attributes:
        tool: what would run; its `label` is the name to show to people.
        arguments: what it would run with.
        requester: the principal's name, None where it has none.
    """

    tool: Tool
    arguments: Mapping[str, Any]
    requester: str | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """A yes with a name to it, for the audit. The name may not be the requester's."""

    by: str


Verdict = bool | str | Granted
"""True or `Granted` runs the call; False or a reason refuses it, and the reason is told to the model."""

Approver = Callable[[Approval], Verdict | Awaitable[Verdict]]
"""Decides over one call."""


def deny_writes(approval: Approval) -> Verdict:
    """The default where nobody can be asked: nothing that changes something runs."""
    return (
        f"没有人批准 {approval.tool.label or approval.tool.name},什么都没改 "
        "(approval is required and nobody gave it; nothing was changed)"
    )


async def decide(requests: DeferredToolRequests, run: RunState, approver: Approver, step: int) -> DeferredToolResults:
    """Ask the approver about each routed call that waits, and trace every refusal."""
    verdicts: dict[str, bool | DeferredToolApprovalResult] = {}
    for call in requests.approvals:
        if call.tool_name in run.discovery.catalog:
            verdicts[call.tool_call_id] = await _verdict(call, run, approver, step)
    return DeferredToolResults(approvals=verdicts)


async def _verdict(
    call: ToolCallPart, run: RunState, approver: Approver, step: int
) -> bool | DeferredToolApprovalResult:
    tool = run.discovery.catalog[call.tool_name]
    arguments = call.args_as_dict()
    requester = name_of(run.principal)
    answer = approver(Approval(tool, arguments, requester))
    verdict = await answer if inspect.isawaitable(answer) else answer
    if isinstance(verdict, Granted) and verdict.by == requester:
        verdict = f"{verdict.by} 不能批准自己的请求 (nobody approves a request of their own)"
    if verdict is True or isinstance(verdict, Granted):
        run.approvers[call.tool_call_id] = verdict.by if isinstance(verdict, Granted) else "unnamed"
        return True
    reason = verdict if isinstance(verdict, str) else f"{tool.label or tool.name} 未获批准 (was not approved)"
    run.trace.write("deny", step=step, tool=tool.name, arguments=arguments, why=reason)
    return ToolDenied(reason)
