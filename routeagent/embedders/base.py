"""The seam: an embedder turns texts into unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from routeagent.catalog import Catalog, Example

Kind = Literal["query", "tool"]
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their likeness."""

    @property
    def name(self) -> str:
        """Which vectors these are: two embedders with one name give the same vector for the same text."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """One row of unit length a text: `(len(texts), d)`. A text without content may have a row of zeros.

        Args:
            texts: requests, cut at 800 characters by those who call, or descriptions of tools.
            kind: models embed a request otherwise than what it should find.

        Raises:
            EmbedderError: the model could not be loaded or did not answer.
        """
        ...


@runtime_checkable
class FittedEmbedder(Protocol):
    """An embedder that has to see the catalogue first."""

    def fit(self, catalog: Catalog, examples: Sequence[Example]) -> Self: ...


def unit_rows(matrix: NDArray[np.floating]) -> Vectors:
    """Rows scaled to length one; rows of zeros stay as they are."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths == 0, 1, lengths)).astype(np.float32)
