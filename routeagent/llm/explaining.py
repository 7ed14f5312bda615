"""From any exception of litellm to one clear line: what happened, to which model, what to do next."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from routeagent.errors import ModelError
from routeagent.llm.failure import Failure
from routeagent.llm.masking import mask
from routeagent.llm.naming import key_variable, model_of, vendor_of


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of failure. `quote` adds the provider's own words."""

    applies: Callable[[Failure], bool]
    what: str
    then: str
    quote: bool = True


def explain_error(
    exc: BaseException,
    model: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float | None = None,
) -> ModelError:
    """What went wrong with a request, in one line without keys. Raise it `from exc`, so that the cause is kept.

    Args:
        exc: whatever litellm raised.
        model: the model's litellm name.
        base_url: the address, if it was not the provider's own.
        api_key: the key, if it was given and not taken from the environment; it is kept out of the text.
        timeout: the seconds that were allowed.
    """
    if isinstance(exc, ModelError):
        return exc
    variable = key_variable(model)
    failure = Failure.of(exc, keyed=bool(api_key or os.environ.get(variable)))
    row = next(row for row in ROWS if row.applies(failure))
    quoted = [str(failure.status or ""), failure.words if row.quote else ""]
    said = ": ".join(filter(None, quoted))
    names = {
        "key": variable,
        "bare": model_of(model),
        "where": base_url or f"the provider {vendor_of(model)}",
        "within": f"within {timeout:g} s" if timeout else "in time",
        "kind": type(exc).__name__,
    }
    what, then = row.what.format(**names), row.then.format(**names)
    return ModelError(mask(f"{model}: {what}{f' ({said})' if said else ''}; {then}", api_key))


def _says(pattern: str) -> Callable[[Failure], bool]:
    search = re.compile(pattern).search
    return lambda failure: search(failure.text) is not None


def _is_a(*kinds: str) -> Callable[[Failure], bool]:
    return lambda failure: not failure.kinds.isdisjoint(kinds)


def _status(*codes: int) -> Callable[[Failure], bool]:
    return lambda failure: (failure.status or 0) in codes


_no_key = _says(r"missing (credentials|\w+ api key)|api[_ ]key.{0,40}(must be set|not (set|found))")
_too_long = _says(r"context_length_exceeded|maximum context length|context window|prompt is too long")
_unsupported = _says(
    r"(unsupported|unrecognized|unknown|unexpected|extra)\W+(\w+\W+){0,2}(param|argument|value|field|input|key|propert)"
    r"|(param|argument|field|value|input)\w*\b.{0,60}\bnot (supported|permitted|allowed)"
    r"|(response_format|tool_choice)\b.{0,40}\b(unavailable|not)\b"
)
_no_completion = _says(
    r"no 'choices'|unable to get json|empty or invalid response|error converting to valid response|unexpected response"
)

# The first row that applies is taken: first what litellm says before asking, then what a server answered,
# then what happened on the way, then litellm's own opinion.
ROWS: tuple[Row, ...] = (
    Row(
        _says("llm provider not provided"),
        "litellm knows no provider for this name",
        "write PROVIDER/MODEL, for example deepseek/deepseek-chat, or openai/{bare} with a base URL",
        quote=False,
    ),
    Row(
        lambda failure: not failure.keyed and (failure.status == 401 or (failure.status is None and _no_key(failure))),
        "no API key was found",
        "set {key}",
        quote=False,
    ),
    Row(
        lambda failure: _is_a("ContextWindowExceededError")(failure) or (_too_long(failure) and failure.status == 400),
        "the request is longer than the model can read",
        "show fewer tools, shorten it, or choose a model with a longer context",
    ),
    Row(
        _is_a("ContentPolicyViolationError"),
        "the provider's content filter stopped the request",
        "rephrase it or choose another model",
    ),
    Row(
        lambda failure: (
            _is_a("UnsupportedParamsError")(failure) or (failure.status in (400, 422) and _unsupported(failure))
        ),
        "a setting is not supported",
        "take it out of the model settings or choose another model",
    ),
    Row(_status(401), "the key was refused", "check {key}"),
    Row(_status(402), "the account has no credit left", "top it up or choose another provider"),
    Row(_status(403), "access was denied", "check what the key in {key} may use, and from where"),
    Row(_status(404), "no such model or address", "check the model's name and the base URL"),
    Row(_status(413), "the request is too large", "show fewer tools or shorten it"),
    Row(_status(429), "too many requests, or the quota is used up", "wait and try again, or raise the quota"),
    Row(_status(*range(400, 500)), "the request was refused", "check the model settings and the schemas of the tools"),
    Row(_status(*range(500, 600)), "the provider failed", "try again later or choose another model"),
    Row(
        _is_a("TimeoutError", "APITimeoutError", "TimeoutException"),
        "no answer {within}",
        "try again, or allow more time",
        quote=False,
    ),
    Row(
        _says("stream ended before|incomplete chunked|payload is not completed|peer closed|server disconnected"),
        "the connection broke off before the answer was complete",
        "try again",
        quote=False,
    ),
    Row(
        # a KeyError or TypeError is litellm, looking for what every answer of this provider has
        lambda failure: _is_a("JSONDecodeError", "KeyError", "TypeError")(failure) or _no_completion(failure),
        "the answer is not a chat completion",
        "check that {where} is the address of the API itself (many end in /v1)",
    ),
    Row(
        _is_a("ConnectError", "ClientConnectorError", "ConnectionError", "NetworkError"),
        "no connection to {where}",
        "check the address, the network, and that the server runs",
        quote=False,
    ),
    Row(_is_a("MidStreamFallbackError"), "the provider broke off in the middle of its answer", "try again"),
    Row(lambda failure: failure.declared == 401, "the key was refused", "check {key}"),
    Row(lambda failure: failure.declared == 429, "too many requests", "wait and try again, or raise the quota"),
    Row(lambda _: True, "the request failed with {kind}", "check the model's name and settings, or choose another"),
)
