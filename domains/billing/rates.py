"""Rates that others set: taxes by region, currencies by day."""

import re
from typing import Any

from pydantic_ai import ModelRetry, RunContext

from .._ledger.database import Row
from .._ledger.deps import Deps
from .._ledger.reading import cents

_REGIONS = {
    "中国": "中国大陆",
    "大陆": "中国大陆",
    "mainland china": "中国大陆",
    "cn": "中国大陆",
    "macau": "澳门",
    "uk": "英国",
    "great britain": "英国",
    "usa": "美国",
    "us": "美国",
    "korea": "韩国",
    "澳洲": "澳大利亚",
}
_PROVINCES = re.compile(
    "天津|重庆|河北|山西|辽宁|吉林|黑龙江|安徽|福建|江西|山东|河南|湖北|湖南|海南|贵州|云南|陕西|甘肃|青海"
    "|内蒙古|广西|西藏|宁夏|新疆"
)
"""The mainland's provinces that have no row of their own; one rate holds for all of it."""
_CURRENCIES = {
    "RMB": "CNY",
    "元": "CNY",
    "人民币元": "CNY",
    "YUAN": "CNY",
    "美金": "USD",
    "DOLLAR": "USD",
    "DOLLARS": "USD",
    "EURO": "EUR",
    "EUROS": "EUR",
    "港元": "HKD",
    "日币": "JPY",
    "日圆": "JPY",
    "YEN": "JPY",
    "英磅": "GBP",
    "新币": "SGD",
    "坡币": "SGD",
}
_WHOLE = {"JPY"}
"""Currencies without a hundredth."""


def billing_tax_rate(ctx: RunContext[Deps], region: str) -> dict[str, Any]:
    """问某个省份或国家收几个点的税、增值税 VAT GST 税率多少时查。

    Args:
        region: 省份或国家,中文英文都行,如 广东、Germany
    """
    rows = ctx.deps.rows("SELECT * FROM tax_rates ORDER BY rowid")
    wanted = _region(region)
    for row in rows:
        if wanted in (row["region"].casefold(), row["english"].casefold()):
            rate = f"{row['rate_basis_points'] / 100:g}%"
            return {"region": row["region"], "english": row["english"], "rate": rate} | {
                "rate_basis_points": row["rate_basis_points"],
                "name": row["name"],
            }
    known = "、".join(row["region"] for row in rows)
    raise ModelRetry(f"没有 {region[:40]!r} 的税率;能查的有 {known} (unknown region; these are known)")


def billing_currency_convert(ctx: RunContext[Deps], amount: float, from_ccy: str, to_ccy: str) -> dict[str, Any]:
    """换算金额:多少美元、欧元、港币合多少人民币,或反过来,按今天的汇率。

    Args:
        amount: 要换算的金额
        from_ccy: 原币种,如 USD 或 美元
        to_ccy: 换成的币种,如 CNY 或 人民币
    """
    rows = ctx.deps.rows("SELECT * FROM exchange_rates ORDER BY rowid")
    source, target = _currency(rows, from_ccy), _currency(rows, to_ccy)
    given = cents(amount)
    step = 100 if target["currency"] in _WHOLE else 1
    result = _rounded(given * source["cny_per_unit_e6"], target["cny_per_unit_e6"] * step) * step
    rate = source["cny_per_unit_e6"] / target["cny_per_unit_e6"]
    return {
        "from_amount": _money(given, source["currency"]),
        "amount_cents": result,
        "amount": _money(result, target["currency"]),
        "rate": f"1 {source['currency']} = {rate:.6g} {target['currency']}",
        "as_of": min(source["as_of"], target["as_of"]),
    }


def _region(said: str) -> str:
    """A region as the table names it, whatever people add to it or say for it."""
    name = re.sub(r"(?<=..)(?:特别行政区|(?:壮族|回族|维吾尔)?自治区|省|市)$", "", said.strip().casefold())
    return _REGIONS["中国"] if _PROVINCES.fullmatch(name) else _REGIONS.get(name, name)


def _currency(rows: list[Row], said: str) -> Row:
    wanted = said.strip().upper()
    wanted = _CURRENCIES.get(wanted, wanted)
    for row in rows:
        if wanted in (row["currency"], row["name"]):
            return row
    known = "、".join(f"{row['currency']} {row['name']}" for row in rows)
    raise ModelRetry(f"不认识币种 {said[:40]!r};能换的有 {known} (unknown currency; these are known)")


def _rounded(above: int, below: int) -> int:
    """A quotient of positive integers, halves up: no float touches money."""
    return (2 * above + below) // (2 * below)


def _money(amount_cents: int, currency: str) -> str:
    units, hundredths = divmod(amount_cents, 100)
    whole = currency in _WHOLE and not hundredths
    return f"{units} {currency}" if whole else f"{units}.{hundredths:02d} {currency}"
