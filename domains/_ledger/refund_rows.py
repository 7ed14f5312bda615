"""Refunds in every state, and what paid ones moved."""

from datetime import timedelta

from .plan_rows import TODAY
from .table import Row, lines

# Customer, which of its paid invoices by then (0 is the latest), cents or all of it, status, days ago, reason.
_REFUNDS = """
C001|1|all|paid|210|财务误付了上一期,退回
C004|1|49500|paid|195|升级当月重复计费,退一半
C013|1|all|paid|170|Service was down for most of the month
C005|1|11880|rejected|150|对功能不满意,要求折价
C023|1|all|paid|128|取消后又被扣了一期
C030|0|5880|paid|85|中途取消,退未用天数
C028|1|29900|cancelled|80|席位多算一个,后来客户确认确实在用
C035|0|29700|paid|66|年付中途取消,扣除已用九个月后退余款
C017|2|all|rejected|60|超过 60 天的账单,不符合退款规则
C039|0|all|paid|40|取消次日仍被扣款
C043|0|23760|approved|24|停业取消,退未用天数
C014|1|all|rejected|31|门店换店长,称不知道有订阅
C051|0|all|approved|9|取消后误扣
C032|1|5940|cancelled|21|优惠码没生效,改用抵扣额度补偿
C012|0|25000|paid|45|数据迁移只做了一半,退一半费用
C040|0|29900|pending|6|退一个多买的席位
C009|0|all|pending|4|账号被锁期间无法使用,要求退本月费用
C024|0|9900|pending|3|席位多算一个
C031|0|59800|pending|2|Two of the nine seats have not been used since August
C002|0|4900|pending|1|中途降席位,退差价
C055|0|all|approved|5|注销账号,退本期费用
"""

_DECIDED = {"paid", "approved", "rejected"}
_LEAD = "主管老何"


def refunds_of(invoices: list[Row]) -> list[Row]:
    """The requests, earliest first."""
    asked = sorted(lines(_REFUNDS), key=lambda line: -int(line[4]))
    return [
        _refund(number, invoices, customer, int(back), amount, status, int(ago), reason)
        for number, (customer, back, amount, status, ago, reason) in enumerate(asked, start=1)
    ]


def refund_payments(refunds: list[Row]) -> list[Row]:
    """What went back to customers: negative amounts, one a paid refund."""
    return [
        {
            "invoice_id": refund["invoice_id"],
            "amount_cents": -refund["amount_cents"],
            "method": "refund",
            "status": "succeeded",
            "made_at": f"{refund['paid_on']} 10:00:00",
        }
        for refund in refunds
        if refund["status"] == "paid"
    ]


def _refund(
    number: int, invoices: list[Row], customer: str, back: int, amount: str, status: str, ago: int, reason: str
) -> Row:
    paid = [row for row in invoices if row["customer_id"] == customer and row["status"] == "paid"]
    day = TODAY - timedelta(days=ago)
    invoice = [row for row in paid if row["issued_on"] <= day.isoformat()][::-1][back]
    return {
        "refund_id": f"RF-{number:04d}",
        "invoice_id": invoice["invoice_id"],
        "amount_cents": invoice["amount_cents"] if amount == "all" else int(amount),
        "reason": reason,
        "status": status,
        "requested_by": ("客服小林", "客服小陈", "客服小周", "客服小许")[number % 4],
        "requested_on": day.isoformat(),
        "decided_by": _LEAD if status in _DECIDED else None,
        "decided_on": (day + timedelta(days=2)).isoformat() if status in _DECIDED else None,
        "paid_on": (day + timedelta(days=5)).isoformat() if status == "paid" else None,
    }
