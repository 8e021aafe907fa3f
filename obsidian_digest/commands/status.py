"""`status`: which notes are ours and how they fare, the days covered, the next run; offline."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting
from obsidian_digest.commands.options import Globals, global_options
from obsidian_digest.core.texts.plural import many
from obsidian_digest.errors import VaultError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from obsidian_digest.core.checks.counts import Counts
    from obsidian_digest.core.checks.status import Covered, Status
    from obsidian_digest.model import KeepReason, Kind, Memory, Snapshot
    from obsidian_digest.wiring import Opened

KINDS: dict[Kind, tuple[str, str]] = {
    "paper": ("paper", "papers"),
    "digest": ("digest", "digests"),
    "theme": ("theme", "themes"),
    "week": ("week", "weeks"),
    "moc": ("map of content", "maps of content"),
    "score": ("score", "scores"),
}
MEANINGS: dict[KeepReason, tuple[str, str, str]] = {
    "edited": ("region", "regions", "changed by you, left alone by every run"),
    "deleted": ("paper", "papers", "shown by a digest, the note gone for good"),
    "moved": ("note", "notes", "lying elsewhere or renamed, found all the same"),
    "doubled": ("note", "notes", "sharing an identity, left alone by every run"),
    "unreadable": ("note", "notes", "damaged in properties or markers, left alone"),
    "conflict": ("note", "notes", "in conflict or a copy of a conflict, left alone"),
    "foreign": ("note", "notes", "yours alone, linked to and never written into"),
}
MOST_DAYS = 8
"""So many days are named in a line."""


@click.command()
@global_options
def status(shared: Globals) -> int:
    """Tell which notes are the tool's, which days are covered, and what the next run would do.

    Reads only, and never asks the network.
    """
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.checks import status as core  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.vault.memory import remember  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.vault.places import Places  # noqa: PLC0415 (keeps --help fast)

    opened = wiring.open_vault(shared.vault, shared.config_dir)
    notes = opened.config.notes
    snapshot = opened.vault.snapshot()
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    memory = remember(snapshot, places)
    found = core.status(snapshot, places, memory, opened.config, wiring.now())
    encoder, undoable = opened.config.encoder.name, _undoable(opened)
    counts = _counts(opened, snapshot, memory)
    if shared.json:
        answer = _answer(found, encoder, undoable) | _counted(counts)
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif not shared.quiet:
        click.echo("\n".join(_lines(found, encoder, undoable, counts)))
    return 0


def _counts(opened: Opened, snapshot: Snapshot, memory: Memory) -> dict[date, Counts]:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.checks.counts import counts  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.edge.templates import Templates  # noqa: PLC0415 (keeps --help fast)

    words = Templates(opened.root).words(opened.config.digest.language)
    return counts(
        wiring.announcements(opened),
        snapshot,
        memory,
        f"**{words['withdrawn']}**",
        cross_lists=opened.config.arxiv.cross_lists,
    )


def _counted(counts: Mapping[date, Counts]) -> dict[str, Any]:
    """The contract's `counts` and `days`; null where nothing of what was fetched is kept."""
    from obsidian_digest.core.checks.counts import Counts, total  # noqa: PLC0415 (keeps --help fast)

    totals = asdict(total(counts.values())) if counts else dict.fromkeys(asdict(Counts()))
    days = [{"date": day.isoformat(), **asdict(each)} for day, each in counts.items()]
    return {"counts": totals, "days": days}


def _undoable(opened: Opened) -> int | None:
    """How many notes `undo` would look at; None where the journal cannot be read."""
    try:
        runs = opened.vault.last_runs()
    except VaultError:
        return None
    return len({written.path for run in runs for written in run.written})


def _answer(found: Status, encoder: str, undoable: int | None) -> dict[str, Any]:
    from obsidian_digest.core.day.report import CONTRACT, instant  # noqa: PLC0415 (keeps --help fast)

    kept = [
        {"note": each.path, "reason": each.reason, "detail": each.detail} for each in found.kept
    ]
    return {
        "contract": CONTRACT,
        "command": "status",
        "exit": 0,
        "outcome": "status",
        "message": f"{_sentence(_holding(found))} {_sentence(_next(found))}",
        "notes": {kind: found.notes.get(kind, 0) for kind in KINDS},
        "kept": kept,
        "covered": {
            "first": _iso(found.covered.first),
            "newest": _iso(found.covered.newest),
            "digests": found.covered.digests,
            "missing": [day.isoformat() for day in found.covered.missing],
            "incomplete": {
                day.isoformat(): list(names) for day, names in found.covered.incomplete.items()
            },
        },
        "next": {
            "batches": [day.isoformat() for day in found.batches],
            "at": instant(found.coming),
            "encoder": encoder,
            "message": _sentence(_next(found)),
        },
        "undo": {"notes": undoable},
    }


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _lines(
    found: Status, encoder: str, undoable: int | None, counts: Mapping[date, Counts]
) -> list[str]:
    rows = [
        ("notes", _holding(found)),
        ("days", _days(found.covered)),
        *([("papers", _papers(counts))] if counts or found.covered.digests else []),
        ("next run", f"{_next(found).removeprefix('the next run ')}; encoder {encoder}"),
    ]
    if undoable:
        rows.append(("undo", f"takes back what the last run did to {many(undoable, 'note')}"))
    elif undoable is None:
        rows.append(("undo", "is not possible: the journal of the last run cannot be read"))
    kept = {reason: [each for each in found.kept if each.reason == reason] for reason in MEANINGS}
    for reason, each in kept.items():
        if each:
            one, more, meaning = MEANINGS[reason]
            rows.append((reason, f"{many(len(each), one, more)}: {meaning}"))
    lines = [f"{name:<11}{text}" for name, text in rows]
    details = [
        f"{reason:<11}{keep.path}{f' ({keep.detail})' if keep.detail else ''}"
        for reason, each in kept.items()
        for keep in each
    ]
    return [*lines, "", *fitting(details)] if details else lines


def _holding(found: Status) -> str:
    kinds = [many(found.notes[kind], *KINDS[kind]) for kind in KINDS if found.notes.get(kind)]
    total = sum(found.notes.values())
    return f"{many(total, 'note')} of ours: {', '.join(kinds)}" if kinds else "no notes of ours yet"


def _days(covered: Covered) -> str:
    said = _span(covered)
    for day, categories in covered.incomplete.items():
        said += f"; {day.isoformat()} lacks {', '.join(categories)}"
    return said


def _span(covered: Covered) -> str:
    if not covered.first or not covered.newest:
        return "no digest yet"
    span = covered.first.isoformat()
    if covered.newest != covered.first:
        span += f" to {covered.newest.isoformat()}"
    head = f"{span}, {many(covered.digests, 'digest')}"
    if not covered.missing:
        return head if covered.digests == 1 else f"{head}; no announcement in between is missing"
    missing = many(len(covered.missing), "announcement")
    hint = f"fetch one with: obsidian-digest run --date {covered.missing[-1].isoformat()}"
    return f"{head}; no digest covers {missing}: {_named(covered.missing)} ({hint})"


def _papers(counts: Mapping[date, Counts]) -> str:
    from obsidian_digest.core.checks.counts import total  # noqa: PLC0415 (keeps --help fast)

    if not counts:
        return "how many were announced and seen is not known: nothing fetched is kept here"
    each = [f"{number:,} {name}" for name, number in asdict(total(counts.values())).items()]
    return f"in {many(len(counts), 'announcement')} since {min(counts)}: {', '.join(each)}"


def _next(found: Status) -> str:
    if found.refusal:
        return f"the next run does nothing: {found.refusal}"
    if found.batches:
        count = len(found.batches)
        what = "the announcement of" if count == 1 else f"{count} announcements:"
        return f"the next run fetches {what} {_named(found.batches)}"
    at = found.coming.astimezone()
    return f"no announcement until {at:%A %H:%M} your time ({at:%Y-%m-%d})"


def _named(days: Sequence[date]) -> str:
    shown = ", ".join(day.isoformat() for day in days[-MOST_DAYS:])
    more = len(days) - MOST_DAYS
    return f"{more} more and {shown}" if more > 0 else shown
