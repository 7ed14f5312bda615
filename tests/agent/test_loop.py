"""The loop: what a model is shown at each step, what its calls do, and what it is told when they fail."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.models.test import TestModel

from routeagent.agent import Approval, Approver, RouteAgent, RoutedTools, deny_writes
from routeagent.discovery import Discovery
from routeagent.selection import Limits
from routeagent.tokens import definition_tokens
from tests.agent.shop import Script, Shop


def agent(shop: Shop, script: Script, max_tools: int = 8, approve: Approver = deny_writes) -> RouteAgent:
    return RouteAgent(
        shop.catalog, script.model(), index=shop.index, max_tools=max_tools, top_k=2, approve=approve, exposure="append"
    )


def yes(_: Approval) -> bool:
    return True


def too_much(_: Approval) -> str:
    return "超过额度"


def test_the_first_turn_has_the_routed_tools(shop: Shop) -> None:
    script = Script(["done"])
    result = agent(shop, script).run_sync("退款进度怎么样了")
    assert script.shown == [["customer_find", "search_tools", "refund_status", "refund_submit"]]
    assert result.output == "done"
    assert result.tools_shown == ("customer_find", "refund_status", "refund_submit")


def test_search_brings_more_and_the_list_only_grows(shop: Shop) -> None:
    script = Script([[("search_tools", {"queries": ["天气"]})], [("weather_today", {"city": "北京"})], "晴"])
    result = agent(shop, script).run_sync("退款进度")
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(script.shown))
    assert "weather_today" not in script.shown[0]
    assert "weather_today" in script.shown[1]
    (reply,) = script.told("search_tools")
    assert reply["loaded"] == ["weather_today"]
    assert reply["tools"][0]["name"] == "weather_today"
    assert [(call.tool, call.ok) for call in result.calls] == [("search_tools", True), ("weather_today", True)]
    assert script.told("weather_today") == ["sunny in 北京"]


def test_the_search_tool_names_the_areas_and_asks_to_rephrase(shop: Shop) -> None:
    text = Discovery(shop.index, Limits()).search_tool.description
    assert "refund" in text
    assert "invoice" in text
    assert "rephrase" in text


def test_a_permitted_tool_called_before_it_was_loaded_runs(shop: Shop) -> None:
    script = Script([[("weather_today", {"city": "Berlin"})], "ok"])
    result = agent(shop, script).run_sync("退款进度")
    assert script.told("weather_today") == ["sunny in Berlin"]
    assert "weather_today" in script.shown[1]
    assert result.calls[0].ok


def test_its_arguments_are_validated_first(shop: Shop) -> None:
    script = Script([[("weather_today", {"town": "Berlin"})], [("weather_today", {"city": "Berlin"})], "ok"])
    result = agent(shop, script).run_sync("退款进度")
    assert [call.ok for call in result.calls] == [False, True]


def test_a_search_and_a_call_in_one_response_both_work(shop: Shop) -> None:
    script = Script([[("search_tools", {"queries": ["weather"]}), ("weather_today", {"city": "Oslo"})], "ok"])
    result = agent(shop, script).run_sync("退款进度")
    assert [call.ok for call in result.calls] == [True, True]
    assert script.told("weather_today") == ["sunny in Oslo"]


def test_with_a_full_cap_an_unloaded_call_still_runs_and_the_cap_holds(shop: Shop) -> None:
    script = Script([[("weather_today", {"city": "Oslo"})], "ok"])
    result = agent(shop, script, max_tools=4).run_sync("退款进度")
    assert script.told("weather_today") == ["sunny in Oslo"]
    assert result.calls[0].ok
    assert max(len(shown) for shown in script.shown) == 4


def test_a_full_cap_tells_the_model_what_is_loaded(shop: Shop) -> None:
    script = Script([[("search_tools", {"queries": ["weather", "void an invoice"]})], "ok"])
    agent(shop, script, max_tools=5).run_sync("退款进度")
    (reply,) = script.told("search_tools")
    assert reply["loaded"] == ["weather_today"]
    assert "invoice_void" in reply["not_loaded"]
    assert "refund_status" in reply["note"]


def test_a_forbidden_tool_is_exactly_like_one_that_does_not_exist(shop: Shop) -> None:
    there, absent = Shop(), Shop(without="misc_job19")
    answers: list[Any] = []
    for one in (there, absent):
        script = Script([[("misc_job19", {})], "ok"])
        agent(one, script).run_sync("退款进度")
        answers.append((script.shown, script.told("misc_job19")))
    assert answers[0] == answers[1]
    assert len(answers[0][1]) == 1


def test_a_name_close_to_a_permitted_one_gets_a_suggestion(shop: Shop) -> None:
    script = Script([[("refund_submitt", {})], "ok"])
    agent(shop, script).run_sync("退款进度")
    assert "refund_submit" in str(script.told("refund_submitt"))


def test_a_write_runs_only_after_a_yes(shop: Shop) -> None:
    call = ("refund_submit", {"invoice_id": "INV-1", "cents": 5})
    asked: list[Approval] = []

    def approve(approval: Approval) -> bool:
        asked.append(approval)
        return True

    denied = agent(shop, Script([[call], "ok"])).run_sync("提交退款")
    assert shop.done == []
    assert [found.ok for found in denied.calls] == [False]
    assert [event["tool"] for event in denied.trace.named("deny")] == ["refund_submit"]
    granted = agent(shop, Script([[call], "ok"]), approve=approve).run_sync("提交退款")
    assert shop.done == [call]
    assert [found.ok for found in granted.calls] == [True]
    assert [(found.tool.name, dict(found.arguments)) for found in asked] == [call]


def test_a_refusal_tells_its_reason_to_the_model(shop: Shop) -> None:
    script = Script([[("refund_submit", {"invoice_id": "INV-1", "cents": 5})], "ok"])
    agent(shop, script, approve=too_much).run_sync("提交退款")
    assert script.told("refund_submit") == ["超过额度"]


def test_a_tool_that_raises_does_not_end_the_run(shop: Shop) -> None:
    script = Script([[("invoice_void", {"invoice_id": "INV-1"})], "sorry"])
    result = agent(shop, script, approve=yes).run_sync("作废发票")
    assert result.output == "sorry"
    assert "the printer is on fire" in script.told("invoice_void")[0]
    assert [event["ok"] for event in result.trace.named("result")] == [False]


def test_bad_arguments_again_and_again_do_not_end_the_run(shop: Shop) -> None:
    call = [("invoice_list", {"customer_id": "X"})]
    script = Script([call, call, call, call, call, call, "gave up"])  # pyright: ignore[reportArgumentType]
    result = agent(shop, script).run_sync("列出发票")
    assert result.output == "gave up"
    assert all("no customer 'X'" in str(text) for text in script.told("invoice_list"))


def test_a_resumed_conversation_keeps_what_was_used(shop: Shop) -> None:
    first = Script([[("weather_today", {"city": "Rom"})], "ok"])
    earlier = agent(shop, first).run_sync("weather")
    again = Script(["fine"])
    agent(shop, again).run_sync("退款进度", message_history=earlier.messages)
    assert again.shown[0][:3] == ["customer_find", "search_tools", "weather_today"]


def test_what_was_found_survives_storage_and_compaction(shop: Shop) -> None:
    first = Script([[("search_tools", {"queries": ["weather"]})], "ok"])
    earlier = agent(shop, first).run_sync("退款进度")
    stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(earlier.messages))
    for history in (stored, stored[-2:]):
        again = Script(["fine"])
        agent(shop, again).run_sync("列出发票", message_history=history)
        assert again.shown[0][: len(first.shown[-1])] == first.shown[-1]
        assert "invoice_list" in again.shown[0]


@pytest.mark.parametrize("request_text", ["", "   ", "🙂🎉", "\ud800\x00", "退" * 100_000])
def test_odd_requests_end_in_an_answer(shop: Shop, request_text: str) -> None:
    script = Script(["hm"])
    assert agent(shop, script).run_sync(request_text).output == "hm"
    assert script.shown[0][:2] == ["customer_find", "search_tools"]


def test_tokens_are_summed_over_the_steps(shop: Shop) -> None:
    script = Script([[("customer_find", {"query": "x"})], "ok"])
    result = agent(shop, script).run_sync("退款进度")
    assert result.steps == 2
    permitted = [tool for tool in shop.catalog if not tool.scopes]
    assert result.tokens.definitions_all == 2 * definition_tokens(permitted)
    assert 0 < result.tokens.definitions < result.tokens.definitions_all


def test_concurrent_runs_of_one_capability_never_meet(shop: Shop) -> None:
    asked = ["退款进度", "weather of a city", "void an invoice"]
    scripts = [Script(["ok"]) for _ in range(200)]
    routing = RoutedTools(shop.catalog, index=shop.index, max_tools=4, top_k=1, exposure="append")

    async def all_at_once() -> None:
        runs = (
            Agent(script.model(), capabilities=[routing]).run(asked[number % 3])
            for number, script in enumerate(scripts)
        )
        await asyncio.gather(*runs)

    asyncio.run(all_at_once())
    alone = ["refund_status", "weather_today", "invoice_void"]
    for number, script in enumerate(scripts):
        (shown,) = script.shown
        assert shown[2] == alone[number % 3]
        assert not set(shown) & (set(alone) - {alone[number % 3]})


def test_streaming_goes_the_same_way(shop: Shop) -> None:
    routing = RoutedTools(shop.catalog, index=shop.index, max_tools=8, top_k=2, exposure="append")
    model = TestModel(call_tools=["refund_status"], custom_output_text="streamed")

    async def stream() -> str:
        async with Agent(model, capabilities=[routing]).run_stream("退款进度") as result:
            return await result.get_output()

    assert asyncio.run(stream()) == "streamed"
    assert model.last_model_request_parameters is not None
    assert [tool.name for tool in model.last_model_request_parameters.function_tools][:3] == [
        "customer_find",
        "search_tools",
        "refund_status",
    ]
