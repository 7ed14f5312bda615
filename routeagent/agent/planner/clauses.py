"""A request cut into clauses, and what each clause wants: to be told something, or to have something done."""

from __future__ import annotations

import re

LONGEST_REQUEST = 4000
"""Characters of a request that are read; the rest is ignored, so that junk stays cheap."""

_FULL_WIDTH = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, 0xFFE5: 0xA5}

_READ_ZH = (
    "查询|查一|查下|查|看一|看看|看下|看|核实|核对|检查|确认一下|列出|列一|列|搜|找|统计|了解|告诉我|读一|读取|"
    "计算|算一|算下|算|换算"
)
_ACT_ZH = (
    "改成|改为|修改|更改|改|换成|更换|换|升级|升到|降级|降到|升|降|取消|暂停|打开|开启|启用|关闭|关掉|关|停用|停掉|退款|退掉|退回|退|"
    "撤回|撤销|撤|作废|红冲|重发|补发|发送|发给|发一|发条|发封|发|标为|标成|标记|打上|打个|打|贴|解锁|解开|重置|转给|转让|转|新建|创建|"
    "建一|建个|建|登记|注销|合并|加到|增加|加|减到|减少|减|调到|调整|套用|使用优惠|用优惠|用上|申请|提交|提|通知|提醒|回复|回|批准|批|"
    "通过|重新|重跑|重试|再扣|移除|移出|去掉|退订|预约|约|安排|报警|追加|写|记一|记下|记录一|删除|删|分配|指派|开一|开个|设为|设置|绑定"
)
_QUESTION_ZH = (
    "多少|怎么|为什么|为啥|咋|吗|呢|是否|有没有|是不是|什么|哪|谁|几个|几笔|几次|进度|到哪|如何|能不能查|情况|状态|记录"
)
_POLITE_ZH = r"(?:能不能|能否|可以|可否|可不可以|麻烦|请|帮)"
_READ_EN = (
    r"check|verify|show|list|look|find|see|view|get|search|tell (?:me|us)|explain|confirm|read|count|calculate|compute|"
    r"convert|who|whose"
)
_ACT_EN = (
    r"resend|send|tell(?! me| us)|email|text|change|update|set|switch|upgrade|downgrade|cancel|pause|turn|enable|"
    r"disable|refund|withdraw|void|mark|tag|untag|unlock|reset|transfer|create|open|file|"
    r"register|delete|merge|add|increase|reduce|decrease|"
    r"remove|apply|submit|notify|remind|reply|answer|approve|rerun|re-run|retry|schedule|unsubscribe|assign|close|"
    r"alert|page|suggest|append|write|raise|lower|stop|issue|redo|charge|give"
)
_QUESTION_EN = r"how|why|what|when|where|which|whether|is|are|was|were|does|did|do|has|have|any|status|progress"
_POLITE_EN = (
    r"^\s*(?:hi|hello|hey|please|pls|kindly|can you|could you|would you|will you|"
    r"i want to|i need to|i'd like to|we need to)\b"
)

_FUNCTION_ZH = "[的了把将给吗呢是在和帮查看请怎么什多哪不有要想说为被个张这那]|升级|降级|取消|关闭|打开|退款|重发"

_BREAK = re.compile(
    r"[。;!?\n]+|(?<=[a-z0-9])\.\s+(?=[A-Z])|"
    r"[,、]?\s*(?:然后|接着|随后|之后再|顺便|同时|另外|并且|最后)[,]?|"
    r"[,]\s*(?:再|也|还要|还想|还有)(?=[\u4e00-\u9fff])|"
    r"(?<=[\u4e00-\u9fff\w])再(?=把|给|帮|查|发|看|列|建|开一|提)|"
    r"(?<![一合])并(?=把|将|给|帮|通知|发|查|告诉|重|取消|关|退|升|新建|创建)|"
    r"[,;]?\s+(?:and then|then|after that|afterwards|and also|and finally|also|finally)\s+|"
    rf"[,;]?\s+and\s+(?=(?:{_ACT_EN}|{_READ_EN})\b)",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[,]\s*(?!\d)")
_FILLER = re.compile(
    r"帮我|帮忙|麻烦|谢谢|感谢|请问|请|你好|您好|一下|核实|处理|看看|看|查|吧|啊|哈|了|的|我|你|"
    r"\b(?:please|pls|thanks|thank you|hi|hello|help|me|kindly|check|verify|it|this)\b|[\s\W]+",
    re.IGNORECASE,
)


def cleaned(text: str) -> str:
    """The text without lone surrogates and NUL, cut at `LONGEST_REQUEST`."""
    return text[:LONGEST_REQUEST].encode("utf-8", "ignore").decode("utf-8").replace("\x00", " ").strip()


def narrowed_width(text: str) -> str:
    """Full-width letters, digits and punctuation as their ASCII forms; every character keeps its place."""
    return text.translate(_FULL_WIDTH)


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese rather than English with Chinese names and values in it; quotations don't count."""
    bare = without_quotes(text)
    if not re.search(r"[\u4e00-\u9fff]", bare):
        return not re.search(r"[A-Za-z]{2,}", bare) and bool(re.search(r"[\u4e00-\u9fff]", text))
    return bool(re.search(_FUNCTION_ZH, bare)) or not re.search(r"(?<![\w@.])[a-z]{2,}(?![\w@.])", bare)


def without_quotes(text: str) -> str:
    """The text less what stands in quotation marks, which is told and not asked."""
    return re.sub("\ue000\\d+\ue001", " ", _hold_quotes(text)[0])


def split_clauses(request: str) -> tuple[str, ...]:
    """The request's clauses in order. Connectives and sentence ends cut; a comma cuts only between two demands.

    A piece without anything of its own ("please", "帮我核实一下") joins the piece before it, or the next.
    Quoted text is never cut.
    """
    held, quotes = _hold_quotes(request)
    pieces = [piece for part in _BREAK.split(held) if part for piece in _split_commas(part)]
    return tuple(_restore(clause, quotes) for clause in _merge_empty(pieces))


def asks_for_action(clause: str) -> bool:
    """Whether the clause wants something changed, rather than looked up, explained or verified."""
    bare = without_quotes(clause)
    return _acts_zh(bare) if is_chinese(bare) else _acts_en(bare)


def demand_of(clause: str) -> str:
    """The part that says what to do, where the rest is what to say: "新建工单" of "新建工单:导出一直报错"."""
    match = re.match(r"(.{3,}?)(?::\s*(?!\d)|说(?!明))", clause)
    return match[1] if match and asks_for_action(match[1]) else clause


def _acts_zh(clause: str) -> bool:
    verb = re.search(rf"(?P<read>(?:{_READ_ZH}))|(?P<act>(?:{_ACT_ZH}))", _without_reported(clause))
    if verb is None or verb["read"]:
        after_check = re.search(r"(?:核实|核对|确认|检查|看)[^,]*[后过]", clause)
        return bool(after_check and re.search(_ACT_ZH, clause[after_check.end() :]))
    question = re.search(_QUESTION_ZH, clause)
    if question is None:
        return True
    ends_polite = re.search(r"(?:好吗|行吗|可以吗|吗)[^\u4e00-\u9fff]*$", clause) and re.search(_POLITE_ZH, clause)
    only_polite = not re.search(_QUESTION_ZH, re.sub(r"(?:好吗|行吗|可以吗|吗)\W*$", "", clause))
    return bool(ends_polite and only_polite) or (
        bool(re.search(rf"(?:把|将|帮我?|请)[^,]*(?:{_ACT_ZH})", clause))
        and (not re.search(r"怎么|为什么|为啥|如何|多少|是否|有没有|是不是", clause))
    )


def _without_reported(clause: str) -> str:
    """The clause less words that only report or name ("扣款失败的", "退款进度", "退款申请")."""
    named = (
        r"被[^,]{0,6}了|不(?:退|要|改|换|用|再)[^,]?了?|退款(?=进度|状态|申请(?!.{0,2}退)|单)|重复|发票|通知记录|开票|"
        r"(?:升级|取消|退款|改|换|重置|关闭|打开|导出)(?:失败|报错)"
    )
    return re.sub(named, "", clause)


def _acts_en(clause: str) -> bool:
    bare = clause
    while polite := re.match(_POLITE_EN, bare, re.IGNORECASE):
        bare = bare[polite.end() :].lstrip(" ,!.")
    first = re.search(rf"\b(?:(?P<read>{_READ_EN}|{_QUESTION_EN})|(?P<act>{_ACT_EN}))\b", bare, re.IGNORECASE)
    if first is None or first["act"] is None:
        later = re.search(rf"\b(?:so|please|{_SUBJECT_WANTS})\s+(?:please\s+)?(?:{_ACT_EN})\b", bare, re.IGNORECASE)
        return later is not None
    return not bare.rstrip().endswith("?") or bare != clause


_SUBJECT_WANTS = r"wants? to|would like to|wish(?:es)? to|asks? (?:us )?to|needs? to"


def _hold_quotes(text: str) -> tuple[str, list[str]]:
    quotes: list[str] = []

    def hold(match: re.Match[str]) -> str:
        quotes.append(match[0])
        return f"\ue000{len(quotes) - 1}\ue001"

    return re.sub(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"|(?<!\w)'[^'\n]*'(?!\w)", hold, text), quotes


def _restore(text: str, quotes: list[str]) -> str:
    return re.sub("\ue000(\\d+)\ue001", lambda match: quotes[int(match[1])], text).strip(" ,、")


def _split_commas(part: str) -> list[str]:
    """Cut at a comma where both sides make a demand of their own."""
    done: list[str] = []
    for piece in _COMMA.split(part):
        demands = bool(done) and _is_demand(done[-1]) and _is_demand(piece)
        if done and not demands:
            done[-1] = f"{done[-1]},{piece}" if is_chinese(part) else f"{done[-1]}, {piece}"
        else:
            done.append(piece)
    return done


def _is_demand(piece: str) -> bool:
    if _is_empty(piece):
        return False
    verbs = rf"(?:{_READ_ZH}|{_ACT_ZH})" if is_chinese(piece) else rf"\b(?:{_READ_EN}|{_ACT_EN})\b"
    return re.search(verbs, _without_reported(piece), re.IGNORECASE) is not None


def _is_empty(piece: str) -> bool:
    return len(_FILLER.sub("", piece)) < 2


def _merge_empty(pieces: list[str]) -> list[str]:
    merged: list[str] = []
    waiting = ""
    for piece in pieces:
        if not piece.strip(" ,、"):
            continue
        if not _is_empty(piece):
            merged.append(waiting + piece)
            waiting = ""
        elif merged:
            merged[-1] += "," + piece
        else:
            waiting += piece + ","
    return merged or ([waiting] if waiting else [])
