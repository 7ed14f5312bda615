"""A provider on loopback: it records every request and answers what a test laid out for it.

It speaks OpenAI's chat completions and Anthropic's messages, plain and as server-sent events, and any status with
any body.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What goes back: a status and a body; `pieces` are sent one by one, `pause` seconds before each of them."""

    status: int = 200
    pieces: tuple[bytes, ...] = ()
    content_type: str = "application/json"
    pause: float = 0.0
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Json


Script = Callable[[Request], Answer]


class RecordingServer:
    """Answers from a script, in order; the last answer is repeated. Use as a context manager."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._script: list[Answer | Script] = []
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> RecordingServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def bodies(self) -> list[Json]:
        """The bodies that arrived, oldest first."""
        return [request.body for request in self.requests]

    def answers(self, *script: Answer | Script) -> RecordingServer:
        """Lay out the answers, in order."""
        self._script = list(script)
        return self

    def _next(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            step = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        return step if isinstance(step, Answer) else step(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw or b"{}"))
                self._send(owner._next(request))

            def _send(self, answer: Answer) -> None:
                try:
                    self.send_response(answer.status)
                    self.send_header("content-type", answer.content_type)
                    for name, value in answer.headers:
                        self.send_header(name, value)
                    self.end_headers()
                    for piece in answer.pieces:
                        owner._stopped.wait(answer.pause)
                        self.wfile.write(piece)
                        self.wfile.flush()
                except OSError:
                    pass  # the client gave up waiting, which is what some tests are about

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


def raw(status: int, body: str | Json, content_type: str = "application/json") -> Answer:
    """Any status with any body."""
    text = body if isinstance(body, str) else json.dumps(body)
    return Answer(status, (text.encode(),), content_type)


def refusal(status: int, message: str, **more: Any) -> Answer:
    """An error as OpenAI words it."""
    return raw(status, {"error": {"message": message, "type": "invalid_request_error", "code": None, **more}})


def silence(seconds: float) -> Answer:
    """Says nothing for a while."""
    return Answer(pieces=(b"{}",), pause=seconds, headers=(("content-length", "2"),))


def drip(count: int, pause: float) -> Answer:
    """Blank lines that keep a connection alive and never become an answer, as busy providers send them."""
    return Answer(pieces=(b"\n",) * count, pause=pause)


def call(name: str, arguments: Json, id: str = "call_1") -> Json:
    """A tool call as it stands in an assistant message."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def completion(text: str | None = None, calls: Iterable[Json] = (), usage: Json | None = None, **more: Any) -> Answer:
    """A chat completion."""
    calls = list(calls)
    said: Json = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {}), **more}
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if calls else "stop"}
    return raw(200, _envelope("chat.completion", [choice], usage or _usage(11, 7)))


def stream(*words: str, calls: Iterable[Json] = (), usage: Json | None = None, cut: bool = False) -> Answer:
    """A chat completion as server-sent events; `cut` ends the connection before the end."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in words]
    calls = list(calls)
    deltas += [{"tool_calls": [{"index": index, **item}]} for index, item in enumerate(calls)]
    events = [_chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas]
    if not cut:
        events.append(_chunk([{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}]))
        events.append(_envelope("chat.completion.chunk", [], usage or _usage(11, 7)))
    lines = [f"data: {json.dumps(event)}\n\n".encode() for event in events]
    if not cut:
        lines.append(b"data: [DONE]\n\n")
    return Answer(pieces=tuple(lines), content_type="text/event-stream")


def message(text: str = "", uses: Iterable[Json] = (), usage: Json | None = None) -> Answer:
    """An Anthropic message. `uses` are `{"id", "name", "input"}`."""
    content = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", **use} for use in uses]
    body: Json = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content}
    body |= {
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 11, "output_tokens": 7},
    }
    return raw(200, body)


def message_stream(*words: str, usage: Json | None = None) -> Answer:
    """An Anthropic message of text as server-sent events."""
    spent = usage or {"input_tokens": 11, "output_tokens": 7}
    start: Json = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "usage": spent,
    }
    deltas = [{"index": 0, "delta": {"type": "text_delta", "text": word}} for word in words]
    events: list[tuple[str, Json]] = [
        ("message_start", {"message": start}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        *(("content_block_delta", delta) for delta in deltas),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": spent["output_tokens"]}}),
        ("message_stop", {}),
    ]
    lines = [f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode() for kind, data in events]
    return Answer(pieces=tuple(lines), content_type="text/event-stream")


def _envelope(kind: str, choices: list[Json], usage: Json | None = None) -> Json:
    body: Json = {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": "x", "choices": choices}
    return body | ({"usage": usage} if usage else {})


def _chunk(choices: list[Json]) -> Json:
    return _envelope("chat.completion.chunk", choices)


def _usage(prompt: int, completion: int) -> Json:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
