"""The small two-language catalogue of the ranking's tests, and its cache folder."""

from tests.ranking.conftest import EXAMPLES, TOOLS, catalog, empty_cache, examples, own_cache

__all__ = ["EXAMPLES", "TOOLS", "catalog", "empty_cache", "examples", "own_cache"]
