"""Exports, imports, seats, revenue and churn; expected figures are counted here from the rows themselves."""

from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from domains.report.figures import report_churn, report_revenue_monthly, report_seat_usage
from domains.report.jobs import report_export_status, report_import_errors, report_rerun_export

from .desk import desk
from .unchanged import refused


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def failed_job(ctx: RunContext[Deps]) -> dict[str, Any]:
    return ctx.deps.rows("SELECT * FROM export_jobs WHERE status = 'failed' ORDER BY task_id LIMIT 1")[0]


def test_exports_come_with_their_reasons(ctx: RunContext[Deps]) -> None:
    job = failed_job(ctx)
    told = report_export_status(ctx, job["customer_id"])
    row = next(row for row in told["exports"] if row["task_id"] == job["task_id"])
    assert (row["status"], row["error"]) == ("failed", job["error"])
    assert [row["requested_at"] for row in told["exports"]] == sorted(
        (row["requested_at"] for row in told["exports"]), reverse=True
    )


def test_a_failed_export_is_queued_again(ctx: RunContext[Deps]) -> None:
    job = failed_job(ctx)
    told = report_rerun_export(ctx, job["task_id"].lower())
    (row,) = ctx.deps.rows("SELECT * FROM export_jobs WHERE task_id = ?", told["task_id"])
    assert (row["status"], row["rerun_of"], row["report"]) == ("queued", job["task_id"], job["report"])
    assert (row["customer_id"], told["rerun_of"]) == (job["customer_id"], job["task_id"])


def test_an_export_is_not_queued_twice(ctx: RunContext[Deps]) -> None:
    job = failed_job(ctx)
    again = report_rerun_export(ctx, job["task_id"])["task_id"]
    assert again in refused(ctx, report_rerun_export, job["task_id"])
    with ctx.deps.change() as change:
        change.run("UPDATE export_jobs SET status = 'failed' WHERE task_id = ?", again)
    assert report_rerun_export(ctx, job["task_id"])["rerun_of"] == job["task_id"]


def test_import_errors_name_file_line_and_code(ctx: RunContext[Deps]) -> None:
    (known,) = ctx.deps.rows("SELECT * FROM import_errors WHERE code = 'E1043' ORDER BY error_id LIMIT 1")
    told = report_import_errors(ctx, known["customer_id"])
    assert "E1043" in told["codes"]
    assert {"file": known["file"], "line": known["line"], "code": "E1043"}.items() <= {
        key: value for row in told["errors"] if row["line"] == known["line"] for key, value in row.items()
    }.items()


def test_seats_bought_and_used(ctx: RunContext[Deps]) -> None:
    told = report_seat_usage(ctx, "C007")
    members = ctx.deps.rows("SELECT last_active_on FROM members WHERE customer_id = 'C007'")
    active = sum((row["last_active_on"] or "") >= "2026-09-20" for row in members)
    assert (told["seats"], told["members"], told["active"]) == (8, len(members), active)
    assert told["unused"] == 8 - active


def test_revenue_is_what_came_in_less_what_went_back(ctx: RunContext[Deps]) -> None:
    told = report_revenue_monthly(ctx, "2026-09")
    rows = ctx.deps.rows("SELECT * FROM payments WHERE status = 'succeeded'")
    september = [row["amount_cents"] for row in rows if row["made_at"].startswith("2026-09")]
    assert told["net_cents"] == sum(september)
    assert told["received"] == f"{sum(cents for cents in september if cents > 0) / 100:.2f} 元"
    assert told["refunded"] == f"{-sum(cents for cents in september if cents < 0) / 100:.2f} 元"


def test_churn_counts_who_left_and_who_was_there(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("UPDATE subscriptions SET cancelled_on = NULL, started_on = '2026-09-15'")
        change.run(
            "UPDATE subscriptions SET started_on = '2026-01-01' WHERE customer_id IN ('C001','C002','C003','C007')"
        )
        change.run("UPDATE subscriptions SET cancelled_on = '2026-09-30' WHERE customer_id = 'C003'")
        # Came and went within the month: was not there at its start, so does not count in the rate.
        change.run("UPDATE subscriptions SET cancelled_on = '2026-09-20' WHERE customer_id = 'C004'")
    told = report_churn(ctx, "2026-09")
    assert (told["lost"], told["customers_at_start"], told["rate"]) == (1, 4, "25.0%")
    assert [row["customer_id"] for row in told["customers"]] == ["C003"]


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (report_export_status, ("C999",), "customer_find"),
        (report_rerun_export, ("EX-9999",), "report_export_status"),
        (report_rerun_export, ("\ud800",), "report_export_status"),
        (report_import_errors, ("nobody",), "customer_find"),
        (report_seat_usage, ("",), "customer_find"),
        (report_revenue_monthly, ("2026-13",), "YYYY-MM"),
        (report_revenue_monthly, ("October",), "YYYY-MM"),
        (report_revenue_monthly, ("2027-01",), "还没到"),
        (report_churn, ("10月",), "YYYY-MM"),
        (report_churn, ("2026-11",), "还没到"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Any, arguments: tuple[Any, ...], says: str
) -> None:
    assert says in refused(ctx, function, *arguments)


def test_only_failed_exports_run_again(ctx: RunContext[Deps]) -> None:
    (done,) = ctx.deps.rows("SELECT task_id FROM export_jobs WHERE status = 'done' ORDER BY task_id LIMIT 1")
    assert "只有失败的才能重跑" in refused(ctx, report_rerun_export, done["task_id"])
