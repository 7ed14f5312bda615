"""The planner in the agent's loop: histories, approval, search, streams, concurrency, structured output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from pydantic_ai import Agent, Tool, ToolReturn
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, RunContext, ToolDefinition, ToolDenied

from routeagent.errors import ModelError
from tests.planner import ledger
from tests.planner.ledger import TOOLS, WRITES, agent, calls_in, planner


def test_history_supplies_who_is_meant() -> None:
    first = agent().run_sync("user012@example.com 是哪个客户")
    second = agent().run_sync("他的发票有哪些", message_history=first.all_messages())
    assert calls_in(second.new_messages()) == [("invoice_list", {"customer_id": "C012"})]


def test_history_survives_json_and_supplies_rows() -> None:
    first = agent().run_sync("C012 的发票有哪些")
    history = ModelMessagesTypeAdapter.validate_json(first.all_messages_json())
    second = agent().run_sync("把最新那张发票重发", message_history=history)
    assert calls_in(second.new_messages()) == [("invoice_resend", {"invoice_id": "INV-2026-0131"})]


def test_a_newly_named_customer_wins_over_history() -> None:
    first = agent().run_sync("C012 的发票有哪些")
    second = agent().run_sync("user007@example.com 的发票呢,列一下", message_history=first.all_messages())
    assert calls_in(second.new_messages())[-1] == ("invoice_list", {"customer_id": "C007"})


def _with_approval() -> Agent[object, str | DeferredToolRequests]:
    tools = [Tool(tool, requires_approval=tool.__name__ in WRITES) for tool in TOOLS]
    return Agent(planner(), tools=tools, output_type=[str, DeferredToolRequests])


def test_denied_call_is_told_with_its_arguments() -> None:
    asked = _with_approval().run_sync("关闭 C007 的自动续费")
    assert isinstance(asked.output, DeferredToolRequests)
    (wanted,) = asked.output.approvals
    assert (wanted.tool_name, wanted.args_as_dict()) == (
        "subscription_toggle_autorenew",
        {"customer_id": "C007", "on": False},
    )
    denied = DeferredToolResults(approvals={wanted.tool_call_id: ToolDenied("主管没有同意")})
    result = _with_approval().run_sync(message_history=asked.all_messages(), deferred_tool_results=denied)
    assert '需要审批:subscription_toggle_autorenew(customer_id="C007", on=false)' in str(result.output)
    assert "主管没有同意" in str(result.output)
    assert calls_in(result.new_messages()) == []


def test_approved_call_runs_once() -> None:
    asked = _with_approval().run_sync("关闭 C007 的自动续费")
    assert isinstance(asked.output, DeferredToolRequests)
    approved = DeferredToolResults(approvals={asked.output.approvals[0].tool_call_id: True})
    result = _with_approval().run_sync(message_history=asked.all_messages(), deferred_tool_results=approved)
    assert [name for name, _ in calls_in(result.all_messages())] == ["subscription_toggle_autorenew"]
    assert "自动续费 否" in str(result.output)


class _Shelf:
    """Tools of which only some are visible until `search_tools` is asked for the rest."""

    def __init__(self, hidden: set[str], found: set[str]) -> None:
        self.hidden, self.found, self.queries = hidden, found, list[list[str]]()

    def tools(self) -> list[Tool[object]]:
        return [Tool(tool, prepare=self._prepare) for tool in TOOLS] + [Tool(self.search_tools)]

    def search_tools(self, queries: list[str]) -> dict[str, Any]:
        """Find more tools."""
        self.queries.append(queries)
        self.hidden -= self.found
        return {"tools": [{"name": name} for name in sorted(self.found)], "loaded": sorted(self.found)}

    def _prepare(self, ctx: RunContext[object], definition: ToolDefinition) -> ToolDefinition | None:
        return None if definition.name in self.hidden else definition

    def run(self, request: str) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
        shelved = Agent(planner(), tools=self.tools())
        result = shelved.run_sync(request)
        return result.output, calls_in(result.all_messages())


def test_a_clause_without_a_tool_is_searched_for_once_and_then_served() -> None:
    shelf = _Shelf(
        {"report_revenue_monthly", "billing_currency_convert"}, {"report_revenue_monthly", "billing_currency_convert"}
    )
    _, calls = shelf.run("查一下 C012 的发票;统计 2026 年 10 月收入汇总")
    assert calls == [
        ("search_tools", {"queries": ["统计 2026 年 10 月收入汇总"]}),
        ("invoice_list", {"customer_id": "C012"}),
        ("report_revenue_monthly", {"month": "2026-10"}),
    ]


def test_ids_in_a_search_result_are_examples_and_never_used() -> None:
    class Talkative(_Shelf):
        def search_tools(self, queries: list[str]) -> dict[str, Any]:
            """Find more tools."""
            found = super().search_tools(queries)
            row = {"name": "invoice_resend", "arguments": {"invoice_id": "INV-2026-0123", "customer_id": "C099"}}
            return {**found, "tools": [row]}

    shelf = Talkative({"report_revenue_monthly"}, {"report_revenue_monthly"})
    _, calls = shelf.run("把发票重新发一下;统计 2026 年 10 月收入汇总")
    assert ("report_revenue_monthly", {"month": "2026-10"}) in calls
    assert "0123" not in str(calls)
    assert "C099" not in str(calls)


def test_search_is_not_repeated_when_it_finds_nothing() -> None:
    shelf = _Shelf({tool.__name__ for tool in TOOLS}, set())
    answer, calls = shelf.run("统计 10 月收入汇总")
    assert [name for name, _ in calls] == ["search_tools"]
    assert "没有合适的工具" in answer


def test_no_search_where_the_visible_tools_serve() -> None:
    shelf = _Shelf(set(), set())
    _, calls = shelf.run("查一下 C012 的发票")
    assert calls == [("invoice_list", {"customer_id": "C012"})]


def test_streaming_gives_the_same_calls_and_text() -> None:
    request = "user007@example.com 说 10 月被扣了两次款,帮我核实一下"

    async def stream() -> tuple[list[str], list[tuple[str, dict[str, Any]]]]:
        async with agent().run_stream(request) as streamed:
            pieces = [piece async for piece in streamed.stream_text(delta=True, debounce_by=None)]
            return pieces, calls_in(streamed.all_messages())

    pieces, calls = asyncio.run(stream())
    assert len(pieces) > 1
    assert ("".join(pieces), calls) == ledger.run(request)


def test_one_planner_serves_many_runs_at_once() -> None:
    customers = ("C007", "C012", "C030") * 10

    async def together() -> list[list[tuple[str, dict[str, Any]]]]:
        shared = agent()
        results = await asyncio.gather(*(shared.run(f"{customer} 的发票") for customer in customers))
        return [calls_in(result.all_messages()) for result in results]

    assert asyncio.run(together()) == [[("invoice_list", {"customer_id": customer})] for customer in customers]


def test_an_unknown_tool_in_the_history_does_no_harm() -> None:
    first = agent().run_sync("C012 的发票有哪些")
    stray = ModelResponse(parts=[ToolCallPart("gone_tool", "not json", "stray")])
    history = [*first.all_messages(), stray, ModelResponse(parts=[TextPart("…")])]
    second = agent().run_sync("RF-0012 的退款进度", message_history=history)
    assert calls_in(second.new_messages())[-1] == ("refund_status", {"refund_id": "RF-0012"})


def test_results_of_any_shape_are_told_without_json() -> None:
    shapes: list[Any] = ['{"orders": [{"order_id": "O-001", "total_cents": 1250}]}', "一行字", [], None, 7, ["a", "b"]]

    def shape(result: Any) -> Callable[[], Any]:
        def order_list() -> Any:
            """查订单 order list"""
            return ToolReturn(result) if result == 7 else result

        return order_list

    answers = [ledger.run("查订单", tools=[shape(result)])[0] for result in shapes]
    assert "12.50 元" in answers[0]
    assert "一行字" in answers[1]
    assert "没有查到任何记录" in answers[2]
    assert "7" in answers[4]
    assert all("{" not in answer and "[" not in answer for answer in answers)


def test_ids_of_another_product_are_learnt_from_its_schemas() -> None:
    def parcel_track(parcel_no: Annotated[str, Field(pattern=r"^PX\d{6}$")]) -> dict[str, Any]:
        """查包裹物流 track a parcel"""
        return {"parcel_no": parcel_no, "status": "delivered"}

    def order_find(email: str) -> dict[str, Any]:
        """按邮箱查订单 find an order, gives the parcel"""
        return {"orders": [{"order_id": "O-77", "parcel_no": "PX123456"}]}

    assert ledger.run("查一下包裹物流 PX654321", tools=[parcel_track, order_find])[1] == [
        ("parcel_track", {"parcel_no": "PX654321"})
    ]
    assert ledger.run("查一下 a@example.com 的包裹物流", tools=[parcel_track, order_find])[1] == [
        ("order_find", {"email": "a@example.com"}),
        ("parcel_track", {"parcel_no": "PX123456"}),
    ]


def test_structured_output_is_refused_with_advice() -> None:
    class Answer(BaseModel):
        text: str

    with pytest.raises(ModelError, match="--model"):
        Agent(planner(), output_type=Answer).run_sync("查一下")


def test_ids_are_read_out_of_text_and_from_under_other_names() -> None:
    def customer_find(query: Annotated[str, Field(description="邮箱")]) -> str:
        """按邮箱查找客户"""
        return f"找到 1 位客户\nC044 {query} 青禾餐饮"

    def invoice_list(customer_id: ledger.CustomerId) -> list[dict[str, Any]]:
        """列出客户的发票"""
        return [{"number": "INV-2026-0444", "total": 12.5}]

    tools = [customer_find, invoice_list, ledger.invoice_resend]
    assert ledger.run("列出 a@example.com 的发票,然后重发", tools=tools)[1] == [
        ("customer_find", {"query": "a@example.com"}),
        ("invoice_list", {"customer_id": "C044"}),
        ("invoice_resend", {"invoice_id": "INV-2026-0444"}),
    ]
