"""One parameter on its way to a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.parameters import Parameter
from routeagent.agent.planner.scope import Scope


@dataclass(frozen=True, slots=True)
class Slot:
    """One parameter to fill, and what its tool has so far."""

    parameter: Parameter
    tool: ToolDefinition
    scope: Scope
    filled: Mapping[str, Any]

    @property
    def texts(self) -> tuple[str, str]:
        return self.scope.clause, self.scope.transcript.request
