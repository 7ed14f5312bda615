"""Plans and who has which."""

from calendar import monthrange
from datetime import date, timedelta

from .table import Row

TODAY = date(2026, 10, 20)
"""The day on which the desk works."""

PRICES = {"基础版": 4_900, "专业版": 9_900, "企业版": 29_900}
"""Cents a seat and month."""

ANNUAL_MONTHS = 10
"""A year paid at once costs ten months."""

# Customer, plan, seats, cycle, status, first day, and until when it is paused or since when it is cancelled.
_SUBSCRIPTIONS = """
C001 基础版 3 monthly active 2025-11-11
C002 基础版 2 monthly active 2026-01-02
C003 企业版 15 annual active 2026-05-20
C004 专业版 10 monthly active 2025-12-18
C005 专业版 6 monthly active 2026-01-05
C006 基础版 1 monthly active 2026-02-22
C007 企业版 8 monthly active 2025-10-08
C008 基础版 4 monthly active 2026-01-15
C009 专业版 5 monthly active 2026-02-03
C010 基础版 3 monthly past_due 2026-03-12
C011 专业版 7 annual active 2026-07-09
C012 专业版 12 annual active 2026-04-15
C013 专业版 8 monthly active 2026-01-14
C014 基础版 9 monthly active 2026-02-17
C015 基础版 3 monthly past_due 2026-02-05
C016 专业版 6 monthly active 2025-12-07
C017 专业版 5 monthly active 2026-03-28
C018 企业版 10 annual active 2026-06-16
C019 基础版 2 monthly active 2026-03-02
C020 基础版 5 annual active 2026-02-25
C021 专业版 4 annual active 2026-03-11
C022 企业版 12 annual active 2026-08-03
C023 基础版 6 monthly cancelled 2025-09-12 2026-06-12
C024 专业版 9 monthly active 2025-12-29
C025 基础版 4 monthly past_due 2026-02-10
C026 专业版 6 annual active 2025-12-18
C027 专业版 3 monthly active 2026-03-26
C028 企业版 6 monthly active 2026-01-09
C029 基础版 1 annual active 2026-04-21
C030 基础版 3 monthly cancelled 2025-10-30 2026-07-24
C031 企业版 9 monthly active 2026-02-05
C032 专业版 4 monthly active 2026-01-12
C033 基础版 5 annual active 2026-05-20
C034 专业版 6 monthly active 2026-01-27
C035 专业版 3 annual cancelled 2025-12-04 2026-08-14
C036 专业版 20 annual active 2026-04-11
C037 基础版 4 monthly active 2026-01-18
C038 基础版 2 monthly paused 2026-01-29 2026-12-15
C039 基础版 3 monthly cancelled 2026-01-06 2026-09-09
C040 企业版 7 monthly active 2026-01-13
C041 专业版 5 annual active 2026-03-22
C042 基础版 2 monthly active 2026-02-03
C043 专业版 8 monthly cancelled 2026-02-11 2026-09-25
C044 基础版 6 annual active 2026-02-24
C045 基础版 3 monthly active 2026-03-04
C046 专业版 4 monthly past_due 2026-03-12
C048 基础版 2 monthly active 2026-03-27
C049 专业版 10 monthly paused 2026-04-08 2026-11-10
C050 专业版 4 annual active 2026-06-16
C051 基础版 2 monthly cancelled 2026-04-29 2026-09-18
C052 基础版 1 monthly active 2026-05-13
C053 基础版 1 monthly cancelled 2026-05-26 2026-07-02
C054 企业版 5 monthly active 2026-06-09
C055 基础版 3 monthly cancelled 2026-06-23 2026-10-13
C056 专业版 6 annual active 2026-07-07
C057 基础版 4 monthly paused 2026-07-21 2027-01-05
C058 基础版 2 monthly active 2026-08-11
C059 专业版 12 annual active 2026-09-02
C060 基础版 1 monthly active 2026-10-05
"""

_NO_AUTORENEW = {"C011", "C026", "C033", "C042"}
_PAUSED_ON = {"C038": date(2026, 9, 16), "C049": date(2026, 8, 31), "C057": date(2026, 10, 5)}


def plans() -> list[Row]:
    """The price list."""
    return [{"plan": plan, "seat_month_cents": price} for plan, price in PRICES.items()]


def subscriptions() -> list[Row]:
    """One row a subscribing customer."""
    return [_subscription(*line.split()) for line in _SUBSCRIPTIONS.strip().splitlines()]


def later(day: date, months: int) -> date:
    """The same day some months later, or the last one of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def bills_until(subscription: Row) -> date:
    """The last day on which a subscription could bill: today, or when it was paused or cancelled."""
    cancelled_on: str | None = subscription["cancelled_on"]
    if cancelled_on:
        return date.fromisoformat(cancelled_on)
    return _PAUSED_ON.get(str(subscription["customer_id"]), TODAY)


def _subscription(customer: str, plan: str, seats: str, cycle: str, status: str, start: str, end: str = "") -> Row:
    row: Row = {
        "customer_id": customer,
        "plan": plan,
        "seats": int(seats),
        "cycle": cycle,
        "status": status,
        "started_on": start,
        "autorenew": int(status in ("active", "past_due") and customer not in _NO_AUTORENEW),
        "paused_until": end if status == "paused" else None,
        "cancelled_on": end if status == "cancelled" else None,
    }
    first, last = _period(date.fromisoformat(start), bills_until(row), 12 if cycle == "annual" else 1)
    return {**row, "period_start": first.isoformat(), "period_end": last.isoformat()}


def _period(start: date, day: date, months: int) -> tuple[date, date]:
    """First and last day of the period that a day falls into."""
    number = 0
    while later(start, (number + 1) * months) <= day:
        number += 1
    return later(start, number * months), later(start, (number + 1) * months) - timedelta(days=1)
