"""What `run` says: one JSON object, a path, a diff, or some lines for a person."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting, left_alone

if TYPE_CHECKING:
    from obsidian_digest.commands.options import Globals
    from obsidian_digest.commands.run import Options
    from obsidian_digest.days import Day, Days

PROTECTED = frozenset({"edited", "unreadable", "conflict", "doubled"})
"""Reasons for which `--strict` calls a run partial: something of the reader's was in the way."""
MOST_BYTES = 3_000
"""Of the notes left alone: without a terminal the output stays under 8 kB."""


def tell(shared: Globals, options: Options, days: Days) -> int:
    """Tells what a run did or would do; gives its exit code."""
    from obsidian_digest.core.law.diff import unified  # noqa: PLC0415 (keeps --help fast)

    code = _exit_code(options, days)
    answer = _answer(days, code)
    if options.explain:
        answer, told = _explained(answer, options.explain, days)
        if not shared.json:
            click.echo(told)
            return code
    if shared.json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif options.print_path:
        if answer["digest"]:
            click.echo(answer["digest"])
    elif options.dry_run:
        click.echo("".join(unified(day.result.plan) for day in days.done), nl=False)
    elif not shared.quiet:
        click.echo("\n".join(_lines(answer, verbose=shared.verbose or sys.stdout.isatty())))
    if days.failure and not shared.json:
        click.echo(f"obsidian-digest: {days.failure}", err=True)
    return code


def _explained(answer: dict[str, Any], paper: str, days: Days) -> tuple[dict[str, Any], str]:
    """The answer with the paper's account, and the account for a person."""
    from obsidian_digest.core.day import account  # noqa: PLC0415 (keeps --help fast)

    for result in (day.result for day in reversed(days.done)):
        standing = result.standing.picked if result.standing else None
        told = (
            account.account(result.choice, paper, result.words, standing) if result.choice else None
        )
        if told:
            day = result.day.isoformat()
            about = {**account.as_json(told), "date": day}
            return {**answer, "account": about}, f"{day}: {account.text(told)}"
    asked = ", ".join(day.result.day.isoformat() for day in days.done)
    missing = f"{paper} is not among the papers of {asked}; name its day with --date."
    return {**answer, "account": None, "message": missing}, missing


def _exit_code(options: Options, days: Days) -> int:
    if days.failure:
        return days.failure.exit_code
    plans = [day.result.plan for day in days.done]
    protected = any(keep.reason in PROTECTED for plan in plans for keep in plan.kept)
    found_work = options.check and any(plan.changes for plan in plans)
    missing = any(day.result.harvest.missing for day in days.done)
    return 3 if missing or found_work or (options.strict and protected) else 0


def _answer(days: Days, code: int) -> dict[str, Any]:
    """The contract's object: the last day's, with what all days did to the notes."""
    from obsidian_digest.core.day import report  # noqa: PLC0415 (keeps --help fast)

    day = days.done[-1]
    result, digest = day.result, day.result.digest
    word, message = _outcome(day)
    if days.failure:
        word, message = days.failure.outcome, f"{message} Then: {days.failure}"
    return {
        "contract": report.CONTRACT,
        "command": "run",
        "exit": code,
        "date": result.day.isoformat(),
        "outcome": word,
        "message": message,
        "window": report.window(day.asked.window or result.pool.window),
        "newest_id": result.pool.newest or None,
        "sources": report.sources(result.harvest),
        "missing": list(result.harvest.missing),
        "collected": len(result.harvest.papers),
        "unique": len(result.pool.papers),
        "new": len(result.choice.ranked) if result.choice else 0,
        "selected": len(digest.entries) if digest else 0,
        "papers": report.papers(digest, result.places, result.words),
        "themes": report.themes(digest, result.places),
        "notes": report.notes([each.result.plan for each in days.done]),
        "warnings": list(result.warnings),
        "digest": _path(day),
        "days": [_summary(each) for each in days.done],
        "encoder": {
            "name": result.encoder,
            "embedded": sum(each.result.embedded for each in days.done),
            "cached": sum(each.result.cached for each in days.done),
        },
        "seconds": report.seconds([each.result.clock.seconds for each in days.done]),
    }


def _outcome(day: Day) -> tuple[str, str]:
    from obsidian_digest.core.day import report  # noqa: PLC0415 (keeps --help fast)

    result = day.result
    if day.asked.message:
        return "no-announcement", day.asked.message
    word = report.outcome(result.harvest, result.pool, result.digest)
    return word, report.sentence(word, result.day, result.harvest, result.digest, result.plan)


def _path(day: Day) -> str | None:
    return day.result.places.by_key.get(("digest", day.result.day.isoformat()))


def _summary(day: Day) -> dict[str, Any]:
    """One row of `days`: what became of each batch of a run that caught up."""
    word, message = _outcome(day)
    result = day.result
    return {
        "date": result.day.isoformat(),
        "outcome": word,
        "message": message,
        "digest": _path(day),
        "collected": len(result.harvest.papers),
        "unique": len(result.pool.papers),
        "new": len(result.choice.ranked) if result.choice else 0,
        "selected": len(result.digest.entries) if result.digest else 0,
        "missing": list(result.harvest.missing),
    }


def _lines(answer: dict[str, Any], *, verbose: bool) -> list[str]:
    """The answer for a person; file names are ours, titles are not printed."""
    lines = [each["message"] for each in answer["days"]]
    notes = answer["notes"]
    if answer["digest"] and (notes["created"] or notes["updated"]):
        lines[-1] += f" {answer['digest']}"
    kept = [keep for keep in notes["kept"] if keep["reason"] != "deleted"]
    lines += fitting([left_alone(keep) for keep in kept], MOST_BYTES)
    if not verbose:
        return lines
    lines += answer["warnings"]
    lines += [f"  {theme['name']}: {len(theme['papers'])}" for theme in answer["themes"]]
    counts = f"{len(notes['created'])} created, {len(notes['updated'])} updated"
    spent = f"{answer['encoder']['embedded']} texts embedded, {answer['encoder']['cached']} known"
    return [*lines, f"  notes: {counts}; {spent}; {answer['seconds']['total']:.1f} s"]
