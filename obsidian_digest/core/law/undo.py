"""The plan that takes an earlier run back, as far as the reader has not touched its notes since."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from obsidian_digest.model import Keep, Plan, Remove, Update, Written
from obsidian_digest.note.kinds import classify
from obsidian_digest.note.names import id_in

_SHOWN = re.compile(r" \^arxiv-([A-Za-z0-9-]+)\r?$", re.MULTILINE)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from obsidian_digest.model import Change, NoteFile


def undo(
    runs: Iterable[Sequence[Written]],
    standing: Mapping[str, bytes | None],
    notes: Iterable[NoteFile],
) -> Plan:
    """Every change that gives the vault back as it was before the runs, the last written first.

    `runs` come newest first. `standing` holds what stands at the paths that exist, None for what
    cannot be read; `notes` are all of ours, in which a moved one is looked for.
    """
    histories: dict[str, list[Written]] = {}
    for run in runs:
        for written in reversed(run):
            histories.setdefault(written.path, []).append(written)
    moved = _Moved([note for note in notes if note.path not in histories])
    changes: list[Change] = []
    kept: list[Keep] = []
    unchanged = []
    for path, history in histories.items():
        now = standing.get(path)
        if now is None:
            kept += _absent(path, history, moved, unreadable=path in standing)
            continue
        before, touched = _back(history, now)
        if touched:
            kept.append(Keep(path, "deleted" if before is None else "edited"))
        if before is None:
            changes.append(Remove(path, now))
        elif before != now:
            changes.append(Update(path, now, before))
        elif not touched:
            unchanged.append(path)
    shown = _shown(standing.get(keep.path) or moved.raw.get(keep.path) for keep in kept)
    stay = [each for each in changes if isinstance(each, Remove) and _paper(each) in shown]
    kept += [Keep(each.path, "edited", "a digest that stays shows it") for each in stay]
    left = tuple(each for each in changes if each not in stay)
    return Plan(left, tuple(kept), tuple(unchanged))


def _shown(notes: Iterable[bytes | None]) -> frozenset[str]:
    """Ids of the papers that these digests show.

    Were their notes removed, the next run would take them for deleted by the reader.
    """
    found = (_SHOWN.findall(note.decode("utf-8", "replace")) for note in notes if note)
    return frozenset(paper for parts in found for part in parts if (paper := id_in(part)))


def _paper(change: Remove) -> str | None:
    return id_in(change.path.removesuffix(".md"))


def _back(history: Sequence[Written], now: bytes) -> tuple[bytes | None, bool]:
    """What stood there before the runs of the history (None: no note), and False.

    Where the reader's own hand came between, what his hand left there, and True.
    """
    before: bytes | None = now
    if before == history[-1].before:
        return before, False
    for written in history:
        if before is not None and _digest(before) == written.after:
            before = written.before
        elif before != written.before:
            return before, True
    return before, False


def _absent(
    path: str, history: Sequence[Written], moved: _Moved, *, unreadable: bool
) -> list[Keep]:
    """A note that the runs created and the reader deleted is as it should be."""
    if unreadable:
        return [Keep(path, "unreadable")]
    if place := moved.place(path, history):
        return [Keep(place, "moved", path)]
    return [] if history[-1].before is None else [Keep(path, "deleted")]


class _Moved:
    """Notes of ours at other paths than the runs wrote them."""

    def __init__(self, notes: Sequence[NoteFile]) -> None:
        ours = [note for note in notes if note.trouble != "foreign"]
        self.raw = {note.path: note.raw for note in ours}
        self._by_key = {(note.kind, note.key): note.path for note in ours}
        self._by_content = {_digest(note.raw): note.path for note in ours}

    def place(self, path: str, history: Sequence[Written]) -> str | None:
        for written in history:
            if written.after in self._by_content:
                return self._by_content[written.after]
            note = classify(path, written.before, "") if written.before is not None else None
            if note and (note.kind, note.key) in self._by_key:
                return self._by_key[note.kind, note.key]
        paper = id_in(path.removesuffix(".md"))
        return self._by_key.get(("paper", paper)) if paper else None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
