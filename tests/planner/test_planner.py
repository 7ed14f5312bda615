"""Requests worked through to the end: the calls made, and what the answer says of them."""

from __future__ import annotations

import pytest

from tests.planner.ledger import WRITES, run

Calls = list[tuple[str, dict[str, object]]]


@pytest.mark.parametrize(
    ("request_text", "calls"),
    [
        (
            "user007@example.com 说 10 月被扣了两次款,帮我核实一下",
            [("customer_find", {"query": "user007@example.com"}), ("invoice_list", {"customer_id": "C007"})],
        ),
        (
            "查一下 C012 的发票,然后把最新那张重发",
            [("invoice_list", {"customer_id": "C012"}), ("invoice_resend", {"invoice_id": "INV-2026-0131"})],
        ),
        (
            "把 C012 九月那张发票重发",
            [("invoice_list", {"customer_id": "C012"}), ("invoice_resend", {"invoice_id": "INV-2026-0090"})],
        ),
        ("RF-0012 的退款到哪一步了?", [("refund_status", {"refund_id": "RF-0012"})]),
        ("把 C007 从基础版升级到企业版", [("subscription_change_plan", {"customer_id": "C007", "new_plan": "企业版"})]),
        (
            "杭州云帆科技的席位加到 25 个",
            [
                ("customer_find", {"query": "杭州云帆科技"}),
                ("subscription_change_seats", {"customer_id": "C007", "seats": 25}),
            ],
        ),
        (
            "C012 再加 5 个席位",
            [
                ("subscription_get", {"customer_id": "C012"}),
                ("subscription_change_seats", {"customer_id": "C012", "seats": 25}),
            ],
        ),
        ("关闭 C007 的自动续费", [("subscription_toggle_autorenew", {"customer_id": "C007", "on": False})]),
        (
            "100 美元换成人民币是多少",
            [("billing_currency_convert", {"amount": 100.0, "from_ccy": "USD", "to_ccy": "CNY"})],
        ),
        ("E1043 报错是什么意思?", [("kb_search", {"query": "E1043 报错是什么意思"})]),
        ("2026 年 10 月收入汇总", [("report_revenue_monthly", {"month": "2026-10"})]),
        (
            "给 C007 发邮件说“退款已提交”",
            [("notify_email", {"customer_id": "C007", "subject": "退款已提交", "body": "退款已提交"})],
        ),
        ("给 C007 用优惠券 SAVE20", [("billing_apply_coupon", {"customer_id": "C007", "code": "SAVE20"})]),
        (
            "把 INV-2026-0101 的发票抬头改成“北京云帆\uff08集团\uff09”",
            [("invoice_change_title", {"invoice_id": "INV-2026-0101", "title": "北京云帆\uff08集团\uff09"})],
        ),
        (
            "给 C007 和 C012 查一下当前订阅",
            [("subscription_get", {"customer_id": "C007"}), ("subscription_get", {"customer_id": "C012"})],
        ),
        (
            "Resend the latest invoice of user012@example.com",
            [
                ("customer_find", {"query": "user012@example.com"}),
                ("invoice_list", {"customer_id": "C012"}),
                ("invoice_resend", {"invoice_id": "INV-2026-0131"}),
            ],
        ),
        (
            "C007 被重复扣款了,帮忙提交退款申请退掉多扣的那笔",
            [
                ("invoice_list", {"customer_id": "C007"}),
                (
                    "refund_submit",
                    {
                        "invoice_id": "INV-2026-0102",
                        "amount_yuan": 2392.0,
                        "reason": "C007 被重复扣款了,帮忙提交退款申请退掉多扣的那笔",
                    },
                ),
            ],
        ),
    ],
)
def test_calls(request_text: str, calls: Calls) -> None:
    assert run(request_text)[1] == calls


def test_double_charge_answer_names_everything() -> None:
    answer, _ = run("user007@example.com 说 10 月被扣了两次款,帮我核实一下")
    first, *rest = answer.splitlines()
    assert "离线" in first
    assert "没有使用语言模型" in first
    for fact in ("C007", "INV-2026-0101", "INV-2026-0102", "2026-10-08", "10 月 8 日", "2392 元"):
        assert fact in "\n".join(rest)
    assert "INV-2026-0077" not in answer
    assert "{" not in answer


def test_english_request_gets_an_english_answer() -> None:
    answer, _ = run("Was user007@example.com charged twice in October? Please check")
    assert "Offline planner" in answer.splitlines()[0]
    assert "Likely duplicates: INV-2026-0101 and INV-2026-0102, all on 2026-10-08 for 2392 yuan." in answer


def test_no_duplicates_is_said() -> None:
    assert "没有发现" in run("C012 说被扣了两次款,核实一下")[0]


def test_writing_tools_are_not_called_for_questions() -> None:
    for question in ("C012 的发票重发了吗", "怎么给 C007 用优惠券 SAVE20", "Was the invoice INV-2026-0101 resent?"):
        assert not {name for name, _ in run(question)[1]} & WRITES


def test_several_candidates_are_shown_and_none_is_chosen() -> None:
    answer, calls = run("青禾餐饮的发票")
    assert calls == [("customer_find", {"query": "青禾餐饮"})]
    assert "请指明" in answer
    assert "C021" in answer
    assert "C022" in answer


def test_which_invoice_is_asked_rather_than_guessed() -> None:
    answer, calls = run("把 C007 的发票重发")
    assert calls == [("invoice_list", {"customer_id": "C007"})]
    assert "invoice_id" in answer
    assert "请指明" in answer


def test_what_is_lacking_is_named_with_the_ranked_tools() -> None:
    answer, calls = run("发票列一下")
    assert calls == []
    assert "invoice_list" in answer
    assert "缺少参数 customer_id" in answer


def test_unknown_customer_is_said_plainly() -> None:
    answer, calls = run("nobody@example.com 的发票")
    assert calls == [("customer_find", {"query": "nobody@example.com"})]
    assert "没有查到任何记录" in answer


def test_empty_list_is_said_plainly() -> None:
    assert "没有查到任何记录" in run("C030 的发票")[0]


def test_a_tools_error_is_told() -> None:
    answer, calls = run("C999 的发票")
    assert calls == [("invoice_list", {"customer_id": "C999"})]
    assert "没有客户 C999" in answer


def test_the_same_answer_every_time() -> None:
    request = "查一下 C012 的发票,然后把最新那张重发"
    assert run(request) == run(request)


def test_max_calls_is_a_bound_and_is_told() -> None:
    answer, calls = run("user007@example.com 说 10 月被扣了两次款", max_calls=1)
    assert calls == [("customer_find", {"query": "user007@example.com"})]
    assert "上限" in answer


@pytest.mark.parametrize(
    "junk", ["", "   \n", "😀😀😀", "。。。!!!", "\ud800\udfff", "\x00\x00", "a" * 100_000, "发票" * 50_000]
)
def test_junk_gets_a_short_answer(junk: str) -> None:
    answer, calls = run(junk)
    assert answer.splitlines()[0].startswith(("【离线规划器", "[Offline planner"))
    assert len(answer.splitlines()) > 1
    assert len(answer) < 5000
    assert len(calls) <= 8


def test_without_any_tool() -> None:
    answer, calls = run("查一下 C007", tools=())
    assert calls == []
    assert "没有任何可见的工具" in answer
