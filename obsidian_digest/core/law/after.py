"""The vault as a plan leaves it, so that the next day can be planned before this one is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from obsidian_digest.model import Create, Plan, Remove, Update
from obsidian_digest.note.copies import settle
from obsidian_digest.note.kinds import classify

if TYPE_CHECKING:
    from obsidian_digest.model import Change, Snapshot

_Value = TypeVar("_Value")


def after(snapshot: Snapshot, plan: Plan, moc: str = "", interests: str = "") -> Snapshot:
    """The snapshot that one would take once the plan is carried out.

    `moc` and `interests` are the base names of those notes, needed only where the plan or an undo
    touches them.
    """
    notes = {note.path: note for note in snapshot.notes}
    paths, files = dict.fromkeys(snapshot.paths, b""), dict(snapshot.files)
    days = dict(snapshot.daily.notes) if snapshot.daily else {}
    for change in plan.changes:
        path, end = change.path, _end(change)
        is_note = path.endswith(".md")
        note = classify(path, end, moc, (interests,)) if is_note and end is not None else None
        _put(paths, path, end)
        _put(notes, path, note)
        _put(files, path, None if is_note else end)
        if path in days:
            _put(days, path, end)
    return replace(
        snapshot,
        notes=settle(list(notes.values())),
        paths=tuple(paths),
        files=files,
        daily=replace(snapshot.daily, notes=days) if snapshot.daily else None,
    )


def _put(table: dict[str, _Value], path: str, value: _Value | None) -> None:
    if value is None:
        table.pop(path, None)
    else:
        table[path] = value


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
