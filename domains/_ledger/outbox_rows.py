"""What was sent to customers, or is about to be."""

from collections.abc import Iterator

from .table import Row, lines

# Customer, channel, subject, body, created, to be sent (empty: at once).
_SINGLE = """
C055|email|注销申请已登记|您的注销和数据删除申请已登记,30 天内可以撤回。|2026-10-14 11:45:00|
C015|email|更换付款方式|请在 7 天内点击链接更换绑定的银行卡。|2026-10-09 10:00:00|
C025|email|更换付款方式|请在 7 天内点击链接更换绑定的银行卡。|2026-10-12 10:00:00|
C046|sms||扣款再次失败,请检查银行卡余额或更换付款方式。|2026-10-15 09:00:00|
C019|sms||您的账号在新的城市登录,如非本人操作请立即修改密码。|2026-10-11 04:06:00|
C012|sms||您的账号在新的城市登录,如非本人操作请立即修改密码。|2026-10-13 02:42:00|
C007|sms||您的账号有两次登录失败,如非本人操作请修改密码。|2026-10-17 03:15:00|
C009|sms||密码输错五次,账号已锁定,请联系客服解锁。|2026-10-19 09:25:00|
C024|sms||密码输错五次,账号已锁定,请联系客服解锁。|2026-10-18 17:45:00|
C045|sms||密码输错五次,账号已锁定,请联系客服解锁。|2026-10-19 08:15:00|
C034|email|暂停订阅说明|订阅最多暂停 3 个月,暂停期间不扣费,数据保留。|2026-10-15 15:00:00|
C054|email|导出故障致歉|利润表导出超时的问题正在处理,已补偿 150 元抵扣额度。|2026-10-12 09:30:00|
C049|email|订阅即将恢复|您的订阅将在 11 月 10 日自动恢复。|2026-10-19 10:00:00|2026-11-03 09:00:00
C026|email|年付到期提醒|您的年付将在 12 月 17 日到期,自动续费已关闭。|2026-10-18 10:00:00|2026-11-17 09:00:00
C042|sms||您的订阅将在本期结束后停止,可随时重新打开自动续费。|2026-10-20 10:20:00|2026-10-30 09:00:00
C060|email|新手引导第二课|如何导入银行流水。|2026-10-05 10:00:00|2026-10-22 09:00:00
"""

_ALARMS = (
    ("2026-06-30 09:42:00", "银行流水导入全部失败,影响所有客户,技术组请看。"),
    ("2026-06-30 11:15:00", "导入已恢复,根因是解析服务磁盘写满。"),
    ("2026-10-08 08:30:00", "支付网关响应变慢,部分卡支付超时后重试。"),
    ("2026-10-11 16:10:00", "利润表导出大面积超时,队列堆积 40 个任务。"),
)

_PROMOTED = ("C001", "C002", "C004", "C005", "C006", "C009", "C011", "C014", "C017", "C024", "C026", "C032")


def outbox(invoices: list[Row]) -> list[Row]:
    """Everything in the outbox, earliest first."""
    sent = [*_singles(), *_receipts(invoices), *_promotion(), *_alarms()]
    return sorted(sent, key=lambda row: (row["created_at"], row["recipient"]))


def _singles() -> Iterator[Row]:
    for customer, channel, subject, body, created_at, send_at in lines(_SINGLE):
        yield _message(customer, channel, subject, body, created_at, send_at)


def _receipts(invoices: list[Row]) -> Iterator[Row]:
    for invoice in invoices:
        if invoice["issued_on"] >= "2026-10-03" and invoice["status"] in ("paid", "failed"):
            number, amount = invoice["invoice_id"], f"{invoice['amount_cents'] / 100:.2f} 元"
            done = invoice["status"] == "paid"
            subject = f"发票 {number} {'已支付' if done else '扣款失败'}"
            body = f"{invoice['description']},{amount}{'。' if done else ',请更换付款方式。'}"
            yield _message(invoice["customer_id"], "email", subject, body, f"{invoice['issued_on']} 21:00:00")


def _promotion() -> Iterator[Row]:
    for customer in _PROMOTED:
        body = "使用优惠码 AUTUMN15,下一张账单 85 折,11 月 30 日前有效。"
        yield _message(customer, "email", "秋季优惠", body, "2026-09-22 10:00:00")


def _alarms() -> Iterator[Row]:
    for at, text in _ALARMS:
        yield {**_message("", "slack", "", text, at), "customer_id": None, "recipient": "#oncall"}


def _message(customer: str, channel: str, subject: str, body: str, created_at: str, send_at: str = "") -> Row:
    number = int(customer[1:] or 0)
    return {
        "customer_id": customer,
        "channel": channel,
        "recipient": f"1380000{1000 + number * 37}" if channel == "sms" else f"user{number:03d}@example.com",
        "subject": subject,
        "body": body,
        "status": "scheduled" if send_at else "sent",
        "created_at": created_at,
        "send_at": send_at or created_at,
    }
