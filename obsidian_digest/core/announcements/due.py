"""What a run has to fetch: the batches that are due, or the span the reader named."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.calendar import (
    announced_at,
    batch_window,
    batches_after,
    latest_batch,
    next_batch,
)
from obsidian_digest.errors import InputError
from obsidian_digest.model import Window
from obsidian_digest.note.names import id_part, sort_key

if TYPE_CHECKING:
    from obsidian_digest.model import NoteFile, Snapshot

MOST_BATCHES = 30
"""A longer absence is caught up from here on; what lies before is for a backfill."""
STILL_COMES = 7
"""Days for which a batch that came incomplete is asked for again."""
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
    completes: bool = False
    """The vault has this day's digest, categories are missing in it, and it may be made anew."""
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


def newest_id(snapshot: Snapshot, batch: date) -> str:
    """The highest id of the vault's digests that cover only batches before this one."""
    known = []
    for note in snapshot.notes:
        value = note.header.get("digest_newest", "")
        if (
            note.kind == "digest"
            and isinstance(value, str)
            and value
            and note.key < batch.isoformat()
        ):
            known.append(value)
    return min(known, key=sort_key, default="")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def due(now: datetime, newest: date | None) -> Due:
    """The batches announced since the newest one the vault has; in a new vault the latest one.

    `now` carries the reader's time zone, in which the message tells when to come back.
    """
    latest = latest_batch(now)
    if newest is None:
        return batches_due((latest,))
    batches = batches_after(newest, latest)[-MOST_BATCHES:]
    if batches:
        return batches_due(batches)
    message = f"No announcement since {newest.isoformat()}, which the vault has; the next one comes"
    return Due(None, day=newest, message=f"{message} {when(announced_at(next_batch(now)), now)}.")


def when(instant: datetime, now: datetime) -> str:
    """A coming instant in the time zone of `now`."""
    return f"on {instant.astimezone(now.tzinfo):%A %Y-%m-%d at %H:%M} your time"


def batches_due(batches: tuple[date, ...]) -> Due:
    """These batches as one; they must be of arXiv's calendar, oldest first, at least one."""
    windows = [window for day in batches if (window := batch_window(day))]
    return Due(Window(windows[0].start, windows[-1].end), batches[-1], batches)


def one_by_one(asked: Due) -> tuple[Due, ...]:
    """The same batches, each with a day of its own."""
    if len(asked.batches) < 2:  # noqa: PLR2004 (one is one by one)
        return (asked,)
    return tuple(batches_due((day,)) for day in asked.batches)


def unfinished(snapshot: Snapshot, now: datetime) -> tuple[Due, ...]:
    """The digests' days, oldest first, of which some categories are missing and may still come.

    Only one that stands alone `completes` its day; several are added to, since the run that wrote
    one of them need not be the last any more once another is done.
    """
    found = []
    for digest in _announced_digests(snapshot, now.date()):
        batches = _batches_of(digest)
        lacks = bool(digest.header.get("digest_missing"))
        if lacks and batches and (now.date() - batches[-1]).days <= STILL_COMES:
            found.append(replace(batches_due(batches), day=date.fromisoformat(digest.key)))
    return (replace(found[0], completes=True),) if len(found) == 1 else tuple(found)


def more_wanted(snapshot: Snapshot, now: datetime, top: int, min_stars: int) -> Due | None:
    """The newest digest's day, if the reader asks for more papers than it was made with."""
    newest = _newest_digest(snapshot, now.date())
    if newest is None:
        return None
    had = [newest.header.get(name, "") for name in ("digest_top", "digest_min_stars")]
    numbers = [int(each) for each in had if isinstance(each, str) and each.isdecimal()]
    batches = _batches_of(newest)
    if len(numbers) < len(had) or not batches or not (top > numbers[0] or min_stars < numbers[1]):
        return None
    return replace(batches_due(batches), day=date.fromisoformat(newest.key))


def shown_on(snapshot: Snapshot, paper: str, now: datetime) -> Due | None:
    """The day whose digest shows the paper; None if none does, or one of no batch."""
    anchor = re.compile(rf" \^arxiv-{re.escape(id_part(paper))}[ \t]*\r?$", re.MULTILINE)
    for digest in reversed(_announced_digests(snapshot, now.date())):
        if anchor.search(digest.raw.decode("utf-8", errors="replace")):
            return _day_of(digest)
    return None


def newest_day(snapshot: Snapshot, now: datetime) -> Due | None:
    """The newest digest's day; None if there is none, or one of no batch."""
    newest = _newest_digest(snapshot, now.date())
    return _day_of(newest) if newest else None


def _day_of(digest: NoteFile) -> Due | None:
    batches = _batches_of(digest)
    return replace(batches_due(batches), day=date.fromisoformat(digest.key)) if batches else None


def troubled(snapshot: Snapshot, day: date) -> bool:
    """Whether nothing may be written into the day's digest."""
    key = ("digest", day.isoformat())
    first = next((note for note in snapshot.notes if (note.kind, note.key) == key), None)
    return first is not None and first.trouble is not None


def _newest_digest(snapshot: Snapshot, today: date) -> NoteFile | None:
    return next(reversed(_announced_digests(snapshot, today)), None)


def _announced_digests(snapshot: Snapshot, today: date) -> list[NoteFile]:
    """The digests of arXiv's days up to tomorrow, oldest first."""
    digests = [
        note
        for note in snapshot.notes
        if note.kind == "digest" and not note.trouble and _is_day(note.key)
    ]
    known = [note for note in digests if (date.fromisoformat(note.key) - today).days <= 1]
    return sorted(known, key=lambda note: note.key)


def _batches_of(digest: NoteFile) -> tuple[date, ...]:
    given = digest.header.get("digest_batches", ())
    texts = given if isinstance(given, tuple) else (given,)
    days = [date.fromisoformat(text) for text in texts if _is_day(text)]
    return tuple(day for day in sorted(days) if batch_window(day))


def one_batch(day: date, now: datetime) -> Due:
    """The batch of one day, if arXiv announced one and it is out."""
    window = batch_window(day) if day >= FIRST_BATCH else None
    if window is None:
        return Due(None, day=day, message=f"arXiv announced nothing on {day.isoformat()}.")
    if announced_at(day) > now:
        at = when(announced_at(day), now)
        return Due(None, day=day, message=f"The batch of {day.isoformat()} comes out {at}.")
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
