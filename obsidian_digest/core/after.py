"""The vault as a plan leaves it, so that the next day can be planned before this one is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.model import Create, Plan, Remove, Update
from obsidian_digest.note.copies import settle
from obsidian_digest.note.kinds import classify

if TYPE_CHECKING:
    from obsidian_digest.model import Change, Snapshot


def after(snapshot: Snapshot, plan: Plan, moc: str = "", interests: str = "") -> Snapshot:
    """The snapshot that one would take once the plan is carried out.

    `moc` and `interests` are the base names of those notes, needed only where the plan or an undo
    touches them.
    """
    notes = {note.path: note for note in snapshot.notes}
    paths = dict.fromkeys(snapshot.paths)
    for change in plan.changes:
        end = _end(change)
        note = classify(change.path, end, moc, (interests,)) if end is not None else None
        if end is None:
            paths.pop(change.path, None)
        else:
            paths[change.path] = None
        if note is None:
            notes.pop(change.path, None)
        else:
            notes[change.path] = note
    return replace(snapshot, notes=settle(list(notes.values())), paths=tuple(paths))


def instead(taken_back: Plan, plan: Plan) -> Plan:
    """One plan for the vault as it stands: undo what `taken_back` undoes, then do `plan`.

    Notes that end as they stand are not written.
    """
    standing = {change.path: _before(change) for change in taken_back.changes}
    ends = {change.path: _end(change) for change in (*taken_back.changes, *plan.changes)}
    planned = {change.path: change for change in plan.changes}
    changes: list[Change] = []
    for path in [*planned, *(path for path in ends if path not in planned)]:
        before = standing[path] if path in standing else _before(planned[path])
        made = _change(path, before, ends[path])
        if made:
            changes.append(made)
    return Plan(tuple(changes), plan.kept, plan.unchanged)


def _before(change: Change) -> bytes | None:
    return None if isinstance(change, Create) else change.before


def _end(change: Change) -> bytes | None:
    return None if isinstance(change, Remove) else change.after


def _change(path: str, before: bytes | None, end: bytes | None) -> Change | None:
    if before == end:
        return None
    if before is None:
        return Create(path, end or b"")
    return Remove(path, before) if end is None else Update(path, before, end)
