"""One help article by its id."""

from .._ledger.database import Row
from .._ledger.reading import Reads, one


def article(source: Reads, article_id: str) -> Row:
    """The article with an id such as kb-008.

    Raises:
        ModelRetry: there is none.
    """
    wanted = article_id.strip().lower()[:40].encode("utf-8", "replace").decode()
    return one(
        source,
        "articles",
        "article_id",
        wanted,
        f"没有文章 {wanted!r};用 kb_search 查文章编号 (no such article; look it up with kb_search)",
    )
