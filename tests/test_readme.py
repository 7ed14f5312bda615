"""What the READMEs show is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
READMES = ["README.md", "README.zh.md"]
ASK = "user007@example.com 说 10 月被扣了两次款,帮我核实一下"


def block(readme: str, mark: str) -> str:
    """The fenced block behind an HTML comment."""
    text = (ROOT / readme).read_text("utf-8")
    found = re.search(rf"<!-- {re.escape(mark)} -->\n```\w*\n(.*?)```", text, re.S)
    assert found, f"{readme} has no block behind <!-- {mark} -->"
    return found[1]


def run(*command: str) -> str:
    return subprocess.run(
        command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout


@pytest.mark.parametrize("readme", READMES)
def test_the_first_output_is_the_real_one(readme: str) -> None:
    said = run(sys.executable, "-m", "routeagent.cli", "run", "--domains", "domains", ASK)
    lines = [line for line in said.splitlines() if not line.startswith("trace:")]
    assert "\n".join(lines).strip() == block(readme, "output: make run").strip()
    for fact in ("C007", "INV-2026-0337", "INV-2026-0338", "10 月 8 日", "2392"):
        assert fact in said


@pytest.mark.parametrize("readme", READMES)
def test_the_quickstart_runs(readme: str) -> None:
    said = run(sys.executable, "-c", block(readme, "quickstart"))
    assert "C007" in said
    assert "invoice_list" in said
    definitions, everything = map(int, re.findall(r"(\d+) of (\d+)\s*$", said)[0])
    assert definitions <= everything / 4


@pytest.mark.parametrize("readme", READMES)
def test_the_module_shown_is_the_module(readme: str) -> None:
    shown = block(readme, "module: domains/invoice/ledger.py")
    assert shown.strip() in (ROOT / "domains" / "invoice" / "ledger.py").read_text("utf-8")


def test_make_run_asks_what_the_readme_says() -> None:
    assert f"ASK ?= {ASK}\n" in (ROOT / "Makefile").read_text("utf-8")
