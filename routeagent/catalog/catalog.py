"""A catalogue: tools by wire name, their namespaces, and what people say when they need them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import Any, Protocol

from routeagent.catalog.tool import Example, Namespace, Tool
from routeagent.errors import CatalogError, DuplicateToolError

Dispatch = Callable[[str, dict[str, Any]], Any]
"""`call(name, arguments)`: runs a tool that lives in somebody else's loop."""


class Executor(Protocol):
    """Turns a tool's wire name into the Python callable behind it; may import modules or start servers."""

    def __call__(self, name: str, /) -> Callable[..., Any]: ...


class Catalog:
    """An immutable set of tools with unique wire names.

    Args:
        tools: in the order in which people defined them.
        namespaces: descriptions for routers; a namespace that only tools name gets an empty description.
        examples: requests with the tools they need; routers and rankers are fitted on them.
        terms: words that jieba must not take apart.
        executor: finds the callable behind a wire name; None makes the catalogue good for evaluation only.
        make_deps: makes what `RunContext.deps` holds for tools that ask for it, from the options of the method.
        problems: one sentence for each part that could not be loaded.
        typed: whether the callables have signatures to validate arguments by; else the JSON Schemas say all.

    Raises:
        DuplicateToolError: two tools with one name; both origins are named.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        namespaces: Iterable[Namespace] = (),
        examples: Iterable[Example] = (),
        terms: Iterable[str] = (),
        *,
        executor: Executor | None = None,
        make_deps: Callable[..., Any] | None = None,
        problems: Sequence[str] = (),
        typed: bool = True,
    ) -> None:
        self.tools: tuple[Tool, ...] = tuple(tools)
        self._by_name: dict[str, Tool] = {}
        for tool in self.tools:
            if tool.name in self._by_name:
                first = self._by_name[tool.name]
                raise DuplicateToolError(
                    f"two tools are called {tool.name!r}: {first.origin or first.namespace} and "
                    f"{tool.origin or tool.namespace}; rename one of them"
                )
            self._by_name[tool.name] = tool
        described = {namespace.name: namespace for namespace in namespaces}
        self.namespaces: tuple[Namespace, ...] = tuple(
            described.get(name, Namespace(name)) for name in dict.fromkeys(tool.namespace for tool in self.tools)
        )
        self.examples: tuple[Example, ...] = tuple(examples)
        self.terms: tuple[str, ...] = tuple(terms)
        self.problems: tuple[str, ...] = tuple(problems)
        self.typed = typed
        self._executor = executor
        self._make_deps = make_deps

    def __len__(self) -> int:
        return len(self.tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Tool:
        try:
            return self._by_name[name]
        except KeyError:
            raise CatalogError(f"there is no tool called {name!r} among the {len(self)} of this catalogue") from None

    def __repr__(self) -> str:
        return f"<Catalog of {len(self)} tools in {len(self.namespaces)} namespaces>"

    def group(self, namespace: str) -> tuple[Tool, ...]:
        """The tools of one namespace, in the order of definition."""
        return self._groups.get(namespace, ())

    @cached_property
    def _groups(self) -> dict[str, tuple[Tool, ...]]:
        groups: dict[str, list[Tool]] = {}
        for tool in self.tools:
            groups.setdefault(tool.namespace, []).append(tool)
        return {name: tuple(tools) for name, tools in groups.items()}

    @cached_property
    def mostly_chinese(self) -> bool:
        """Whether more than half of the descriptions have Chinese in them: the language to speak to a model in."""
        chinese = sum(any("一" <= sign <= "鿿" for sign in tool.description) for tool in self.tools)
        return chinese * 2 > len(self.tools)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that ranking can see; caches are keyed by it."""
        seen = [[asdict(tool) for tool in self.tools], [asdict(namespace) for namespace in self.namespaces]]
        seen += [[asdict(example) for example in self.examples], list(self.terms)]
        text = json.dumps(seen, ensure_ascii=True, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def _wire_names(self) -> dict[str, str]:
        return {tool.label: tool.name for tool in self.tools if tool.label} | {name: name for name in self._by_name}

    def wire(self, name: str) -> str | None:
        """A tool's wire name from its own name or its wire name; None where there is no such tool."""
        return self._wire_names.get(name)

    @classmethod
    def from_openai(cls, tools: Iterable[Mapping[str, Any]], call: Dispatch | None = None, **options: Any) -> Catalog:
        """A catalogue of OpenAI function definitions; see `routeagent.catalog.openai.from_openai`."""
        from routeagent.catalog.openai import from_openai  # that module is built on this one

        return from_openai(tools, call, **options)

    @property
    def executable(self) -> bool:
        """Whether there is code behind the tools."""
        return self._executor is not None

    def function(self, name: str) -> Callable[..., Any]:
        """The callable behind a tool.

        Raises:
            CatalogError: no such tool, or the catalogue came from data alone.
        """
        tool = self[name]
        if self._executor is None:
            raise CatalogError(
                f"{tool.label or name!r} cannot be called: this catalogue was read from data files alone"
            )
        return self._executor(name)

    def make_deps(self, **options: Any) -> Any:
        """A fresh `RunContext.deps` for this catalogue's tools, or None where they need none.

        Args:
            options: what the catalogue's own factory takes; a folder's `make_deps` takes `database`, the path of the
                database to work on, built there where it does not exist.
        """
        return self._make_deps(**options) if self._make_deps else None

    def select(self, *, only: Sequence[str] = (), exclude: Sequence[str] = ()) -> Catalog:
        """The catalogue narrowed to some namespaces.

        Raises:
            CatalogError: a namespace that does not exist.
        """
        known = {namespace.name for namespace in self.namespaces}
        for name in (*only, *exclude):
            if name not in known:
                raise CatalogError(f"there is no namespace {name!r}; known are {', '.join(sorted(known)[:20])}")
        kept = {name for name in known if (not only or name in only) and name not in exclude}
        return self.keep(lambda tool: tool.namespace in kept)

    def keep(self, wanted: Callable[[Tool], bool], *, examples: Iterable[Example] | None = None) -> Catalog:
        """The catalogue of the tools that `wanted` accepts; examples that need a dropped tool go with it."""
        tools = [tool for tool in self.tools if wanted(tool)]
        names = {tool.name for tool in tools}
        pool = self.examples if examples is None else examples
        return self._of(tools, [example for example in pool if all(name in names for name in example.tools)])

    def scoped(self, scopes: Mapping[str, Sequence[str]]) -> Catalog:
        """The catalogue in which some tools, by name, need these scopes instead of their own.

        Raises:
            CatalogError: a tool that does not exist.
        """
        needed = {self[name].name: tuple(held) for name, held in scopes.items()}
        return self._of((replace(tool, scopes=needed.get(tool.name, tool.scopes)) for tool in self), self.examples)

    def _of(self, tools: Iterable[Tool], examples: Iterable[Example]) -> Catalog:
        return Catalog(
            tools,
            self.namespaces,
            examples,
            self.terms,
            executor=self._executor,
            make_deps=self._make_deps,
            problems=self.problems,
            typed=self.typed,
        )
