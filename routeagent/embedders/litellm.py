"""Any provider's embeddings through litellm: `litellm:openai/bge-m3` with a base URL is a firm's own server."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from routeagent.embedders.base import Kind, Vectors, unit_rows
from routeagent.errors import EmbedderError

_BATCH = 64
# OpenAI's interface refuses empty strings.
_NOTHING = " "


class LiteLLM:
    """Embeds over the network.

    Args:
        model: litellm's name, `PROVIDER/MODEL`.
        base_url: of a server that speaks OpenAI's `/embeddings`; None is the provider's own.
        api_key: None leaves it to the provider's environment variable.
        timeout: seconds a request may take.
        query_prefix: set before a request, for models that ask for it.
        tool_prefix: set before a tool's text.
    """

    shorthand = "model"

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 20.0,
        query_prefix: str = "",
        tool_prefix: str = "",
    ) -> None:
        self.model = model
        self.base_url = base_url
        self.api_key = api_key
        self.timeout = timeout
        self.query_prefix = query_prefix
        self.tool_prefix = tool_prefix

    @property
    def name(self) -> str:
        """Differs by all that changes a vector."""
        return "\n".join(("litellm", self.model, self.base_url or "", self.query_prefix, self.tool_prefix))

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See `Embedder.embed`."""
        prefix = self.query_prefix if kind == "query" else self.tool_prefix
        usable = [prefix + (text.encode("utf-8", "replace").decode() or _NOTHING) for text in texts]
        batches = [self._ask(usable[start : start + _BATCH]) for start in range(0, len(usable), _BATCH)]
        return unit_rows(np.concatenate(batches)) if batches else np.zeros((0, 1), dtype=np.float32)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        litellm = _load()
        try:
            answer = litellm.embedding(
                model=self.model,
                input=list(texts),
                api_base=self.base_url,
                api_key=self.api_key,
                timeout=self.timeout,
                max_retries=0,
                encoding_format="float",
            )
            rows = [row["embedding"] for row in sorted(answer.data, key=lambda row: row["index"])]
            matrix = np.asarray(rows, dtype=np.float32)
        except Exception as error:  # litellm raises its providers' errors, of many trees
            raise EmbedderError(f"the embedder {self.model!r} did not answer: {_first_line(error)}") from error
        if matrix.ndim != 2 or len(matrix) != len(texts):
            raise EmbedderError(f"the embedder {self.model!r} gave {len(matrix)} vectors for {len(texts)} texts")
        return matrix


def _load() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        import litellm
    except ImportError as error:
        raise EmbedderError(f"litellm cannot be loaded ({error}): pip install litellm") from error
    litellm.suppress_debug_info = True
    return litellm


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
