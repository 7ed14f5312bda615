"""The selection policy over names. Every expected list is worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeagent.catalog import Catalog, Tool
from routeagent.errors import StrategyError
from routeagent.selection import Limits, admit, core_tools


def catalogue() -> Catalog:
    names = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2"]
    return Catalog([Tool(name, name[0], "", core=name == "c1") for name in names])


def test_core_is_what_is_marked_and_allowed() -> None:
    assert core_tools(catalogue()) == ("c1",)
    assert core_tools(catalogue(), lambda tool: not tool.core) == ()


def test_every_hit_comes_before_any_group() -> None:
    # cap 10 - search_tools - c1 = 8 slots, 2 of them kept free: 3 hits, then a's rest (a1, a3, a4).
    found = admit(catalogue(), ["c1"], ["a2", "b1", "b2"], Limits(max_tools=10, top_k=3, reserve=2))
    assert found.added == ("a2", "b1", "b2", "a1", "a3", "a4")
    assert found.refused == ()


def test_a_group_that_does_not_fit_comes_by_its_best_members() -> None:
    # 5 slots less 2 kept: after 1 hit there is room for 2 of a's other three, and a4 is ranked.
    found = admit(catalogue(), ["c1"], ["a2", "b1", "a4"], Limits(max_tools=7, top_k=1, reserve=2))
    assert found.added == ("a2", "a4", "a1")


def test_hits_may_use_the_slots_that_groups_leave_free() -> None:
    found = admit(catalogue(), ["c1"], ["a1", "a2", "b1"], Limits(max_tools=5, top_k=3, reserve=3))
    assert found.added == ("a1", "a2", "b1")


def test_the_other_hits_groups_follow_the_best_ones() -> None:
    found = admit(catalogue(), [], ["b1", "a1"], Limits(max_tools=20, top_k=2, reserve=0))
    assert found.added == ("b1", "a1", "b2", "b3", "a2", "a3", "a4")


def test_a_full_cap_refuses_by_name_and_takes_nothing_away() -> None:
    visible = ["c1", "a1", "a2"]
    found = admit(catalogue(), visible, ["b1", "b2"], Limits(max_tools=5, top_k=2, reserve=0), first=False)
    assert (found.added, found.refused) == (("b1",), ("b2",))
    assert visible == ["c1", "a1", "a2"]


def test_without_group_load_only_hits_come() -> None:
    found = admit(catalogue(), [], ["a1", "b1"], Limits(top_k=2, group_load=False))
    assert found.added == ("a1", "b1")


def test_a_group_brings_nothing_forbidden() -> None:
    found = admit(catalogue(), [], ["a1"], Limits(top_k=1), allowed=lambda tool: tool.name != "a3")
    assert found.added == ("a1", "a2", "a4")


def test_nothing_ranked_adds_nothing() -> None:
    assert admit(catalogue(), ["c1"], [], Limits()).added == ()


def test_the_default_reserve_is_two_fifths_of_the_cap() -> None:
    assert Limits(max_tools=20).slots_kept == 8
    assert Limits(max_tools=20, reserve=3).slots_kept == 3


@pytest.mark.parametrize(("cap", "k"), [(1, 5), (0, 5), (20, 0), (-3, 1)])
def test_limits_that_show_nothing_are_refused(cap: int, k: int) -> None:
    with pytest.raises(StrategyError, match="shows nothing"):
        Limits(cap, k)


@given(
    ranked=st.permutations(["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2"]),
    cap=st.integers(2, 12),
    k=st.integers(1, 9),
    first=st.booleans(),
)
def test_the_cap_always_holds_and_nothing_comes_twice(ranked: list[str], cap: int, k: int, first: bool) -> None:
    found = admit(catalogue(), ["c1"], ranked, Limits(cap, k), first=first)
    shown = ["c1", *found.added]
    assert len(shown) == len(set(shown))
    assert len(found.added) == 0 or len(shown) + 1 <= cap
    assert set(found.refused).isdisjoint(shown)
    assert set(ranked[:k]) <= {*shown, *found.refused}
