"""Catalogues from data files and from OpenAI schemas, and what a catalogue promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from routeagent.catalog import Catalog, Tool, load_catalog
from routeagent.errors import CatalogError, DataError, DuplicateToolError


def write_rows(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")


def test_data_files(tmp_path: Path) -> None:
    write_rows(
        tmp_path / "tools.jsonl",
        {"name": "files.read", "namespace": "files", "description": "Read a file.", "parameters": {"type": "object"}},
        {"name": "发邮件", "namespace": "mail", "description": "发一封邮件。"},
    )
    write_rows(tmp_path / "namespaces.jsonl", {"namespace": "mail", "title": "Mail", "description": "Send mail."})
    catalog = load_catalog(tmp_path)
    assert [tool.label for tool in catalog] == ["files.read", "发邮件"]
    assert [space.description for space in catalog.namespaces] == ["", "Mail. Send mail."]
    assert catalog.wire("发邮件") == catalog.tools[1].name
    with pytest.raises(CatalogError, match="cannot be called"):
        catalog.function(catalog.tools[0].name)


@pytest.mark.parametrize("line", ["{", "[]", '{"namespace": "a"}', '{"name": ""}'])
def test_a_malformed_tool_row_names_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "tools.jsonl").write_text('{"name": "ok"}\n' + line, "utf-8")
    with pytest.raises(DataError, match=r"tools\.jsonl:2"):
        load_catalog(tmp_path)


def schema(name: str, description: str = "Does it.") -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def test_openai_schemas_call_back_under_their_own_name() -> None:
    calls: list[tuple[str, dict[str, Any]]] = []

    def dispatch(name: str, arguments: dict[str, Any]) -> str:
        calls.append((name, arguments))
        return "done"

    flat = {"type": "function", "name": "calendar_add", "description": "Add.", "parameters": {"type": "object"}}
    catalog = Catalog.from_openai([schema("mail.send"), schema("mail.list"), flat], call=dispatch, core=["mail.list"])
    assert [(tool.label, tool.namespace, tool.core) for tool in catalog] == [
        ("mail.send", "mail", False),
        ("mail.list", "mail", True),
        ("calendar_add", "calendar", False),
    ]
    assert catalog.function(catalog.tools[0].name)(x="hello") == "done"
    assert calls == [("mail.send", {"x": "hello"})]


def test_an_entry_without_a_name_is_refused_by_its_place() -> None:
    with pytest.raises(CatalogError, match="tool 2 of the list"):
        Catalog.from_openai([schema("a_b"), {"type": "function", "function": {}}])


def test_two_entries_with_one_name_name_both() -> None:
    with pytest.raises(DuplicateToolError, match="tool 1 of the list and tool 3 of the list"):
        Catalog.from_openai([schema("a_b"), schema("c_d"), schema("a_b")])


def test_narrowing_by_namespace() -> None:
    catalog = Catalog([Tool("a_1", "a", ""), Tool("b_1", "b", ""), Tool("c_1", "c", "")])
    assert [tool.name for tool in catalog.select(only=["a", "b"], exclude=["b"])] == ["a_1"]
    with pytest.raises(CatalogError, match="no namespace 'z'"):
        catalog.select(only=["z"])


def test_the_fingerprint_follows_what_ranking_can_see() -> None:
    one, same = Catalog([Tool("a_1", "a", "x")]), Catalog([Tool("a_1", "a", "x")])
    other = Catalog([Tool("a_1", "a", "y")])
    assert one.fingerprint == same.fingerprint
    assert one.fingerprint != other.fingerprint


def test_an_unknown_name_is_a_clear_error() -> None:
    with pytest.raises(CatalogError, match="no tool called 'nope'"):
        Catalog([])["nope"]
