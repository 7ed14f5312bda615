"""The metrics and how they ran: a level with a small ripple, and what an incident added to it."""

from __future__ import annotations

METRICS: tuple[tuple[str, str, str, float], ...] = (
    ("auth", "http_5xx_rate", "%", 1.0),
    ("auth", "p95_latency_ms", "ms", 300.0),
    ("checkout", "http_5xx_rate", "%", 1.0),
    ("checkout", "p95_latency_ms", "ms", 800.0),
    ("checkout", "requests_per_min", "requests/min", 5000.0),
    ("ledger-api", "db_pool_in_use", "connections", 18.0),
    ("ledger-api", "http_5xx_rate", "%", 1.0),
    ("ledger-api", "p95_latency_ms", "ms", 500.0),
    ("mailer", "queue_depth", "messages", 500.0),
    ("search", "http_5xx_rate", "%", 1.0),
    ("search", "p95_latency_ms", "ms", 600.0),
    ("web", "http_5xx_rate", "%", 1.0),
    ("web", "p95_latency_ms", "ms", 900.0),
)
"""Service, name, unit, and the value above which it alerts."""

_LEVEL = {"http_5xx_rate": 0.2, "p95_latency_ms": 180.0, "requests_per_min": 1200.0, "db_pool_in_use": 7.0}
_LEVELS_OF = {("search", "p95_latency_ms"): 240.0, ("mailer", "queue_depth"): 30.0}
_RIPPLE = (0.0, 0.04, 0.08, 0.04)

_INCIDENTS: tuple[tuple[str, str, str, str, float], ...] = (
    ("checkout", "http_5xx_rate", "2026-10-20 14:00", "2026-10-20 14:19", 4.6),
    ("checkout", "http_5xx_rate", "2026-10-20 14:20", "2026-10-20 14:29", 8.2),
    ("checkout", "http_5xx_rate", "2026-10-20 14:30", "2026-10-20 15:30", 6.4),
    ("ledger-api", "db_pool_in_use", "2026-10-20 09:10", "2026-10-20 09:40", 13.0),
    ("ledger-api", "p95_latency_ms", "2026-10-20 09:10", "2026-10-20 09:29", 1400.0),
    ("ledger-api", "p95_latency_ms", "2026-10-20 09:30", "2026-10-20 09:40", 2300.0),
    ("search", "p95_latency_ms", "2026-10-19 10:30", "2026-10-20 10:59", 900.0),
    ("search", "p95_latency_ms", "2026-10-20 11:00", "2026-10-20 11:09", 1500.0),
    ("search", "p95_latency_ms", "2026-10-20 11:10", "2026-10-20 15:30", 900.0),
    ("mailer", "queue_depth", "2026-10-20 06:00", "2026-10-20 11:59", 900.0),
    ("mailer", "queue_depth", "2026-10-20 12:00", "2026-10-20 15:30", 2400.0),
)
"""Service, metric, first and last minute, and how much the incident adds."""


def value_at(service: str, metric: str, at: str, number: int) -> float:
    """The value of a metric at a minute; `number` counts the points and drives the ripple."""
    level = _LEVELS_OF.get((service, metric), _LEVEL.get(metric, 0.0))
    incidents = [row for row in _INCIDENTS if row[:2] == (service, metric)]
    added = sum(more for _, _, first, last, more in incidents if first <= at <= last)
    ripple = 0.0 if metric == "db_pool_in_use" else level * _RIPPLE[number % 4]
    return round(level + added + ripple, 2)
