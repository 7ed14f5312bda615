"""Messages that go out now. Each is a row of the outbox."""

from typing import Any

from pydantic_ai import RunContext

from routeagent import tool

from .._ledger.deps import Deps
from .._ledger.reading import customer, text

ONCALL = "#oncall"
_SMS = 500


@tool(writes=True)
def notify_email(ctx: RunContext[Deps], customer_id: str, subject: str, body: str) -> dict[str, Any]:
    """写信告诉客户一件事,马上发到他登记的邮箱。补发发票用 invoice_resend,以后再发用 notify_schedule。

    Args:
        customer_id: 客户 ID,如 C007
        subject: 邮件标题
        body: 邮件正文
    """
    return _send(ctx, customer_id, "email", text(body, "body"), text(subject, "subject", 200))


# "text" is the parameter's name on the wire, which hides the function of that name in here.
_reading_text = text


@tool(writes=True)
def notify_sms(ctx: RunContext[Deps], customer_id: str, text: str) -> dict[str, Any]:
    """给客户手机发短信:验证码、到账提醒、紧急通知,马上发,最多 500 字。

    Args:
        customer_id: 客户 ID,如 C007
        text: 短信内容
    """
    return _send(ctx, customer_id, "sms", _reading_text(text, "text", _SMS))


@tool(writes=True)
def notify_slack_oncall(ctx: RunContext[Deps], text: str) -> dict[str, Any]:
    """系统出故障、大面积报错时在内部 Slack 值班频道叫人。只给同事看,客户收不到。

    Args:
        text: 报警内容
    """
    said = _reading_text(text, "text")
    with ctx.deps.change() as change:
        message = change.insert(
            "outbox",
            channel="slack",
            recipient=ONCALL,
            body=said,
            status="sent",
            created_at=ctx.deps.now,
            send_at=ctx.deps.now,
        )
    return {"message_id": message, "channel": "slack", "recipient": ONCALL, "text": said}


def _send(ctx: RunContext[Deps], customer_id: str, channel: str, body: str, subject: str = "") -> dict[str, Any]:
    with ctx.deps.change() as change:
        found = customer(change, customer_id)
        recipient = found["email"] if channel == "email" else found["phone"]
        message = change.insert(
            "outbox",
            customer_id=found["customer_id"],
            channel=channel,
            recipient=recipient,
            subject=subject,
            body=body,
            status="sent",
            created_at=ctx.deps.now,
            send_at=ctx.deps.now,
        )
    told = {"message_id": message, "customer_id": found["customer_id"], "channel": channel, "recipient": recipient}
    return told | ({"subject": subject} if subject else {}) | {"status": "sent"}
