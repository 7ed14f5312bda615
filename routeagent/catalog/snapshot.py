"""What importing a folder of domains found, kept on disk so that a search need not import it again."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from routeagent.catalog.tool import Example, Namespace, Tool
from routeagent.storage import cache_dir, write_atomic

_FORMAT = 2
_READ = ("*.py", "*/*.py", "*/examples.jsonl", "terms.txt")


@dataclass(slots=True)
class Snapshot:
    """A folder as read: its tools, where their functions are (`module:function`), and what went wrong."""

    tools: list[Tool] = field(default_factory=list[Tool])
    namespaces: list[Namespace] = field(default_factory=list[Namespace])
    examples: list[Example] = field(default_factory=list[Example])
    terms: list[str] = field(default_factory=list[str])
    references: dict[str, str] = field(default_factory=dict[str, str])
    problems: list[str] = field(default_factory=list[str])
    has_deps: bool = False
    complete: bool = True


def read_snapshot(root: Path) -> Snapshot | None:
    """The snapshot of a folder, or None where there is none, it is out of date, or it cannot be read."""
    try:
        row = json.loads(_path(root).read_bytes())
        if row["key"] != _key(root):
            return None
        return Snapshot(
            tools=[_tool(tool) for tool in row["tools"]],
            namespaces=[Namespace(**namespace) for namespace in row["namespaces"]],
            examples=[_example(example) for example in row["examples"]],
            terms=row["terms"],
            references=row["references"],
            problems=row["problems"],
            has_deps=row["has_deps"],
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # a cache that is absent or corrupt costs an import, nothing else


def write_snapshot(root: Path, snapshot: Snapshot) -> None:
    """Keep a snapshot; where the cache folder cannot be written the next start is only slower."""
    row = {**asdict(snapshot), "key": _key(root)}
    try:
        write_atomic(_path(root), json.dumps(row, ensure_ascii=True).encode())
    except OSError:
        return


def _path(root: Path) -> Path:
    return cache_dir() / "catalogs" / f"{hashlib.sha256(str(root).encode()).hexdigest()[:16]}.json"


def _key(root: Path) -> str:
    """A digest of every file that the snapshot was read from, and of what made schemas of it."""
    digest = hashlib.sha256(f"{_FORMAT} {platform.python_version()} {version('pydantic-ai-slim')}".encode())
    for path in sorted(path for pattern in _READ for path in root.glob(pattern)):
        digest.update(f"\0{path.relative_to(root)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _tool(row: dict[str, Any]) -> Tool:
    row["scopes"] = tuple(row["scopes"])
    return Tool(**row)


def _example(row: dict[str, Any]) -> Example:
    row["tools"], row["history"] = tuple(row["tools"]), tuple(row["history"])
    row["alternatives"] = {name: tuple(others) for name, others in row["alternatives"].items()}
    return Example(**row)
