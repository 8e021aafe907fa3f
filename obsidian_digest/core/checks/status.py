"""What the vault holds of ours, which days it covers, and what the next run would do."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, get_args

from obsidian_digest.core.announcements.calendar import announced_at, batches_after, next_batch
from obsidian_digest.core.announcements.due import FIRST_BATCH, due, newest_batch
from obsidian_digest.core.checks.missing import refuse_if_most_are_gone
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.errors import VaultBusyError
from obsidian_digest.model import Keep, KeepReason
from obsidian_digest.note import region
from obsidian_digest.note.kinds import why
from obsidian_digest.note.names import id_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime

    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Kind, Memory, NoteFile, Snapshot

REASONS: tuple[KeepReason, ...] = get_args(KeepReason)


@dataclass(frozen=True, slots=True)
class Covered:
    """The announcements that the vault's digests cover."""

    first: date | None
    newest: date | None
    digests: int
    missing: tuple[date, ...]
    """Batches of arXiv's calendar between first and newest that no digest covers."""
    incomplete: Mapping[date, tuple[str, ...]] = field(default_factory=dict)
    """Digests' days with the categories that no source could be trusted for."""


@dataclass(frozen=True, slots=True)
class Status:
    """The vault as `status` tells it."""

    notes: Mapping[Kind, int]
    """Notes of ours by kind; a kind without notes is left out."""
    kept: tuple[Keep, ...]
    """Notes that a run leaves alone, finds elsewhere or does not make, in the order of reasons."""
    covered: Covered
    batches: tuple[date, ...]
    """What a run now would fetch, oldest first; empty where nothing is due."""
    coming: datetime
    """When arXiv's next announcement comes, in UTC."""
    refusal: str = ""
    """Why a run now would do nothing at all; empty where it would start."""


def status(
    snapshot: Snapshot, places: Places, memory: Memory, config: Config, now: datetime
) -> Status:
    """The state of the vault at the aware instant `now`."""
    ours = [note for note in snapshot.notes if note.trouble != "foreign"]
    kinds = Counter(note.kind for note in ours)
    asked = due(now, newest_batch(snapshot, now.date()))
    kept = [
        *_edited(ours, places),
        *_deleted(snapshot, memory, config),
        *_moved(ours, config),
        *plan((), snapshot, places, ()).kept,
        *(
            Keep(each.path, "foreign", why(each))
            for each in snapshot.notes
            if each.trouble == "foreign"
        ),
    ]
    kept.sort(key=lambda keep: (REASONS.index(keep.reason), keep.path, keep.detail))
    return Status(
        notes={kind: kinds[kind] for kind in sorted(kinds)},
        kept=tuple(dict.fromkeys(kept)),
        covered=_covered(memory, now.date()),
        batches=asked.batches,
        coming=announced_at(next_batch(now)),
        refusal=_refusal(snapshot, memory) if config.notes.paper_notes else "",
    )


def _refusal(snapshot: Snapshot, memory: Memory) -> str:
    picked = {each for digest in memory.digests.values() for each in digest.picked}
    noted = {note.key for note in snapshot.notes if note.kind == "paper"}
    try:
        refuse_if_most_are_gone(picked, noted, snapshot.seen)
    except VaultBusyError as error:
        return error.what
    return ""


def _edited(notes: list[NoteFile], places: Places) -> Iterator[Keep]:
    """One for each region that a run takes for edited."""
    for note in notes:

        def trusts(target: str, path: str = note.path) -> bool:
            return places.trusts(target, path)

        found = region.find(note.raw.decode("utf-8")) if note.trouble is None else ()
        for each in found:
            if not region.intact(each, trusts):
                yield Keep(note.path, "edited", f"region {each.name}")


def _deleted(snapshot: Snapshot, memory: Memory, config: Config) -> Iterator[Keep]:
    """Papers, by id, that a digest names and that have no note."""
    noted = {note.key for note in snapshot.notes if note.kind == "paper"}
    for day in sorted(memory.digests if config.notes.paper_notes else ()):
        for arxiv_id in memory.digests[day].picked:
            if arxiv_id not in noted:
                noted.add(arxiv_id)
                yield Keep(arxiv_id, "deleted", f"shown on {day.isoformat()}")


def _moved(notes: list[NoteFile], config: Config) -> Iterator[Keep]:
    """Notes that lie elsewhere than new ones of their kind, or were renamed as far as one can tell.

    A paper's name is only known to be another when the id is gone from it: titles change at arXiv.
    """
    folders = config.folders
    born: dict[Kind, str] = {
        "paper": folders.papers,
        "digest": folders.digests,
        "theme": folders.themes,
        "week": folders.weeks,
    }
    for note in notes:
        folder, _, _ = note.path.rpartition("/")
        told = []
        if note.kind in born and folder != born[note.kind]:
            told.append(f"new ones go to {born[note.kind] or 'the root'}")
        if was := _other_name(note, config):
            told.append(f"renamed; {was}")
        if told:
            yield Keep(note.path, "moved", "; ".join(told))


def _other_name(note: NoteFile, config: Config) -> str:
    """What tells that the note bore another name at birth; empty where nothing does."""
    stem, title = base_name(note.path), note.header.get("title")
    if note.kind == "paper" and note.key:
        return "" if id_part(note.key) in stem else f"it is {note.key}"
    if note.kind == "moc":
        return "" if stem == config.notes.moc else f"it was {config.notes.moc}"
    if isinstance(title, str) and title and re.sub(r" \d+$", "", stem) != title != stem:
        return f"it was {title}"
    return ""


def _covered(memory: Memory, today: date) -> Covered:
    """Digests of days on which arXiv cannot have announced are the reader's and cover nothing."""
    last = today + timedelta(days=1)
    days = sorted(day for day in memory.digests if FIRST_BATCH <= day <= last)
    if not days:
        return Covered(None, None, 0, ())
    have = {*days, *(batch for day in days for batch in memory.digests[day].batches)}
    between = batches_after(max(min(have), FIRST_BATCH), min(max(have), last))
    missing = tuple(batch for batch in between if batch not in have)
    lacking = {day: memory.digests[day].missing for day in days if memory.digests[day].missing}
    return Covered(days[0], days[-1], len(days), missing, lacking)
