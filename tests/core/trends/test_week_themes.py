from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.trends.week_themes import Week, grew, week_themes
from tests.core.week_vaults import memory_of

FOUR = {f"2026-W{number}": {"a": 5, "b": 5, "c": 10} for number in range(30, 34)}


def states(told: Week) -> dict[str, str]:
    return {theme.id: theme.state for theme in told.themes}


def test_the_first_week_has_nothing_to_compare_with_and_calls_nothing_new():
    told = week_themes("2026-W30", memory_of(FOUR))
    assert told.compared == ()
    assert set(states(told).values()) == {"steady"}
    assert told.window == ("2026-W30",)


def test_themes_grow_fade_come_and_come_back():
    weeks = {
        "2026-W28": {"back": 2, "c": 18},
        **FOUR,
        "2026-W34": {"a": 12, "c": 3, "new": 2, "back": 3},
    }
    told = week_themes("2026-W34", memory_of(weeks))
    assert told.compared == ("2026-W30", "2026-W31", "2026-W32", "2026-W33")
    assert states(told) == {
        "a": "growing",
        "new": "new",
        "back": "returning",
        "b": "fading",
        "c": "fading",
    }
    first = told.themes[0]
    assert (first.id, first.last, first.mean, first.expected) == ("a", 5, 5.0, 5.0)
    assert first.counts == (0, 0, 5, 5, 5, 5, 12)


def test_a_short_week_is_measured_by_its_share_and_not_by_its_length():
    weeks = {**FOUR, "2026-W34": {"a": 1, "b": 1, "c": 2}}
    told = week_themes("2026-W34", memory_of(weeks))
    assert set(states(told).values()) == {"steady"}
    assert {theme.id: theme.expected for theme in told.themes} == {"a": 1.0, "b": 1.0, "c": 2.0}


def test_weeks_without_a_digest_say_nothing_of_what_is_usual():
    weeks = {"2026-W27": {"a": 5}, "2026-W33": {"a": 5}, "2026-W34": {"a": 5}}
    told = week_themes("2026-W34", memory_of(weeks))
    assert told.compared == ("2026-W27", "2026-W33")
    assert (told.themes[0].last, told.themes[0].mean) == (5, 5.0)


def test_later_weeks_do_not_change_a_week():
    weeks = {**FOUR, "2026-W34": {"a": 12, "c": 8}}
    before = memory_of(weeks)
    after = memory_of({**weeks, "2026-W35": {"a": 40}})
    assert week_themes("2026-W34", before) == week_themes("2026-W34", after)


def test_a_merged_theme_counts_as_the_one_it_went_into_and_a_circle_ends():
    weeks = {"2026-W33": {"a": 3, "b": 3}, "2026-W34": {"a": 3, "b": 3}}
    told = week_themes("2026-W34", memory_of(weeks, a="b"))
    assert [(theme.id, len(theme.papers)) for theme in told.themes] == [("b", 6)]
    assert len(week_themes("2026-W34", memory_of(weeks, a="b", b="a")).themes) == 2


@pytest.mark.parametrize(
    ("now", "expected", "before", "verdict"),
    [(3, 0.2, 1, False), (4, 0.2, 10, True), (5, 4.0, 16, False), (9, 4.0, 16, True)],
)
def test_growth_is_more_than_chance(now: int, expected: float, before: int, verdict: bool):
    assert grew(now, expected, before) is verdict


@given(
    st.dictionaries(
        st.integers(20, 40).map("2026-W{}".format),
        st.dictionaries(st.sampled_from(["", "a", "b", "c"]), st.integers(0, 9)),
        min_size=1,
    )
)
def test_every_paper_of_the_week_is_counted_once(weeks: dict[str, dict[str, int]]):
    week = max(weeks)
    told = week_themes(week, memory_of(weeks))
    assert len(told.papers) == sum(weeks[week].values())
    counted = [paper for theme in told.themes for paper in theme.papers]
    assert len(counted) == len(set(counted))
    assert len(counted) == sum(most for theme, most in weeks[week].items() if theme)
    for theme in told.themes:
        assert theme.counts[-1] == len(theme.papers)
        assert len(theme.counts) == len(told.window)
        if theme.state in {"growing", "new"}:
            assert theme.papers
