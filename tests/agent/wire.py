"""Answers as Anthropic Messages and OpenAI Responses send them, for tests that look at the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.models.server import Answer, Json, raw


def use(name: str, arguments: Json, id: str) -> Json:
    """An Anthropic tool use."""
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def anthropic(*content: Json) -> Answer:
    """An Anthropic message as server-sent events: texts and tool uses."""
    lines = [f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n" for kind, data in _events(content)]
    return Answer(pieces=tuple(line.encode() for line in lines), content_type="text/event-stream")


def _events(content: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    start: Json = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [], "usage": usage}
    yield "message_start", {"message": start}
    for index, block in enumerate(content):
        empty: Json
        if block["type"] == "text":
            empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": empty}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    reason = "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn"
    yield "message_delta", {"delta": {"stop_reason": reason}, "usage": {"output_tokens": 2}}
    yield "message_stop", {}


def responses(*output: Json) -> Answer:
    """An answer of OpenAI's Responses API."""
    usage: Json = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    body: Json = {"id": "r", "object": "response", "created_at": 1, "model": "gpt-5.4", "status": "completed"}
    body |= {"output": list(output), "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": usage}
    return raw(200, body)


def responses_text(text: str) -> Json:
    """A message item of the Responses API."""
    content: list[Any] = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": content}


def responses_call(name: str, arguments: Json, id: str) -> Json:
    """A function call item of the Responses API."""
    said = {"name": name, "arguments": json.dumps(arguments)}
    return {"type": "function_call", "id": f"fc_{id}", "call_id": id, "status": "completed", **said}


def responses_search(queries: list[str], id: str) -> Json:
    """A client-executed tool search item of the Responses API."""
    said = {"execution": "client", "arguments": {"queries": queries}}
    return {"type": "tool_search_call", "id": f"ts_{id}", "call_id": id, "status": "completed", **said}
