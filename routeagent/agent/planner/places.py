"""Places in a text: names before the word for tax, and the common ones anywhere."""

from __future__ import annotations

import re

_PLACES_ZH = (
    "北京|上海|天津|重庆|广东|广州|深圳|浙江|杭州|江苏|南京|苏州|四川|成都|湖北|武汉|湖南|长沙|福建|厦门|山东|青岛|济南|河南|郑州|河北|"
    "陕西|西安|辽宁|沈阳|大连|吉林|长春|黑龙江|哈尔滨|安徽|合肥|江西|南昌|广西|南宁|海南|云南|昆明|贵州|贵阳|甘肃|青海|宁夏|新疆|西藏|"
    "内蒙古|香港|澳门|台湾|中国大陆|中国|大陆|新加坡|日本|韩国|美国|英国|德国|法国|欧盟|澳大利亚|加拿大|印度|泰国|越南|马来西亚"
)
_PLACES_EN = (
    "Hong Kong|Singapore|Japan|Korea|United States|USA|US|United Kingdom|UK|Germany|France|EU|"
    "Australia|Canada|India|Thailand|Vietnam|Malaysia|China|Mainland China|Beijing|"
    "Shanghai|Shenzhen|Guangdong|Zhejiang|"
    "California|New York|Texas|Macau|Taiwan"
)


def place_in(text: str) -> str | None:
    """The place a text names, as written; None where it names none."""
    known = re.search(rf"(?:{_PLACES_ZH})|\b(?:{_PLACES_EN})\b", text)
    if known:
        return known[0]
    named = re.search(
        r"(?:^|查一下|查|问|在)([\u4e00-\u9fff]{2,6}?)(?:地区|市|省|州)?(?:现在)?(?:适用)?(?:的)?(?:增值税|消费税|税率|税)",
        text,
    ) or re.search(r"\b(?:in|for|of)\s+([A-Z][a-z]+(?:\s+[A-Z][a-z]+)*)", text)
    return named[1] if named else None
