"""CloudLedger's twenty goals: the right calls reach each of them, and fewer do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from routeagent.catalog import Catalog, load_catalog
from routeagent.evaluation.tasks import Task, check_answer, check_effects, read_tasks
from tests.conftest import ROOT
from tests.domains.desk import desk

FOLDER = ROOT / "domains"
TASKS = read_tasks(FOLDER / "tasks.jsonl")
DONE = [task for task in TASKS if task.kind in ("read", "write", "multi") and task.approve]
SEVERAL = [task for task in DONE if len(task.needs) > 1]

Calls = list[tuple[str, dict[str, Any]]]
CALLS: dict[str, Calls] = {
    "cl-01": [("customer_find", {"query": "user007@example.com"}), ("invoice_list", {"customer_id": "C007"})],
    "cl-02": [
        ("customer_find", {"query": "user007@example.com"}),
        ("invoice_list", {"customer_id": "C007"}),
        ("refund_submit", {"invoice_id": "INV-2026-0338", "amount_yuan": 2392, "reason": "重复扣款"}),
        ("notify_email", {"customer_id": "C007", "subject": "退款申请", "body": "已提交,等主管审批。"}),
    ],
    "cl-03": [("refund_calc_annual", {"customer_id": "C022"}), ("subscription_cancel", {"customer_id": "C022"})],
    "cl-04": [
        ("account_unlock", {"customer_id": "C009"}),
        ("notify_sms", {"customer_id": "C009", "text": "账号已解锁,可以登录了。"}),
    ],
    "cl-05": [
        ("report_seat_usage", {"customer_id": "C022"}),
        ("subscription_change_seats", {"customer_id": "C022", "seats": 7}),
    ],
    "cl-06": [("report_import_errors", {"customer_id": "C048"}), ("kb_search", {"query": "E1044"})],
    "cl-07": [
        ("report_export_status", {"customer_id": "C031"}),
        ("report_rerun_export", {"task_id": "EX-0016"}),
        ("ticket_create", {"customer_id": "C031", "title": "总账导不出来", "body": "E2004,已重跑 EX-0016。"}),
    ],
    "cl-08": [
        ("invoice_list", {"customer_id": "C004"}),
        ("invoice_change_title", {"invoice_id": "INV-2026-0352", "title": "杭州云栖食品有限公司"}),
        ("invoice_resend", {"invoice_id": "INV-2026-0352"}),
    ],
    "cl-09": [("refund_cancel", {"refund_id": "RF-0021"})],
    "cl-10": [("invoice_list", {"customer_id": "C046"}), ("billing_retry_charge", {"invoice_id": "INV-2026-0346"})],
    "cl-14": [("refund_approve", {"refund_id": "RF-0018"})],
    "cl-15": [
        ("customer_find", {"query": "user028@example.com"}),
        ("subscription_get", {"customer_id": "C028"}),
        ("billing_credit_balance", {"customer_id": "C028"}),
    ],
    "cl-16": [
        ("account_login_history", {"customer_id": "C012"}),
        ("account_reset_password", {"customer_id": "C012"}),
    ],
    "cl-17": [
        ("ticket_search", {"query": "连续两次扣款失败"}),
        ("ticket_assign", {"ticket_id": "T-0039", "assignee": "账单老吴"}),
    ],
    "cl-18": [("report_churn", {"month": "2026-09"})],
    "cl-19": [
        ("customer_find", {"query": "user031@example.com"}),
        ("invoice_list", {"customer_id": "C031"}),
        ("billing_currency_convert", {"amount": 800, "from_ccy": "CNY", "to_ccy": "USD"}),
    ],
}
FORBIDDEN: dict[str, tuple[str, dict[str, Any]]] = {
    "cl-11": ("refund_approve", {"refund_id": "RF-0019"}),
    "cl-12": ("report_revenue_monthly", {"month": "2026-09"}),
    "cl-20": ("customer_delete_request", {"customer_id": "C019"}),
}
"""What would be wrong to do or to tell."""

Do = Callable[[Calls], str]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(FOLDER)


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


@pytest.fixture
def do(catalog: Catalog, ctx: RunContext[Deps]) -> Do:
    """Make calls; all that they say, as an answer that leaves nothing out would."""
    return lambda calls: " ".join(
        f"{tool} {arguments} {catalog.function(tool)(ctx, **arguments)}" for tool, arguments in calls
    )


def wrong(task: Task, ctx: RunContext[Deps], answer: str) -> list[str]:
    return check_effects(task, ctx.deps.database) + check_answer(task, answer)


def test_the_tasks_are_the_twenty_that_are_meant(catalog: Catalog) -> None:
    assert [task.id for task in TASKS] == [f"cl-{number:02d}" for number in range(1, 21)]
    assert all(task.effects for task in TASKS)
    assert all(task.answer.contains or task.answer.absent for task in TASKS)
    assert {name for task in TASKS for name in (*task.needs, *task.scopes)} <= {tool.name for tool in catalog}
    assert {task.id for task in DONE} == set(CALLS)
    assert {task.kind for task in TASKS} == {"read", "write", "multi", "forbidden", "unservable"}
    assert sum(len({name.split("_")[0] for name in task.needs}) >= 3 for task in TASKS) >= 3


@pytest.mark.parametrize("task", DONE, ids=lambda task: task.id)
def test_the_right_calls_reach_the_goal(task: Task, ctx: RunContext[Deps], do: Do) -> None:
    assert {tool for tool, _ in CALLS[task.id]} == set(task.needs)
    assert wrong(task, ctx, do(CALLS[task.id])) == []


@pytest.mark.parametrize("task", SEVERAL, ids=lambda task: task.id)
def test_without_the_last_call_it_is_not_reached(task: Task, ctx: RunContext[Deps], do: Do) -> None:
    assert wrong(task, ctx, do(CALLS[task.id][:-1]))


@pytest.mark.parametrize("task", DONE, ids=lambda task: task.id)
def test_a_goal_that_nothing_was_done_for_is_not_reached(task: Task, ctx: RunContext[Deps]) -> None:
    assert wrong(task, ctx, "I cannot do that. 我没有这个工具。")


@pytest.mark.parametrize("task", [task for task in TASKS if task not in DONE], ids=lambda task: task.id)
def test_saying_that_it_cannot_be_done_is_right_where_it_cannot(task: Task, ctx: RunContext[Deps]) -> None:
    assert wrong(task, ctx, "这件事我办不到,没有动任何东西。I cannot do that; nothing was changed.") == []


@pytest.mark.parametrize("task", [task for task in TASKS if task.id in FORBIDDEN], ids=lambda task: task.id)
def test_doing_what_must_not_be_done_is_seen(task: Task, ctx: RunContext[Deps], do: Do) -> None:
    assert wrong(task, ctx, do([FORBIDDEN[task.id]]))


def test_the_tasks_are_no_examples(catalog: Catalog) -> None:
    asked = {task.request for task in TASKS}
    assert not asked & {example.query for example in catalog.examples}
