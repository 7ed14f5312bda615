"""What a provider takes for a million tokens, from the table that litellm ships; litellm itself is not imported."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = "model_prices_and_context_window_backup.json"
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Prices in US dollars a million tokens.

    Attributes:
        input: prompt tokens that are new.
        cached: prompt tokens read from the provider's cache; equal to `input` where that is no cheaper.
        output: tokens of the answer.
        window: tokens of context, None where the table does not say.
    """

    input: float
    cached: float
    output: float
    window: int | None = None


def price_of(model: str) -> Price | None:
    """The price of a model by its litellm name, with or without the provider; None where the table has none."""
    table = _table()
    row = table.get(model) or table.get(model.partition("/")[2])
    if not row or not row.get("input_cost_per_token"):
        return None
    fresh = float(row["input_cost_per_token"])
    cached = float(row.get("cache_read_input_token_cost") or fresh)
    output = float(row.get("output_cost_per_token") or 0.0)
    return Price(fresh * _MILLION, cached * _MILLION, output * _MILLION, row.get("max_input_tokens"))


@cache
def _table() -> dict[str, dict[str, Any]]:
    spec = importlib.util.find_spec("litellm")
    path = Path(spec.origin).parent / _TABLE if spec and spec.origin else None
    if path is None or not path.is_file():
        return {}
    return json.loads(path.read_text("utf-8"))
