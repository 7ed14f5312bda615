"""What every test stands on: caches of its own, no network beyond loopback, no model by accident."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import models

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:  # pyright: ignore[reportUnusedFunction]
    """One cache for the session, so that vectors are made once and nothing of the user's is read or written."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUTEAGENT_CACHE", str(folder))
        patch.setenv("CLOUDLEDGER_DB", str(folder / "cloudledger.db"))
        patch.setenv("ONCALL_DB", str(folder / "oncall.db"))
        patch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        patch.delenv("ROUTEAGENT_MODEL", raising=False)
        patch.setattr(models, "ALLOW_MODEL_REQUESTS", False)
        yield folder


@pytest.fixture(scope="session", autouse=True)
def _loopback_only() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """A test that reaches for another machine fails at once and says so."""
    connect: Callable[..., Any] = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address!r}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for one test."""
    folder = tmp_path / "own-cache"
    monkeypatch.setenv("ROUTEAGENT_CACHE", str(folder))
    return folder
