"""How many papers were announced, seen, shown, picked, late and withdrawn, by announcement."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import date

    from obsidian_digest.model import AnnounceKind, Memory, NoteFile, Snapshot

_LISTED = re.compile(
    r"\[(?P<id>[^\[\]\s]+?)(?:v[0-9]+)?\]\(https://arxiv\.org/abs/(?P=id)(?:v[0-9]+)?\)"
)
_VERSION = "version-"


@dataclass(frozen=True, slots=True)
class Counts:
    """Papers of one announcement; of several, the sums."""

    announced: int = 0
    """New and cross-listed in the reader's categories, each once."""
    seen: int = 0
    """Of these, the ones that no earlier announcement had: what a run chooses from."""
    shown: int = 0
    """Of these, the ones that a digest names: picked, or listed as a near miss."""
    picked: int = 0
    """Of these, the ones that a digest has an entry for."""
    late: int = 0
    """Of those seen, new ones that were submitted before the last paper of an earlier
    announcement, as their ids tell: moderators held them."""
    withdrawn: int = 0
    """Papers with a note that a run for this announcement marked as withdrawn; not of the above."""


def counts(
    announcements: Mapping[date, Collection[tuple[str, AnnounceKind]]],
    snapshot: Snapshot,
    memory: Memory,
    mark: str,
    *,
    cross_lists: bool = True,
) -> dict[date, Counts]:
    """The counts of each announcement, oldest first.

    `announcements` are the ids and kinds that each had, by day; `mark` is how notes mark a
    withdrawn paper. Those without a row are left out: nothing is known of them.
    """
    wanted = {"new", "cross"} if cross_lists else {"new"}
    picked = {each for digest in memory.digests.values() for each in digest.picked}
    shown = picked | set(_listed(snapshot.notes))
    withdrawn = _withdrawn(snapshot.notes, memory, mark)
    earlier: set[str] = set()
    found = {}
    for day in sorted(day for day, rows in announcements.items() if rows):
        rows = announcements[day]
        announced = {arxiv_id for arxiv_id, kind in rows if kind in wanted}
        new = {arxiv_id for arxiv_id, kind in rows if kind == "new"}
        seen = announced - earlier
        newest = _newest(earlier, memory, day)
        found[day] = Counts(
            len(announced),
            len(seen),
            len(seen & shown),
            len(seen & picked),
            sum(sort_key(each) > sort_key(newest) for each in seen & new) if newest else 0,
            withdrawn.count(day.isoformat()),
        )
        earlier |= announced
    return found


def total(rows: Iterable[Counts]) -> Counts:
    """The sums."""
    return Counts(*map(sum, zip(*map(astuple, rows), strict=True)))


def _newest(earlier: Collection[str], memory: Memory, day: date) -> str:
    """The highest id announced before the day; empty where nothing is known of earlier days."""
    told = (digest.newest for digest in memory.digests.values() if digest.day < day)
    return min((*earlier, *filter(None, told)), key=sort_key, default="")


def _listed(notes: Iterable[NoteFile]) -> Iterator[str]:
    """Ids of the papers that digests link to at arXiv."""
    for note in notes:
        if note.kind == "digest":
            text = note.raw.decode("utf-8", errors="replace")
            yield from (found["id"] for found in _LISTED.finditer(text))


def _withdrawn(notes: Iterable[NoteFile], memory: Memory, mark: str) -> list[str]:
    """For each note that is marked, the day of the run that did it, as far as the note tells."""
    days = []
    for note in notes:
        marked = [name for name, text in note.regions.items() if mark in text]
        if note.kind != "paper" or not marked:
            continue
        told = [name.removeprefix(_VERSION) for name in marked if name.startswith(_VERSION)]
        shown = memory.papers[note.key].digests if note.key in memory.papers else ()
        days += [min(told)] if told else [day.isoformat() for day in shown[:1]]
    return days
