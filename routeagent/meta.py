"""The tools that are not of the catalogue, `search_tools` and `call_tool`, with all that they say to a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, cast

from routeagent.catalog import Catalog, Namespace, Tool

SEARCH_TOOLS = "search_tools"
CALL_TOOL = "call_tool"
_LISTED = 40
_ABOUT = 18
"""Characters of a namespace's description that stand in the instructions; they are paid for on every step."""
_DESCRIBED = 15
"""So many namespaces are described there; of more only the names are given."""

_TEXTS = {
    "zh": {
        "describe": "这里只显示了一部分工具,其余的用本工具按需加载。领域:{namespaces}。"
        "一次可查几件事,每件事一条,用要做的事来描述。没有合适的就换个说法再查,换过说法仍没有,才能说办不到。",
        "queries": "要做的事,每条一件,如「给客户重发发票」",
        "empty": "queries 是空的:写出要做的事,每条一件。",
        "nothing": "没有找到合适的工具。换个说法再查一次,再下结论。",
        "full": "可见工具已满,not_loaded 里的没有加载。已加载:{loaded}。先用已有的工具,或把查询说得更具体。",
        "broken": "搜索暂时不可用。namespaces 是全部领域:用领域名再调用一次,就能加载整个领域。",
        "more": "等 {count} 个",
        "call": "运行一个已经找到的工具:name 是 search_tools 或对话里给出的名字,arguments 按它的参数填写。",
        "name": "工具名",
        "arguments": "该工具的参数",
        "intro": "为这个请求准备好的工具,用 call_tool 调用:",
        "areas": "工具按领域分组,只展示用得上的;没展示的用 search_tools 找。领域:{areas}。",
        "unknown": "没有名为 {name} 的工具。{near}用 search_tools 查找要做的事。",
        "near": "名字相近的有:{names}。",
        "again": "先别说办不到:这些工具没有展示过,现在可以用了:{names}。合用就用它们把事办完;确实不合用,再照实回答。",
    },
    "en": {
        "describe": "Only some of the tools are shown; this one loads others. Areas: {namespaces}. "
        "Ask for several things at once, one query each, worded as the thing to be done. If nothing fits, rephrase and "
        "search again before concluding that something is impossible.",
        "queries": 'things to be done, one each, such as "resend an invoice to a customer"',
        "empty": "queries is empty: say what is to be done, one thing each.",
        "nothing": "No tool fits. Rephrase and search once more before drawing a conclusion.",
        "full": "No more tools can be shown, so those in not_loaded were not loaded. Loaded: {loaded}. "
        "Use these, or make the query more specific.",
        "broken": "The search is out of order. namespaces lists all areas: call again with an area's name to load it.",
        "more": "and {count} more",
        "call": "Run a tool that was found: name as search_tools or the conversation gave it, arguments as it asks.",
        "name": "the tool's name",
        "arguments": "the tool's arguments",
        "intro": "Tools made ready for this request; run them with call_tool:",
        "areas": "Tools come in areas and only those at hand are shown; find others with search_tools. Areas: {areas}.",
        "unknown": "There is no tool called {name}. {near}Look for what is to be done with search_tools.",
        "near": "Close to it are: {names}. ",
        "again": "Do not give up yet. These tools had not been shown and can be used now: {names}. "
        "If one fits, do the job with it; if none does, say so.",
    },
}


def search_tool(catalog: Catalog, allowed: Callable[[Tool], bool]) -> Tool:
    """The definition of `search_tools` for a catalogue: it lists the namespaces and says how to search."""
    texts = _texts(catalog)
    names = list(dict.fromkeys(tool.namespace for tool in catalog if allowed(tool)))
    listed = ", ".join(names[:_LISTED])
    if len(names) > _LISTED:
        listed += " " + texts["more"].format(count=len(names) - _LISTED)
    queries = {"type": "array", "items": {"type": "string"}, "description": texts["queries"]}
    return Tool(
        name=SEARCH_TOOLS,
        namespace="",
        description=texts["describe"].format(namespaces=listed),
        parameters={"type": "object", "properties": {"queries": queries}, "required": ["queries"]},
    )


def areas(catalog: Catalog, allowed: Callable[[Tool], bool]) -> str:
    """For the instructions: the namespaces of a caller and what each is about, so that it is known what to ask for."""
    texts = _texts(catalog)
    names = {tool.namespace for tool in catalog if allowed(tool)}
    spaces = [space for space in catalog.namespaces if space.name in names]
    short = len(spaces) <= _DESCRIBED
    listed = "; ".join(_area(space) if short else space.name for space in spaces[:_LISTED])
    if len(spaces) > _LISTED:
        listed += " " + texts["more"].format(count=len(spaces) - _LISTED)
    return texts["areas"].format(areas=listed)


def _area(space: Namespace) -> str:
    about = space.description.strip().partition("\n")[0]
    short = about if len(about) <= _ABOUT else f"{about[: _ABOUT - 1]}…"
    return f"{space.name} ({short})" if short else space.name


def call_tool(catalog: Catalog) -> Tool:
    """The definition of `call_tool`, the same for every catalogue of one language."""
    texts = _texts(catalog)
    properties = {
        "name": {"type": "string", "description": texts["name"]},
        "arguments": {"type": "object", "description": texts["arguments"], "additionalProperties": True},
    }
    parameters = {"type": "object", "properties": properties, "required": ["name", "arguments"]}
    return Tool(name=CALL_TOOL, namespace="", description=texts["call"], parameters=parameters)


def introduction(tools: Iterable[Tool], catalog: Catalog) -> str:
    """Definitions as text, for a list of tools that must not change: one tool a line, as JSON."""
    rows = [{"name": t.name, "description": t.description, "parameters": compact(t.parameters)} for t in tools]
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return "\n".join([_texts(catalog)["intro"], *lines])


def unknown_tool(name: str, near: Sequence[str], catalog: Catalog) -> str:
    """What a model is told of a name that does not exist for it, whether it is forbidden or made up."""
    texts = _texts(catalog)
    return texts["unknown"].format(name=name[:80], near=texts["near"].format(names=", ".join(near)) if near else "")


def second_thought(names: Collection[str], catalog: Catalog) -> str:
    """What a model is told that denied an ability while these tools had not been shown."""
    return _texts(catalog)["again"].format(names=", ".join(names))


def compact(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON Schema of arguments without what says nothing to a model."""
    return {key: value for key, value in parameters.items() if key not in ("additionalProperties", "title", "$schema")}


def refusal(why: Literal["empty", "nothing", "full", "broken"], catalog: Catalog, loaded: Collection[str] = ()) -> str:
    """What `search_tools` answers when it brings nothing, so that the model does not take that for a no."""
    return _texts(catalog)[why].format(loaded=", ".join(loaded))


def describe_arguments(tool: Tool) -> dict[str, str]:
    """A tool's arguments in a line each: type, whether it may be left out, description."""
    properties = cast("dict[str, Any]", tool.parameters.get("properties") or {})
    required = cast("list[str]", tool.parameters.get("required") or [])
    return {name: _argument(schema, name in required) for name, schema in properties.items()}


def _argument(schema: Any, required: bool) -> str:
    if not isinstance(schema, dict):
        return "any"
    fields = cast("dict[str, Any]", schema)
    kind = str(fields.get("type", "any")) + ("" if required else "?")
    about = str(fields.get("description", ""))
    return f"{kind}: {about}" if about else kind


def _texts(catalog: Catalog) -> dict[str, str]:
    """The wording in the language of most of the catalogue's descriptions."""
    return _TEXTS["zh" if catalog.mostly_chinese else "en"]
