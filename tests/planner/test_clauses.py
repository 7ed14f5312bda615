"""How requests fall into clauses, and which of them ask for a change."""

from __future__ import annotations

import pytest

from routeagent.agent.planner.clauses import asks_for_action, demand_of, is_chinese, split_clauses


@pytest.mark.parametrize(
    ("request_text", "clauses"),
    [
        ("查一下 C012 的发票", ["查一下 C012 的发票"]),
        ("查一下 C012 的发票,然后把最新那张重发", ["查一下 C012 的发票", "把最新那张重发"]),
        ("先查订阅;再看发票", ["先查订阅", "再看发票"]),
        (
            "user007@example.com 说 10 月被扣了两次款,帮我核实一下",
            ["user007@example.com 说 10 月被扣了两次款,帮我核实一下"],
        ),
        ("C007 想升级到企业版,席位加到 25 个", ["C007 想升级到企业版", "席位加到 25 个"]),
        ("查一下订阅并取消自动续费", ["查一下订阅", "取消自动续费"]),
        ("把 C021 合并到 C022", ["把 C021 合并到 C022"]),
        ("查进度,顺便发封邮件说“先等等,然后再看”", ["查进度", "发封邮件说“先等等,然后再看”"]),
        ("你好,查一下 C012 的发票,谢谢", ["你好,查一下 C012 的发票,谢谢"]),
        (
            "Show the invoices of C012 and then resend the latest one",
            ["Show the invoices of C012", "resend the latest one"],
        ),
        ("Unlock C007, and also reset the password", ["Unlock C007", "reset the password"]),
        ("Check C007 and C012", ["Check C007 and C012"]),
        ("Which refunds are pending? Then approve RF-0013", ["Which refunds are pending", "approve RF-0013"]),
        ("扣了 1,200.50 元", ["扣了 1,200.50 元"]),
        ("", []),
    ],
)
def test_split(request_text: str, clauses: list[str]) -> None:
    assert list(split_clauses(request_text)) == clauses


@pytest.mark.parametrize(
    "clause",
    [
        "把 INV-2026-0131 重发",
        "取消 C012 的订阅",
        "C012 想暂停订阅 2 个月",
        "能不能帮我把发票重发一下吗",
        "核实身份后关闭两步验证",
        "给 C007 打上 VIP 标签",
        "Please resend the latest invoice",
        "Can you cancel the subscription?",
        "The customer wants to upgrade to pro",
    ],
)
def test_asks_for_action(clause: str) -> None:
    assert asks_for_action(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "查一下退款进度",
        "退款到哪一步了",
        "怎么取消订阅",
        "年付中途取消能退多少钱",
        "10 月被扣了两次款,帮我核实一下",
        "为什么升级失败",
        "看看发票",
        "RF-0012 的状态",
        "Check whether the refund was approved",
        "How do I cancel a subscription?",
        "Was C007 charged twice?",
        "What is the status of RF-0012",
    ],
)
def test_only_asks(clause: str) -> None:
    assert not asks_for_action(clause)


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("查一下 invoice", True),
        ("Upgrade C012 to 企业版", False),
        ("Harbor Labs 的发票", True),
        ("Show invoices", False),
        ("企业版", True),
        ("Send “已修复” to C007 as an email", False),
        ("😀", False),
    ],
)
def test_language(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese


def test_the_demand_stands_before_what_is_to_be_said() -> None:
    assert demand_of("新建工单:导出报表一直报错") == "新建工单"
    assert demand_of("回复客户说退款已提交") == "回复客户"
    assert demand_of("客户说导出报错") == "客户说导出报错"
