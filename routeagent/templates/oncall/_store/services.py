"""The firm's services, and what a tool refuses in a service's name or an id."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

from pydantic_ai import ModelRetry

from .database import rows

Service = Literal["checkout", "ledger-api", "search", "mailer", "web", "auth"]
SERVICES: tuple[str, ...] = get_args(Service)


def known_service(service: str) -> str:
    """The service as the database has it.

    Raises:
        ModelRetry: the firm runs no such service.
    """
    if service not in SERVICES:
        raise ModelRetry(f"there is no service {service!r}; there are {', '.join(SERVICES)}")
    return service


def only_row(database: Path, sql: str, value: str, what: str, where: str) -> dict[str, Any]:
    """The one row that an id names.

    Args:
        database: the file.
        sql: a query with one placeholder, for the id.
        value: the id as given; case and blanks around it do not matter.
        what: the kind of thing, for the error.
        where: the tool that lists such ids, for the error.

    Raises:
        ModelRetry: there is none.
    """
    found = rows(database, sql, value.strip())
    if not found:
        raise ModelRetry(f"there is no {what} {value!r}; find its id with {where}")
    return found[0]
