"""What a text mentions, found by pattern alone: addresses, ids, amounts, months, times, quoted words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_ID = re.compile(r"(?<![A-Za-z0-9@._-])([A-Za-z]{1,8})((?:-?\d{4}-)?-?\d{2,10})(?![A-Za-z0-9@]|-\d)")
_CODE = re.compile(r"(?<![A-Za-z0-9@._-])(?=[A-Z0-9-]*[A-Z])(?=[A-Z0-9-]*\d)[A-Z][A-Z0-9-]{3,}(?![A-Za-z0-9@])")
_QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|『([^』]+)』|《([^》]+)》|\"([^\"]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_MONEY_BEFORE = r"¥|\$|€|£|RMB|CNY|USD|EUR|HKD|JPY|GBP|SGD"
_MONEY_AFTER = (
    r"人民币|元|块钱|块|美元|美金|刀|欧元|港币|港元|日元|英镑|新加坡元|"
    r"yuan|rmb|cny|usd|dollars?|eur|euros?|hkd|jpy|yen|gbp|pounds?|sgd"
)
_MONEY = re.compile(
    rf"(?:(?P<before>{_MONEY_BEFORE})\s*(?P<first>{_NUMBER}))|(?:(?<![\w.])(?P<second>{_NUMBER})\s*(?P<after>{_MONEY_AFTER})(?![a-z]))",
    re.IGNORECASE,
)
_CURRENCIES = {
    "CNY": "人民币|¥|rmb|cny|yuan|元|块钱|块",
    "USD": "美元|美金|刀|\\$|usd|us dollars?|dollars?",
    "EUR": "欧元|€|eur|euros?",
    "HKD": "港币|港元|hkd|hong kong dollars?",
    "JPY": "日元|日币|jpy|yen",
    "GBP": "英镑|£|gbp|pounds?",
    "SGD": "新加坡元|新币|sgd",
}
_CURRENCY = re.compile(
    "|".join(
        rf"(?P<{code}>{'|'.join(sorted(words.split('|'), key=len, reverse=True))})"
        for code, words in _CURRENCIES.items()
    ),
    re.IGNORECASE,
)
_HAN_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
HAN_NUMBER = r"[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
_COMPANY = re.compile(
    r"([\u4e00-\u9fffA-Za-z0-9()·]{2,16}?(?:公司|集团|科技|网络|商贸|贸易|工作室|事务所|传媒|餐饮|物流|软件)"
    r"(?:股份|责任)?(?:有限公司|有限责任公司|公司)?)(?!用户|账号|名)|"
    r"((?:[A-Z][\w&-]*\s+){1,4}(?:Ltd|Inc|Corp|LLC|Co|GmbH|Labs|Studio|Group|Limited|Company|Technologies|Tech|Trading)\b\.?)"
)
_LEAD_IN = re.compile(
    r"^.*(?:查一下|查询|看一下|看看|查下|查|看|帮我|帮|把|给|将|请|客户|这家|那家|公司叫|名叫|关于|和|跟|替|为|对|是|的|列出)"
    r"(?=[\u4e00-\u9fff A-Za-z]{2,})"
)


@dataclass(frozen=True, slots=True)
class Identifier:
    """A prefixed id as written, and its prefix in lower case: `INV-2026-0101` has the prefix `inv`."""

    text: str
    prefix: str


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of major units (yuan, not cents) and its ISO currency, None where none was named."""

    value: Decimal
    currency: str | None


def emails(text: str) -> tuple[str, ...]:
    """E-mail addresses in order of mention, each once."""
    return _once(match.rstrip(".") for match in _EMAIL.findall(text))


def identifiers(text: str) -> tuple[Identifier, ...]:
    """Prefixed ids in order of mention, each once; the parts of e-mail addresses are none."""
    bare = _EMAIL.sub(" ", text)
    found = _once(match[0] for match in _ID.finditer(bare))
    return tuple(Identifier(word, re.split(r"[^A-Za-z]", word, maxsplit=1)[0].lower()) for word in found)


def codes(text: str) -> tuple[str, ...]:
    """Upper-case codes with digits (`SAVE20`, `E1043`) in order of mention."""
    return _once(_CODE.findall(_EMAIL.sub(" ", text)))


def quoted(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, Chinese or English."""
    return _once(next(group for group in groups if group).strip() for groups in _QUOTED.findall(text))


def amounts(text: str) -> tuple[Money, ...]:
    """Amounts that name a currency or a unit of money: `2392 元`, `¥1,200.50`, `$99`, `1200 yuan`."""
    found: list[Money] = []
    for match in _MONEY.finditer(text):
        unit = match["before"] or match["after"]
        value = to_decimal(match["first"] or match["second"])
        if value is not None:
            found.append(Money(value, next(iter(currencies(unit)), None)))
    return tuple(found)


def currencies(text: str) -> tuple[str, ...]:
    """ISO codes of the currencies mentioned, in order, each once."""
    return _once(match.lastgroup or "" for match in _CURRENCY.finditer(text))


def to_decimal(number: str) -> Decimal | None:
    """A number as people write it, thousands separated or not; None where it is none."""
    try:
        return Decimal(number.replace(",", ""))
    except InvalidOperation:
        return None


def numbers(text: str) -> tuple[str, ...]:
    """Bare numbers outside ids, addresses and dates, Chinese numerals before a measure word included."""
    bare = _ID.sub(" ", _EMAIL.sub(" ", text))
    bare = re.sub(
        r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}:\d{2}|(?:\d{1,2}|" + HAN_NUMBER + r")\s*月(?:份)?(?:\s*\d{1,2}\s*[日号])?",
        " ",
        bare,
    )
    han = re.sub(rf"({HAN_NUMBER})(?=\s*(?:个|席|人|次|笔|条|张|天))", lambda match: str(han_number(match[1])), bare)
    return tuple(
        found.replace(",", "")
        for found in re.findall(rf"(?<![\w.])(?!\d{{7}})(?:{_NUMBER})", re.sub(r"(?<=[\u4e00-\u9fff])(?=\d)", " ", han))
    )


def han_number(text: str) -> int:
    """A Chinese numeral below one hundred: `十` is 10, `二十五` is 25."""
    tens, ten, ones = text.partition("十")
    if not ten:
        return _HAN_DIGITS[text]
    return 10 * _HAN_DIGITS.get(tens, 1) + _HAN_DIGITS.get(ones, 0)


def is_on(text: str) -> bool | None:
    """Whether a switch is to be on (`打开`, "turn on") or off (`关闭`, "disable"); None where the text says neither."""
    off = re.search(
        r"关闭|关掉|关了|停用|禁用|停掉|取消|不要|关|\boff\b|disabl|\bstop\b|\bno\b|\bfalse\b", text, re.IGNORECASE
    )
    on = re.search(r"打开|开启|启用|恢复|开通|重新开|\bon\b|enabl|\byes\b|\btrue\b", text, re.IGNORECASE)
    if off and on:
        return on.start() < off.start() if re.search(r"不是|instead|rather", text) else off.start() > on.start()
    return None if not (off or on) else on is not None


def companies(text: str) -> tuple[str, ...]:
    """Names that end as company names do (`…科技`, `… Ltd`), without the words that lead in to them."""
    names = (next(group for group in groups if group).strip() for groups in _COMPANY.findall(_EMAIL.sub(" ", text)))
    trimmed = (_LEAD_IN.sub("", name).strip() for name in names)
    pointed = re.compile(r"这|那|哪|我|他|她|贵|整|母|子|分|某|本|该|一家|有限")
    return _once(name for name in trimmed if len(name) > 2 and not pointed.match(name))


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
