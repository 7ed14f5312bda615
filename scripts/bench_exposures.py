"""What each exposure costs on the wire: one task of six steps, on a server on loopback that plays the model.

python scripts/bench_exposures.py [DATA_FOLDER ...]

For CloudLedger's tools and those of each data folder (a `tools.jsonl`), and for every exposure: tokens of the
definitions that the model reads, tokens of the whole prompt, the share of each request that repeats the one before it
byte for byte (what a provider's cache can keep), and the bill at the prices of a model that sells cached prompt for
less: at its own discount, and at 90 and 98 per cent off.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from routeagent import Catalog, RoutedTools, ToolIndex, load_catalog
from routeagent.prices import price_of
from routeagent.tokens import count_tokens

ROOT = Path(__file__).resolve().parent.parent
MODEL = "gpt-5.4"
REQUEST = "帮我处理一下 (please take care of this): "


@dataclass
class Player:
    """A server that calls a tool, searches, calls what it found, twice, and answers."""

    catalog: Catalog
    wanted: list[str]
    dispatched: bool
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def steps(self) -> list[tuple[str, dict[str, Any]] | None]:
        """The six steps: four to six calls, then None for the answer."""
        first, second, third = self.wanted
        return [
            self._call(first),
            ("search_tools", {"queries": [self.catalog[second].description[:200]]}),
            self._call(second),
            ("search_tools", {"queries": [self.catalog[third].description[:200]]}),
            self._call(third),
            None,
        ]

    def _call(self, name: str) -> tuple[str, dict[str, Any]]:
        return ("call_tool", {"name": name, "arguments": {}}) if self.dispatched else (name, {})

    def answer(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The next step in the protocol of the path."""
        self.bodies.append(body)
        step = self.steps()[len(self.bodies) - 1]
        return _responses(step, len(self.bodies)) if path.endswith("/responses") else _chat(step, len(self.bodies))


def _chat(step: tuple[str, dict[str, Any]] | None, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None if step else "done"}
    if step:
        function = {"name": step[0], "arguments": json.dumps(step[1], ensure_ascii=False)}
        message["tool_calls"] = [{"id": f"call_{number}", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if step else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice], "usage": usage}


def _responses(step: tuple[str, dict[str, Any]] | None, number: int) -> dict[str, Any]:
    name, arguments = step or ("", {})
    item: dict[str, Any] = {"id": f"i_{number}", "call_id": f"call_{number}", "status": "completed"}
    if not step:
        content: list[dict[str, Any]] = [{"type": "output_text", "text": "done", "annotations": []}]
        item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
    elif name == "search_tools":
        item |= {"type": "tool_search_call", "execution": "client", "arguments": arguments}
    else:
        item |= {"type": "function_call", "name": name, "arguments": json.dumps(arguments)}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    head = {"id": "r", "object": "response", "created_at": 1, "model": MODEL, "status": "completed", "usage": usage}
    return head | {"output": [item], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}


def serve(player: Player) -> ThreadingHTTPServer:
    """The player behind a free port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            content = json.dumps(player.answer(self.path, json.loads(raw))).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def prompts(bodies: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Of each request, what the model reads: the definitions that are not held back, and the conversation."""
    read: list[tuple[str, str]] = []
    for body in bodies:
        shown = [tool for tool in body.get("tools", []) if not tool.get("defer_loading")]
        said = [body.get("instructions", ""), body.get("messages") or body.get("input")]
        read.append((json.dumps(shown, ensure_ascii=False), json.dumps(said, ensure_ascii=False)))
    return read


def kept_bytes(earlier: str, later: str) -> int:
    """Bytes at the beginning of a request that repeat the one before it."""
    same = next((place for place, (a, b) in enumerate(zip(earlier, later, strict=False)) if a != b), len(earlier))
    return len(later[:same].encode())


def measure(catalog: Catalog, index: ToolIndex, wanted: list[str], exposure: str) -> list[str]:
    """One row of the table."""
    player = Player(catalog, wanted, exposure == "dispatch")
    server = serve(player)
    provider = OpenAIProvider(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
    model = (OpenAIResponsesModel if exposure == "native" else OpenAIChatModel)(MODEL, provider=provider)
    routing = RoutedTools(catalog, index=index, exposure=exposure, approve=lambda _: True)
    Agent(model, instructions="Do what the user asks.", capabilities=[routing]).run_sync(
        REQUEST + catalog[wanted[0]].description
    )
    server.shutdown()
    read = prompts(player.bodies)
    whole = [tools + said for tools, said in read]
    tokens = [count_tokens(text) for text in whole]
    definitions = sum(count_tokens(tools) for tools, _ in read)
    kept = [0, *(kept_bytes(a, b) for a, b in pairwise(whole))]
    shares = [kept_here / len(text.encode()) for kept_here, text in zip(kept, whole, strict=True)]
    cached = sum(round(count * share) for count, share in zip(tokens, shares, strict=True))
    row = [exposure, f"{definitions:,}", f"{sum(tokens):,}", f"{cached / sum(tokens):.0%}"]
    return row + [f"{bill(sum(tokens), cached, off):.2f}" for off in (None, 0.90, 0.98)]


def bill(tokens: int, cached: int, off: float | None) -> float:
    """Cents for the prompt tokens of one task."""
    price = price_of(MODEL)
    if price is None:
        raise SystemExit(f"litellm's table has no price for {MODEL}")
    reading = price.cached if off is None else price.input * (1 - off)
    return ((tokens - cached) * price.input + cached * reading) / 10_000


def stub(catalog: Catalog) -> Catalog:
    """The same tools over functions that only say so: the bench is about the wire."""

    def find(name: str, /) -> Callable[..., str]:
        def run(**_: Any) -> str:
            return f"{name} is done"

        return run

    return Catalog(catalog.tools, catalog.namespaces, executor=find, typed=False)


def main() -> None:
    """Print a table for each catalogue."""
    for folder in [ROOT / "domains", *map(Path, sys.argv[1:])]:
        catalog = stub(load_catalog(folder))
        index = ToolIndex(catalog)
        wanted = [tool.name for tool in catalog if not tool.core][:: max(len(catalog) // 3, 1)][:3]
        print(f"\n{folder.name}: {len(catalog)} tools, six steps, prices of {MODEL} in US cents a task")
        print("exposure    definition tokens   prompt tokens   kept    bill   90 % off   98 % off")
        for exposure in ("append", "dispatch", "native", "all"):
            name, definitions, prompt, kept, *bills = measure(catalog, index, wanted, exposure)
            print(f"{name:10} {definitions:>18} {prompt:>15} {kept:>6} {bills[0]:>7} {bills[1]:>10} {bills[2]:>10}")


if __name__ == "__main__":
    main()
