"""CloudLedger:一家虚构的在线记账软件,客服每天要用的六十个工具,背后是真的 SQLite 数据库。

CloudLedger, a fictional bookkeeping service: the sixty tools of its support staff, over a real SQLite database that is
built on first use.
"""

from pathlib import Path

from ._ledger.database import open_database
from ._ledger.deps import Deps


def make_deps(database: Path | None = None) -> Deps:
    """The database, built where it is not there yet, and the day on which the desk works.

    Args:
        database: the file; None takes the place that `open_database` finds.
    """
    return Deps.at(open_database(database))
