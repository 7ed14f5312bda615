"""What the desk writes down about a customer after a step that somebody will ask about later."""

from .database import Change
from .deps import Deps


def remark(change: Change, desk: Deps, customer_id: str, said: str) -> int:
    """Add a note signed by the agent at the desk; its note_id."""
    return change.insert("customer_notes", customer_id=customer_id, author=desk.user, written_at=desk.now, text=said)
