"""Who says yes before a tool changes something."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolApprovalResult, DeferredToolRequests, DeferredToolResults, ToolDenied

from routeagent.catalog import Catalog, Tool
from routeagent.trace import Trace


@dataclass(frozen=True, slots=True)
class Approval:
    """A call that waits for a yes.

    Attributes:
        tool: what would run; its `label` is the name to show to people.
        arguments: what it would run with.
    """

    tool: Tool
    arguments: Mapping[str, Any]


Verdict = bool | str
"""True runs the call; False or a reason refuses it, and the reason is told to the model."""

Approver = Callable[[Approval], Verdict | Awaitable[Verdict]]
"""Decides over one call."""


def deny_writes(approval: Approval) -> Verdict:
    """The default where nobody can be asked: nothing that changes something runs."""
    return (
        f"需要审批:没有人批准 {approval.tool.label or approval.tool.name},未执行。"
        "(Approval is required and nobody gave it; nothing was changed.)"
    )


async def decide(
    requests: DeferredToolRequests, catalog: Catalog, approver: Approver, trace: Trace, step: int
) -> DeferredToolResults:
    """Ask the approver about each call of this catalogue that waits, and trace every refusal."""
    verdicts: dict[str, bool | DeferredToolApprovalResult] = {}
    for call in requests.approvals:
        if call.tool_name in catalog:
            verdicts[call.tool_call_id] = await _verdict(call, catalog[call.tool_name], approver, trace, step)
    return DeferredToolResults(approvals=verdicts)


async def _verdict(
    call: ToolCallPart, tool: Tool, approver: Approver, trace: Trace, step: int
) -> bool | DeferredToolApprovalResult:
    arguments = call.args_as_dict()
    answer = approver(Approval(tool, arguments))
    verdict = await answer if inspect.isawaitable(answer) else answer
    if verdict is True:
        return True
    reason = verdict if isinstance(verdict, str) else f"{tool.label or tool.name} 未获批准 (was not approved)"
    trace.write("deny", step=step, tool=tool.name, arguments=arguments, why=reason)
    return ToolDenied(reason)
