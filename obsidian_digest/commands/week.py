"""`week`: the note of a week, from the vault alone: how its themes fare, signals, its papers."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting, left_alone
from obsidian_digest.commands.options import Globals, Week, global_options
from obsidian_digest.commands.run_answer import MOST_BYTES, PROTECTED
from obsidian_digest.core.texts.plural import many

if TYPE_CHECKING:
    from obsidian_digest.core.trends.signals import Signal
    from obsidian_digest.core.trends.week_facts import WeekFacts
    from obsidian_digest.core.trends.week_themes import ThemeWeek
    from obsidian_digest.core.week.plan import PlannedWeek
    from obsidian_digest.wiring import Opened

NOTHING: dict[str, Any] = {
    name: []
    for name in (
        "papers", "days", "compared", "themes", "signals", "standing", "picks", "moves",
    )
}  # fmt: skip
"""What is told of a week that is none."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `week`."""

    week: str | None
    dry_run: bool
    check: bool
    print_path: bool
    strict: bool
    no_llm: bool
    canvas: bool


@click.command()
@click.option("--week", type=Week(), help="The ISO week, 2026-W34. [default: the newest]")
@click.option("--dry-run", is_flag=True, help="Print the changes as a diff, write nothing.")
@click.option("--check", is_flag=True, help="Write nothing; exit 3 if there is work.")
@click.option("--print-path", is_flag=True, help="Print only the note's path.")
@click.option("--strict", is_flag=True, help="Exit 3 if an edited note was left alone.")
@click.option("--no-llm", is_flag=True, help="Never ask a language model.")
@click.option("--canvas", is_flag=True, help="Also draw a canvas of the week's themes and papers.")
@global_options
def week(shared: Globals, **given: Any) -> int:
    """Write the note of a week: themes that grow or fade, signals, the papers that stand for it.

    It is made of your notes alone, offline, and `run` writes the note of a week that has ended by
    itself. Call it again whenever you like: it is brought up to date, what you wrote is kept.
    """
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)

    started = time.perf_counter()
    options = Options(**given)
    opened = wiring.open_vault(shared.vault, shared.config_dir)
    writes = not (options.dry_run or options.check)
    with contextlib.ExitStack() as stack:
        if writes:
            opened.vault.check_writable()
            stack.enter_context(opened.vault.locked())
        done = _planned(opened, options)
        if writes and done.plan.changes:
            opened.vault.write(done.plan)
    code = _exit_code(options, done)
    _tell(shared, options, _answer(done, code, time.perf_counter() - started, writes=writes), done)
    return code


def _planned(opened: Opened, options: Options) -> PlannedWeek:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.week.plan import plan_week  # noqa: PLC0415 (keeps --help fast)

    renderer = wiring.renderer(opened.root, opened.config)
    snapshot, drawn = opened.vault.snapshot(), options.canvas
    return plan_week(options.week, snapshot, opened.config, renderer, with_canvas=drawn)


def _exit_code(options: Options, done: PlannedWeek) -> int:
    protected = options.strict and any(keep.reason in PROTECTED for keep in done.plan.kept)
    return 3 if protected or (options.check and done.plan.changes) else 0


def _answer(done: PlannedWeek, code: int, seconds: float, *, writes: bool) -> dict[str, Any]:
    """The contract's object."""
    from obsidian_digest.core.day import report  # noqa: PLC0415 (keeps --help fast)

    changed = bool(done.plan.changes)
    return {
        "contract": report.CONTRACT,
        "command": "week",
        "exit": code,
        "week": done.week or None,
        "outcome": "week" if changed else "nothing-new",
        "message": _sentence(done, writes=writes),
        "note": done.places.by_key.get(("week", done.week)),
        **_told(done, done.facts),
        "notes": report.notes([done.plan]),
        "seconds": {"total": round(seconds, 3)},
    }


def _told(done: PlannedWeek, facts: WeekFacts | None) -> dict[str, Any]:
    if facts is None:
        return dict(NOTHING)
    note = done.places.by_key.get
    return {
        "papers": list(facts.week.papers),
        "days": [day.isoformat() for day in facts.days],
        "compared": list(facts.week.compared),
        "themes": [_theme(each, note(("theme", each.id))) for each in facts.week.themes],
        "signals": [_signal(each) for each in facts.signals],
        "standing": [{"id": each, "note": note(("paper", each))} for each in facts.standing],
        "picks": [
            {"id": each.id, "note": note(("paper", each.id)), "signs": list(each.signs)}
            for each in facts.picks
        ],
        "moves": [
            {"id": move.paper, "from": move.before or None, "to": move.after or None}
            for move in facts.moves
        ],
    }


def _theme(theme: ThemeWeek, note: str | None) -> dict[str, Any]:
    return {
        "id": theme.id,
        "name": theme.name,
        "note": note,
        "state": theme.state,
        "papers": list(theme.papers),
        "last": theme.last,
        "mean": theme.mean,
        "expected": theme.expected,
        "counts": list(theme.counts),
    }


def _signal(signal: Signal) -> dict[str, Any]:
    """`what` is a term, or the id of a theme where the kind is `back`."""
    return {
        "kind": signal.kind,
        "what": signal.what,
        "papers": list(signal.papers),
        "of": signal.of,
        "before": signal.before,
        "of_before": signal.of_before,
        "weeks": signal.weeks,
    }


def _sentence(done: PlannedWeek, *, writes: bool) -> str:
    facts = done.facts
    if facts is None:
        return "There are no digests yet, so there is no week to tell of."
    counted = (
        many(sum(bool(each.papers) for each in facts.week.themes), "theme"),
        many(len(facts.signals), "signal"),
    )
    papers = f"{many(len(facts.week.papers), 'paper')} in {many(len(facts.days), 'digest')}"
    said = f"{done.week}: {papers}, {', '.join(counted)}"
    if not done.plan.changes:
        return f"{said}; no note changed."
    return f"{said}." if writes else f"{said}; the note would be written."


def _tell(shared: Globals, options: Options, answer: dict[str, Any], done: PlannedWeek) -> None:
    from obsidian_digest.core.law.diff import unified  # noqa: PLC0415 (keeps --help fast)

    if shared.json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif options.print_path:
        if answer["note"]:
            click.echo(answer["note"])
    elif options.dry_run:
        click.echo(unified(done.plan), nl=False)
    elif not shared.quiet:
        lines = [answer["message"]]
        notes = answer["notes"]
        if notes["created"] or notes["updated"]:
            lines[0] += f" {answer['note']}"
        lines += fitting([left_alone(keep) for keep in notes["kept"]], MOST_BYTES)
        if shared.verbose or sys.stdout.isatty():
            lines += [
                f"  {each['name']}: {len(each['papers'])}, {each['state']}"
                for each in answer["themes"]
            ]
        click.echo("\n".join(lines))
