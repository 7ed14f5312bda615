"""The planner's own sentences and the words for common result keys, in Chinese and in English."""

from __future__ import annotations

DISCLAIMER = {
    "zh": "【离线规划器,没有使用语言模型】",
    "en": "[Offline planner: no language model was used]",
}

PHRASES: dict[str, tuple[str, str]] = {
    "empty_request": (
        "请求是空的:请写一句想查什么或想办什么。",
        "The request is empty: say what to look up or what to do.",
    ),
    "no_tools": (
        "当前没有任何可见的工具,什么也做不了。",
        "No tool is visible, so nothing can be done.",
    ),
    "nothing_fits": (
        "没有合适的工具来处理“{clause}”。",
        "No tool fits “{clause}”.",
    ),
    "nearest": (
        "最接近的工具:",
        "Nearest tools:",
    ),
    "lacking": (
        "“{clause}”:最合适的是 {tool},但缺少参数 {names}。请在请求里写明。",
        "“{clause}”: {tool} fits best, but lacks {names}. Please state it in the request.",
    ),
    "several": (
        "“{clause}”:{name} 有 {count} 个可能,请指明是哪一个:",
        "“{clause}”: {count} candidates for {name}; please say which one:",
    ),
    "denied": (
        "需要审批:{call}(未执行:{reason})",
        "Needs approval: {call} (not run: {reason})",
    ),
    "failed": (
        "{call} 出错:{reason}",
        "{call} failed: {reason}",
    ),
    "pending": (
        "{call} 还没有结果。",
        "{call} has no result yet.",
    ),
    "empty_result": (
        "{call}:没有查到任何记录。",
        "{call}: no records found.",
    ),
    "done": (
        "{call}:已执行。",
        "{call}: done.",
    ),
    "limit": (
        "已达到单次请求 {limit} 次工具调用的上限,停在这里。",
        "Stopped at the limit of {limit} tool calls for one request.",
    ),
    "more": (
        "……另有 {count} 条",
        "… and {count} more",
    ),
    "duplicates": (
        "发现疑似重复:{ids},同为 {day}、金额 {amount}。",
        "Likely duplicates: {ids}, all on {day} for {amount}.",
    ),
    "no_duplicates": (
        "没有发现同一天、同金额的重复记录。",
        "No two records share the same day and amount.",
    ),
    "matching": (
        "{count} 条符合请求:",
        "{count} matching:",
    ),
    "all_rows": (
        "共 {count} 条:",
        "{count} in all:",
    ),
    "no_clause": (
        "没有读出可以处理的内容。请写一句想查什么或想办什么。",
        "Nothing to act on was found in the request. Say what to look up or what to do.",
    ),
}

KEYS_ZH: dict[str, str] = {
    "customer_id": "客户", "invoice_id": "发票", "refund_id": "退款", "ticket_id": "工单",
    "article_id": "文章", "task_id": "任务", "name": "姓名", "company": "公司", "email": "邮箱",
    "phone": "电话", "status": "状态", "state": "状态", "amount": "金额", "issued_on": "开票日期",
    "created_at": "创建时间", "updated_at": "更新时间", "plan": "套餐", "seats": "席位", "title": "标题",
    "body": "内容", "text": "内容", "subject": "主题", "reason": "原因", "date": "日期", "month": "月份",
    "balance": "余额", "credit": "抵扣额度", "role": "角色", "ip": "IP", "device": "设备", "rate": "税率",
    "region": "地区", "currency": "币种", "url": "链接", "link": "链接", "message": "说明", "note": "备注",
    "notes": "备注", "total": "合计", "count": "数量", "category": "分类", "invoices": "发票",
    "customers": "客户", "refunds": "退款", "tickets": "工单", "articles": "文章", "members": "成员",
    "period_end": "本期结束日", "autorenew": "自动续费", "auto_renew": "自动续费", "error_code": "错误码",
    "code": "代码", "assignee": "处理人", "tag": "标签", "tags": "标签", "due_on": "到期日",
    "paid_on": "付款日", "customer_name": "客户姓名", "customer": "客户",
}  # fmt: skip


def phrase(key: str, language: str, /, **words: object) -> str:
    """One of the planner's sentences in `zh` or `en`, with its blanks filled."""
    return PHRASES[key][0 if language == "zh" else 1].format(**words)


def key_name(key: str, language: str) -> str:
    """A result key as people read it; a unit that the value shows itself is dropped."""
    bare = key.removesuffix("_cents").removesuffix("_yuan")
    return KEYS_ZH.get(bare, bare.replace("_", " ")) if language == "zh" else bare.replace("_", " ")
