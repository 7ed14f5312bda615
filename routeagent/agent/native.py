"""The provider's own deferral: the whole catalogue goes out held back, and our ranking answers its search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelRequest, ToolAvailabilityDeltaPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.toolsets.abstract import ToolsetTool

LONGEST_QUERY = 500
"""Characters of a query that go to the ranking; a provider's own search takes no longer ones."""


def defer(tool: ToolsetTool[Any]) -> ToolsetTool[Any]:
    """The tool with its definition held back."""
    return replace(tool, tool_def=replace(tool.tool_def, defer_loading=True))


def reveal_in(ctx: RunContext[Any], request: ModelRequestContext, names: list[str]) -> ModelRequestContext:
    """Reveal held-back tools in this request and in the history, so that later requests keep the prefix."""
    new = [name for name in names if name not in ctx.discovered_tool_names]
    if not new:
        return request
    delta = ModelRequest(parts=[ToolAvailabilityDeltaPart(tools_added=new)])
    request.messages = [*request.messages, delta]
    ctx.messages.append(delta)
    ctx.discovered_tool_names.update(new)
    parameters = request.model_request_parameters
    request.model_request_parameters = replace(
        parameters, revealed_tool_names=parameters.revealed_tool_names | set(new)
    )
    return request


def reveal_called(ctx: RunContext[Any], names: list[str]) -> None:
    """Reveal tools that the model called while they were held back, so that the calls run."""
    new = [name for name in names if name not in ctx.discovered_tool_names]
    if new:
        ctx.messages.append(ModelRequest(parts=[ToolAvailabilityDeltaPart(tools_added=new)]))
        ctx.discovered_tool_names.update(new)
