"""What a step of the loop costs over an agent that holds only the visible tools plainly, without a model's own time.

python scripts/bench_overhead.py [STEPS]

For 60 and 4,000 tools and each exposure: the median of a step, beside the same steps of a plain pydantic-ai agent with
as many tools as are visible. The two take turns, so that a change of the machine's speed meets both. `native` hands the
whole catalogue to pydantic-ai, held back; the playing model takes that profile from a provider that does it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import pydantic_ai
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import UsageLimits

from routeagent import Catalog, RoutedTools, Tool, ToolIndex

SCHEMA = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
ROUNDS = 5


class Stopwatch:
    """Plays a model that calls one tool again and again, and notes when it was asked."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.asked: list[float] = []
        self.visible = 0

    def model(self) -> FunctionModel:
        """As a pydantic-ai model that can hold definitions back."""
        return FunctionModel(self._answer, profile={"tool_deferral_mode": "standalone"})

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked.append(time.perf_counter())
        self.visible = sum(not tool.defer_loading for tool in info.function_tools)
        if len(self.asked) > self.steps:
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart("core_look", {"number": len(self.asked)})])

    def gaps(self) -> list[float]:
        """Milliseconds from one request to the next, the first two left out: they hold the routing."""
        return [1000 * (later - earlier) for earlier, later in zip(self.asked[1:], self.asked[2:], strict=False)]


def look(number: int) -> int:
    """Look."""
    return number


def catalogue(size: int) -> Catalog:
    """One core tool and many others, twenty a namespace."""
    tools = [Tool("core_look", "core", "Look at a number.", SCHEMA, core=True)]
    tools += [
        Tool(f"space{number // 20}_job{number}", f"space{number // 20}", f"Does the job {number}.", SCHEMA)
        for number in range(size - 1)
    ]

    def find(name: str, /) -> Callable[..., Any]:
        return look

    return Catalog(tools, executor=find)


def run(steps: int, **options: Any) -> Stopwatch:
    """One run of so many steps."""
    watch = Stopwatch(steps)
    agent = Agent(watch.model(), **options)
    agent.run_sync("do the job 7 please", usage_limits=UsageLimits(request_limit=steps + 5))
    return watch


def main() -> None:
    """Print a line for each size and exposure."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    print("tools   exposure   visible   plain ms   routed ms   over it   first step ms")
    for size in (60, 4_000):
        catalog = catalogue(size)
        index = ToolIndex(catalog, retriever="bm25", router="flat")
        for exposure in ("append", "dispatch", "native"):
            routing = RoutedTools(catalog, index=index, exposure=exposure)
            visible = run(2, capabilities=[routing]).visible
            plain_tools = [pydantic_ai.Tool(look, name="core_look")]
            plain_tools += [pydantic_ai.Tool(look, name=f"other_{number}") for number in range(visible - 1)]
            plain: list[float] = []
            routed: list[float] = []
            first: list[float] = []
            for _ in range(ROUNDS):
                plain += run(steps, tools=plain_tools).gaps()
                started = time.perf_counter()
                watch = run(steps, capabilities=[routing])
                routed += watch.gaps()
                first.append(1000 * (watch.asked[0] - started))
            middle = statistics.median(plain), statistics.median(routed), statistics.median(first)
            print(
                f"{size:5}   {exposure:8}   {visible:7}   {middle[0]:8.2f}   {middle[1]:9.2f}   "
                f"{middle[1] - middle[0]:7.2f}   {middle[2]:13.1f}"
            )


if __name__ == "__main__":
    main()
