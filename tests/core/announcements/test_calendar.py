from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.announcements.calendar import (
    EASTERN,
    HOLIDAYS,
    announced_at,
    batch_day,
    batch_window,
    batches_after,
    latest_batch,
    next_batch,
)


def eastern(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=EASTERN).astimezone(UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("submitted", "day"),
    [
        ("2026-08-18 14:00", "2026-08-20"),  # Tuesday 14:00 opens Thursday's batch
        ("2026-08-19 13:59", "2026-08-20"),
        ("2026-08-19 14:00", "2026-08-21"),
        ("2026-08-20 14:00", "2026-08-24"),  # Thursday afternoon waits for Sunday evening
        ("2026-08-21 13:59", "2026-08-24"),
        ("2026-08-21 14:00", "2026-08-25"),  # Friday afternoon to Monday 14:00
        ("2026-08-22 12:00", "2026-08-25"),
        ("2026-08-24 13:59", "2026-08-25"),
        ("2026-08-24 14:00", "2026-08-26"),
    ],
)
def test_a_paper_comes_in_the_batch_that_arxivs_table_names(submitted: str, day: str):
    assert batch_day(eastern(submitted)) == date.fromisoformat(day)


def test_a_batch_covers_one_day_of_submissions_in_summer_and_in_winter():
    summer, winter = batch_window(date(2026, 8, 20)), batch_window(date(2026, 2, 5))
    assert summer is not None
    assert winter is not None
    assert (summer.start, summer.end) == (utc("2026-08-18 18:00"), utc("2026-08-19 18:00"))
    assert (winter.start, winter.end) == (utc("2026-02-03 19:00"), utc("2026-02-04 19:00"))


def test_tuesdays_batch_covers_the_weekend():
    window = batch_window(date(2026, 8, 18))
    assert window is not None
    assert window.end - window.start == timedelta(days=3)


@pytest.mark.parametrize("day", ["2026-08-22", "2026-08-23"])
def test_no_batch_is_dated_saturday_or_sunday(day: str):
    assert batch_window(date.fromisoformat(day)) is None


def test_the_clocks_going_forward_makes_one_window_an_hour_shorter():
    window = batch_window(date(2026, 3, 10))  # Friday 6 March to Monday 9 March
    assert window is not None
    assert (window.start, window.end) == (utc("2026-03-06 19:00"), utc("2026-03-09 18:00"))
    assert announced_at(date(2026, 3, 9)) == utc("2026-03-09 00:00")
    assert announced_at(date(2026, 3, 6)) == utc("2026-03-06 01:00")


def test_the_clocks_going_back_makes_one_window_an_hour_longer():
    window = batch_window(date(2026, 11, 3))  # Friday 30 October to Monday 2 November
    assert window is not None
    assert (window.start, window.end) == (utc("2026-10-30 18:00"), utc("2026-11-02 19:00"))
    assert announced_at(date(2026, 10, 30)) == utc("2026-10-30 00:00")
    assert announced_at(date(2026, 11, 2)) == utc("2026-11-02 01:00")


@pytest.mark.parametrize(
    ("missing", "following", "start", "end"),
    [
        ("2026-01-20", "2026-01-21", "2026-01-16 14:00", "2026-01-20 14:00"),
        ("2026-06-22", "2026-06-23", "2026-06-18 14:00", "2026-06-22 14:00"),
        ("2026-07-06", "2026-07-07", "2026-07-02 14:00", "2026-07-06 14:00"),
        ("2026-11-27", "2026-11-30", "2026-11-25 14:00", "2026-11-27 14:00"),
    ],
)
def test_a_holiday_costs_one_batch_and_the_next_one_covers_its_papers(
    missing: str, following: str, start: str, end: str
):
    assert batch_window(date.fromisoformat(missing)) is None
    window = batch_window(date.fromisoformat(following))
    assert window is not None
    assert (window.start, window.end) == (eastern(start), eastern(end))
    assert batch_day(eastern(start)) == date.fromisoformat(following)


def test_holidays_can_be_replaced_by_the_readers_own_list():
    deferred = frozenset({date(2026, 8, 19)})
    assert batch_window(date(2026, 8, 20), deferred) is None
    assert batch_day(eastern("2026-08-18 15:00"), deferred) == date(2026, 8, 21)
    assert batch_window(date(2026, 1, 20), frozenset()) is not None


def test_the_newest_batch_changes_at_eight_in_the_evening_eastern():
    assert latest_batch(eastern("2026-08-19 19:59")) == date(2026, 8, 19)
    assert latest_batch(eastern("2026-08-19 20:00")) == date(2026, 8, 20)
    assert next_batch(eastern("2026-08-19 19:59")) == date(2026, 8, 20)
    assert next_batch(eastern("2026-08-19 20:00")) == date(2026, 8, 21)


def test_fridays_batch_stays_the_newest_until_sunday_evening():
    assert latest_batch(eastern("2026-08-23 19:59")) == date(2026, 8, 21)
    assert next_batch(eastern("2026-08-20 20:00")) == date(2026, 8, 24)
    assert latest_batch(eastern("2026-08-23 20:00")) == date(2026, 8, 24)


def test_days_away_are_caught_up_batch_by_batch():
    assert batches_after(date(2026, 1, 15), date(2026, 1, 21)) == (
        date(2026, 1, 16),
        date(2026, 1, 19),
        date(2026, 1, 21),
    )
    assert batches_after(date(2026, 8, 20), date(2026, 8, 20)) == ()
    assert batches_after(date(2026, 8, 20), date(2026, 8, 19)) == ()


def test_a_time_without_zone_is_refused_instead_of_guessed():
    with pytest.raises(ValueError, match="no time zone"):
        batch_day(datetime.fromisoformat("2026-08-19 12:00"))


@given(st.integers(0, 426 * 24 * 60).map(lambda n: utc("2025-12-01") + timedelta(minutes=n)))
def test_every_instant_lies_in_the_window_of_its_batch_and_in_no_other(submitted: datetime):
    day = batch_day(submitted)
    around = [day + timedelta(days=n) for n in range(-6, 7)]
    holding = [d for d in around if (w := batch_window(d)) and w.start <= submitted < w.end]
    assert holding == [day]
    assert announced_at(day) > submitted
    assert latest_batch(submitted) < next_batch(submitted) <= day
    assert batches_after(latest_batch(submitted), next_batch(submitted)) == (next_batch(submitted),)


def test_the_holidays_are_working_days():
    assert all(day.weekday() < 5 for day in HOLIDAYS)
