"""A catalogue from a folder of domains: each sub-folder a namespace, each public function in it a tool."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from routeagent.catalog.catalog import Catalog
from routeagent.catalog.names import tool_label, wire_name
from routeagent.catalog.records import read_examples
from routeagent.catalog.snapshot import Snapshot, read_snapshot, write_snapshot
from routeagent.catalog.tool import Example, Namespace, Tool, options_of
from routeagent.errors import CatalogError


def load_folder(folder: str | Path) -> Catalog:
    """Read a folder of domains.

    Modules are imported under a package name of their own, so two folders never meet and relative imports work.
    Where nothing in the folder has changed since the last time, the tools come from a snapshot on disk and a
    module is imported only when one of its tools is called.

    Raises:
        CatalogError: there is no such folder.
        DuplicateToolError: two functions ask for one name; both places are named.
    """
    root = Path(folder).resolve()
    if not root.is_dir():
        raise CatalogError(f"there is no folder {str(folder)!r}; name one with --domains, or make one: routeagent init")
    snapshot = read_snapshot(root)
    if snapshot is None:
        snapshot = _import_all(root)
        if snapshot.complete:
            write_snapshot(root, snapshot)
    return Catalog(
        snapshot.tools,
        snapshot.namespaces,
        snapshot.examples,
        snapshot.terms,
        executor=_Functions(root, snapshot.references),
        make_deps=_deps_factory(root) if snapshot.has_deps else None,
        problems=snapshot.problems,
    )


class _Functions:
    """Finds the function behind a tool by importing its module on the first call."""

    def __init__(self, root: Path, references: dict[str, str]) -> None:
        self._root = root
        self._references = references

    def __call__(self, name: str, /) -> Callable[..., Any]:
        module, _, function = self._references[name].partition(":")
        return getattr(_import(self._root, module), function)


def _deps_factory(root: Path) -> Callable[..., Any]:
    def make(**options: Any) -> Any:
        return _import(root, "").make_deps(**options)

    return make


def _import_all(root: Path) -> Snapshot:
    """Import every module of every domain; what fails is named and the rest goes on."""
    _forget(root)
    snapshot = Snapshot()
    for domain in sorted(path for path in root.iterdir() if _is_domain(path)):
        found = len(snapshot.tools)
        for path in sorted(domain.glob("*.py")):
            if path.name == "__init__.py" or not path.stem.startswith("_"):
                _read_module(root, domain, path, snapshot)
        if len(snapshot.tools) == found and snapshot.complete:
            snapshot.problems.append(f"{domain} defines no tools: it has no public functions")
    snapshot.has_deps = _has_deps(root, snapshot)
    snapshot.terms = _terms(root)
    snapshot.examples = list(_examples(root, snapshot))
    return snapshot


def _is_domain(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith((".", "_")) and any(path.glob("*.py"))


def _read_module(root: Path, domain: Path, path: Path, snapshot: Snapshot) -> None:
    dotted = domain.name if path.name == "__init__.py" else f"{domain.name}.{path.stem}"
    try:
        module = _import(root, dotted)
    except (Exception, SystemExit) as error:
        snapshot.complete = False
        snapshot.problems.append(f"{path} could not be loaded ({type(error).__name__}: {error}); its tools are missing")
        return
    if path.name == "__init__.py":
        snapshot.namespaces.append(Namespace(domain.name, inspect.cleandoc(module.__doc__ or ""), str(path)))
    for function in _public_functions(module):
        try:
            made = _tool(domain.name, function, path)
        except Exception as error:  # pydantic and pydantic-ai raise many kinds over annotations
            snapshot.complete = False
            snapshot.problems.append(f"{path}: {function.__name__} cannot be a tool: {error}")
            continue
        if not made.description:
            snapshot.problems.append(f"{made.origin}: {made.name} has no docstring and is found by its name alone")
        snapshot.tools.append(made)
        snapshot.references.setdefault(made.name, f"{dotted}:{function.__name__}")


def _public_functions(module: ModuleType) -> list[FunctionType]:
    found = [
        member
        for name, member in vars(module).items()
        if isinstance(member, FunctionType) and not name.startswith("_") and member.__module__ == module.__name__
    ]
    return sorted(found, key=lambda function: function.__code__.co_firstlineno)


def _tool(namespace: str, function: FunctionType, path: Path) -> Tool:
    import pydantic_ai  # takes a second to import, so only where a schema has to be made

    schema = pydantic_ai.Tool(function).function_schema
    options = options_of(function)
    label = tool_label(namespace, function.__name__)
    return Tool(
        name=wire_name(label),
        namespace=namespace,
        description=schema.description or "",
        parameters=schema.json_schema,
        label=label,
        core=options.core,
        writes=options.writes,
        scopes=options.scopes,
        timeout=options.timeout,
        origin=f"{path}:{function.__code__.co_firstlineno}",
    )


def _has_deps(root: Path, snapshot: Snapshot) -> bool:
    if not (root / "__init__.py").is_file():
        return False
    try:
        return callable(getattr(_import(root, ""), "make_deps", None))
    except (Exception, SystemExit) as error:
        snapshot.complete = False
        snapshot.problems.append(f"{root / '__init__.py'} could not be loaded ({type(error).__name__}: {error})")
        return False


def _terms(root: Path) -> list[str]:
    path = root / "terms.txt"
    if not path.is_file():
        return []
    lines = (line.strip() for line in path.read_text("utf-8-sig", errors="replace").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _examples(root: Path, snapshot: Snapshot) -> Iterator[Example]:
    names = {key: tool.name for tool in snapshot.tools for key in (tool.name, tool.label)}
    for path in sorted(root.glob("*/examples.jsonl")):
        yield from read_examples(path, names.get, snapshot.problems)


def _package(root: Path) -> str:
    """The name of the package that stands for this folder alone."""
    return f"routeagent_domains_{hashlib.sha256(str(root).encode()).hexdigest()[:12]}"


def _forget(root: Path) -> None:
    """Drop what an earlier load in this process imported: the files have changed since."""
    package = _package(root)
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]


def _import(root: Path, dotted: str) -> ModuleType:
    package = _package(root)
    if package not in sys.modules:
        _import_root(root, package)
    return importlib.import_module(f"{package}.{dotted}" if dotted else package)


def _import_root(root: Path, package: str) -> None:
    init = root / "__init__.py"
    if not init.is_file():
        module = ModuleType(package)
        module.__path__ = [str(root)]
        sys.modules[package] = module
        return
    spec = importlib.util.spec_from_file_location(package, init, submodule_search_locations=[str(root)])
    if spec is None or spec.loader is None:
        raise CatalogError(f"{init} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[package] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[package]
        raise
