"""`undo`: gives the vault back as it was before the last run, but for what the reader touched."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting, left_alone
from obsidian_digest.commands.options import Globals, global_options
from obsidian_digest.core.texts.plural import many

if TYPE_CHECKING:
    from obsidian_digest.model import Plan
    from obsidian_digest.wiring import Opened


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo found to take back, and did."""

    plan: Plan
    runs: int
    """Runs it is about; none: no run has left anything to undo."""


@click.command()
@click.option("--dry-run", is_flag=True, help="Print the changes as a diff, write nothing.")
@global_options
def undo(shared: Globals, dry_run: bool) -> int:
    """Give the notes back that the last run replaced, and remove those it created.

    A note that you changed, moved or deleted since is left alone. Run it again to go one run
    further back.
    """
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)

    opened = wiring.open_vault(shared.vault, shared.config_dir)
    if dry_run:
        done = _undone(opened, writes=False)
    else:
        opened.vault.check_writable()
        with opened.vault.locked():
            done = _undone(opened, writes=True)
    _tell(shared, done, dry_run=dry_run)
    return 0


def _undone(opened: Opened, *, writes: bool) -> Undone:
    from obsidian_digest.core.law import undo as core  # noqa: PLC0415 (keeps --help fast)

    runs = opened.vault.last_runs()
    written = [run.written for run in runs]
    standing = opened.vault.standing({each.path for run in written for each in run})
    plan = core.undo(written, standing, opened.vault.snapshot().notes)
    if writes and runs:
        opened.vault.take_back(runs, plan)
    return Undone(plan, len(runs))


def _tell(shared: Globals, done: Undone, *, dry_run: bool) -> None:
    from obsidian_digest.core.law.diff import unified  # noqa: PLC0415 (keeps --help fast)

    answer = _answer(done, dry_run=dry_run)
    if shared.json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif dry_run and done.plan.changes:
        click.echo(unified(done.plan), nl=False)
    elif not shared.quiet:
        kept = answer["notes"]["kept"]
        lines = [left_alone(keep) for keep in kept]
        click.echo("\n".join([answer["message"], *fitting(lines)]))


def _answer(done: Undone, *, dry_run: bool) -> dict[str, Any]:
    from obsidian_digest.core.day.report import CONTRACT  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.model import Remove  # noqa: PLC0415 (keeps --help fast)

    changes = done.plan.changes
    removed = [change.path for change in changes if isinstance(change, Remove)]
    restored = [change.path for change in changes if not isinstance(change, Remove)]
    kept = [
        {"note": each.path, "reason": each.reason, "detail": each.detail} for each in done.plan.kept
    ]
    return {
        "contract": CONTRACT,
        "command": "undo",
        "exit": 0,
        "outcome": "undone" if done.runs else "nothing-to-undo",
        "message": _sentence(done, len(restored), len(removed), dry_run=dry_run),
        "notes": {"restored": restored, "removed": removed, "kept": kept},
    }


def _sentence(done: Undone, restored: int, removed: int, *, dry_run: bool) -> str:
    if not done.runs:
        return "There is nothing to undo: no run has left anything to take back here."
    parts = [f"{many(removed, 'note')} removed"] if removed else []
    parts += [f"{many(restored, 'note')} put back as before"] if restored else []
    what = ", ".join(parts) or "nothing of it was left to take back"
    verb = "would be undone" if dry_run else "is undone"
    kept = len(done.plan.kept)
    tail = f" {many(kept, 'note')} left alone, since you touched {'it' if kept == 1 else 'them'}."
    return f"The last run {verb}: {what}.{tail if kept else ''}"
