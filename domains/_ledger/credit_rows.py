"""Credit, coupons and payment links."""

from .table import Row, lines

# Customer, cents, reason, day.
_ENTRIES = """
C003|50000|推荐新客户奖励|2026-03-18
C003|-20000|抵扣年付账单|2026-05-20
C005|12000|系统故障补偿|2026-06-30
C007|10000|系统故障补偿|2026-06-30
C012|30000|年付赠送额度|2026-04-15
C012|-10000|抵扣数据迁移账单|2026-08-20
C013|8000|系统故障补偿|2026-06-30
C018|50000|年付赠送额度|2026-06-16
C022|50000|年付赠送额度|2026-08-03
C028|29900|席位争议补偿|2026-08-06
C032|5940|优惠码未生效补偿|2026-10-01
C036|30000|推荐新客户奖励|2026-07-02
C044|20000|公益机构补贴|2026-02-24
C054|15000|导出故障补偿|2026-10-12
C059|5000|新客户体验金|2026-09-02
"""

# Code, percent off, last day, description.
_COUPONS = """
WELCOME10|10|2026-12-31|新客户首张发票九折 / 10% off the first invoice
AUTUMN15|15|2026-11-30|秋季促销八五折 / autumn sale
ANNUAL5|5|2027-03-31|年付客户续费 95 折 / annual renewal
NGO20|20|2027-06-30|公益机构八折 / for non-profits
DOUBLE11|11|2026-11-12|双十一活动 / 11.11 sale
SUMMER25|25|2026-08-31|暑期促销,已过期 / summer sale, expired
"""

_USES = {
    "C044": ("NGO20", "2026-02-24"),
    "C058": ("WELCOME10", "2026-08-11"),
    "C059": ("WELCOME10", "2026-09-02"),
    "C014": ("SUMMER25", "2026-08-10"),
    "C027": ("AUTUMN15", "2026-09-22"),
}

# Customer, signs of the address, day, last day.
_LINKS = """
C015|7f3k9q|2026-10-09|2026-10-16
C025|p2m8dx|2026-10-12|2026-10-19
C046|v6t1za|2026-10-15|2026-10-22
"""


def credit_entries() -> list[Row]:
    """What was granted and used, earliest first."""
    entries = [
        {"customer_id": customer, "amount_cents": int(amount), "reason": reason, "made_on": day}
        for customer, amount, reason, day in lines(_ENTRIES)
    ]
    return sorted(entries, key=lambda row: str(row["made_on"]))


def credits(entries: list[Row]) -> list[Row]:
    """The balances that the entries add up to."""
    balances: dict[str, int] = {}
    for entry in entries:
        balances[entry["customer_id"]] = balances.get(entry["customer_id"], 0) + entry["amount_cents"]
    return [{"customer_id": customer, "balance_cents": balances[customer]} for customer in sorted(balances)]


def coupons() -> list[Row]:
    """The codes there are, one of them expired."""
    return [
        {"code": code, "percent_off": int(percent), "expires_on": day, "description": description}
        for code, percent, day, description in lines(_COUPONS)
    ]


def coupon_uses() -> list[Row]:
    """Which customer used which code."""
    return [
        {"customer_id": customer, "code": code, "applied_on": day} for customer, (code, day) in sorted(_USES.items())
    ]


def payment_links() -> list[Row]:
    """Links for changing the card that were sent lately."""
    return [
        {
            "customer_id": customer,
            "url": f"https://pay.example.com/method/{customer}-{signs}",
            "made_on": made_on,
            "expires_on": expires_on,
        }
        for customer, signs, made_on, expires_on in lines(_LINKS)
    ]
