"""arXiv's announcement calendar: which mailing a submission belongs to, and when it goes public.

Source: https://info.arxiv.org/help/availability.html. Submissions close at 14:00 US Eastern on
working days and are announced at 20:00 on the evening before the batch's date, Sunday to Thursday,
so that batches are dated Monday to Friday. Against 247 papers of August 2026 with both times known,
220 came in the batch computed here; the others had been held by moderators and came later.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from obsidian_digest.model import Window

if TYPE_CHECKING:
    from collections.abc import Iterator

EASTERN = ZoneInfo("America/New_York")
DEADLINE = time(14, tzinfo=EASTERN)
EVENING = time(20, tzinfo=EASTERN)
FRIDAY = 4
DAY = timedelta(days=1)

# A hint, not a promise: arXiv edits this list by hand each January and defers mailings ad hoc.
# On a holiday nothing closes, so the batch that would have closed then is missing. The batches of
# 20 January, 22 June and 6 July 2026 were, which also tells how a holiday on a Friday counts.
HOLIDAYS = frozenset(
    {
        date(2026, 1, 1),
        date(2026, 1, 19),
        date(2026, 6, 19),
        date(2026, 7, 3),
        date(2026, 9, 7),
        date(2026, 11, 26),
        date(2026, 12, 25),
        date(2026, 12, 29),
        date(2026, 12, 31),
    }
)


def batch_day(submitted: datetime, holidays: frozenset[date] = HOLIDAYS) -> date:
    """The date of the batch that announces a paper submitted at an aware instant.

    Moderators hold some papers back for days: those come in a later batch than this one.
    """
    first = _eastern_day(submitted)
    return next(
        day
        for day in _days_from(first, DAY)
        if _has_batch(day, holidays) and submitted < _closes(day)
    )


def batch_window(day: date, holidays: frozenset[date] = HOLIDAYS) -> Window | None:
    """The submission times, in UTC, of the batch dated `day`; None where no batch has that date.

    The window after a holiday also covers the batch that the holiday cost.
    """
    if not _has_batch(day, holidays):
        return None
    before = next(d for d in _days_from(day - DAY, -DAY) if _has_batch(d, holidays))
    return Window(_closes(before), _closes(day))


def announced_at(day: date) -> datetime:
    """The UTC instant at which the batch dated `day` goes public: 20:00 Eastern the day before."""
    return datetime.combine(day - DAY, EVENING).astimezone(UTC)


def latest_batch(now: datetime, holidays: frozenset[date] = HOLIDAYS) -> date:
    """The date of the newest batch that is public at the aware instant `now`."""
    return next(
        day
        for day in _days_from(_eastern_day(now) + DAY, -DAY)
        if _has_batch(day, holidays) and announced_at(day) <= now
    )


def next_batch(now: datetime, holidays: frozenset[date] = HOLIDAYS) -> date:
    """The date of the first batch that is still to come at the aware instant `now`."""
    return next(
        day
        for day in _days_from(_eastern_day(now), DAY)
        if _has_batch(day, holidays) and announced_at(day) > now
    )


def batches_after(day: date, until: date, holidays: frozenset[date] = HOLIDAYS) -> tuple[date, ...]:
    """The dates of all batches after `day` up to and including `until`, oldest first."""
    span = (day + n * DAY for n in range(1, (until - day).days + 1))
    return tuple(d for d in span if _has_batch(d, holidays))


def _has_batch(day: date, holidays: frozenset[date]) -> bool:
    return day.weekday() <= FRIDAY and _closing_day(day) not in holidays


def _closing_day(day: date) -> date:
    """The working day before a batch's date: Friday for a Monday."""
    return next(d for d in _days_from(day - DAY, -DAY) if d.weekday() <= FRIDAY)


def _closes(day: date) -> datetime:
    return datetime.combine(_closing_day(day), DEADLINE).astimezone(UTC)


def _days_from(first: date, step: timedelta) -> Iterator[date]:
    return (first + n * step for n in count())


def _eastern_day(instant: datetime) -> date:
    if instant.tzinfo is None:
        raise ValueError(f"{instant} has no time zone")
    return instant.astimezone(EASTERN).date()
