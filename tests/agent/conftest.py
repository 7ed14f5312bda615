"""The shop that the loop's tests work in."""

from __future__ import annotations

import pytest

from tests.agent.shop import Shop


@pytest.fixture
def shop() -> Shop:
    return Shop()
