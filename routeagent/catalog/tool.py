"""The records that cross every arrow of the design: a tool, a namespace, an example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

_MARK = "__routeagent_tool__"
_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What a function's signature cannot say about it; set by the `tool` decorator."""

    core: bool = False
    writes: bool = False
    scopes: tuple[str, ...] = ()
    timeout: float | None = None


@overload
def tool(function: _F, /) -> _F: ...
@overload
def tool(
    *, core: bool = False, writes: bool = False, scopes: tuple[str, ...] | list[str] = (), timeout: float | None = None
) -> Callable[[_F], _F]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    core: bool = False,
    writes: bool = False,
    scopes: tuple[str, ...] | list[str] = (),
    timeout: float | None = None,
) -> Any:
    """Say of a tool function what its signature cannot. A plain public function needs no decorator.

    Args:
        function: the function, when used without parentheses.
        core: always shown to the model, whatever the request.
        writes: changes something in the world; runs only after approval.
        scopes: the caller must hold all of them to see or call the tool.
        timeout: seconds that one call may take.
    """
    options = ToolOptions(core, writes, tuple(scopes), timeout)

    def mark(decorated: _F) -> _F:
        setattr(decorated, _MARK, options)
        return decorated

    return mark if function is None else mark(function)


def options_of(function: Callable[..., Any]) -> ToolOptions:
    """The options set by `tool`, or the defaults for a plain function."""
    return getattr(function, _MARK, ToolOptions())


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as routers, retrievers and models see it: data only, nothing callable.

    Attributes:
        name: the wire name, `^[a-zA-Z0-9_-]{1,64}$`, unique in its catalogue.
        namespace: the namespace it belongs to.
        description: what the model reads.
        parameters: a JSON Schema of type object.
        label: the tool's own name as shown to people; differs from `name` where providers would refuse it.
        core: always visible.
        writes: needs approval.
        scopes: what a caller must hold to see it.
        timeout: seconds a call may take; None is unlimited.
        origin: where it was defined, for error messages and the doctor.
    """

    name: str
    namespace: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    label: str = ""
    core: bool = False
    writes: bool = False
    scopes: tuple[str, ...] = ()
    timeout: float | None = None
    origin: str = ""

    def definition(self) -> dict[str, Any]:
        """The tool as an OpenAI function definition, which is also what token counts are taken of."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Namespace:
    """A prefix group of tools: what a router picks."""

    name: str
    description: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A request and the tools that it needs: fits routers (examples) or measures them (cases).

    Attributes:
        query: what a person said.
        tools: wire names of all tools needed; empty means that no tool serves it.
        history: earlier user turns, oldest first.
        principal: who asks, as the permission seam understands it.
        id: as in the file, else the line number.
        alternatives: for a needed tool, equal tools that count as well (lenient scoring).
    """

    query: str
    tools: tuple[str, ...]
    history: tuple[str, ...] = ()
    principal: str | None = None
    id: str = ""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
