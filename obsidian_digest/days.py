"""One run over one day or several, each planned on the vault that the one before leaves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from obsidian_digest import pipeline
from obsidian_digest.core.law.after import after, instead
from obsidian_digest.core.law.undo import undo
from obsidian_digest.errors import DigestError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from obsidian_digest.config import Notes
    from obsidian_digest.core.announcements.due import Due
    from obsidian_digest.model import Plan, Snapshot
    from obsidian_digest.pipeline import Doors, Request, Result
    from obsidian_digest.ports import Vault


@dataclass(frozen=True, slots=True)
class Day:
    """What one day's run found, and did or would do."""

    asked: Due
    result: Result


@dataclass(slots=True)
class Days:
    """All days of one run."""

    done: list[Day] = field(default_factory=list)
    failure: DigestError | None = None
    """What ended the run before its last day; the days before it are done."""


def run_days(
    asked: Sequence[Due],
    request: Callable[[Due, Snapshot], Request],
    snapshot: Snapshot,
    doors: Doors,
    vault: Vault,
    names: Notes,
    *,
    writes: bool,
    planned: Callable[[Result], None],
) -> Days:
    """Plans and, if it `writes`, carries out day after day. Raises what the first day raises.

    `planned` is told of each day before it is written. A day that fails ends the run: a later
    digest would hide that it is missing.
    """
    days = Days()
    for due in asked:
        try:
            result = _day(due, request, snapshot, doors, vault, names)
            planned(result)
            if writes:
                vault.write(result.plan, goes_on=bool(days.done))
                result.clock.lap("write")
        except DigestError as error:
            if not days.done:
                raise
            days.failure = error
            return days
        days.done.append(Day(due, result))
        snapshot = after(snapshot, result.plan, names.moc, names.interests)
    return days


def _day(
    due: Due,
    request: Callable[[Due, Snapshot], Request],
    snapshot: Snapshot,
    doors: Doors,
    vault: Vault,
    names: Notes,
) -> Result:
    if due.completes:
        taken_back = _taken_back(due, snapshot, vault)
        if taken_back is not None:
            before = after(snapshot, taken_back, names.moc, names.interests)
            result = pipeline.run(request(due, before), before, doors)
            return replace(result, plan=instead(taken_back, result.plan))
    return pipeline.run(request(due, snapshot), snapshot, doors)


def _taken_back(due: Due, snapshot: Snapshot, vault: Vault) -> Plan | None:
    """The plan that undoes the run which wrote the day, if the reader has touched nothing since.

    So a day that a source left incomplete ends as if it had been whole from the start. None: the
    journal does not know that run, or something was touched; then papers are only added.
    """
    runs = vault.last_runs()
    digests = {note.path for note in snapshot.notes if note.kind == "digest"}
    day = {n.path for n in snapshot.notes if n.kind == "digest" and n.key == str(due.day)}
    created = {each.path for run in runs for each in run.written if each.before is None}
    if not day or created & digests != day:
        return None
    standing = vault.standing({each.path for run in runs for each in run.written})
    plan = undo([run.written for run in runs], standing, snapshot.notes)
    return None if plan.kept else plan
