"""A router of somebody's own, named on the command line as `tests.cli.strategies:OnlyWeather`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from routeagent.catalog import Catalog, Example
from routeagent.scored import ScoredNamespace


class OnlyWeather:
    """Looks nowhere but in `weather`."""

    def fit(self, catalog: Catalog, examples: Sequence[Example]) -> Self:
        return self

    def route(self, query: str) -> list[ScoredNamespace]:
        return [ScoredNamespace("weather", 1.0)]
