"""A folder of domains becomes a catalogue: names, schemas, options, and what goes wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from routeagent.catalog import load_catalog
from routeagent.errors import CatalogError, DuplicateToolError


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.fixture
def domains(tmp_path: Path, cache: Path) -> Path:
    return write(
        tmp_path / "domains",
        {
            "refund/__init__.py": '"""退款:申请与审批。"""\n',
            "refund/requests.py": '''
from routeagent import tool

@tool(writes=True, scopes=["finance"], timeout=3)
def refund_submit(invoice_id: str, cents: int = 0) -> str:
    """提交退款申请。

    Args:
        invoice_id: 发票号
        cents: 金额
    """
    return f"{invoice_id}:{cents}"

def status(refund_id: str) -> str:
    """退款到哪一步了。"""
    return refund_id

def _private() -> None: ...
''',
            "refund/examples.jsonl": '{"query": "钱什么时候退", "tools": ["refund_status"]}\n',
            "invoice/__init__.py": '"""Invoices."""\nfrom ..refund.requests import status\n',
            "invoice/all.py": 'from os import getcwd\n\ndef list_() -> list[str]:\n    """All."""\n    return []\n',
            "_shared/code.py": "def not_a_tool() -> None: ...\n",
            "terms.txt": "# words\n红冲\n\n两步验证\n",
        },
    )


def test_names_follow_the_folder(domains: Path) -> None:
    catalog = load_catalog(domains)
    assert [tool.name for tool in catalog] == ["invoice_list", "refund_submit", "refund_status"]
    assert {space.name: space.description for space in catalog.namespaces} == {
        "invoice": "Invoices.",
        "refund": "退款:申请与审批。",
    }
    assert catalog.terms == ("红冲", "两步验证")


def test_schema_and_options(domains: Path) -> None:
    submit = load_catalog(domains)["refund_submit"]
    assert submit.description == "提交退款申请。"
    assert submit.parameters["required"] == ["invoice_id"]
    assert submit.parameters["properties"]["invoice_id"] == {"type": "string", "description": "发票号"}
    assert (submit.writes, submit.core, submit.scopes, submit.timeout) == (True, False, ("finance",), 3)


def test_the_function_behind_a_tool_runs(domains: Path) -> None:
    assert load_catalog(domains).function("refund_submit")("INV-1", cents=5) == "INV-1:5"


def test_an_example_carries_wire_names(domains: Path) -> None:
    assert [(row.query, row.tools) for row in load_catalog(domains).examples] == [("钱什么时候退", ("refund_status",))]


def test_a_second_start_imports_no_domain_module(domains: Path, cache: Path) -> None:
    first = load_catalog(domains)
    script = (
        "import sys; from routeagent.catalog import load_catalog\n"
        f"catalog = load_catalog({str(domains)!r})\n"
        "print(len(catalog), catalog.fingerprint, any(name.startswith('routeagent_domains') for name in sys.modules),"
        " 'pydantic_ai' in sys.modules)\n"
        "print(catalog.function('refund_status')('RF-1'))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["3", first.fingerprint, "False", "False", "RF-1"]


def test_a_changed_file_is_read_again(domains: Path) -> None:
    load_catalog(domains)
    write(domains, {"refund/requests.py": 'def undo() -> str:\n    """Take it back."""\n    return "undone"\n'})
    catalog = load_catalog(domains)
    assert "refund_undo" in catalog
    assert "refund_submit" not in catalog
    assert catalog.function("refund_undo")() == "undone"


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b'{"key": 1}', b"\xff\x00"])
def test_a_corrupt_snapshot_costs_nothing_but_time(domains: Path, cache: Path, junk: bytes) -> None:
    expected = load_catalog(domains).fingerprint
    for snapshot in (cache / "catalogs").iterdir():
        snapshot.write_bytes(junk)
    assert load_catalog(domains).fingerprint == expected


def test_a_domain_that_fails_is_named_and_the_others_load(domains: Path) -> None:
    write(domains, {"ticket/__init__.py": '"""Tickets."""', "ticket/broken.py": "import no_such_module_here\n"})
    for _ in range(2):  # a failure is not remembered: what was missing may be installed by then
        catalog = load_catalog(domains)
        assert len(catalog) == 3
        (problem,) = catalog.problems
        assert "ticket/broken.py" in problem
        assert "no_such_module_here" in problem


@pytest.mark.parametrize(
    "source", ["def broken(:\n", "raise SystemExit(3)\n", "def f(x: NoSuchType) -> None:\n    'Does it.'\n"]
)
def test_a_module_that_cannot_be_read_is_named(domains: Path, source: str) -> None:
    write(domains, {"ticket/bad.py": source})
    catalog = load_catalog(domains)
    assert len(catalog) == 3
    assert any("bad.py" in problem for problem in catalog.problems)


def test_a_tool_without_docstring_loads_and_is_named(domains: Path) -> None:
    write(domains, {"ticket/quiet.py": "def peek(ticket_id: str) -> str:\n    return ticket_id\n"})
    catalog = load_catalog(domains)
    assert catalog["ticket_peek"].description == ""
    assert any("ticket_peek" in problem and "docstring" in problem for problem in catalog.problems)


def test_duplicates_name_both_places(domains: Path) -> None:
    write(domains, {"refund/again.py": 'def status() -> str:\n    """Again."""\n    return ""\n'})
    with pytest.raises(DuplicateToolError, match=r"refund_status.*again\.py:1.*requests\.py"):
        load_catalog(domains)


def test_bad_example_lines_cost_themselves_only(domains: Path) -> None:
    lines = ['{"query": "ok", "tools": ["refund_status"]}', "{not json", '{"query": "x", "tools": ["nope"]}', "7"]
    write(domains, {"refund/examples.jsonl": "\n".join(lines)})
    catalog = load_catalog(domains)
    assert [row.query for row in catalog.examples] == ["ok"]
    assert [f"examples.jsonl:{number}" in text for number, text in zip((2, 3, 4), catalog.problems, strict=True)] == (
        [True] * 3
    )


def test_chinese_function_names_get_a_wire_name(domains: Path) -> None:
    write(domains, {"ticket/zh.py": 'def 关闭工单(ticket_id: str) -> str:\n    """关掉。"""\n    return ticket_id\n'})
    catalog = load_catalog(domains)
    wire = catalog.wire("ticket_关闭工单")
    assert wire is not None
    assert wire.isascii()
    assert catalog[wire].label == "ticket_关闭工单"
    assert catalog.function(wire)("T-1") == "T-1"


def test_an_empty_folder_is_an_empty_catalogue(tmp_path: Path, cache: Path) -> None:
    assert len(load_catalog(tmp_path)) == 0


def test_a_missing_folder_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="there is no folder"):
        load_catalog(tmp_path / "nowhere")
