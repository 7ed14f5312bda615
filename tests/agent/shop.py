"""A small shop whose tools really do something, and a model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pydantic_ai
from pydantic_ai import ModelRetry
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from routeagent.catalog import Catalog, Namespace, Tool
from routeagent.search import ToolIndex

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


@dataclass
class Shop:
    """What the tools of a test did."""

    without: str = ""
    done: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    catalog: Catalog = field(init=False)
    index: ToolIndex = field(init=False)

    def __post_init__(self) -> None:
        self.catalog = shop_catalog(self).keep(lambda tool: tool.name != self.without)
        self.index = ToolIndex(self.catalog, router="flat", retriever="bm25")


def shop_catalog(shop: Shop) -> Catalog:
    def refund_submit(invoice_id: str, cents: int) -> str:
        shop.done.append(("refund_submit", {"invoice_id": invoice_id, "cents": cents}))
        return f"submitted {invoice_id}"

    def refund_status(refund_id: str) -> str:
        return f"{refund_id} is pending"

    def invoice_list(customer_id: str) -> list[str]:
        if not customer_id.startswith("C"):
            raise ModelRetry(f"no customer {customer_id!r}")
        return ["INV-1", "INV-2"]

    def invoice_void(invoice_id: str) -> str:
        raise RuntimeError("the printer is on fire")

    async def weather_today(city: str) -> str:
        return f"sunny in {city}"

    def customer_find(query: str) -> str:
        return "C1"

    functions: dict[str, Callable[..., Any]] = {
        found.__name__: found
        for found in (refund_submit, refund_status, invoice_list, invoice_void, weather_today, customer_find)
    }
    about = {
        "refund_submit": "Submit a refund for an invoice. 提交退款申请",
        "refund_status": "How far a refund has come. 退款进度",
        "invoice_list": "List a customer's invoices. 列出发票",
        "invoice_void": "Void an invoice. 作废发票",
        "weather_today": "The weather of a city today. 天气",
        "customer_find": "Find a customer by e-mail. 查找客户",
    }
    filler = {f"misc_job{number}": f"Unrelated chore number {number}" for number in range(20)}
    tools = [
        Tool(
            name,
            name.split("_")[0],
            text,
            pydantic_ai.Tool(functions[name]).function_schema.json_schema if name in functions else NOTHING,
            core=name == "customer_find",
            writes=name in ("refund_submit", "invoice_void"),
            scopes=("admin",) if name == "misc_job19" else (),
            timeout=5,
        )
        for name, text in (about | filler).items()
    ]
    spaces = [Namespace("refund", "refunds"), Namespace("invoice", "invoices")]
    return Catalog(tools, spaces, executor=lambda name: functions.get(name, lambda: name))


@dataclass
class Script:
    """Plays a model: each step is a text, or calls as `(tool, arguments)`; keeps what it was shown."""

    steps: list[str | list[tuple[str, dict[str, Any]]]]
    shown: list[list[str]] = field(default_factory=list[list[str]])
    heard: list[ModelMessage] = field(default_factory=list[ModelMessage])

    def model(self) -> FunctionModel:
        return FunctionModel(self._answer)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.heard = messages
        self.shown.append([tool.name for tool in info.function_tools])
        step = self.steps[len(self.shown) - 1]
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(name, arguments) for name, arguments in step])

    def told(self, tool: str) -> list[Any]:
        """What came back from a tool, in order."""
        return [
            getattr(part, "content", None)
            for message in self.heard
            for part in message.parts
            if getattr(part, "tool_name", None) == tool and not isinstance(part, ToolCallPart)
        ]
