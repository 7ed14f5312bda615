"""Vectors by content: a tool's text is embedded once on a machine, a repeated request once in a process."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Self

import numpy as np

from routeagent.catalog import Catalog, Example
from routeagent.embedders.base import Embedder, FittedEmbedder, Kind, Vectors
from routeagent.errors import EmbedderError
from routeagent.fitted import digest, read_arrays, write_arrays
from routeagent.storage import cache_dir

_QUERIES_REMEMBERED = 1_024
_ROWS_KEPT = 100_000
_BATCH_OF_QUERIES = 8
_DIGEST_BYTES = 16


class CachedEmbedder:
    """An embedder behind a cache. When everything asked for is known, the model is not even loaded.

    Tools' vectors, and requests that come in batches (examples), lie in one file an embedder, read when first
    needed; single requests stay in memory. After a failure, requests fail at once for `rest` seconds with the same
    error instead of waiting for the same timeout again. A request that takes longer than `deadline` seconds fails, too.
    """

    def __init__(self, embedder: Embedder, rest: float = 30.0, deadline: float = 5.0) -> None:
        self.embedder = embedder
        self.deadline = deadline
        self.rest = rest
        self._lock = threading.Lock()
        self._queries: OrderedDict[str, Vectors] = OrderedDict()
        self._rows: dict[bytes, Vectors] | None = None
        self._failure: tuple[float, EmbedderError] | None = None

    @property
    def name(self) -> str:
        """The name of the embedder behind the cache."""
        return self.embedder.name

    def fit(self, catalog: Catalog, examples: Sequence[Example]) -> Self:
        """Pass the catalogue to an embedder that has to see it."""
        if isinstance(self.embedder, FittedEmbedder):
            self.embedder.fit(catalog, examples)
            self._rows = None
            self._queries.clear()
        return self

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See `Embedder.embed`."""
        if _is_request(texts, kind):
            return self._from_memory(texts)
        return self._from_disk(texts, kind)

    def _from_memory(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            found = {text: self._queries[text] for text in texts if text in self._queries}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing or not texts:
            rows = self._ask(missing, "query")
            if not texts:
                return rows
            found.update(zip(missing, rows, strict=True))
            self._keep(missing, rows)
        return np.stack([found[text] for text in texts])

    def _keep(self, texts: Sequence[str], rows: Vectors) -> None:
        with self._lock:
            self._queries.update(zip(texts, rows, strict=True))
            while len(self._queries) > _QUERIES_REMEMBERED:
                self._queries.popitem(last=False)

    def _from_disk(self, texts: Sequence[str], kind: Kind) -> Vectors:
        keys = [_key(text, kind) for text in texts]
        with self._lock:
            known = self._rows if self._rows is not None else _read(self._path)
            self._rows = known
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing or not texts:
            rows = self._ask(list(missing.values()), kind)
            if not texts:
                return rows
            with self._lock:
                # Another process may have written meanwhile.
                known = {**_read(self._path), **known, **dict(zip(missing, rows, strict=True))}
                self._rows = dict(list(known.items())[-_ROWS_KEPT:])
                _write(self._path, self._rows)
        return np.stack([known[key] for key in keys])

    @property
    def _path(self) -> Path:
        return cache_dir() / "vectors" / f"{digest(self.name)}.npz"

    def _in_time(self, texts: Sequence[str]) -> Vectors:
        future: Future[Vectors] = Future()
        # Not a pool: its threads are waited for when Python ends, and this one may never end.
        Thread(target=_answer_into, args=(future, self.embedder, texts), daemon=True).start()
        try:
            return future.result(self.deadline)
        except TimeoutError as error:
            raise EmbedderError(f"{self.name}: no vector within {self.deadline:g} seconds") from error

    def _ask(self, texts: Sequence[str], kind: Kind) -> Vectors:
        failure = self._failure
        if failure is not None and kind == "query" and time.monotonic() < failure[0]:
            raise EmbedderError(str(failure[1]))
        try:
            rows = self._in_time(texts) if _is_request(texts, kind) else self.embedder.embed(texts, kind)
        except EmbedderError as error:
            self._failure = (time.monotonic() + self.rest, error)
            raise
        self._failure = None
        return rows


def cached(embedder: Embedder) -> CachedEmbedder:
    """The embedder behind a cache, once."""
    return embedder if isinstance(embedder, CachedEmbedder) else CachedEmbedder(embedder)


def _is_request(texts: Sequence[str], kind: Kind) -> bool:
    """Whether somebody waits for these vectors; many at once are examples, which may take their time."""
    return kind == "query" and len(texts) < _BATCH_OF_QUERIES


def _answer_into(future: Future[Vectors], embedder: Embedder, texts: Sequence[str]) -> None:
    try:
        future.set_result(embedder.embed(texts, "query"))
    except BaseException as error:  # it belongs to whoever waits for the future
        future.set_exception(error)


def _key(text: str, kind: Kind) -> bytes:
    content = f"{kind}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _read(path: Path) -> dict[bytes, Vectors]:
    arrays = read_arrays(path) or {}
    keys, vectors = arrays.get("keys"), arrays.get("vectors")
    if keys is None or vectors is None or keys.ndim != 2 or len(keys) != len(vectors):
        return {}
    return {row.tobytes(): vector for row, vector in zip(keys, vectors, strict=True)}


def _write(path: Path, rows: dict[bytes, Vectors]) -> None:
    keys = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, _DIGEST_BYTES)
    write_arrays(path, {"keys": keys, "vectors": np.stack(list(rows.values()))})
