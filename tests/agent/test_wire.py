"""What really goes to providers, against recording servers on loopback that speak their protocols."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from pydantic_ai import Agent, models
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from routeagent.agent import Approval, RoutedTools
from routeagent.catalog import Catalog, Tool
from routeagent.trace import Trace
from tests.agent.shop import Shop
from tests.agent.wire import anthropic, responses, responses_call, responses_search, responses_text, use
from tests.models.server import Answer, RecordingServer, call, completion

WEATHER = {"city": "Oslo"}
Step = str | tuple[str, dict[str, Any]]


def ask_ann(_: Approval) -> str:
    return "ask Ann"


def yes(_: Approval) -> bool:
    return True


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingServer]:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    with RecordingServer() as server:
        yield server


def routed(shop: Shop, exposure: str, trace: Trace | None = None) -> RoutedTools:
    return RoutedTools(shop.catalog, index=shop.index, exposure=exposure, max_tools=8, top_k=2, trace=trace)


def chat(
    server: RecordingServer, routing: RoutedTools, *answers: Answer, request: str = "退款进度"
) -> list[dict[str, Any]]:
    server.answers(*answers)
    model = OpenAIChatModel("gpt-x", provider=OpenAIProvider(base_url=f"{server.url}/v1", api_key="k"))
    assert Agent(model, instructions="be good", capabilities=[routing]).run_sync(request).output == "done"
    return server.bodies


def wire(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def test_append_makes_each_list_a_prefix_of_the_next(server: RecordingServer, shop: Shop) -> None:
    bodies = chat(
        server,
        routed(shop, "append"),
        completion(calls=[call("search_tools", {"queries": ["weather"]})]),
        completion(calls=[call("weather_today", WEATHER), call("invoice_list", {"customer_id": "C1"}, "call_2")]),
        completion("done"),
    )
    lists = [body["tools"] for body in bodies]
    assert [len(tools) for tools in lists] == [4, 5, 6]
    assert all(wire(later[: len(earlier)]) == wire(earlier) for earlier, later in pairwise(lists))
    assert all(body["messages"][: len(bodies[0]["messages"])] == bodies[0]["messages"] for body in bodies)


def test_the_namespaces_stand_in_the_instructions_once(server: RecordingServer, shop: Shop) -> None:
    (body,) = chat(server, routed(shop, "append"), completion("done"))
    said = "\n".join(message["content"] for message in body["messages"] if message["role"] == "system")
    assert said.count("refund (refunds); invoice (invoices); weather") == 1
    (whole,) = chat(server, routed(shop, "all"), completion("done"))[1:]
    assert "Areas" not in wire(whole["messages"])


def test_dispatch_never_changes_a_byte_of_the_list_nor_of_the_instructions(server: RecordingServer, shop: Shop) -> None:
    bodies = chat(
        server,
        routed(shop, "dispatch"),
        completion(calls=[call("search_tools", {"queries": ["weather"]})]),
        completion(calls=[call("call_tool", {"name": "weather_today", "arguments": WEATHER})]),
        completion("done"),
    )
    assert len({wire(body["tools"]) for body in bodies}) == 1
    assert [tool["function"]["name"] for tool in bodies[0]["tools"]] == ["customer_find", "search_tools", "call_tool"]
    assert len({wire(body["messages"][0]) for body in bodies}) == 1
    assert all(
        wire(later["messages"]).startswith(wire(earlier["messages"])[:-1]) for earlier, later in pairwise(bodies)
    )
    assert "refund_status" in wire(bodies[0]["messages"])  # the routed tools stand in the first turn, as text
    assert "sunny in Oslo" in wire(bodies[2]["messages"])


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("weather_today", {"town": "Oslo"}, "city: Field required"),
        ("nope", {}, "no tool called nope"),
        ("misc_job19", {}, "no tool called misc_job19"),
        ("refund_submit", {"invoice_id": "INV-1", "cents": "many"}, "cents: Input should be a valid integer"),
    ],
)
def test_a_dispatched_call_is_validated_and_permitted_like_any_other(
    server: RecordingServer, shop: Shop, name: str, arguments: dict[str, Any], says: str
) -> None:
    asked = call("call_tool", {"name": name, "arguments": arguments})
    bodies = chat(server, routed(shop, "dispatch"), completion(calls=[asked]), completion("done"))
    assert says in wire(bodies[1]["messages"])
    assert shop.done == []


def test_a_dispatched_write_waits_for_approval(server: RecordingServer, shop: Shop) -> None:
    asked = call("call_tool", {"name": "refund_submit", "arguments": {"invoice_id": "INV-1", "cents": 5}})
    refusing = RoutedTools(shop.catalog, index=shop.index, exposure="dispatch", approve=ask_ann)
    bodies = chat(server, refusing, completion(calls=[asked]), completion("done"))
    assert "ask Ann" in wire(bodies[1]["messages"][-1])
    assert shop.done == []
    granting = RoutedTools(shop.catalog, index=shop.index, exposure="dispatch", approve=yes)
    chat(server, granting, completion(calls=[asked]), completion("done"))
    assert shop.done == [("refund_submit", {"invoice_id": "INV-1", "cents": 5})]


def test_native_on_anthropic_defers_and_answers_with_references(server: RecordingServer, shop: Shop) -> None:
    server.answers(
        anthropic(use("search_tools", {"queries": ["weather"]}, "t1")),
        anthropic(use("weather_today", WEATHER, "t2")),
        anthropic({"type": "text", "text": "done"}),
    )
    model = AnthropicModel("claude-sonnet-4-6", provider=AnthropicProvider(base_url=server.url, api_key="k"))
    assert Agent(model, capabilities=[routed(shop, "native")]).run_sync("退款进度").output == "done"
    first, second, third = server.bodies
    deferred = {tool["name"]: tool.get("defer_loading", False) for tool in first["tools"]}
    assert deferred == {tool.name: not tool.core for tool in shop.catalog if not tool.scopes} | {"search_tools": False}
    assert len({wire(body["tools"]) for body in server.bodies}) == 1
    assert "refund, " in next(tool["description"] for tool in first["tools"] if tool["name"] == "search_tools")
    found = second["messages"][-1]["content"][0]
    assert found["content"] == [{"tool_name": "weather_today", "type": "tool_reference"}]
    assert "refund_status" in wire(first["messages"])  # revealed before the model asked
    assert "sunny in Oslo" in wire(third["messages"])


def test_native_on_openai_responses_is_a_client_executed_search(server: RecordingServer, shop: Shop) -> None:
    server.answers(
        responses(responses_search(["weather"], "c1")),
        responses(responses_call("weather_today", WEATHER, "c2")),
        responses(responses_text("done")),
    )
    model = OpenAIResponsesModel("gpt-5.4", provider=OpenAIProvider(base_url=f"{server.url}/v1", api_key="k"))
    assert Agent(model, capabilities=[routed(shop, "native")]).run_sync("退款进度").output == "done"
    first, second, third = server.bodies
    assert [tool["execution"] for tool in first["tools"] if tool["type"] == "tool_search"] == ["client"]
    assert len({wire(body["tools"]) for body in server.bodies}) == 1
    output = next(item for item in second["input"] if item.get("type") == "tool_search_output")
    assert [tool["name"] for tool in output["tools"]] == ["weather_today"]
    assert "sunny in Oslo" in wire(third["input"])


def test_the_cap_stays_below_what_the_provider_takes(server: RecordingServer) -> None:
    tools = [Tool(f"jobs_job{number}", "jobs", f"job {number}") for number in range(300)]
    catalog = Catalog(tools, executor=lambda name: lambda: name)
    routing = RoutedTools(catalog, router="flat", retriever="bm25", exposure="append", max_tools=250, top_k=200)
    (body,) = chat(server, routing, completion("done"), request="job")
    assert len(body["tools"]) <= 128


def test_a_model_without_native_search_falls_back_to_append_and_says_so(server: RecordingServer, shop: Shop) -> None:
    trace = Trace()
    bodies = chat(server, routed(shop, "native", trace), completion("done"))
    assert [tool["function"]["name"] for tool in bodies[0]["tools"]][1] == "search_tools"
    (event,) = trace.named("expose")
    assert event["exposure"] == "append"
    assert "falls back" in event["why"]


def _said(protocol: str, step: Step, number: int) -> Answer:
    """One step in a protocol: a text, or a tool and its arguments."""
    if isinstance(step, str):
        text = {"type": "text", "text": step}
        return {"chat": completion(step), "responses": responses(responses_text(step)), "anthropic": anthropic(text)}[
            protocol
        ]
    name, arguments = step
    if protocol == "chat":
        return completion(calls=[call(name, arguments, f"c{number}")])
    if protocol == "responses":
        return responses(responses_call(name, arguments, f"c{number}"))
    return anthropic(use(name, arguments, f"t{number}"))


def _model(protocol: str, url: str) -> models.Model:
    if protocol == "anthropic":
        return AnthropicModel("claude-sonnet-4-6", provider=AnthropicProvider(base_url=url, api_key="k"))
    provider = OpenAIProvider(base_url=f"{url}/v1", api_key="k")
    return (
        OpenAIChatModel("gpt-x", provider=provider)
        if protocol == "chat"
        else OpenAIResponsesModel("gpt-5.4", provider=provider)
    )


@pytest.mark.parametrize("protocol", ["chat", "responses", "anthropic"])
@pytest.mark.parametrize("exposure", ["append", "dispatch"])
def test_every_protocol_keeps_its_prefix(server: RecordingServer, shop: Shop, protocol: str, exposure: str) -> None:
    found = ("call_tool", {"name": "weather_today", "arguments": WEATHER})
    steps: list[Step] = [("search_tools", {"queries": ["weather"]}), ("weather_today", WEATHER), "done"]
    if exposure == "dispatch":
        steps[1] = found
    server.answers(*(_said(protocol, step, number) for number, step in enumerate(steps)))
    agent = Agent(_model(protocol, server.url), instructions="be good", capabilities=[routed(shop, exposure)])
    assert agent.run_sync("退款进度").output == "done"
    lists = [body["tools"] for body in server.bodies]
    system = {wire(body.get("system") or body.get("instructions") or body["messages"][0]) for body in server.bodies}
    assert len(system) == 1
    assert "sunny in Oslo" in wire(server.bodies[2].get("messages") or server.bodies[2].get("input"))
    if exposure == "dispatch":
        assert len({wire(tools) for tools in lists}) == 1
    else:
        # gpt-5.4 takes additions as an item of the conversation, which pydantic-ai uses: the list stays as it was.
        assert [len(tools) for tools in lists] == ([4, 4, 4] if protocol == "responses" else [4, 5, 5])
        assert "weather_today" in wire(server.bodies[1])
        assert all(wire(later[: len(earlier)]) == wire(earlier) for earlier, later in pairwise(lists))
