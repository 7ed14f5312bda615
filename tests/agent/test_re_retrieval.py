"""When a run looks again: never, when the model asks, or at every step."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import Agent

from routeagent.agent import RoutedTools
from routeagent.errors import StrategyError
from routeagent.trace import Trace
from tests.agent.shop import Script, Shop

FIND = [("customer_find", {"query": "the weather in Oslo"})]


def run(shop: Shop, re_retrieve: Any, script: Script) -> Trace:
    trace = Trace()
    routing = RoutedTools(
        shop.catalog,
        index=shop.index,
        max_tools=8,
        top_k=1,
        group_load=False,
        exposure="append",
        re_retrieve=re_retrieve,
        trace=trace,
    )
    Agent(script.model(), capabilities=[routing]).run_sync("退款进度")
    return trace


def test_never_routes_once_and_offers_no_search(shop: Shop) -> None:
    script = Script([FIND, "ok"])
    trace = run(shop, "never", script)
    assert script.shown == [["customer_find", "refund_status"]] * 2
    assert len(trace.named("route")) == 1


def test_on_search_waits_for_the_model(shop: Shop) -> None:
    script = Script([FIND, "ok"])
    trace = run(shop, "on_search", script)
    assert script.shown == [["customer_find", "search_tools", "refund_status"]] * 2
    assert len(trace.named("route")) == 1


def test_every_step_looks_again_and_traces_what_it_costs(shop: Shop) -> None:
    script = Script([FIND, [("invoice_list", {"customer_id": "C1"})], "ok"])
    trace = run(shop, "every_step", script)
    assert len(trace.named("route")) == 3
    assert all("ms" in event for event in trace.named("route"))
    assert all(later[: len(earlier)] == earlier for earlier, later in zip(script.shown, script.shown[1:], strict=False))


def test_an_unknown_policy_is_refused(shop: Shop) -> None:
    with pytest.raises(StrategyError, match="sometimes"):
        run(shop, "sometimes", Script(["ok"]))
