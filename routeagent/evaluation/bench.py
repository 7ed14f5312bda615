"""What a run of a task stands on: a database of its own, and the catalogue as the task's caller has it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from routeagent.catalog import Catalog
from routeagent.errors import CatalogError, DataError
from routeagent.evaluation.arms import Arm
from routeagent.evaluation.tasks import Task
from routeagent.search import ToolIndex


class Databases:
    """Fresh databases for a catalogue's tools: built once, copied for each run.

    Args:
        catalog: its `make_deps(database=PATH)` builds one where there is none.
        folder: where they lie; nothing else is in it.

    Raises:
        CatalogError: its `make_deps` takes no path, so runs would share one database.
    """

    def __init__(self, catalog: Catalog, folder: Path) -> None:
        self._catalog = catalog
        self._pristine = folder / "pristine.db"
        self.path = folder / "run.db"
        self._deps(self._pristine)

    def fresh(self) -> Any:
        """What a run's tools find in `ctx.deps`, over a database that nothing was done to."""
        if self._pristine.exists():
            shutil.copyfile(self._pristine, self.path)
        return self._deps(self.path)

    def _deps(self, path: Path) -> Any:
        try:
            return self._catalog.make_deps(database=path)
        except TypeError as error:
            raise CatalogError(
                f"make_deps of this catalogue cannot work on a database of its own for each run ({error}); "
                "let it take database: Path | None = None and build a fresh one there"
            ) from error


class Indexes:
    """Indexes by what an arm ranks with and what a task's tools need; each is built once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._built: dict[tuple[Any, ...], ToolIndex] = {}

    def get(self, arm: Arm, task: Task) -> ToolIndex:
        """The index of a task under an arm; its catalogue has the scopes of that task."""
        key = (arm.router, arm.retriever, arm.embedder, *sorted(task.scopes.items()))
        if key not in self._built:
            catalog = self._catalog.scoped(task.scopes) if task.scopes else self._catalog
            self._built[key] = ToolIndex(catalog, router=arm.router, retriever=arm.retriever, embedder=arm.embedder)
        return self._built[key]


def check_tasks(catalog: Catalog, tasks: list[Task]) -> None:
    """Refuse tasks that name tools which the catalogue does not have.

    Raises:
        DataError: the task and the tool are named.
    """
    for task in tasks:
        for name in (*task.needs, *task.scopes):
            if name not in catalog:
                raise DataError(f"task {task.id!r} names the tool {name!r}, which this catalogue does not have")
