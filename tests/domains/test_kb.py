"""The help centre answers in both languages."""

from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps
from domains.kb.articles import kb_get_article, kb_list_categories, kb_search
from domains.kb.feedback import kb_feedback_stats, kb_popular, kb_suggest_edit

from .desk import desk
from .unchanged import refused


@pytest.fixture
def ctx(tmp_path: Path) -> RunContext[Deps]:
    return desk(tmp_path)


def first(ctx: RunContext[Deps], query: str) -> str:
    return kb_search(ctx, query)["articles"][0]["article_id"]


def body(ctx: RunContext[Deps], article_id: str) -> str:
    return kb_get_article(ctx, article_id)["body"]


@pytest.mark.parametrize(
    "query", ["E1043", "E1043-", "导入银行流水提示 e1043 是什么意思", "what does error E1043 mean"]
)
def test_an_error_code_finds_its_article(ctx: RunContext[Deps], query: str) -> None:
    assert "E1043" in body(ctx, first(ctx, query))


@pytest.mark.parametrize("query", ["Ｅ１０４３", "錯誤 E1043", "E1043!"])
def test_a_code_is_found_as_it_is_typed(ctx: RunContext[Deps], query: str) -> None:
    assert first(ctx, query) == "kb-023"


def test_one_character_is_enough(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("UPDATE articles SET body = '账本' , title = '账本', keywords = '账本'")
        change.run("UPDATE articles SET body = '各地的增值税率。别的事' WHERE article_id = 'kb-014'")
    assert kb_search(ctx, "税")["articles"] == [
        {"article_id": "kb-014", "title": "账本", "category": "发票", "snippet": "各地的增值税率"}
    ]


@pytest.mark.parametrize("query", ["charging", "charged", "charges", "charge"])
def test_an_english_word_is_found_in_its_other_forms(ctx: RunContext[Deps], query: str) -> None:
    with ctx.deps.change() as change:
        change.run("UPDATE articles SET body = 'x', title = 'x', keywords = 'x'")
        change.run("UPDATE articles SET body = 'How we charge cards' WHERE article_id = 'kb-002'")
    assert first(ctx, query) == "kb-002"


@pytest.mark.parametrize("query", ["年付取消能退多少", "refund for cancelling an annual plan"])
def test_both_languages_find_the_annual_rule(ctx: RunContext[Deps], query: str) -> None:
    assert first(ctx, query) == "kb-008"


def test_a_hit_says_where(ctx: RunContext[Deps]) -> None:
    (hit, *_) = kb_search(ctx, "E1043")["articles"]
    assert "E1043" in hit["snippet"]
    assert len(hit["snippet"]) <= 80


def test_nothing_found_says_so(ctx: RunContext[Deps]) -> None:
    assert kb_search(ctx, "qqqzzz") == {
        "articles": [],
        "note": "没有搜到,换个说法再试 (nothing found, try other words)",
    }


def test_categories_are_counted(ctx: RunContext[Deps]) -> None:
    told = kb_list_categories(ctx)
    (articles,) = ctx.deps.rows("SELECT count(*) AS n FROM articles")
    assert sum(row["articles"] for row in told["categories"]) == articles["n"]


def test_popular_is_this_week(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("DELETE FROM article_views")
        for article, day, views in (
            ("kb-001", "2026-10-13", 900),
            ("kb-002", "2026-10-14", 5),
            ("kb-003", "2026-10-20", 7),
        ):
            change.insert("article_views", article_id=article, day=day, views=views)
    told = kb_popular(ctx)
    assert [(row["article_id"], row["views"]) for row in told["articles"]] == [("kb-003", 7), ("kb-002", 5)]


def test_votes(ctx: RunContext[Deps]) -> None:
    with ctx.deps.change() as change:
        change.run("UPDATE article_votes SET helpful = 3, unhelpful = 1 WHERE article_id = 'kb-005'")
    told = kb_feedback_stats(ctx, "KB-005")
    assert (told["helpful"], told["unhelpful"], told["helpful_share"]) == (3, 1, "75%")


def test_a_suggestion_is_kept_with_its_author(ctx: RunContext[Deps]) -> None:
    told = kb_suggest_edit(ctx, "kb-003", "少了第三步")
    (row,) = ctx.deps.rows("SELECT * FROM article_suggestions WHERE suggestion_id = ?", told["suggestion_id"])
    assert (row["article_id"], row["text"], row["author"]) == ("kb-003", "少了第三步", ctx.deps.user)


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (kb_search, ("  ",), "query"),
        (kb_search, ("x" * 2001,), "2000"),
        (kb_get_article, ("kb-999",), "kb_search"),
        (kb_get_article, ("\ud800",), "kb_search"),
        (kb_feedback_stats, ("",), "kb_search"),
        (kb_suggest_edit, ("kb-001", ""), "suggestion"),
        (kb_suggest_edit, ("kb-999", "x"), "kb_search"),
    ],
)
def test_bad_arguments_change_nothing(
    ctx: RunContext[Deps], function: Any, arguments: tuple[Any, ...], says: str
) -> None:
    assert says in refused(ctx, function, *arguments)
