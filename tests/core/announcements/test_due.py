from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from obsidian_digest.core.announcements import due
from obsidian_digest.errors import InputError
from obsidian_digest.model import NoteFile, Snapshot, Window

THURSDAY_MORNING = datetime(2026, 8, 20, 6, tzinfo=UTC)


def test_a_new_vault_gets_the_latest_batch():
    asked = due.due(THURSDAY_MORNING, None)
    assert asked.batches == (date(2026, 8, 20),)
    assert asked.window is not None
    assert asked.window.start == datetime(2026, 8, 18, 18, tzinfo=UTC)
    assert asked.window.end == datetime(2026, 8, 19, 18, tzinfo=UTC)


def test_after_a_holiday_of_the_laptop_all_batches_are_caught_up_without_a_gap():
    asked = due.due(THURSDAY_MORNING, date(2026, 8, 14))
    assert asked.batches == tuple(date(2026, 8, day) for day in (17, 18, 19, 20))
    assert asked.day == date(2026, 8, 20)
    assert asked.window is not None
    assert asked.window.start == datetime(2026, 8, 13, 18, tzinfo=UTC)


def test_when_nothing_was_announced_since_the_message_says_when_the_next_one_comes():
    saturday = datetime(2026, 8, 22, 9, tzinfo=UTC)
    asked = due.due(saturday, date(2026, 8, 21))
    assert asked.window is None
    assert "the next one comes on Monday 2026-08-24 at 00:00 your time" in asked.message


def test_a_day_without_an_announcement_is_told():
    asked = due.one_batch(date(2026, 8, 22), THURSDAY_MORNING)
    assert "announced nothing on 2026-08-22" in asked.message


def test_a_batch_that_is_not_out_yet_is_told():
    asked = due.one_batch(date(2026, 8, 21), THURSDAY_MORNING)
    assert "comes out on Friday 2026-08-21 at 00:00 your time" in asked.message


def test_a_span_of_days_covers_both_ends_and_never_the_future():
    asked = due.span(date(2026, 8, 18), date(2026, 8, 20), THURSDAY_MORNING)
    assert asked.window is not None
    assert asked.window.start == datetime(2026, 8, 18, tzinfo=UTC)
    assert asked.window.end == THURSDAY_MORNING


def test_the_ends_of_all_calendars_are_days_like_any_other():
    assert due.span(date(2026, 8, 18), date.max, THURSDAY_MORNING).window == Window(
        datetime(2026, 8, 18, tzinfo=UTC), THURSDAY_MORNING
    )
    assert due.span(date.min, date(2026, 8, 18), THURSDAY_MORNING).window == Window(
        datetime(1986, 1, 1, tzinfo=UTC), datetime(2026, 8, 19, tzinfo=UTC)
    )
    assert "announced nothing on 0001-01-01" in due.one_batch(date.min, THURSDAY_MORNING).message
    assert "comes out on" in due.one_batch(date.max, THURSDAY_MORNING).message


def test_a_span_without_a_paper_is_an_error_that_names_the_option_given():
    with pytest.raises(InputError, match="--to 0001-01-01 lies before"):
        due.span(None, date.min, THURSDAY_MORNING)
    with pytest.raises(InputError, match="--to 9999-12-31 lies in the future"):
        due.span(None, date.max, THURSDAY_MORNING)


@pytest.mark.parametrize(
    ("first", "last"), [(date(2026, 8, 20), date(2026, 8, 18)), (date(2027, 1, 1), None)]
)
def test_an_impossible_span_is_an_error(first: date, last: date | None):
    with pytest.raises(InputError):
        due.span(first, last, THURSDAY_MORNING)


def test_the_newest_batch_is_read_from_the_digests_themselves():
    digest = NoteFile("a.md", "digest", "2026-08-19", b"", {"digest_batches": ("2026-08-20",)}, {})
    broken = NoteFile("b.md", "digest", "someday", b"", {}, {})
    assert due.newest_batch(Snapshot((digest, broken))) == date(2026, 8, 20)
    assert due.newest_batch(Snapshot()) is None


def test_a_digest_that_is_dated_in_the_future_hides_no_batch():
    covered = {"digest_batches": ("2099-01-01", "2026-08-19")}
    digest = NoteFile("a.md", "digest", "2099-01-01", b"", covered, {})
    assert due.newest_batch(Snapshot((digest,)), date(2026, 8, 20)) == date(2026, 8, 19)


def test_the_day_that_shows_a_paper_is_found_by_its_entry_and_not_by_a_mention():
    def digest(day: str, text: str) -> NoteFile:
        header = {"digest_batches": (day,)}
        return NoteFile(f"{day}.md", "digest", day, text.encode(), header, {})

    shows, mentions = "- [x](y) ^arxiv-2608-00001\n", "close to 2608.00001 and ^arxiv-2608-000012\n"
    both = (digest("2026-08-19", shows), digest("2026-08-20", mentions))
    snapshot, now = Snapshot(notes=both), datetime(2026, 8, 20, 12, tzinfo=UTC)
    assert due.shown_on(snapshot, "2608.00001", now).day == date(2026, 8, 19)
    assert due.shown_on(snapshot, "2608.00002", now) is None
    assert due.newest_day(snapshot, now).batches == (date(2026, 8, 20),)
    assert due.newest_day(Snapshot(), now) is None
