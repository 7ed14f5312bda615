"""A small folder of domains, and commands run on it in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import models

from routeagent.cli import main
from tests.models.server import RecordingServer

SHOP = {
    "desk/__init__.py": '"""The front desk: people and places."""\n',
    "desk/people.py": '''
from routeagent import tool


@tool(core=True)
def find(name: str) -> str:
    """Find a person by name."""
    return f"found {name}"


def locate(room: str) -> str:
    """Tell where a meeting room is."""
    return f"{room} is upstairs"
''',
    "refund/__init__.py": '"""退款:申请、查询。Refunds."""\n',
    "refund/requests.py": '''
from pathlib import Path

from routeagent import tool


@tool(writes=True)
def submit(invoice: str, cents: int) -> str:
    """提交退款申请。Submit a refund.

    Args:
        invoice: 发票号
        cents: 金额
    """
    print("a tool that prints")
    with Path(__file__).with_name("done.txt").open("a") as file:
        file.write(f"{invoice} {cents}\\n")
    return f"refund of {cents} for {invoice} submitted"


def status(refund: str) -> str:
    """查询退款进度。How far a refund is."""
    return f"{refund} is pending"


def 取消(refund: str) -> str:
    """撤回退款申请。Withdraw a refund."""
    return refund
''',
    "weather/__init__.py": '"""Weather of cities."""\n',
    "weather/reports.py": '''
def forecast(city: str) -> str:
    """Forecast the weather of a city for tomorrow."""
    return f"sunny in {city}"


def history(city: str) -> str:
    """Past weather of a city."""
    return city
''',
}
CASES: dict[str, list[dict[str, Any]]] = {
    "refund/cases.jsonl": [
        {"id": "r1", "query": "查询退款进度", "tools": ["refund_status"]},
        {"id": "r2", "query": "提交退款申请", "tools": ["refund_submit"]},
    ],
    "weather/cases.jsonl": [{"id": "w1", "query": "forecast the weather of Oslo", "tools": ["weather_forecast"]}],
    "cases.jsonl": [
        {"id": "m1", "query": "zebra quagga", "tools": ["refund_取消"]},
        {"id": "n1", "query": "sing me a song", "tools": []},
    ],
}
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "refund/examples.jsonl": [{"query": "钱什么时候到账", "tools": ["refund_status"]}],
    "weather/examples.jsonl": [{"query": "will it rain", "tools": ["weather_forecast"]}],
}


@dataclass(frozen=True)
class Ran:
    """What a command did: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which has to be JSON alone."""
        return json.loads(self.out)

    def refused(self, *words: str) -> None:
        """It was the user's mistake: exit code 2, nothing on stdout, one line on stderr that holds these words."""
        assert self.code == 2, self
        assert self.out == ""
        assert len(self.err.splitlines()) == 1, self.err
        assert self.err.startswith("error: ")
        for word in words:
            assert word in self.err


Command = Callable[..., Ran]


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def domains(tmp_path: Path) -> Path:
    """A shop of three namespaces and seven tools, with two examples and five cases."""
    write(tmp_path / "shop", SHOP)
    return write(tmp_path / "shop", {name: lines(rows) for name, rows in (CASES | EXAMPLES).items()})


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`routeagent ...` run in an empty folder."""
    empty = tmp_path / "here"
    empty.mkdir()
    monkeypatch.chdir(empty)

    def run(*words: str | Path) -> Ran:
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def shop(command: Command, domains: Path) -> Command:
    """A command on the shop, ranked by words alone, which is quick: `shop("search", "退款")`."""

    def run(name: str, *words: str | Path) -> Ran:
        return command(name, *words, "--domains", domains, "--retriever", "bm25", "--router", "flat")

    return run


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingServer]:
    """A provider on loopback that a command may really ask."""
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-loopback-only")
    with RecordingServer() as running:
        yield running
