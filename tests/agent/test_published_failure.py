"""The failure that is known from the field, replayed: "给客户办理退款" with three hits brings cancel, approve and the
annual calculation, and not the tool that files a refund. Each remedy alone ends with that tool called.

The ranking is laid down here as it was published, so that each test changes one thing and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pydantic_ai import Agent

from routeagent.agent import Approval, RoutedTools
from routeagent.catalog import Catalog, Example, Tool
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.search import ToolIndex
from routeagent.trace import Trace
from tests.agent.shop import Script

REQUEST = "给客户办理退款"
PUBLISHED = ["refund_cancel", "refund_approve", "refund_calc_annual", "refund_list_pending", "refund_submit"]
GIVES_UP = "抱歉,我没有可以提交退款的工具,无法帮您办理,请联系人工客服。"


class Published:
    """A retriever with the published ranking; a description that has the request's words in it comes first."""

    def fit(self, catalog: Catalog, examples: Sequence[Example]) -> Published:
        self.catalog = catalog
        return self

    def retrieve(
        self, query: str, namespaces: Sequence[ScoredNamespace], k: int, *, allowed: Collection[str] | None = None
    ) -> list[ScoredTool]:
        said = [name for name in PUBLISHED if query in self.catalog[name].description]
        ranked = [*said, *(name for name in PUBLISHED if name not in said)]
        return [ScoredTool(name, "refund", 1.0 - place / 10) for place, name in enumerate(ranked[:k])]


class Model(Script):
    """Files the refund where it sees the tool, and gives up politely where it does not."""

    def _answer(self, messages: Any, info: Any) -> Any:
        shown = [tool.name for tool in info.function_tools]
        done = any("submitted" in str(getattr(part, "content", "")) for message in messages for part in message.parts)
        can = "refund_submit" in shown and not done
        call = [("refund_submit", {"invoice_id": "INV-1"})]
        self.steps.append("办好了" if done else call if can else GIVES_UP)
        return super()._answer(messages, info)


def play(description: str = "提交退款申请", **options: Any) -> tuple[list[str], int, Trace]:
    """What was filed, the definition tokens that it took, and the trace."""
    filed: list[str] = []

    def submit(invoice_id: str) -> str:
        filed.append(invoice_id)
        return f"submitted {invoice_id}"

    schema = {"type": "object", "properties": {"invoice_id": {"type": "string"}}, "required": ["invoice_id"]}
    tools = [Tool(name, "refund", "退款相关", schema, writes=name == "refund_submit") for name in PUBLISHED]
    tools[-1] = replace(tools[-1], description=description)
    tools += [Tool(f"misc_job{number}", "misc", "杂事") for number in range(30)]
    catalog = Catalog(tools, executor=lambda name: submit)
    index = ToolIndex(catalog, router="flat", retriever=Published())
    trace = Trace()

    def yes(_: Approval) -> bool:
        return True

    given: dict[str, Any] = {"top_k": 3, "group_load": False, "guard": "off", "exposure": "append", **options}
    routing = RoutedTools(catalog, index=index, approve=yes, trace=trace, **given)
    Agent(Model([]).model(), capabilities=[routing]).run_sync(REQUEST)
    return filed, trace.named("answer")[0]["definitions"], trace


def test_without_a_remedy_the_job_is_politely_not_done() -> None:
    filed, _, _ = play()
    assert filed == []


@pytest.mark.parametrize(
    ("remedy", "options"),
    [
        ("group load", {"group_load": True}),
        ("k = 5", {"top_k": 5}),
        ("a better description", {"description": "客户要退钱时给客户办理退款:提交退款申请"}),
        ("the guard", {"guard": "retry"}),
    ],
)
def test_each_remedy_alone_does_the_job(remedy: str, options: dict[str, Any]) -> None:
    _, before, _ = play()
    filed, tokens, _ = play(**options)
    print(f"{remedy}: {tokens - before:+} definition tokens")
    assert filed == ["INV-1"]


def test_the_guard_only_traces_by_default_and_names_what_was_there() -> None:
    filed, _, trace = play(guard="trace")
    assert filed == []
    (event,) = trace.named("capability_denied")
    assert [row["tool"] for row in event["candidates"]] == ["refund_list_pending", "refund_submit"]
    assert [row["rank"] for row in event["candidates"]] == [4, 5]
    assert event["retried"] is False


def test_the_guard_doubts_once_only() -> None:
    _, _, trace = play(guard="retry", description="一个不合用的工具")
    assert len(trace.named("capability_denied")) == 1


def test_an_honest_refusal_is_left_alone() -> None:
    class Honest(Script):
        pass

    catalog = Catalog([Tool(name, "refund", "退款相关") for name in PUBLISHED], executor=lambda name: lambda: name)
    index = ToolIndex(catalog, router="flat", retriever=Published())
    trace = Trace()
    script = Honest(["这张发票已经超过 90 天,按规定不能再退款。", "unreachable"])
    routing = RoutedTools(
        catalog, index=index, top_k=1, group_load=False, guard="retry", exposure="append", trace=trace
    )
    Agent(script.model(), capabilities=[routing]).run_sync(REQUEST)
    assert trace.named("capability_denied") == []
    assert len(script.shown) == 1
