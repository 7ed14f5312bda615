"""A small two-language catalogue, examples for it, and a cache folder of the tests' own."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeagent.catalog import Catalog, Example, Namespace, Tool
from routeagent.storage import CACHE_VARIABLE


def _tool(name: str, namespace: str, description: str, **parameters: str) -> Tool:
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    return Tool(name, namespace, description, {"type": "object", "properties": properties})


TOOLS = (
    _tool("refund_submit", "refund", "给客户提交一笔退款申请。", invoice_id="发票编号", amount="退多少钱"),
    _tool("refund_approve", "refund", "批准一笔等待审批的退款。", refund_id="退款编号"),
    _tool("ticket_create", "ticket", "Open a support ticket for a customer.", title="What the ticket is about"),
    _tool("ticket_close", "ticket", "Close a solved support ticket.", ticket_id="Which ticket"),
    _tool("weatherForecast", "weather", "Forecast of rain, wind and temperature.", city="Name of the city"),
    _tool("weather_alerts", "weather", "Storm and flood warnings for a region.", region="Name of the region"),
)

EXAMPLES = (
    Example("我要退款,上个月多扣了钱", ("refund_submit",)),
    Example("客户想把钱退回去", ("refund_submit",)),
    Example("那笔退款可以批了", ("refund_approve",)),
    Example("please open a ticket, the login page is broken", ("ticket_create",)),
    Example("report a bug for me", ("ticket_create",)),
    Example("the problem is gone, close it", ("ticket_close",)),
    Example("do I need an umbrella tomorrow", ("weatherForecast",)),
    Example("how hot will it get in Lisbon", ("weatherForecast",)),
    Example("is a storm coming", ("weather_alerts",)),
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "empty-cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def catalog() -> Catalog:
    return Catalog(TOOLS, [Namespace("refund", "退款的申请和审批"), Namespace("weather", "Forecasts and warnings")])


@pytest.fixture
def examples() -> tuple[Example, ...]:
    return EXAMPLES
