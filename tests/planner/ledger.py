"""A small ledger of hand-made tools and a ranker by shared words, for the planner's tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.tools import DeferredToolRequests

from routeagent.agent.planner import OfflinePlanner

CustomerId = Annotated[str, Field(description="客户 ID,如 C007")]
InvoiceId = Annotated[str, Field(description="发票号,如 INV-2026-0101")]


def _invoice(number: str, cents: int, status: str, day: str) -> dict[str, Any]:
    written = f"{cents // 100}.{cents % 100:02} 元"
    return {"invoice_id": number, "amount_cents": cents, "amount": written, "status": status, "issued_on": day}


INVOICES: dict[str, list[dict[str, Any]]] = {
    "C007": [
        _invoice("INV-2026-0101", 239200, "paid", "2026-10-08"),
        _invoice("INV-2026-0102", 239200, "paid", "2026-10-08"),
        _invoice("INV-2026-0077", 119600, "paid", "2026-09-08"),
    ],
    "C012": [
        _invoice("INV-2026-0131", 59900, "paid", "2026-10-15"),
        _invoice("INV-2026-0090", 59900, "failed", "2026-09-15"),
    ],
    "C030": [],
}
CUSTOMERS = [
    {"customer_id": "C007", "name": "王敏", "company": "杭州云帆科技", "email": "user007@example.com"},
    {"customer_id": "C012", "name": "Li Lei", "company": "Harbor Labs", "email": "user012@example.com"},
    {"customer_id": "C021", "name": "赵一", "company": "青禾餐饮", "email": "zhao@example.com"},
    {"customer_id": "C022", "name": "赵二", "company": "青禾餐饮", "email": "zhao2@example.com"},
]


def customer_find(query: Annotated[str, Field(description="邮箱、公司名或客户 ID")]) -> dict[str, Any]:
    """按邮箱、公司名或客户 ID 查找客户,返回客户 ID、姓名、公司。 Find a customer by email, company or id."""
    return {"customers": [c for c in CUSTOMERS if query in (c["email"], c["company"], c["customer_id"])]}


def invoice_list(customer_id: CustomerId) -> dict[str, Any]:
    """列出客户最近的发票、扣款:发票号、金额、状态,查重复扣款、被扣了两次款。

    List invoices and charges, charged twice.
    """
    if customer_id not in INVOICES:
        raise ModelRetry(f"没有客户 {customer_id}")
    return {"customer_id": customer_id, "invoices": INVOICES[customer_id]}


def invoice_resend(invoice_id: InvoiceId) -> dict[str, Any]:
    """把发票重新发送到客户邮箱,重发。 Resend an invoice to the customer."""
    return {"invoice_id": invoice_id, "sent": True}


def invoice_change_title(invoice_id: InvoiceId, title: Annotated[str, Field(description="新的发票抬头")]) -> str:
    """修改发票抬头或税号。 Change the title on an invoice."""
    return f"{invoice_id} 抬头已改为 {title}"


def refund_submit(
    invoice_id: InvoiceId, amount_yuan: Annotated[float, Field(description="退款金额,元")], reason: str
) -> dict[str, Any]:
    """提交退款申请,把多扣的钱退给客户,需要主管审批。 Submit a refund for an invoice."""
    return {"refund_id": "RF-0050", "status": "pending", "amount_yuan": amount_yuan}


def refund_status(refund_id: Annotated[str, Field(description="退款申请号,如 RF-0012")]) -> dict[str, Any]:
    """查询退款申请的审批和到账进度。 Refund progress and status."""
    return {"refund_id": refund_id, "status": "approved", "approved_on": "2026-10-20"}


def subscription_get(customer_id: CustomerId) -> dict[str, Any]:
    """查询客户当前订阅:套餐、席位数、月付还是年付、状态。 Show the current subscription: plan and seats."""
    return {"customer_id": customer_id, "plan": "专业版", "seats": 20, "autorenew": True}


def subscription_change_plan(
    customer_id: CustomerId, new_plan: Annotated[str, Field(description="基础版/专业版/企业版")]
) -> dict[str, Any]:
    """升级或降级套餐。 Upgrade or downgrade the plan."""
    return {"customer_id": customer_id, "plan": new_plan}


def subscription_change_seats(
    customer_id: CustomerId, seats: Annotated[int, Field(description="新的席位总数")]
) -> dict[str, Any]:
    """增加或减少席位数量。 Change the number of seats, add seats."""
    return {"customer_id": customer_id, "seats": seats}


def subscription_toggle_autorenew(customer_id: CustomerId, on: bool) -> dict[str, Any]:
    """打开或关闭自动续费。 Turn auto-renew on or off."""
    return {"customer_id": customer_id, "autorenew": on}


def kb_search(query: str) -> dict[str, Any]:
    """搜索帮助中心文章,回答产品功能、计费规则、报错码等问题。 Search the help articles: how to, error codes."""
    return {"articles": [{"article_id": "kb-012", "title": "导入报错 E1043 怎么办"}] if "E1043" in query else []}


def report_revenue_monthly(month: Annotated[str, Field(description="月份,YYYY-MM")]) -> dict[str, Any]:
    """公司每月收入汇总。 Monthly revenue report."""
    return {"month": month, "revenue_cents": 123456700}


def notify_email(customer_id: CustomerId, subject: str, body: str) -> str:
    """给客户发一封邮件。 Send an email to the customer."""
    return f"sent to {customer_id}: {subject} / {body}"


def billing_apply_coupon(
    customer_id: CustomerId, code: Annotated[str, Field(description="优惠券代码")]
) -> dict[str, Any]:
    """给客户的下一张发票套用优惠券。 Apply a coupon code."""
    return {"customer_id": customer_id, "code": code}


def billing_currency_convert(amount: float, from_ccy: str, to_ccy: Literal["CNY", "USD", "EUR"]) -> str:
    """按今天的汇率换算金额,换成多少人民币。 Convert currency, exchange rate."""
    return f"{amount:.2f} {from_ccy} = ? {to_ccy}"


TOOLS: tuple[Callable[..., Any], ...] = (
    customer_find,
    invoice_list,
    invoice_resend,
    invoice_change_title,
    refund_submit,
    refund_status,
    subscription_get,
    subscription_change_plan,
    subscription_change_seats,
    subscription_toggle_autorenew,
    kb_search,
    report_revenue_monthly,
    notify_email,
    billing_apply_coupon,
    billing_currency_convert,
)
WRITES = frozenset(
    [
        "invoice_resend",
        "invoice_change_title",
        "refund_submit",
        "subscription_change_plan",
        "subscription_change_seats",
        "subscription_toggle_autorenew",
        "notify_email",
        "billing_apply_coupon",
    ]
)


def terms(text: str) -> set[str]:
    """Chinese bigrams and English words."""
    runs = re.findall(r"[\u4e00-\u9fff]+", text)
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)} | set(re.findall(r"[a-z]{3,}", text.lower()))


def ranker(tools: Sequence[Callable[..., Any]]) -> Callable[[str, Collection[str]], list[tuple[str, float]]]:
    """Ranks by how many terms a request shares with a tool's name and docstring."""
    texts = {tool.__name__: f"{tool.__name__.replace('_', ' ')} {tool.__doc__}" for tool in tools}

    def rank(text: str, names: Collection[str]) -> list[tuple[str, float]]:
        scores = {name: float(len(terms(text) & terms(texts.get(name, name)))) for name in names}
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))

    return rank


def planner(tools: Sequence[Callable[..., Any]] = TOOLS, **settings: Any) -> OfflinePlanner:
    """The planner over the ranker above."""
    return OfflinePlanner(ranker(tools), writes=lambda name: name in WRITES, **settings)


def agent(tools: Sequence[Callable[..., Any]] = TOOLS, **settings: Any) -> Agent[None, str | DeferredToolRequests]:
    """An agent that runs every tool at once, writing ones included."""
    return Agent(planner(tools, **settings), tools=list(tools), output_type=[str, DeferredToolRequests], retries=2)


def calls_in(messages: Sequence[ModelMessage]) -> list[tuple[str, dict[str, Any]]]:
    """The calls of a history in order."""
    parts = [
        part for m in messages if isinstance(m, ModelResponse) for part in m.parts if isinstance(part, ToolCallPart)
    ]
    return [(part.tool_name, part.args_as_dict()) for part in parts]


def results_in(messages: Sequence[ModelMessage]) -> list[ToolReturnPart]:
    """The results of a history in order."""
    return [
        part for m in messages if isinstance(m, ModelRequest) for part in m.parts if isinstance(part, ToolReturnPart)
    ]


def run(
    request: str, tools: Sequence[Callable[..., Any]] = TOOLS, **settings: Any
) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """The answer to a request, and the calls made for it."""
    result = agent(tools, **settings).run_sync(request)
    return str(result.output), calls_in(result.all_messages())
