"""Where caches live, and how a file is written so that a crash leaves the old one or the new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

CACHE_VARIABLE = "ROUTEAGENT_CACHE"


def cache_dir() -> Path:
    """The folder of all caches: `$ROUTEAGENT_CACHE`, else the user's cache folder. It may be deleted at any time."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_cache_dir  # a tenth of the start-up time of a command that needs no cache

    return Path(user_cache_dir("routeagent", appauthor=False))


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file whole: to a neighbour first, then renamed over it. Parent folders are made.

    Raises:
        OSError: the folder cannot be written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
