from __future__ import annotations

from typing import Any

import jieba
import pytest

from routeagent.text import QUERY_LIMIT, Tokenizer, clean, has_words, language, split_identifier


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refund_submit", "refund submit"),
        ("refundSubmit", "refund Submit"),
        ("HTTPServer.getURL", "HTTP Server get URL"),
        ("list-", "list"),
        ("退款_提交", "退款 提交"),
    ],
)
def test_identifiers_are_split(name: str, words: str) -> None:
    assert split_identifier(name) == words


def test_english_loses_stop_words_and_endings() -> None:
    assert Tokenizer().terms("Please cancel the subscriptions that were cancelled") == ("cancel", "subscript", "cancel")


def test_chinese_gives_words_and_bigrams() -> None:
    assert set(Tokenizer().terms("退款审批")) >= {"退款", "审批", "款审"}


def test_a_word_of_the_user_dictionary_still_meets_a_longer_one() -> None:
    tokenizer = Tokenizer(["两步验证"])
    assert set(tokenizer.terms("两步验证")) & set(tokenizer.terms("两步验证码收不到"))


def test_a_word_of_two_scripts_is_kept_whole() -> None:
    assert "api密钥" in Tokenizer(["API密钥"]).terms("我的API密钥丢了")
    assert "api密钥" not in Tokenizer().terms("我的API密钥丢了")


def test_a_user_dictionary_stays_in_its_tokenizer() -> None:
    word = "云账本自动对账"
    assert word in Tokenizer([word]).terms(f"打开{word}")
    assert word not in Tokenizer().terms(f"打开{word}")
    everyones: Any = jieba.dt
    assert word not in everyones.FREQ


def test_width_and_case_do_not_matter() -> None:
    tokenizer = Tokenizer()
    assert tokenizer.terms("ＡＰＩ") == tokenizer.terms("api") == ("api",)


@pytest.mark.parametrize("text", ["", " \n\t", "🙂🙃", "\ud800", "\x00", "?!…。"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert Tokenizer().terms(text) == ()
    assert not has_words(text)


def test_surrogates_and_nul_part_words() -> None:
    assert Tokenizer().terms("ab\ud800cd\x00ef") == ("ab", "cd", "ef")


def test_what_stands_behind_the_limit_is_ignored() -> None:
    text = "x " * (QUERY_LIMIT // 2)
    assert len(clean(text + "y" * 100_000)) == QUERY_LIMIT
    assert "tail" not in Tokenizer().terms(text + "tail")
    assert "tail" in Tokenizer().terms(text + "tail", limit=None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("帮我退款", "zh"),
        ("Refund me", "en"),
        ("user007 说 10 月被扣了两次款", "zh"),
        ("", "en"),
        ("Send 你好 to everyone in the office", "en"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert language(text) == expected
