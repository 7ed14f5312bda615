"""`ToolSelector` in a loop of somebody's own, against a server that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import pytest
from openai import OpenAI

from routeagent.catalog import Catalog
from routeagent.selector import ToolSelector
from tests.models.server import RecordingServer, call, completion

Messages = list[dict[str, Any]]
SCHEMAS = [
    ("refund.submit", "提交退款申请,需要审批"),
    ("refund.status", "退款走到哪一步了,什么时候到账"),
    ("invoice.list", "列出客户的发票,查重复扣款"),
    ("weather.today", "今天的天气"),
    *((f"misc.job{number}", f"第 {number} 件不相干的杂事") for number in range(30)),
]


def definitions() -> list[dict[str, Any]]:
    parameters = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    return [
        {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}
        for name, about in SCHEMAS
    ]


@pytest.fixture
def ran() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture
def selector(ran: list[tuple[str, dict[str, Any]]]) -> ToolSelector:
    def dispatch(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        ran.append((name, arguments))
        return {"state": "到账"}

    catalog = Catalog.from_openai(definitions(), call=dispatch)
    return ToolSelector(catalog, router="flat", retriever="bm25", max_tools=8, top_k=2)


def names(tools: Any) -> list[str]:
    return [tool["function"]["name"] for tool in tools]


def user(text: str) -> Messages:
    return [{"role": "user", "content": text}]


def test_three_lines_in_a_loop_on_the_openai_sdk(selector: ToolSelector, ran: list[Any]) -> None:
    status = selector.index.catalog.wire("refund.status")
    weather = selector.index.catalog.wire("weather.today")
    assert status
    assert weather
    with RecordingServer() as server:
        server.answers(
            completion(calls=[call(status, {"id": "RF-1"})]),
            completion(calls=[call("search_tools", {"queries": ["今天天气"]})]),
            completion(calls=[call(weather, {"id": "北京"})]),
            completion("已到账"),
        )
        client = OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0)
        messages = user("我的退款什么时候到账")
        while messages[-1]["role"] in ("user", "tool"):
            tools = cast("Any", selector.select(messages))
            reply = client.chat.completions.create(model="m", messages=cast("Any", messages), tools=tools)
            messages += selector.answer(messages, reply.choices[0].message)
        sent = [names(body["tools"]) for body in server.bodies]
    assert messages[-1]["content"] == "已到账"
    assert ran == [("refund.status", {"id": "RF-1"}), ("weather.today", {"id": "北京"})]
    assert sent[0][0] == "search_tools"
    assert status in sent[0]
    assert weather not in sent[1]
    assert weather in sent[2]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))
    assert max(map(len, sent)) <= 8


def test_a_new_turn_adds_and_never_removes(selector: ToolSelector) -> None:
    first = user("退款什么时候到账")
    later = [*first, {"role": "assistant", "content": "明天"}, *user("今天天气怎么样")]
    one, two = names(selector.select(first)), names(selector.select(later))
    assert two[: len(one)] == one
    assert selector.index.catalog.wire("weather.today") in two


def test_content_in_parts_is_read(selector: ToolSelector) -> None:
    parts: Messages = [
        {"role": "user", "content": [{"type": "text", "text": "今天天气"}, {"type": "image_url", "image_url": {}}]}
    ]
    assert names(selector.select(parts)) == names(selector.select(user("今天天气")))


@pytest.mark.parametrize(
    "messages", [[], user(""), [{"role": "user", "content": None}], user("🙂"), user("\ud800\x00")]
)
def test_a_turn_without_words_leaves_the_search_tool(selector: ToolSelector, messages: Messages) -> None:
    assert names(selector.select(messages)) == ["search_tools"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("nope", "{}", "no tool 'nope'"),
        ("search_tools", "{oops", "not JSON"),
        ("search_tools", '{"queries": 7}', "queries"),
    ],
)
def test_what_goes_wrong_is_told_to_the_model(selector: ToolSelector, name: str, arguments: str, says: str) -> None:
    assert says in selector.call(user("退款"), name, arguments)


def test_a_tool_that_raises_is_told_to_the_model() -> None:
    def dispatch(name: str, arguments: dict[str, Any]) -> Any:
        raise ValueError("no such refund")

    selector = ToolSelector(Catalog.from_openai(definitions(), call=dispatch), router="flat", retriever="bm25")
    assert "no such refund" in selector.call(user("退款"), selector.index.catalog.tools[0].name, '{"id": "x"}')


def test_a_principal_decides_what_exists() -> None:
    tools = [replace(tool, scopes=("finance",)) for tool in Catalog.from_openai(definitions())]
    selector = ToolSelector(Catalog(tools), router="flat", retriever="bm25")
    assert names(selector.select(user("退款什么时候到账"))) == ["search_tools"]
    assert len(selector.select(user("退款什么时候到账"), principal=["finance"])) > 1
    told = json.loads(selector.call(user("退款"), "search_tools", '{"queries": ["退款"]}'))
    assert told["tools"] == []
