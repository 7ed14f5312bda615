"""What a tool's parameters ask for, read from its JSON Schema: the kind of value, its choices, its id shape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic_ai.tools import ToolDefinition

from routeagent.agent.planner.clauses import narrowed_width

Kind = Literal[
    "enum",
    "boolean",
    "email",
    "id",
    "amount",
    "currency",
    "month",
    "moment",
    "number",
    "code",
    "region",
    "query",
    "text",
]

_ALIASES: dict[str, str] = {
    "name": "姓名|名字|联系人",
    "contact_name": "姓名|名字|联系人",
    "phone": "电话|手机号?|号码",
    "email": "邮箱|邮件地址|e-mail",
    "basic": "基础版",
    "free": "免费版",
    "team": "团队版",
    "pro": "专业版|professional",
    "enterprise": "企业版",
    "vip": "vip|大客户",
    "high": "高|紧急",
    "low": "低",
}
"""Words that people use for values which are common in schemas; a description's own pairs come first."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool.

    Attributes:
        name: as on the wire.
        kind: how a value for it is found.
        required: the tool refuses a call without it.
        type: the JSON type.
        description: what the schema says of it.
        choices: the values allowed, each with the words that stand for it; empty where any will do.
        prefixes: lower-case prefixes of ids of this kind (`inv` of `INV-2026-0101`), as far as the schema tells.
        pattern: the regular expression a value must match, or None.
    """

    name: str
    kind: Kind
    required: bool
    type: str = "string"
    description: str = ""
    choices: tuple[tuple[Any, tuple[str, ...]], ...] = ()
    prefixes: tuple[str, ...] = ()
    pattern: str | None = None

    @property
    def stem(self) -> str:
        """The thing an id belongs to: `customer` of `customer_id`."""
        return re.sub(r"_?(?:ids?|no|number|key)$", "", self.name.lower())

    @property
    def label(self) -> str:
        """What a Chinese description calls the thing: `文章` of "文章 ID,如 kb-012"; empty where it doesn't."""
        match = re.match(
            r"\s*(?:要\S{0,4}的|被\S{0,4}的)?([\u4e00-\u9fff]{2,8}?)(?:的)?\s*(?:ID|编号|号码|号|id|Id)",
            self.description,
        )
        return match[1] if match else ""


def finds_by_key(parameter: Parameter, tool: ToolDefinition) -> bool:
    """Whether a query parameter takes the address, name or id of a record rather than words to search for."""
    about = parameter.description or tool.description or ""
    return parameter.kind == "query" and bool(re.search(r"邮箱|e-?mail|公司名|company|客户 ?ID", about, re.IGNORECASE))


def parameters_of(tool: ToolDefinition) -> tuple[Parameter, ...]:
    """The tool's parameters in the schema's order. What isn't a schema of an object gives none."""
    schema = tool.parameters_json_schema
    properties = cast(Mapping[str, Any], schema.get("properties") or {})
    required = cast(Sequence[str], schema.get("required") or ())
    definitions = cast(Mapping[str, Any], schema.get("$defs") or {})
    return tuple(
        _parameter(name, _resolved(cast(Mapping[str, Any], raw), definitions), name in required)
        for name, raw in properties.items()
        if isinstance(raw, Mapping)
    )


def _resolved(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """One flat schema: the reference followed, and of alternatives the first that isn't null."""
    merged = dict(schema)
    for union in ("anyOf", "oneOf", "allOf"):
        options = [cast(Mapping[str, Any], option) for option in cast(Sequence[Any], schema.get(union) or ())]
        chosen = next((option for option in options if option.get("type") != "null"), None)
        if chosen is not None:
            merged = {**_resolved(chosen, definitions), **{k: v for k, v in merged.items() if k != union}}
    target = str(merged.pop("$ref", "")).rpartition("/")[2]
    if target in definitions:
        merged = {**_resolved(cast(Mapping[str, Any], definitions[target]), {}), **merged}
    return merged


def _parameter(name: str, schema: Mapping[str, Any], required: bool) -> Parameter:
    description = narrowed_width(str(schema.get("description") or ""))
    examples = [str(example) for example in cast(Sequence[Any], schema.get("examples") or ())]
    kind_of_json = schema.get("type")
    json_type = str(kind_of_json) if isinstance(kind_of_json, str) else "string"
    pattern = str(schema["pattern"]) if isinstance(schema.get("pattern"), str) else None
    prefixes = _prefixes(" ".join([description, *examples]), pattern)
    choices = _choices(schema, description)
    kind = _kind(name.lower(), schema, description, choices, prefixes, json_type)
    return Parameter(
        name, kind, required, json_type, description, choices if kind in ("enum", "currency") else (), prefixes, pattern
    )


def _prefixes(text: str, pattern: str | None) -> tuple[str, ...]:
    written = re.findall(r"(?<![A-Za-z])([A-Za-z]{1,8})-?\d{2,}", text)
    in_pattern = re.match(r"\^?\(?(?:\?:)?([A-Za-z]{1,8})-?[\[\\(]", pattern or "")
    return tuple(dict.fromkeys(word.lower() for word in [*written, *([in_pattern[1]] if in_pattern else [])]))


def _kind(
    name: str,
    schema: Mapping[str, Any],
    description: str,
    choices: Sequence[object],
    prefixes: Sequence[str],
    json_type: str,
) -> Kind:
    if json_type == "boolean":
        return "boolean"
    if choices and not _CURRENCY_NAME.search(name):
        return "enum"
    for kind, names, formats in _BY_NAME:
        if re.search(names, name) or (formats and str(schema.get("format") or "") in formats):
            return kind if kind != "month" or json_type == "string" else "number"
    if json_type in ("integer", "number"):
        return "amount" if re.search(r"金额|元|cents|分", description) else "number"
    if prefixes and re.search(r"id|编号|号", description, re.IGNORECASE):
        return "id"
    return "text"


_CURRENCY_NAME = re.compile(r"(?:^|_)(?:ccy|currency)$")
_BY_NAME: tuple[tuple[Kind, str, tuple[str, ...]], ...] = (
    ("query", r"^(?:query|queries|q|keyword|keywords|search|question|term)$", ()),
    ("email", r"(?:^|_)e?mail(?:_address)?$", ("email", "idn-email")),
    ("id", r"(?:^|_)ids?$|_(?:no|number)$", ()),
    ("currency", _CURRENCY_NAME.pattern, ()),
    ("amount", r"amount|price|(?:^|_)(?:yuan|cents|sum|total)(?:$|_)", ()),
    ("month", r"^(?:month|year_month|period)$", ()),
    (
        "moment",
        r"^(?:when|date|day|time|at|on_date|send_at|remind_at|due)$|_(?:date|time|at|on)$",
        ("date", "date-time"),
    ),
    ("code", r"(?:^|_)(?:code|coupon)$", ()),
    ("region", r"^(?:region|country|province|state|city|location)$", ()),
)


def _choices(schema: Mapping[str, Any], description: str) -> tuple[tuple[Any, tuple[str, ...]], ...]:
    values = cast(Sequence[Any], schema.get("enum") or ([schema["const"]] if "const" in schema else ()))
    if not values and schema.get("type") == "string":
        values = _listed(description)
    return tuple((value, _words_for(str(value), description)) for value in values if value is not None)


def _listed(description: str) -> list[str]:
    """Alternatives that a description lists with slashes or bars: "基础版/专业版/企业版", "name | phone | email"."""
    word = r"[A-Za-z_\u4e00-\u9fff]{1,12}"
    match = re.search(
        rf"(?<![\w\u4e00-\u9fff/])(?:[\u4e00-\u9fff]{{0,8}}[:])?\s*({word}(?:\s*[/|]\s*{word})+)", description
    )
    if match is None:
        return []
    values = [value.strip() for value in re.split(r"[/|]", match[1])]
    return values if (len(values) > 1 and not re.search(r"或邮箱|/邮箱|ID", description)) or len(values) > 2 else []


def _words_for(value: str, description: str) -> tuple[str, ...]:
    """The value itself, the word a description pairs with it ("pro 专业版", "专业版(pro)"), and common words for it."""
    escaped = re.escape(value)
    after = re.findall(rf"(?<![\w]){escaped}\s*[(=:]?\s*([\u4e00-\u9fff]{{1,8}})", description)
    before = re.findall(rf"([\u4e00-\u9fff]{{1,8}})\s*[(=:]\s*{escaped}(?![\w])", description)
    common = [word for word in _ALIASES.get(value.lower(), "").split("|") if word]
    inverse = [key for key, words in _ALIASES.items() if value in words.split("|")]
    return tuple(dict.fromkeys([value, *after, *before, *common, *inverse]))
