"""Who is asked before a tool changes something: the options, a person on a terminal, or nobody."""

from __future__ import annotations

import getpass
import json
import signal
import sys
import threading
from collections.abc import Collection, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from routeagent.catalog import Catalog
from routeagent.cli.sources import find_tool, people_name

if TYPE_CHECKING:
    from routeagent.agent import Approval, Approver, Verdict


def approver(catalog: Catalog, *, everything: bool, names: Collection[str]) -> Approver:
    """What decides over calls that write.

    Args:
        everything: approve all of them.
        names: tools that are approved by name; the others are asked about on a terminal and refused elsewhere.

    Raises:
        UsageError: a name is no tool.
    """
    from routeagent.agent import Granted, deny_writes

    approved = {find_tool(catalog, name).name for name in names}

    def decide(approval: Approval) -> Verdict:
        if everything or approval.tool.name in approved:
            return Granted("--yes" if everything else "--approve")
        if not _somebody_is_there():
            return deny_writes(approval)
        return Granted(getpass.getuser()) if _ask(approval) else False

    return decide


def _somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask(approval: Approval) -> bool:
    arguments = json.dumps(dict(approval.arguments), ensure_ascii=False, default=str)
    with _interruptible():
        sys.stderr.write(f"{people_name(approval.tool)} {arguments}\n执行吗? Run it? [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是")


@contextmanager
def _interruptible() -> Generator[None]:
    """Ctrl-C ends a question at once: asyncio's own handler would wait for the answer first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
