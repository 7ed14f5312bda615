"""A router with a bug in it."""

from __future__ import annotations


class Broken:
    """Cannot be fitted."""

    def fit(self, *_: object) -> None:
        raise ZeroDivisionError("nobody expected this")
