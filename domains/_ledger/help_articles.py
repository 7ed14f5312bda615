"""The help centre: `articles/*.md`, one file a category, and who read and liked what."""

from datetime import timedelta
from pathlib import Path
from random import Random

from .plan_rows import TODAY
from .table import Row

_FOLDER = Path(__file__).with_name("articles")
_CATEGORIES = ("billing", "refunds", "invoices", "account", "members", "books", "currency")
_OFTEN_READ = {"kb-023": 60, "kb-002": 45, "kb-024": 38, "kb-016": 30, "kb-011": 24, "kb-008": 20}

_SUGGESTIONS = (
    ("kb-008", "客服小陈", "2026-08-16", "加一个专业版的算例,客户老问。"),
    ("kb-023", "技术小郭", "2026-10-09", "补上日期带时间也会报 E1042。"),
    ("kb-015", "客服小周", "2026-09-28", "写明转账备注要写发票号。"),
)


def categories() -> list[Row]:
    """The categories, in the order of the help centre."""
    heads = [_text(name).splitlines()[:2] for name in _CATEGORIES]
    return [{"category": title.removeprefix("# "), "description": description} for title, description in heads]


def articles() -> list[Row]:
    """The articles of all categories, by number."""
    return [_article(name, section) for name in _CATEGORIES for section in _text(name).split("\n## ")[1:]]


def views(articles: list[Row]) -> list[Row]:
    """How often each article was read on each of the last fourteen days."""
    random = Random(14)  # noqa: S311 - sample data, not a secret
    days = [(TODAY - timedelta(days=ago)).isoformat() for ago in range(13, -1, -1)]
    often = [(article["article_id"], _OFTEN_READ.get(article["article_id"], 6)) for article in articles]
    return [
        {"article_id": article_id, "day": day, "views": random.randint(usual * 2 // 3, usual * 4 // 3)}
        for article_id, usual in often
        for day in days
    ]


def votes(articles: list[Row]) -> list[Row]:
    """How many found each article helpful or not."""
    random = Random(3)  # noqa: S311 - sample data, not a secret
    return [
        {
            "article_id": article["article_id"],
            "helpful": random.randint(12, 40) + 3 * _OFTEN_READ.get(article["article_id"], 0),
            "unhelpful": random.randint(0, 15),
        }
        for article in articles
    ]


def suggestions() -> list[Row]:
    """What the desk proposed to change, earliest first."""
    keys = ("article_id", "author", "made_on", "text")
    return [dict(zip(keys, line, strict=True)) for line in sorted(_SUGGESTIONS, key=lambda line: line[2])]


def _text(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


def _article(name: str, section: str) -> Row:
    head, updated, keywords, _, *body = section.strip().splitlines()
    article_id, title = head.split(" ", 1)
    return {
        "article_id": article_id,
        "category": _text(name).splitlines()[0].removeprefix("# "),
        "title": title,
        "body": "\n".join(body),
        "keywords": keywords.removeprefix("keywords: "),
        "updated_on": updated.removeprefix("updated: "),
    }
