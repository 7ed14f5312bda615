"""Tax rates and the day's exchange rates."""

from .table import Row, lines

# Region, English name, basis points, what the tax is called.
_TAXES = """
中国大陆|China|600|增值税(软件服务)
中国大陆(货物)|China, goods|1300|增值税(货物销售)
小规模纳税人|China, small-scale taxpayer|100|增值税(小规模征收率)
上海|Shanghai|600|增值税(软件服务)
北京|Beijing|600|增值税(软件服务)
广东|Guangdong|600|增值税(软件服务)
浙江|Zhejiang|600|增值税(软件服务)
江苏|Jiangsu|600|增值税(软件服务)
四川|Sichuan|600|增值税(软件服务)
香港|Hong Kong|0|无增值税
澳门|Macao|0|无增值税
台湾|Taiwan|500|营业税
新加坡|Singapore|900|GST 消费税
德国|Germany|1900|VAT 增值税
法国|France|2000|VAT 增值税
荷兰|Netherlands|2100|VAT 增值税
英国|United Kingdom|2000|VAT 增值税
日本|Japan|1000|消费税
韩国|South Korea|1000|增值税
美国|United States|0|无全国销售税,按州另计
澳大利亚|Australia|1000|GST 消费税
加拿大|Canada|500|GST 消费税
"""

# Millionths of a yuan for one unit.
_EXCHANGE = {
    "CNY": ("人民币", 1_000_000),
    "USD": ("美元", 7_120_000),
    "EUR": ("欧元", 8_260_000),
    "HKD": ("港币", 915_000),
    "JPY": ("日元", 47_500),
    "GBP": ("英镑", 9_480_000),
    "SGD": ("新加坡元", 5_490_000),
}


def tax_rates() -> list[Row]:
    """One row a region."""
    return [
        {"region": region, "english": english, "rate_basis_points": int(rate), "name": name}
        for region, english, rate, name in lines(_TAXES)
    ]


def exchange_rates() -> list[Row]:
    """One row a currency, as of the desk's day."""
    return [
        {"currency": currency, "name": name, "cny_per_unit_e6": rate, "as_of": "2026-10-20"}
        for currency, (name, rate) in _EXCHANGE.items()
    ]
