"""Tools over measured series."""

from __future__ import annotations

from typing import Any, Literal

from pydantic_ai import ModelRetry, RunContext

from .. import Deps
from .._store.clock import window
from .._store.database import rows
from .._store.services import Service, known_service

Metric = Literal["http_5xx_rate", "p95_latency_ms", "requests_per_min", "db_pool_in_use", "queue_depth"]
_MOST_POINTS = 36


def metrics_list(ctx: RunContext[Deps], service: Service) -> dict[str, Any]:
    """List the metrics of a service with their newest value and whether it alerts. 某个服务有哪些指标、现在是否告警。

    Args:
        service: the service (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
    """
    sql = """
        SELECT metric, unit, alert_above, value AS newest, measured_at, value > alert_above AS alerting
        FROM metric JOIN metric_point USING (service, metric)
        WHERE service = ? GROUP BY metric HAVING measured_at = max(measured_at) ORDER BY metric
    """
    found = rows(ctx.deps.database, sql, known_service(service))
    return {"service": service, "metrics": [{**row, "alerting": bool(row["alerting"])} for row in found]}


def metrics_get_series(
    ctx: RunContext[Deps], service: Service, metric: Metric, since: str | None = None, until: str | None = None
) -> dict[str, Any]:
    """Read one metric over a span of time with its lowest and highest point, the last six hours unless told.

    看指标走势:什么时候开始升高、最高多少。

    Args:
        service: the service (checkout 结账, ledger-api 账务, search 搜索, mailer 邮件, web 网页, auth 登录)
        metric: which one (http_5xx_rate 错误率, p95_latency_ms 延迟, requests_per_min 请求量, db_pool_in_use 连接数,
            queue_depth 积压)
        since: first minute, YYYY-MM-DD HH:MM or HH:MM today
        until: last minute, YYYY-MM-DD HH:MM or HH:MM today
    """
    first, last = window(since, until, hours=6)
    about = _metric(ctx.deps, known_service(service), metric)
    sql = (
        "SELECT measured_at, value FROM metric_point"
        " WHERE service = ? AND metric = ? AND measured_at BETWEEN ? AND ? ORDER BY measured_at"
    )
    points = rows(ctx.deps.database, sql, service, metric, first, last)
    if not points:
        raise ModelRetry(f"nothing was measured between {first} and {last}; the last 36 hours are kept")
    return {
        **about,
        "lowest": min(points, key=lambda point: point["value"]),
        "highest": max(points, key=lambda point: point["value"]),
        "points": points[:: -(-len(points) // _MOST_POINTS)],
    }


def _metric(deps: Deps, service: str, metric: str) -> dict[str, Any]:
    kept = {row["metric"]: row for row in rows(deps.database, "SELECT * FROM metric WHERE service = ?", service)}
    if metric not in kept:
        raise ModelRetry(f"{service} has no metric {metric!r}; it has {', '.join(sorted(kept))}")
    return kept[metric]
