"""What a run has to fetch: the batches that are due, or the span the reader named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from obsidian_digest.core.calendar import (
    announced_at,
    batch_window,
    batches_after,
    latest_batch,
    next_batch,
)
from obsidian_digest.errors import InputError
from obsidian_digest.model import Window

if TYPE_CHECKING:
    from obsidian_digest.model import Snapshot

MOST_BATCHES = 30
"""A longer absence is caught up from here on; what lies before is for a backfill."""
FIRST_BATCH = date(1991, 8, 14)
"""The day on which arXiv began."""
FIRST_SUBMISSION = date(1986, 1, 1)
"""Some of arXiv's papers are dated back to before it began; none to before this day."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be fetched; without a window there is nothing to fetch."""

    window: Window | None
    day: date | None = None
    """The digest's day; None: as the papers tell."""
    batches: tuple[date, ...] = ()
    message: str = ""
    """Why there is nothing to fetch, for the reader."""


def newest_batch(snapshot: Snapshot, today: date = date.max) -> date | None:
    """The newest batch that a digest of the vault covers; None in a vault without digests.

    Digests of days after tomorrow are left out: the reader may write one, arXiv announces none.
    """
    covered: list[str] = []
    for note in snapshot.notes:
        if note.kind == "digest":
            batches = note.header.get("digest_batches", ())
            covered += [note.key, *(batches if isinstance(batches, tuple) else (batches,))]
    days = (date.fromisoformat(text) for text in covered if _is_day(text))
    return max((day for day in days if (day - today).days <= 1), default=None)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def due(now: datetime, newest: date | None) -> Due:
    """The batches announced since the newest one the vault has; in a new vault the latest one."""
    latest = latest_batch(now)
    if newest is None:
        return _batches((latest,))
    batches = batches_after(newest, latest)[-MOST_BATCHES:]
    if batches:
        return _batches(batches)
    coming = next_batch(now)
    message = (
        f"No announcement since {newest.isoformat()}, which the vault has; "
        f"the next one comes at {announced_at(coming):%A %Y-%m-%d %H:%M} UTC."
    )
    return Due(None, day=newest, message=message)


def _batches(batches: tuple[date, ...]) -> Due:
    windows = [window for day in batches if (window := batch_window(day))]
    return Due(Window(windows[0].start, windows[-1].end), batches[-1], batches)


def one_batch(day: date, now: datetime) -> Due:
    """The batch of one day, if arXiv announced one and it is out."""
    window = batch_window(day) if day >= FIRST_BATCH else None
    if window is None:
        return Due(None, day=day, message=f"arXiv announced nothing on {day.isoformat()}.")
    if announced_at(day) > now:
        at = f"{announced_at(day):%A %Y-%m-%d %H:%M} UTC"
        return Due(None, day=day, message=f"The batch of {day.isoformat()} comes out at {at}.")
    return Due(window, day, (day,))


def span(first: date | None, last: date | None, now: datetime) -> Due:
    """Submissions of whole UTC days, both ends included. Raises InputError for an empty span."""
    end_day = last or now.date()
    start_day = first or end_day
    if start_day > end_day:
        raise InputError(f"--from {start_day} lies after --to {end_day}", hint="Exchange them.")
    start = datetime.combine(max(start_day, FIRST_SUBMISSION), time(), UTC)
    if start >= now:
        raise InputError(f"{'--from' if first else '--to'} {start_day} lies in the future")
    if end_day >= now.date():
        return Due(Window(start, now))
    end = datetime.combine(end_day + timedelta(days=1), time(), UTC)
    if end <= start:
        raise InputError(f"--to {end_day} lies before arXiv's first paper")
    return Due(Window(start, end))


def last_days(count: int, now: datetime) -> Due:
    """Submissions of the last `count` times 24 hours."""
    minute = now.replace(second=0, microsecond=0)
    return Due(Window(minute - timedelta(days=count), minute))
