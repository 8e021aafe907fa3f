"""What `import` says: one JSON object, a diff, or some lines for a person."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting, left_alone

if TYPE_CHECKING:
    from obsidian_digest.commands.options import Globals
    from obsidian_digest.core.day.import_report import Counted
    from obsidian_digest.importing import Imported

MOST_BYTES = 2_400
"""Of each list: without a terminal the output stays under 8 kB."""


def tell(shared: Globals, done: Imported, *, writes: bool) -> int:
    """Tells what an import did or would do; gives its exit code."""
    from obsidian_digest.core.law.diff import unified  # noqa: PLC0415 (keeps --help fast)

    code = _exit_code(done)
    answer = _answer(done, code, writes=writes)
    if shared.json:
        click.echo(json.dumps(answer, ensure_ascii=False))
        return code
    if not writes:
        click.echo("".join(map(unified, done.plans)), nl=False)
    elif not shared.quiet:
        click.echo("\n".join(_lines(answer, verbose=shared.verbose or sys.stdout.isatty())))
    if done.failure:
        click.echo(f"obsidian-digest: {done.failure}", err=True)
    return code


def _exit_code(done: Imported) -> int:
    if done.failure:
        return done.failure.exit_code
    return 4 if done.account.missing else 3 if done.account.not_found else 0


def _counted(done: Imported) -> Counted:
    from obsidian_digest.core.day.import_report import Counted  # noqa: PLC0415 (keeps --help fast)

    return Counted(
        new=done.new.count,
        chosen=done.chosen,
        imported=len(done.papers),
        left=done.left.count,
        deleted=len(set(done.kept)),
        not_found=len(done.account.not_found),
        offline=done.account.offline,
        days=done.account.days,
        missing=done.account.missing,
    )


def _answer(done: Imported, code: int, *, writes: bool) -> dict[str, Any]:
    """The contract's object."""
    from obsidian_digest.core.day import import_report, report  # noqa: PLC0415 (keeps --help fast)

    account, counted = done.account, _counted(done)
    word = import_report.outcome(counted)
    message = import_report.sentence(counted, by_interests=done.by_interests, writes=writes)
    if done.failure:
        word = "partial" if done.papers else done.failure.outcome
        message = f"{message} Then: {done.failure}"
    notes = report.notes(done.plans)
    notes["kept"] += report.kept_rows(done.kept)
    return {
        "contract": report.CONTRACT,
        "command": "import",
        "exit": code,
        "outcome": word,
        "message": message,
        "window": report.window(account.window),
        "sources": [dataclasses.asdict(each) for each in account.sources],
        "missing": [day.isoformat() for day in account.missing],
        "not_found": account.not_found,
        "collected": account.collected,
        "unique": done.unique.count,
        "new": counted.new,
        "selected": counted.imported,
        "papers": done.papers,
        "notes": notes,
        "warnings": list(done.warnings),
        "encoder": {"name": done.encoder, "embedded": done.embedded, "cached": done.cached},
        "seconds": report.seconds([done.clock.seconds]),
    }


def _lines(answer: dict[str, Any], *, verbose: bool) -> list[str]:
    """The answer for a person; file names are ours, titles are not printed."""
    lines = [answer["message"]]
    lines += fitting([f"not imported: {each}" for each in answer["not_found"]], MOST_BYTES)
    lines += fitting([left_alone(keep) for keep in answer["notes"]["kept"]], MOST_BYTES)
    if not verbose:
        return lines
    notes = answer["notes"]
    counts = f"{len(notes['created'])} created, {len(notes['updated'])} updated"
    spent = f"{answer['encoder']['embedded']} texts embedded, {answer['encoder']['cached']} known"
    lines += answer["warnings"]
    return [*lines, f"  notes: {counts}; {spent}; {answer['seconds']['total']:.1f} s"]
