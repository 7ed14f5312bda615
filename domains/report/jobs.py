"""Exports and imports that customers wait for."""

from typing import Any

from pydantic_ai import ModelRetry, RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import customer, next_id, one

_MOST = 20


def report_export_status(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """报表导不出来、一直转圈、下载失败时,查这个客户的导出任务到哪了、为什么失败、任务号是多少。

    Args:
        customer_id: 客户 ID,如 C007
    """
    found = customer(ctx.deps, customer_id)["customer_id"]
    jobs = ctx.deps.rows(
        "SELECT task_id, report, status, error, requested_at, finished_at, rerun_of FROM export_jobs"
        " WHERE customer_id = ? ORDER BY requested_at DESC, task_id DESC",
        found,
    )
    return {"customer_id": found, "exports": jobs[:_MOST], "total": len(jobs)}


@tool(writes=True)
def report_rerun_export(ctx: RunContext[Deps], task_id: str) -> dict[str, Any]:
    """把失败的报表导出再跑一遍,重新排队。任务号从 report_export_status 查。

    Args:
        task_id: 导出任务号,如 EX-0007
    """
    wanted = task_id.strip().upper()[:40]
    missing = f"没有导出任务 {wanted!r};用 report_export_status 查任务号 (no such export; see report_export_status)"
    with ctx.deps.change() as change:
        job = one(change, "export_jobs", "task_id", wanted.encode("utf-8", "replace").decode(), missing)
        if job["status"] != "failed":
            raise ModelRetry(f"{wanted} 是 {job['status']},只有失败的才能重跑 (only failed exports can run again)")
        running = change.rows(
            "SELECT task_id FROM export_jobs WHERE rerun_of = ? AND status IN ('queued', 'running')", wanted
        )
        if running:
            raise ModelRetry(f"{wanted} 已经在重跑:{running[0]['task_id']},等它结束 (is running again already)")
        again = next_id(change, "export_jobs", "task_id", "EX-")
        change.insert(
            "export_jobs",
            task_id=again,
            customer_id=job["customer_id"],
            report=job["report"],
            status="queued",
            requested_at=ctx.deps.now,
            rerun_of=wanted,
        )
    told = {"task_id": again, "rerun_of": wanted, "customer_id": job["customer_id"], "report": job["report"]}
    return told | {"status": "queued"}


def report_import_errors(ctx: RunContext[Deps], customer_id: str) -> dict[str, Any]:
    """银行流水导入报错、有几行没进来时,看失败明细:哪个文件第几行、错误码(如 E1043)、什么意思。

    Args:
        customer_id: 客户 ID,如 C007
    """
    found = customer(ctx.deps, customer_id)["customer_id"]
    errors = ctx.deps.rows(
        "SELECT file, line, code, message, at FROM import_errors WHERE customer_id = ? ORDER BY at DESC, error_id DESC",
        found,
    )
    codes = sorted({row["code"] for row in errors})
    return {"customer_id": found, "codes": codes, "errors": errors[:_MOST], "total": len(errors)}
