"""The cases that a command measures on: a file of queries, or those that lie in the source itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from routeagent.cli.output import warn
from routeagent.cli.sources import Setup
from routeagent.errors import UsageError

if TYPE_CHECKING:
    from routeagent.catalog import Example


def case_files(setup: Setup, queries: Path | None) -> list[Path]:
    """Where the cases are: the file that was named, `queries.jsonl` of a data folder, or the domains' `cases.jsonl`."""
    named = queries or setup.defaults.get("queries")
    if named is not None:
        return [named]
    beside = setup.folder / "queries.jsonl"
    if (setup.folder / "tools.jsonl").is_file() and beside.is_file():
        return [beside]
    several = setup.folder / "cases.jsonl"
    return [*sorted(setup.folder.glob("*/cases.jsonl")), *([several] if several.is_file() else [])]


def read_all(setup: Setup, queries: Path | None) -> list[Example]:
    """Every case of the source, those left out that need a tool which `--only` or `--exclude` took away.

    Raises:
        UsageError: there are none.
        DataError: a file cannot be read, or needs a tool that does not exist.
    """
    from routeagent.evaluation.datasets import bind

    found = read_files(case_files(setup, queries))
    if not found:
        raise UsageError(f"{queries or setup.folder} holds no cases; name a file of them with --queries FILE")
    if setup.catalog is setup.whole:
        return found
    kept = [case for case in bind(found, setup.whole) if all(name in setup.catalog for name in case.tools)]
    if len(kept) < len(found):
        warn(f"{len(found) - len(kept)} of {len(found)} cases need tools outside the chosen namespaces: left out")
    if not kept:
        raise UsageError("no case is left: all of them need tools outside the chosen namespaces")
    return kept


def read_files(files: Sequence[Path]) -> list[Example]:
    """The cases of some files; where there are several, an id says which file it is from unless it is unique."""
    from routeagent.evaluation.datasets import read_cases

    found = [(path, case) for path in files for case in read_cases(path)]
    seen = [case.id for _, case in found]
    if len(set(seen)) == len(seen):
        return [case for _, case in found]
    return [replace(case, id=f"{path.parent.name}/{case.id}") for path, case in found]
