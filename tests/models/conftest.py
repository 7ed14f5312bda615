"""What every test of a model needs: a server, no keys or proxies from outside, and silence on stdout."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from pydantic_ai.models import override_allow_model_requests

from tests.models.server import RecordingServer


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    with RecordingServer() as running:
        yield running


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.upper().endswith(("_API_KEY", "_TOKEN", "_PROXY", "_BASE_URL", "_API_BASE")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def requests_allowed() -> Iterator[None]:
    with override_allow_model_requests(True):
        yield


@pytest.fixture(autouse=True)
def silent_stdout(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """`--json -` writes to stdout, so nothing else may."""
    yield
    assert capsys.readouterr().out == ""
