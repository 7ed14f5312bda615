"""Free text for an argument, taken from the user's own words and never made up."""

from __future__ import annotations

import re
from collections.abc import Callable

from routeagent.agent.planner.clauses import is_chinese
from routeagent.agent.planner.entities import Identifier, companies, emails, identifiers, quoted
from routeagent.agent.planner.parameters import Parameter

_NEW_VALUE = (
    r"(?:改成|改为|换成|换为|改到|设为|设成|更新为|更新成|修改为|变更为|变成)\s*[:]?\s*(.+)",
    r"\b(?:change|update|set|rename|switch|edit)\b.*?\bto\s*:?\s*(.+)",
)
_MESSAGE = (
    r"(?:内容|正文|话术)\s*(?:是|为|写)?\s*[:]?\s*(.+)",
    r"(?:回复|告诉|告知|通知|提醒|留言|备注|追加|建议|报警|说)(?:一?[句条])?(?:他|她|它|他们|客户|对方|用户|大家)?(?:说|道|写)?\s*[:,]\s*(.+)",
    r"(?:告诉|告知|通知|提醒|转告)\s*(?:客户)?\s*(?:[A-Za-z]+-?\d[\w-]*|\S+@[\w.-]+)\s*[,:]?\s*(.{2,})",
    r"(?:告诉|告知|通知|提醒|转告)(?:他|她|它|他们|客户|对方|用户|大家)\s*(.{2,})",
    r"(?:提醒|通知)\s*(.{2,})",
    r"(?:说|写上|写明|备注|追加|注明)(?:是|一[句条下]|他|她|客户)?\s*(.{2,})",
    r"\b(?:saying|say|that says|message|text|body|note|with|that)\s*:?\s+(.+)",
    r"\b(?:about|reminding (?:him|her|them)|telling (?:him|her|them)|to remind (?:him|her|them))\s+(.+)",
    r"[:]\s*(?!\d)(.+)",
)
_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"plan$|tier|package|edition",
        (
            r"(?:到|成|为|换)\s*([\u4e00-\u9fff]{1,4}版)",
            r"\bto\s+(?:the\s+)?([a-z]+)(?:\s+plan)?\b",
            r"([\u4e00-\u9fff]{2}版)",
        ),
    ),
    (
        r"^field$|attribute|property",
        (r"(电话|手机号|手机|邮箱|姓名|联系人|名字|地址|公司名)", r"\b(phone|e-?mail|name|address|company)\b"),
    ),
    (
        r"reason|cause|why",
        (r"(?:原因|理由)\s*(?:是|为)?\s*[:]?\s*(.+)", r"因为\s*(.+)", r"\b(?:because(?: of)?|due to|reason:?)\s+(.+)"),
    ),
    (
        r"subject|title|headline",
        (
            r"(?:主题|标题|题目)\s*(?:是|为|写)?\s*[:]?\s*([^,;]+)",
            *_NEW_VALUE,
            r"\b(?:subject|titled?)\s*:?\s+([^,;]+)",
            r"\b(?:about)\s+(.+)",
        ),
    ),
    (
        r"^tags?$|label",
        (
            r"(?:打上|打个|打|加上|加个|加|贴上|贴个|添加|去掉|移除|取消|删除)\s*(?:一个)?\s*([^,\s的]{1,12}?)\s*(?:的)?\s*(?:这个)?\s*标签",
            r"标签\s*(?:是|为|改成)?\s*[:]?\s*([^\s,]{1,12})",
            r"(?:标记?为|标成|标记成)\s*([^\s,]{1,12})",
            r"\btag\b.*?\b(?:as|with)\s+([\w -]{1,24})",
            r"\b(?:add|remove|put)\s+(?:the\s+|a\s+)?([\w-]{1,20})\s+tag",
        ),
    ),
    (
        r"assignee|owner$|agent|group|team",
        (
            r"(?:转给|分配给|指派给|派给|交给|分给|转到)\s*([^\s,;]{1,20})",
            r"\b(?:assign|transfer|hand|give|move)\w*\b.*?\bto\s+(?:the\s+)?([\w .-]{1,30})",
        ),
    ),
    (r"text|body|message|content|suggestion|note|comment|remark|description|resolution|solution", _MESSAGE),
    (r"", _NEW_VALUE),
)
_POLITE = re.compile(
    r"^(?:(?:请问|请|麻烦|帮我|帮忙|帮|你好|您好|再|也|能不能|可以|查一下|查下|查询|查|搜索|搜一下|搜|看一下|看看|找一下|找|一下)[,]?)+|"
    r"^(?:(?:please|pls|can you|could you|hi|hello|look up|check|find|show me|tell me|"
    r"search(?: (?:the |our )?[\w ]{2,20}? for| for)?)\b[\s,]*)+",
    re.IGNORECASE,
)


def wording_for(parameter: Parameter, clause: str, request: str) -> str | None:
    """The user's words for a free-text parameter: quoted first, then what follows the words that introduce it."""
    quotes = quoted(clause)
    headed = len(quotes) == 1 and re.search(
        r"(?:标题|主题|titled?|subject)\W*" + re.escape(quotes[0]), clause, re.IGNORECASE
    )
    if quotes and (not headed or re.search(r"subject|title", parameter.name)):
        return quotes[0 if re.search(r"subject|title", parameter.name) else -1]
    patterns = next(patterns for names, patterns in _RULES if re.search(names, parameter.name, re.IGNORECASE))
    for pattern in patterns:
        match = re.search(pattern, clause, re.IGNORECASE)
        if match and (text := _trimmed(match[1])):
            return text
    return next(iter(quoted(request)), None) or _fallback(parameter, clause, request)


def query_from(clause: str, request: str) -> str:
    """What to search for: the clause without courtesies and addresses, or the request where that leaves too little."""
    for text in (clause, request):
        bare = text
        for address in emails(text):
            bare = bare.replace(address, " ")
        bare = _POLITE.sub("", bare.strip(" ,")).strip(" ,。?!")
        if len(bare) >= (4 if is_chinese(bare) else 6):
            return bare[:200]
    return request[:200]


def subject_key(clause: str, is_record: Callable[[Identifier], bool]) -> str | None:
    """What to look a person or firm up by: an address, a company, an id, a quoted name, or the name after 客户/叫.

    Args:
        clause: where to look.
        is_record: tells an id of a record from an error code or a coupon.
    """
    ids = tuple(word.text for word in identifiers(clause) if is_record(word))
    for found in (emails(clause), companies(clause), ids, quoted(clause)):
        if found:
            return found[0]
    match = re.search(
        r"(?:客户叫|客户名叫|名叫|叫做|叫|姓名是?)\s*([\u4e00-\u9fff]{2,4})(?=的|[,\s]|$)", clause
    ) or re.search(r"\b(?:customer|client|named|called)\s+([A-Z][a-z]+(?:\s+[A-Z][a-z]+)*)", clause)
    return match[1] if match else None


def _fallback(parameter: Parameter, clause: str, request: str) -> str | None:
    """A reason or a ticket's words may be the request itself, verbatim; nothing else may."""
    if re.search(r"reason", parameter.name):
        return request[:200]
    if re.search(r"^body$|^description$", parameter.name) and not _addressed(clause):
        return request[:500]
    if re.search(r"^title$", parameter.name) and not re.search(
        r"抬头|税号|invoice", parameter.description + clause, re.IGNORECASE
    ):
        return (_told(request) or query_from(clause, request))[:40]
    return None


def _addressed(clause: str) -> bool:
    return re.search(r"邮件|短信|email|e-mail|sms|message", clause, re.IGNORECASE) is not None


def _told(request: str) -> str:
    """What was told before the demand: the longest piece of the request that isn't about the ticket itself."""
    pieces = [piece.strip() for piece in re.split(r"[,。;::\n]", request)]
    told = [piece for piece in pieces if len(piece) > 3 and not re.search(r"工单|ticket", piece, re.IGNORECASE)]
    return max(told, key=len, default="")


def _trimmed(text: str) -> str:
    return text.strip().strip("“”\"'「」。.,;!:").strip()
