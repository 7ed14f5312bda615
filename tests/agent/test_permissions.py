"""Whatever a model calls, in whatever order: nothing forbidden reaches it, and nothing forbidden happens."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_ai import RunContext

from routeagent.agent import Approval, RouteAgent
from routeagent.catalog import Catalog, Tool
from routeagent.search import ToolIndex
from tests.agent.shop import Script

SPACES = ["mail", "files", "pay"]
SCOPES = ["read", "write", "admin"]
MARK = "zqsecret"


Step = tuple[str, dict[str, Any]]
World = tuple[list[Tool], list[str], list[list[Step]], str]


def search(query: str) -> Step:
    return "search_tools", {"queries": [query]}


def direct(name: str) -> Step:
    return name, {}


def wrapped(name: str) -> Step:
    return "call_tool", {"name": name, "arguments": {}}


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Tools with scopes, a caller's scopes, calls to make, and an exposure."""
    tools = [
        Tool(
            f"{draw(st.sampled_from(SPACES))}_job{number}",
            draw(st.sampled_from(SPACES)),
            f"{MARK}{number} does job {number}",
            core=draw(st.booleans()),
            writes=draw(st.booleans()),
            scopes=tuple(draw(st.lists(st.sampled_from(SCOPES), unique=True, max_size=2))),
        )
        for number in range(draw(st.integers(1, 12)))
    ]
    names = st.sampled_from([*(tool.name for tool in tools), "mail_nothing"])
    queries = st.sampled_from([*SPACES, "job", "does job 3", MARK, "mail_job1"])
    step = st.lists(st.one_of(queries.map(search), names.map(direct), names.map(wrapped)), min_size=1, max_size=3)
    calls: list[list[Step]] = draw(st.lists(step, max_size=4))
    held = draw(st.lists(st.sampled_from(SCOPES), unique=True))
    return tools, held, calls, draw(st.sampled_from(["append", "dispatch", "all"]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_nothing_forbidden_reaches_the_model_or_happens(
    world: World,
) -> None:
    tools, held, calls, exposure = world
    ran: list[str] = []

    def find(name: str, /) -> Any:
        def run() -> str:
            ran.append(name)
            return "done"

        return run

    def principal(_: RunContext[Any]) -> list[str]:
        return held

    def yes(_: Approval) -> bool:
        return True

    catalog = Catalog(tools, executor=find)
    index = ToolIndex(catalog, router="flat", retriever="bm25")
    script = Script([*calls, "ok"])
    agent = RouteAgent(
        catalog, script.model(), index=index, exposure=exposure, principal=principal, approve=yes, max_tools=6, top_k=3
    )
    agent.run_sync("does job 1 mail")
    forbidden = [tool for tool in tools if not set(tool.scopes) <= set(held)]
    asked = {arguments.get("name", name) for step in calls for name, arguments in step}
    told = str([part for message in script.heard for part in message.parts if "Return" in type(part).__name__])
    for tool in forbidden:
        assert tool.name not in ran
        assert all(tool.name not in shown for shown in script.shown)
        assert f"{tool.description} " not in told.replace("'", " ")
        if tool.name not in asked:
            assert f"{tool.name}'" not in told
            assert f"{tool.name}," not in told
