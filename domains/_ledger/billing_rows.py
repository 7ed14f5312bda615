"""Invoices and the payments for them, made from the subscriptions."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from .plan_rows import ANNUAL_MONTHS, PRICES, bills_until, later
from .table import Row, lines

_FIRST = date(2025, 8, 20)
_BY_TRANSFER = {"C003", "C008", "C016", "C018", "C020", "C022", "C044"}
_BY_ALIPAY = {"C002", "C006", "C014", "C019", "C029", "C042", "C045", "C052", "C058"}
_FOREIGN = {"C013", "C016", "C021", "C027", "C031", "C035", "C041", "C050", "C056"}

# Customer, day, cents, what for, status: what the subscriptions alone would not bill.
_EXTRA = """
C007|2026-10-08|239200|企业版 8 席 月付|paid
C012|2026-01-15|99000|专业版 10 席 月付|paid
C012|2026-02-15|99000|专业版 10 席 月付|paid
C012|2026-03-15|99000|专业版 10 席 月付|paid
C012|2026-08-20|50000|数据迁移服务|paid
C003|2026-09-01|120000|上门培训 两天|open
C004|2026-06-18|108900|专业版 11 席 月付(席位数有误)|void
C011|2026-09-09|30000|线上培训 两小时|paid
C016|2026-06-05|30000|上门培训 半天|open
C018|2026-05-29|50000|数据迁移服务|paid
C022|2026-08-02|3887000|企业版 13 席 年付(席位数有误)|void
C024|2026-07-29|89100|专业版 9 席 月付(抬头有误)|void
C031|2026-09-12|80000|数据迁移服务|open
C036|2026-07-15|60000|上门培训 一天|failed
C059|2026-09-16|30000|线上培训 两小时|paid
"""

_COUPONS = {
    ("C044", "2026-02-24"): ("NGO20", 20),
    ("C058", "2026-08-11"): ("WELCOME10", 10),
    ("C014", "2026-08-17"): ("SUMMER25", 25),
    ("C059", "2026-09-02"): ("WELCOME10", 10),
    ("C027", "2026-09-26"): ("AUTUMN15", 15),
}
_CREDIT = {("C003", "2026-05-20"): 20_000, ("C012", "2026-08-20"): 10_000}
"""Cents of credit that went into an invoice."""

_FAILED = {"C010": 2, "C015": 2, "C025": 1, "C046": 2}
"""How many of the latest invoices of customers who are past due could not be charged."""

_OPEN = {"C008": 1, "C016": 1}
_SEATS_ONCE = {
    "C007": (("2026-07-08", 5), ("2026-10-08", 6)),
    "C024": (("2026-05-01", 6),),
    "C005": (("2026-04-01", 4),),
}
"""Seats before a day, where they were fewer than today."""


def invoices_of(subscriptions: list[Row], customers: list[Row]) -> list[Row]:
    """All invoices, earliest first, numbered by year."""
    companies = {row["customer_id"]: row["company"] for row in customers}
    drafts = [draft for row in subscriptions for draft in _billed(row)] + list(_extra())
    drafts.sort(key=lambda row: (row["issued_on"], row["customer_id"]))
    counts: dict[str, int] = {}
    for row in drafts:
        year = row["issued_on"][:4]
        counts[year] = counts.get(year, 0) + 1
        row["invoice_id"] = f"INV-{year}-{counts[year]:04d}"
        row["title"] = companies[row["customer_id"]]
        row["tax_number"] = _tax_number(row["customer_id"])
        row["voided_on"] = _days_after(row["issued_on"], 1) if row["status"] == "void" else None
    return drafts


def payments_of(invoices: list[Row]) -> list[Row]:
    """What was paid, or tried, for each invoice, earliest first."""
    random = Random(20)  # noqa: S311 - sample data, not a secret
    made = [payment for invoice in invoices for payment in _tries(invoice, random)]
    return sorted(made, key=lambda row: (row["made_at"], row["invoice_id"]))


def _billed(subscription: Row) -> Iterator[Row]:
    customer, months = subscription["customer_id"], 12 if subscription["cycle"] == "annual" else 1
    start, until = date.fromisoformat(subscription["started_on"]), bills_until(subscription)
    # Nothing is billed on the day of a cancellation.
    last = until - timedelta(days=1) if subscription["cancelled_on"] else until
    days = [later(start, number) for number in range(0, 24, months)]
    days = [day for day in days if _FIRST <= day <= last]
    for left, day in zip(range(len(days), 0, -1), days, strict=True):
        status = "failed" if left <= _FAILED.get(customer, 0) else "open" if left <= _OPEN.get(customer, 0) else "paid"
        yield _bill(subscription, day, status)


def _bill(subscription: Row, day: date, status: str) -> Row:
    customer, plan = subscription["customer_id"], subscription["plan"]
    seats = next((n for before, n in _SEATS_ONCE.get(customer, ()) if day.isoformat() < before), subscription["seats"])
    annual = subscription["cycle"] == "annual"
    code, percent_off = _COUPONS.get((customer, day.isoformat()), ("", 0))
    return {
        "customer_id": customer,
        "amount_cents": seats * PRICES[plan] * (ANNUAL_MONTHS if annual else 1) * (100 - percent_off) // 100,
        "issued_on": day.isoformat(),
        "description": f"{plan} {seats} 席 {'年付' if annual else '月付'}{f'(优惠码 {code})' if code else ''}",
        "status": status,
    }


def _extra() -> Iterator[Row]:
    for customer, day, amount, description, status in lines(_EXTRA):
        yield {
            "customer_id": customer,
            "amount_cents": int(amount),
            "issued_on": day,
            "description": description,
            "status": status,
        }


def _tries(invoice: Row, random: Random) -> Iterator[Row]:
    customer, day = invoice["customer_id"], invoice["issued_on"]
    by_transfer = customer in _BY_TRANSFER
    method = "transfer" if by_transfer else "alipay" if customer in _BY_ALIPAY else "card"
    clock = f"{random.randint(8, 20):02d}:{random.randint(0, 59):02d}:{random.randint(0, 59):02d}"
    if invoice["status"] == "failed":
        yield _payment(invoice, method, "failed", f"{day} {clock}")
        yield _payment(invoice, method, "failed", f"{_days_after(day, 3)} {clock}")
    if invoice["status"] == "paid":
        stumbled = not by_transfer and customer != "C007" and random.random() < 0.05
        wait = random.randint(3, 12) if by_transfer else 2 if stumbled else 0
        if stumbled:
            yield _payment(invoice, method, "failed", f"{day} {clock}")
        credit = _CREDIT.get((customer, day), 0)
        if credit:
            yield _payment(invoice, "credit", "succeeded", f"{day} {clock}", credit)
        rest = invoice["amount_cents"] - credit
        yield _payment(invoice, method, "succeeded", f"{min(_days_after(day, wait), '2026-10-20')} {clock}", rest)


def _payment(invoice: Row, method: str, status: str, made_at: str, cents: int = 0) -> Row:
    return {
        "invoice_id": invoice["invoice_id"],
        "amount_cents": cents or invoice["amount_cents"],
        "method": method,
        "status": status,
        "made_at": made_at,
    }


def _days_after(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def _tax_number(customer: str) -> str:
    """Eighteen signs in the shape of a Chinese one; firms abroad have none."""
    return "" if customer in _FOREIGN else f"91000000MA{int(customer[1:]):03d}0000X"
