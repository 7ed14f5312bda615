"""Running one tool call: traced, audited, bounded in time and size, and never twice where it changes something."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ToolReturn
from pydantic_core import to_jsonable_python

from routeagent.agent.audit import Audit, name_of
from routeagent.agent.sources import Source
from routeagent.agent.state import RunState
from routeagent.catalog import Tool
from routeagent.tokens import cut_tokens

_KEY: ContextVar[str | None] = ContextVar("routeagent_idempotency_key", default=None)
_PASSED_ON = (ApprovalRequired, CallDeferred)


def idempotency_key() -> str | None:
    """Inside a tool: a key that is the same for every attempt at the same call of one run, else None.

    Hand it to a payment provider or keep it beside what was written, and the same work is never done twice.
    """
    return _KEY.get()


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Bounds of one call's result and its record.

    Attributes:
        max_result_tokens: a larger result is cut, with a mark that says so; None never cuts.
        audit: where calls are recorded; None records none.
        contain: whether what a tool raises is told to the model; False lets it end the run, as pydantic-ai does.
    """

    max_result_tokens: int | None = 10_000
    audit: Audit | None = None
    contain: bool = True


async def run_call(
    state: RunState, source: Source, limits: CallLimits, name: str, arguments: dict[str, Any], ctx: RunContext[Any]
) -> Any:
    """Run a permitted tool with validated arguments.

    Raises:
        ModelRetry: the tool asks the model for other arguments.
        ToolFailed: the tool failed, and the model should go on without it.
    """
    tool = source.catalog[name]
    key = call_key(ctx, name, arguments)
    _refuse_second_write(state, tool, key)
    state.trace.write("call", step=ctx.run_step, tool=name, arguments=arguments)
    record = _Record(state, limits, tool, arguments, ctx)
    record.begin()
    if tool.writes:
        state.ledger.begun[key] = "unknown"
    token = _KEY.set(key)
    try:
        async with asyncio.timeout(tool.timeout):
            result = await source.call(name, arguments, ctx)
    except ModelRetry as error:
        state.ledger.begun.pop(key, None)  # the tool refused, so nothing was done
        record.end(ok=False, error=error.message)
        if ctx.last_attempt:  # one more would end the run, and with it what else was asked
            raise ToolFailed(error.message) from error
        raise
    except _PASSED_ON:
        state.ledger.begun.pop(key, None)
        raise
    except (ToolFailed, Exception) as error:
        record.end(ok=False, error=f"{type(error).__name__}: {error}")
        if not limits.contain or isinstance(error, ToolFailed):
            raise
        raise ToolFailed(_failure(tool, error)) from error
    except BaseException as error:  # a cancelled call has to be in the record too
        record.end(ok=False, error=type(error).__name__)
        raise
    finally:
        _KEY.reset(token)
    record.end(ok=True)
    if tool.writes:
        state.ledger.begun[key] = "done"
    return _bounded(result, limits.max_result_tokens)


def call_key(ctx: RunContext[Any], name: str, arguments: dict[str, Any]) -> str:
    """A digest of run, tool and arguments: the same for every attempt at one call."""
    said = json.dumps([ctx.run_id, name, arguments], sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _refuse_second_write(state: RunState, tool: Tool, key: str) -> None:
    earlier = state.ledger.begun.get(key) if tool.writes else None
    if earlier is None:
        return
    state.trace.write("deny", step=state.steps, tool=tool.name, why=f"the same write was begun before: {earlier}")
    text = {
        "done": f"{tool.name} 已用同样的参数执行过,没有再执行 (was done already with these arguments; not run again)",
        "unknown": f"{tool.name} 已用同样的参数发起过,结果未知,没有再执行;先查实 "
        "(was begun already with these arguments and its outcome is not known; not run again, look it up first)",
    }
    raise ToolFailed(text[earlier])


class _Record:
    """The trace and audit of one call."""

    def __init__(
        self, state: RunState, limits: CallLimits, tool: Tool, arguments: dict[str, Any], ctx: RunContext[Any]
    ) -> None:
        self._state = state
        self._audit = limits.audit
        self._tool = tool
        self._step = ctx.run_step
        self._call_id = ctx.tool_call_id or ""
        self._facts = {"principal": name_of(state.principal), "tool": tool.name, "arguments": arguments}
        self._started = time.perf_counter()

    def begin(self) -> None:
        if self._audit is None:
            return
        approver = self._state.approvers.get(self._call_id)
        try:
            self._audit.write("begin", **self._facts, approver=approver)
        except OSError as error:
            self._state.trace.write("degrade", step=self._step, why=f"the audit cannot be written: {error}")
            if self._tool.writes:
                raise ToolFailed(
                    f"{self._tool.name} 未执行:审计日志写不进去 (not run: the audit cannot be written, and nothing "
                    "that changes something runs without it)"
                ) from error

    def end(self, **outcome: Any) -> None:
        ms = round((time.perf_counter() - self._started) * 1000, 2)
        self._state.trace.write("result", step=self._step, tool=self._tool.name, ms=ms, **outcome)
        if self._audit is not None:
            try:
                self._audit.write("end", **self._facts, ms=ms, **outcome)
            except OSError as error:
                self._state.trace.write("degrade", step=self._step, why=f"the audit cannot be written: {error}")


def _failure(tool: Tool, error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"{tool.name} 超时({tool.timeout} 秒),结果未知 (timed out; whether it took effect is not known)"
    return f"{tool.name} 出错,没有结果 (failed: {type(error).__name__}: {error})"


def _bounded(result: Any, most: int | None) -> Any:
    """The result, as text and cut where it is too large or not serialisable."""
    if most is None or isinstance(result, ToolReturn):
        return cast("Any", result)
    try:
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        result = to_jsonable_python(result, fallback=str, serialize_unknown=True)
        text = json.dumps(result, ensure_ascii=False)
    kept = cut_tokens(text, most)
    if kept == text:
        return result
    return f"{kept}\n…[结果过长,已截断:共 {len(text)} 字符 (cut: {len(text)} characters in all)]"
