"""Tickets and what was written in them."""

from pathlib import Path

from .table import Row, lines

_TICKETS = Path(__file__).with_name("tickets.txt")
"""Customer, status, assignee, when it was opened, title, what was said (客 is the customer), resolution."""


def tickets() -> list[Row]:
    """The tickets, earliest first."""
    return [_ticket(number, cells) for number, cells in enumerate(_sorted(), start=1)]


def messages() -> list[Row]:
    """What was said in the tickets, earliest first."""
    said = [message for number, cells in enumerate(_sorted(), start=1) for message in _said(number, cells)]
    return sorted(said, key=lambda row: (row["written_at"], row["ticket_id"]))


def _sorted() -> list[list[str]]:
    return sorted(lines(_TICKETS.read_text(encoding="utf-8")), key=lambda cells: cells[3])


def _ticket(number: int, cells: list[str]) -> Row:
    customer, status, assignee, opened_at, title, said, resolution = cells
    closed = status == "closed"
    return {
        "ticket_id": f"T-{number:04d}",
        "customer_id": customer,
        "title": title,
        "status": status,
        "assignee": assignee or None,
        "opened_at": opened_at,
        "closed_at": _moment(opened_at, said.count("//") + 1) if closed else None,
        "resolution": resolution if closed else None,
    }


def _said(number: int, cells: list[str]) -> list[Row]:
    customer, _, _, opened_at, _, said, _ = cells
    parts = [part.replace(": ", ":", 1).split(":", 1) for part in said.split("//")]
    return [
        {
            "ticket_id": f"T-{number:04d}",
            "author": customer if author == "客" else author,
            "written_at": _moment(opened_at, turn),
            "text": text,
        }
        for turn, (author, text) in enumerate(parts)
    ]


def _moment(opened_at: str, turn: int) -> str:
    """Each turn comes 25 minutes after the one before."""
    hour, minute = int(opened_at[11:13]), int(opened_at[14:16]) + 25 * turn
    return f"{opened_at[:11]}{hour + minute // 60:02d}:{minute % 60:02d}:00"
