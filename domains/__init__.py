"""CloudLedger:一家虚构的在线记账软件,客服每天要用的六十个工具,背后是真的 SQLite 数据库。

CloudLedger, a fictional bookkeeping service: the sixty tools of its support staff, over a real SQLite database that is
built on first use.
"""

from ._ledger.database import open_database
from ._ledger.deps import Deps


def make_deps() -> Deps:
    """The database, built where it is not there yet, and the day on which the desk works."""
    return Deps.at(open_database())
