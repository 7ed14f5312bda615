"""From a name to a strategy: `tfidf`, `tfidf:C=4`, `litellm:openai/bge-m3`, `package.module:Class` or an instance."""

from __future__ import annotations

import difflib
import importlib
import inspect
import json
from collections.abc import Mapping
from typing import Any

from routeagent.errors import NotFittedError, StrategyError


def resolve(registry: Mapping[str, str], spec: object, kind: str, offer: Mapping[str, Any] | None = None) -> Any:
    """The strategy that `spec` names; anything but a string is taken to be the strategy itself.

    Args:
        registry: name to `module:Class`.
        spec: an instance, `NAME`, `NAME:ARG=VALUE,ARG=VALUE`, `NAME:MODEL` for a class that says which argument
            takes it (`shorthand`), or `package.module:Class`. Values are read as JSON, else as text.
        kind: "router", "retriever" or "embedder", for the error text.
        offer: arguments passed to constructors that take them and were given nothing else for them.

    Raises:
        StrategyError: an unknown name (the known ones and the nearest are named), or arguments it does not take.
    """
    if not isinstance(spec, str):
        return spec
    name, _, tail = spec.partition(":")
    if name in registry:
        made = _load(registry[name], kind)
        return _construct(made, _arguments(tail, made, spec, kind), spec, kind, offer or {})
    if "." in name and tail.isidentifier():
        return _construct(_load(spec, kind), {}, spec, kind, offer or {})
    near = difflib.get_close_matches(name, registry, 1)
    nearest = f" Did you mean {near[0]!r}?" if near else ""
    raise StrategyError(f"there is no {kind} {name!r}.{nearest} Known: {', '.join(registry)}, or package.module:Class")


def get_params(strategy: object) -> dict[str, Any]:
    """The constructor's arguments as the strategy holds them; caches are keyed by them."""
    return {name: getattr(strategy, name, None) for name in _parameters(type(strategy))}


def check_fitted(strategy: object, attribute: str) -> None:
    """Raise NotFittedError unless `fit` has set `attribute`."""
    if not hasattr(strategy, attribute):
        raise NotFittedError(f"{type(strategy).__name__} was asked before it was fitted: call fit(catalog, examples)")


def _load(path: str, kind: str) -> Any:
    module, _, attribute = path.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise StrategyError(f"{kind} {path!r} cannot be imported: {error}") from error
    except AttributeError:
        raise StrategyError(f"{kind} {path!r}: the module {module!r} has no {attribute!r}") from None


def _parameters(made: Any) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [name for name, parameter in inspect.signature(made).parameters.items() if parameter.kind in kinds]


def _arguments(tail: str, made: Any, spec: str, kind: str) -> dict[str, Any]:
    shorthand = getattr(made, "shorthand", None)
    given: dict[str, Any] = {}
    for position, piece in enumerate(piece.strip() for piece in tail.split(",") if piece.strip()):
        name, equals, value = piece.partition("=")
        if not equals and shorthand and position == 0:
            given[shorthand] = piece
        elif not equals:
            raise StrategyError(f"{kind} {spec!r}: {piece!r} is not of the form ARG=VALUE")
        else:
            given[name.strip()] = _value(value.strip())
    return given


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _construct(made: Any, given: Mapping[str, Any], spec: str, kind: str, offer: Mapping[str, Any]) -> Any:
    taken = _parameters(made)
    for name in given:
        if name not in taken:
            raise StrategyError(
                f"{kind} {spec!r} takes no argument {name!r}; it takes {', '.join(taken) or 'none at all'}"
            )
    offered = {name: value for name, value in offer.items() if name in taken and name not in given}
    try:
        return made(**offered, **given)
    except (TypeError, ValueError) as error:
        raise StrategyError(f"{kind} {spec!r} cannot be made: {error}") from error
