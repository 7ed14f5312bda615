"""Cues made by hand: what is said of whom within one sentence. The weights come from the labelled answers.

Each pattern speaks both languages, so that what one half of the examples teaches also holds for the other.
"""

from __future__ import annotations

import re

from routeagent.guard.reading import QUOTATION, sentences

_TOOL_ZH = "工具|接口|功能|函数|能力|命令|插件|集成|途径|入口|手段"
_TOOL_EN = r"(?<![-/.])(?:tool|toolset|function|api|integration|feature|capabilit|abilit|command|means|way|action)\w*"
_PERMISSION_EN = r"(?:permission|right|privilege|authori[sz]|clearance|access|allowed|permitted|role)\w*"
_LACK_EN = r"(?:no|not|none|nothing|lack|lacks|lacking|without|missing|never|beyond|outside|exceeds?|only)\b"
_ABLE_EN = (
    r"(?:can not|could not|(?:un|not )able|not (?:\w+ )?(?:capable|equipped|possible|something|support)"
    r"|impossible)"
)

_PATTERNS = {
    "self": r"我|助手|助理|语言模型|人工智能|这边|这里|当前环境"
    r"|\b(?:i|me|my|we|us|our|assistant|ai|from here|this (?:chat|session))\b",
    "third": r"^[^,。]{0,6}(?:用户|客户(?![编端])|他|她|对方|供应商|主管|实习生|员工|服务)"
    r"|\b(?:he|she|they|users?|customers?|supplier|supervisor|interns?|service|system|version)\b[^,;]{0,30}\bnot\b",
    "i_unable": r"(?:我|助手|助理)(?!不会)[^,。!?把将换用]{0,10}(?:无法|不能(?!告诉|答应)|没有?(?:任何)?办法|没法"
    r"|[^,。]不[了到上](?=[,。!吧这您的]|$)|[做办帮看查读改连进问触取]不"
    r"|不具备|不支持|不可以|尚不|还不能)|^(?:目前|暂时|现在|当前|很?抱歉,|很?遗憾,)?(?:尚|还|暂)?(?:无法|不能|不支持"
    r"|没法|没有?办法)"
    r"(?:为您|帮您|替您|直接|访问|查看|由我|代)|[做办帮]不[了到上](?:您的忙)?[,。!]|(?:超出|不在)[^,。]{0,4}(?:我"
    r"|能力|权限|授权|现有)"
    rf"|\b(?:i|we|this assistant|the assistant)(?: \w+){{0,3}}? {_ABLE_EN}(?! (?:find|tell|work out|thank|share|be ))"
    r"|\b(?:i|we|this assistant|the assistant) (?:will|would|was|were|am|are|do|can|does)(?: \w+)? (?:not (?:be able"
    r"|support)|unable)"
    r"|\bnot (?:\w+ ){0,3}(?:something|possible for|available to) (?:i|we|me|us|this)\b|\b(?:that|which"
    r"|somewhere) i (?:can|could) not"
    r"|\bis something i can not|\b(?:beyond|outside|exceeds?) (?:my|the \w+ i|what i|our)\b|\bno way (?:for me|of"
    r"|to)\b|\boff limits to me",
    "i_lack": r"(?:我|助手|这边|这里|这儿|手[里上头])[^。!?]{0,16}(?:没有?|缺少?|缺乏|不具备|未被?|无)(?!找到|查到"
    r"|发现|看到名)[^。!?]{0,14}"
    r"(?:工具|接口|功能|函数|能力|权限|授权|接入|连|途径|入口|渠道|配备|授予|对应)|(?:工具|接口|功能"
    r"|函数)[^。!?]{0,14}(?:没有|不包含|不含|只能)"
    r"|(?:没有?|找不到|没看到|未|不包含)[^。!?版]{0,14}(?:工具|接口|函数|命令)|权限[^。]{0,6}我[^。]{0,4}没有"
    r"|(?:权限|功能)我[^。]{0,4}没有"
    r"|(?:不|未|没有?)(?:给|向|对)我(?:开放|配备|提供|授权)|没有(?:连上|接入|连接)|只读"
    r"|\b(?:i|we|my \w+|the assistant)(?: \w+){0,3}? (?:have no|lack|(?:do|does|did|was|has|have|am"
    r"|is) not(?: \w+)? (?:have|given|been given|been provided"
    r"|connected|include|permitted|allowed|authori[sz]ed)|(?:am|is) missing|only have)\b(?! the (?:recipient|name"
    r"|number|order|date))"
    r"|\b(?:no|none of|nothing|not one|there is not)\b[^.!?]{0,50}\b(?:tool|function|api|integration)\w*"
    r"|\btools? (?:\w+ )?(?:stops?|are read|is read|only)|\bthat i do not have\b|\bi do not have[.,]|\bto (?:me"
    r"|this assistant|this chat)\b[^.!?]{0,5}(?:[.,]|here)"
    r"|\bthan mine\b|\bnot (?:visible|linked|hooked up|exposed|connected|available)(?: \w+)? to (?:me|this)"
    r"|\b(?:can not be|i can not|to me or) reach",
    "missing_facts": r"没有(?:订单|起始|编号|您|具体|发票|日期|姓名|说明)|不知道|不清楚|不确定|定位到具体"
    r"|无法(?:判断|确认)是?哪|缺少(?!权限|接口|工具|功能)|还差"
    r"|\b(?:can not tell (?:which|what)|work out|did not say|do not know (?:your|which|what|who)|not sure"
    r"|without (?:an?|the) \w+ ?(?:date|number|name|id|reason)?"
    r"|which (?:order|one|of)|is missing|still missing)\b",
    "reported": r"(?:用户|客户|她|他|供应商|对方|机器人)[^,。]{0,8}(?:说|抱怨|反馈|回复|表示|回答|无法|没有|进不)"
    r"|报错|日志"
    r"|\b(?:customer|user|supplier|she|he|they|bot|log|someone)\b(?: \w+)? (?:said|says?|complained|wrote|replied"
    r"|reports?|keeps|reported|could not|was not|can not|is unable)",
    "i_fixed": r"我[^,。]{0,6}(?:已|把|将|重新|换成|改用|补发|解锁|更正|修正|重启)|已经?(?:解锁|恢复|修复|更正|解决)"
    r"|重新(?:发|寄)|改成|后已"
    r"|\b(?:so i|i have|i) (?:\w+ )?(?:mailed|filed|switched|restored|unlocked|deleted|fixed|raised|restarted|used"
    r"|sent it|corrected|fetched)"
    r"|\b(?:is|are|it's|it is) (?:fixed|fine|healthy|back|corrected|resolved)\b",
    "unable": r"无法|不能|没有?(?:任何)?办法|没法|(?<!找)(?<!查)(?<!看)(?<!收)不[到了上](?=[,。!吧你您的]|$)"
    r"|[做办帮看查读改连进问触取]不[到了上]|不具备|不支持|尚不|还不能|不会(?!再)|恐怕"
    rf"|\b{_ABLE_EN}|\b(?:no|not) (?:\w+ )?(?:ability|way|means)\b|(?:beyond|outside) (?:my|what i|our)\b",
    "lacks_tool": rf"(?:没有?|缺少|缺乏|未|不包含|不含|找不到|没看到|不具备|超出|只有|只配备"
    rf"|只能)[^。!?]{{0,18}}(?:{_TOOL_ZH})"
    rf"|(?:{_TOOL_ZH})[^。!?]{{0,14}}(?:没有|缺|不包含|不含|只能|范围)|没有?(?:办法)?(?:接入|连[上接]|配备)"
    rf"|\b{_LACK_EN}[^.!?]{{0,40}}\b{_TOOL_EN}|\b{_TOOL_EN}[^.!?]{{0,50}}\b{_LACK_EN}",
    "lacks_access": r"(?:无法|不能|没法|没有?(?:办法|途径|入口)?|未)[^。!?,]{0,8}(?:访问|查看|读取|连|接入|联网|打开"
    r"|浏览|获取|调取|开放)"
    r"|[看读进查触问]不[到了上]"
    r"|\b(?:no|not|lack|without|off)\b[^.!?]{0,30}\b(?:access|see|view|read|open|visib\w+|connect\w*|link\w*|reach\w*"
    r"|retrieve|browse|fetch|hooked|limits|online)\b|\boffline\b",
    "lacks_permission": r"(?:没有?|无|不具备|未被|未获|超出|不足|缺|只读|不允许|不在)[^。!?]{0,12}(?:权限|授权|授予)"
    r"|权限[^。!?]{0,12}(?:没有|不足|不够|才)|无权|只读|角色不允许"
    rf"|\b{_LACK_EN}[^.!?]{{0,40}}\b{_PERMISSION_EN}|\b{_PERMISSION_EN}[^.!?]{{0,30}}\b{_LACK_EN}|\bread-only\b",
    "hand_off": r"(?:请|麻烦|建议|需要|只能|烦请|只好|可以|得|要由|让|还是)[^。!?]{0,16}"
    r"(?:联系|自行|自己|手动|手工|人工|登录|致电|拨打|热线|转交|转人工|找|处理|操作|协助|办理|完成|执行|提交给)"
    r"|\b(?:please|you (?:can|could|would|will|need|should)|have to|has to|needs? to|someone|must"
    r"|best bet)\b[^.!?]{0,50}"
    r"\b(?:contact|ask|call|reach out|yourself|manual\w*|by hand|hotline|support|team|administrator|manager|owner"
    r"|do (?:it|that)|run it|go (?:to|through)|your own|console|portal|request it)\b",
    "not_done": r"没有(?:做|发出|执行|完成)|未执行|跳过|尚未|还没"
    r"|\b(?:not|nothing) (?:\w+ )?(?:been |was )?(?:made|done|sent|ticketed|notified)\b|skipped|never went",
    "done": r"已[经为]?|完成|恢复|解决|成功|好[了啦]|到账"
    r"|\b(?:done|fixed|sent|resolved|restored|booked|submitted|complete|switched|added|i have \w+ed)\b",
    "policy": r"政策|规定|制度|按照|根据|超过|期限|[版餐](?!本)|审批|驳回|不予|到期|不可|期|该"
    r"|\b(?:policy|days?|plan|under|according|approval|denied|declined|rejected|window|limit\w*|once|fare|closed)\b",
    "refusal": r"拒绝|违法|违反|隐私|保密|泄露|不会(?:执行|把|这么|告诉|写|导出)|不建议|不打算|不愿|不便|安全|风险"
    r"|同意"
    r"|\b(?:refuse|decline|privacy|confidential|will not (?!be able)|would rather|prefer|comfortable|fraud|violat\w+"
    r"|risky"
    r"|safety|consent|improper)\b",
    "not_found": r"没有?(?:找|查|发现|任何|匹配|与|包含|叫)|未找到|找不到|查无|不存在|为空|没查到"
    r"|\b(?:not|no|nobody|none|zero)\b[^.!?]{0,40}\b(?:find|found|exist|match\w*|recorded|record|registered|contain"
    r"|listed)\b"
    r"|\bfound no\b|\bthere (?:is|are) no\b|\bcame back empty\b",
    "asks": r"\?|请(?:提供|告诉|确认|补充|问)|缺少|还差|不清楚|不确定"
    r"|\b(?:could you|please (?:send|tell|confirm)|which|once you|missing)\b",
    "number": r"\d{2,}",
    "quotation": QUOTATION,
    "cause": r"原因|因为|根因|由于|说明|是因|所以|\b(?:because|cause|caused|reason|why|meaning|so|since|due)\b",
}
_TOGETHER = (
    ("i_unable", "refusal"),
    ("i_unable", "missing_facts"),
    ("i_unable", "not_found"),
    ("i_unable", "hand_off"),
    ("i_unable", "reported"),
    ("i_lack", "reported"),
    ("i_lack", "hand_off"),
    ("i_lack", "refusal"),
    ("i_lack", "third"),
    ("self", "unable"),
    ("self", "lacks_tool"),
    ("self", "lacks_access"),
    ("self", "lacks_permission"),
    ("unable", "hand_off"),
    ("unable", "refusal"),
    ("unable", "asks"),
    ("unable", "not_found"),
    ("unable", "policy"),
    ("unable", "third"),
    ("unable", "done"),
    ("lacks_tool", "policy"),
    ("lacks_tool", "not_found"),
    ("lacks_permission", "third"),
)
_CUES = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}

_PLAIN, _HANDED = "a plain lack", "a plain lack and a hand-off"
NAMES = (*_CUES, *("+".join(pair) for pair in _TOGETHER), _PLAIN, _HANDED)
"""All cues: the patterns, pairs of them within one sentence, and two that join several."""

_EXCUSES = {"refusal", "missing_facts", "reported", "not_found"}


def cues(readable_text: str) -> set[str]:
    """The names of the cues that an answer shows (`reading.readable` text)."""
    shown: set[str] = set()
    for sentence in sentences(readable_text):
        here = {name for name, pattern in _CUES.items() if pattern.search(sentence)}
        shown |= here | {"+".join(pair) for pair in _TOGETHER if here.issuperset(pair)}
        if here & {"i_unable", "i_lack"} and not here & _EXCUSES:
            shown.add(_PLAIN)
    return shown | ({_HANDED} if shown >= {_PLAIN, "hand_off"} else set())
