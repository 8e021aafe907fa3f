from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.vault.weeks import (
    calendar,
    days_by_week,
    is_week,
    monday,
    shown_by_week,
    sunday,
    week_of,
    weeks_between,
)
from obsidian_digest.model import KnownDigest, Memory


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (date(2025, 12, 28), "2025-W52"),
        (date(2025, 12, 29), "2026-W01"),
        (date(2026, 1, 1), "2026-W01"),
        (date(2026, 12, 31), "2026-W53"),
        (date(2027, 1, 3), "2026-W53"),
        (date(2027, 1, 4), "2027-W01"),
    ],
)
def test_a_day_around_the_new_year_is_in_the_week_of_its_thursday(day: date, week: str):
    assert week_of(day) == week
    assert monday(week) <= day <= sunday(week)


@given(st.dates(date(1991, 8, 1), date(2999, 12, 1)))
def test_every_day_lies_in_its_week_and_weeks_sort_as_days_do(day: date):
    week, later = week_of(day), week_of(day + timedelta(7))
    assert monday(week) <= day <= sunday(week)
    assert week < later
    assert weeks_between(week, later) == 1
    assert is_week(week)
    assert calendar(later, 2) == (week, later)


@pytest.mark.parametrize(
    "text", ["", "2025-W53", "2026-W00", "2026-W54", "2026-34", "2026-W3", "W34", "٢٠٢٦-W34", "a"]
)
def test_what_is_no_week_is_refused(text: str):
    assert not is_week(text)
    with pytest.raises(ValueError, match=r"."):
        monday(text)


def test_a_paper_counts_in_the_week_that_shows_it_first():
    days = {
        date(2026, 8, 14): ("2608.00001", "2608.00002"),
        date(2026, 8, 17): ("2608.00002", "2608.00003"),
        date(2026, 8, 18): ("2608.00003", "2608.00004"),
    }
    digests = {day: KnownDigest(day, picked, (day,), "", 20, 3, 0) for day, picked in days.items()}
    memory = Memory(digests=digests)
    assert days_by_week(memory)["2026-W34"] == (date(2026, 8, 17), date(2026, 8, 18))
    assert shown_by_week(memory) == {
        "2026-W33": ("2608.00001", "2608.00002"),
        "2026-W34": ("2608.00003", "2608.00004"),
    }
