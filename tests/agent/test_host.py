"""One line in an agent that has tools of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, FunctionToolset, RunContext
from pydantic_ai.capabilities import PrepareTools, ToolSearch
from pydantic_ai.exceptions import UserError
from pydantic_ai.tools import ToolDefinition

from routeagent.agent import RoutedTools
from routeagent.errors import StrategyError
from tests.agent.shop import Script


def toolsets() -> list[FunctionToolset[Any]]:
    mail, files = FunctionToolset[Any](id="mail"), FunctionToolset[Any](id="files")

    @mail.tool_plain
    def send_message(to: str) -> str:
        """Send an e-mail. 发邮件"""
        return f"sent to {to}"

    @mail.tool_plain
    def list_drafts() -> str:
        """List the drafts. 草稿箱"""
        return "no drafts"

    @files.tool_plain
    def read_file(path: str) -> str:
        """Read a file. 读文件"""
        return f"contents of {path}"

    for number in range(30):
        files.add_function(_chore(number), name=f"chore_{number}")
    return [mail, files]


def _chore(number: int) -> Any:
    def chore() -> int:
        return number

    chore.__doc__ = f"Unrelated chore {number}."
    return chore


def routed(**options: Any) -> RoutedTools:
    return RoutedTools(router="flat", retriever="bm25", max_tools=8, top_k=2, exposure="append", **options)


def test_the_hosts_own_toolsets_are_routed() -> None:
    script = Script([[("send_message", {"to": "Ann"})], "ok"])
    Agent(script.model(), toolsets=toolsets(), capabilities=[routed()]).run_sync("发邮件给 Ann")
    assert script.shown[0] == ["search_tools", "send_message", "list_drafts"]
    assert script.told("send_message") == ["sent to Ann"]


def test_what_is_kept_is_always_shown_and_search_brings_the_rest() -> None:
    script = Script([[("search_tools", {"queries": ["读文件"]})], [("read_file", {"path": "/a"})], "ok"])
    agent = Agent(script.model(), toolsets=toolsets(), capabilities=[routed(keep=["chore_7"])])
    agent.run_sync("发邮件")
    assert script.shown[0] == ["chore_7", "search_tools", "send_message", "list_drafts"]
    assert "read_file" in script.shown[1]
    assert script.told("read_file") == ["contents of /a"]


def test_a_catalogue_leaves_the_hosts_own_tools_as_they_are(shop: Any) -> None:
    script = Script(["ok"])

    def clock() -> str:
        """The time."""
        return "noon"

    routing = RoutedTools(shop.catalog, index=shop.index, max_tools=8, top_k=2, exposure="append")
    Agent(script.model(), tools=[clock], capabilities=[routing]).run_sync("退款进度")
    assert script.shown[0] == ["clock", "customer_find", "search_tools", "refund_status", "refund_submit"]


def test_few_tools_are_all_shown() -> None:
    script = Script(["ok"])
    mail = toolsets()[0]
    Agent(script.model(), toolsets=[mail], capabilities=[RoutedTools(router="flat", retriever="bm25")]).run_sync("hi")
    assert script.shown == [["send_message", "list_drafts"]]


def test_a_second_search_on_one_agent_is_refused() -> None:
    with pytest.raises(UserError):
        Agent(Script(["ok"]).model(), capabilities=[routed(), ToolSearch()]).run_sync("hi")
    with pytest.raises(UserError, match="one RoutedTools"):
        Agent(Script(["ok"]).model(), toolsets=toolsets(), capabilities=[routed(), routed()]).run_sync("hi")


def test_a_tool_with_a_reserved_name_is_refused() -> None:
    def search_tools() -> str:
        """Mine."""
        return ""

    with pytest.raises(UserError, match="rename"):
        Agent(Script(["ok"]).model(), tools=[search_tools], capabilities=[routed()]).run_sync("hi")


def test_runs_at_once_share_one_index_and_no_state() -> None:
    routing = routed()
    scripts = [Script(["ok"]) for _ in range(40)]
    asked = ["发邮件", "读文件"]

    async def all_at_once() -> None:
        agents = [Agent(script.model(), toolsets=toolsets(), capabilities=[routing]) for script in scripts]
        await asyncio.gather(*(one.run(asked[number % 2]) for number, one in enumerate(agents)))

    asyncio.run(all_at_once())
    assert {tuple(script.shown[0][1:2]) for script in scripts[::2]} == {("send_message",)}
    assert {tuple(script.shown[0][1:2]) for script in scripts[1::2]} == {("read_file",)}


@pytest.mark.parametrize("spec", ["", "appendix", "append:3", "auto:x", "auto:200", "native:1"])
def test_an_exposure_that_does_not_exist_is_refused(spec: str) -> None:
    with pytest.raises(StrategyError):
        RoutedTools(exposure=spec)


def test_other_capabilities_have_their_say() -> None:
    async def no_drafts(_: RunContext[Any], tools: list[ToolDefinition]) -> list[ToolDefinition]:
        return [tool for tool in tools if tool.name != "list_drafts"]

    script = Script([[("list_drafts", {})], [("search_tools", {"queries": ["草稿箱"]})], "ok"])
    agent = Agent(script.model(), toolsets=toolsets(), capabilities=[routed(), PrepareTools(no_drafts)])
    agent.run_sync("发邮件")
    assert all("list_drafts" not in shown for shown in script.shown)
    assert "no tool" in str(script.told("list_drafts")).lower()
    assert "list_drafts" not in str(script.told("search_tools"))
