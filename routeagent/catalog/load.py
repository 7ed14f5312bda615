"""One door for every kind of source."""

from __future__ import annotations

from pathlib import Path

from routeagent.catalog.catalog import Catalog
from routeagent.catalog.folder import load_folder
from routeagent.catalog.jsonl import load_jsonl


def load_catalog(folder: str | Path) -> Catalog:
    """Read a catalogue from a folder of domains, or from one of data files (it holds a `tools.jsonl`).

    Raises:
        CatalogError: there is no such folder, or two tools share a name.
        DataError: a data file is malformed.
    """
    return load_jsonl(folder) if (Path(folder) / "tools.jsonl").is_file() else load_folder(folder)
