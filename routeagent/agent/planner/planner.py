"""The offline planner: ranks the tools it sees, fills arguments by pattern, calls, and answers from results."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from datetime import date

import anyio.to_thread
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from routeagent.agent.planner.goals import Rank
from routeagent.agent.planner.planning import Planning


class OfflinePlanner(FunctionModel):
    """Plays the model in the agent's loop: deterministic, without a network, and its answers say so.

    It sees what a model sees (messages and visible tool definitions) and gives tool calls or a text. Everything is
    derived from the message history, so one instance serves any number of runs at once. It understands patterns,
    not language: good for demos, tests and ablations, not for customers.

    Args:
        rank: scores visible tools for a text, best first; called from worker threads.
        writes: whether a tool changes something. Such a tool is called only for a clause that asks for a change, only
            complete, and once; whether it runs is the loop's approval to decide.
        max_calls: the most tool calls for one request.
        today: the day that "next Monday" and months without a year refer to; else what the instructions or the
            request's own timestamp say.
    """

    def __init__(
        self,
        rank: Rank,
        *,
        writes: Callable[[str], bool],
        max_calls: int = 8,
        today: date | None = None,
    ) -> None:
        self._planning = Planning(rank, writes, max_calls, today)
        super().__init__(self._answer, stream_function=self._stream, model_name="offline-planner")

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        step = self._planning.step(messages, info)
        return ModelResponse(parts=[TextPart(step) if isinstance(step, str) else step])

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        step = await anyio.to_thread.run_sync(self._planning.step, messages, info)
        if isinstance(step, str):
            for line in step.splitlines(keepends=True):
                yield line
        else:
            yield {
                0: DeltaToolCall(
                    step.tool_name, json.dumps(step.args, ensure_ascii=False), tool_call_id=step.tool_call_id
                )
            }
