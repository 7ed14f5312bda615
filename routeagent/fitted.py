"""What `fit` computed, kept on disk: a new process with a warm cache neither trains nor imports what trains.

Arrays and JSON only, never pickle. A file that cannot be read is as good as none: it is computed again.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from routeagent.catalog import Example
from routeagent.storage import cache_dir, write_atomic

FORMAT = 4
"""Goes up when the meaning of any stored array changes, so that older files are never read as newer ones."""

Arrays = dict[str, NDArray[Any]]

_log = logging.getLogger(__name__)


def remembered(name: str, key: Sequence[object], compute: Callable[[], Mapping[str, NDArray[Any]]]) -> Arrays:
    """The arrays that `compute` gives, from the disk where they were computed before for the same key."""
    path = cache_dir() / "fitted" / f"{name}-{digest(FORMAT, name, *key)}.npz"
    known = read_arrays(path)
    if known is not None:
        return known
    made = dict(compute())
    write_arrays(path, made)
    return made


def read_arrays(path: Path) -> Arrays | None:
    """The arrays of a file, or None where it is absent or damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        _log.debug("%s cannot be read and is made again: %s", path, error)
        return None


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays whole or not at all; a folder that cannot be written to costs time, not the answer."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    try:
        write_atomic(path, content.getvalue())
    except OSError as error:
        _log.debug("%s cannot be written: %s", path, error)


def digest(*parts: object) -> str:
    """A short digest of anything that JSON can hold; other values count by their `repr`."""
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def examples_digest(examples: Sequence[Example]) -> str:
    """A digest of examples, for cache keys."""
    return digest([asdict(example) for example in examples])


def pack(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Strings as bytes, for `remembered`."""
    return np.frombuffer(json.dumps(list(strings), ensure_ascii=True).encode(), dtype=np.uint8)


def unpack(packed: NDArray[np.uint8]) -> list[str]:
    """The strings that `pack` took."""
    return json.loads(packed.tobytes().decode())
