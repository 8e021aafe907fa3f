"""`doctor`: looks at everything a run depends on and says what to do; writes nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting
from obsidian_digest.commands.options import Globals, global_options
from obsidian_digest.core.texts.plural import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from obsidian_digest.core.checks.findings import Check, Finding, State

MOST_CHECKS, MOST_FINDINGS = 3_200, 2_600
"""Bytes of each list; together with the command lines less than 8 kB."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found."""

    checks: tuple[Check, ...]
    findings: tuple[Finding, ...] | None
    """None: the notes were not looked at."""
    command_line: str
    cron_line: str | None

    def count(self, state: State) -> int:
        """How many checks and findings have this state."""
        states = [each.state for each in self.checks]
        return (states + [each.state for each in self.findings or ()]).count(state)

    @property
    def exit_code(self) -> int:
        """2 where something has to be put right before a run can do its work."""
        return 2 if self.count("problem") else 0


@click.command()
@click.option("--notes", is_flag=True, help="Also look through every note of the tool's.")
@click.option("--online", is_flag=True, help="Also ask arXiv, and a remote encoder, once each.")
@global_options
def doctor(shared: Globals, notes: bool, online: bool) -> int:
    """Check vault, config, encoder, disk, git and plugins, and say what to do.

    Writes nothing. Also prints the command line for Obsidian's Shell commands plugin and for cron.
    """
    looked = _look(shared, notes=notes, online=online)
    if shared.json:
        click.echo(json.dumps(_answer(looked), ensure_ascii=False))
    elif lines := _lines(looked, quiet=shared.quiet):
        click.echo("\n".join(lines))
    return looked.exit_code


def _look(shared: Globals, *, notes: bool, online: bool) -> Looked:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.commands import doctor_checks as look  # noqa: PLC0415 (as above)
    from obsidian_digest.commands.program import cron_line, plugin_line  # noqa: PLC0415 (as above)
    from obsidian_digest.core.announcements.calendar import announced_at, next_batch  # noqa: PLC0415 (as above)

    findings = cron = None
    root, found = look.vault(shared.vault, shared.config_dir)
    checks = [found]
    config, found = look.config(root)
    if root is not None:
        view = look.view(root, shared.config_dir, config)
        checks.append(found)
        if isinstance(view, look.View):
            checks += [*look.settings(view), *look.content(view)]
            if notes and config is not None:
                findings, found = look.notes(view)
                checks.append(found)
        else:
            checks.append(view)
        checks += look.ground(root)
        cron = cron_line(root, shared.config_dir, announced_at(next_batch(wiring.now())))
    if config is not None:
        checks.append(look.encoder(root or Path(), config, online=online))
        checks += [look.arxiv(config)] if online else []
    return Looked(tuple(checks), findings, plugin_line(shared.config_dir), cron)


def _answer(looked: Looked) -> dict[str, Any]:
    from obsidian_digest.core.day.report import CONTRACT  # noqa: PLC0415 (keeps --help fast)

    checks = [
        {"name": each.name, "state": each.state, "detail": each.detail, "hint": each.hint}
        for each in looked.checks
    ]
    found = {} if looked.findings is None else {"findings": _rows(looked.findings)}
    return {
        "contract": CONTRACT,
        "command": "doctor",
        "exit": looked.exit_code,
        "outcome": "problems" if looked.exit_code else "ok",
        "message": _summary(looked),
        "checks": checks,
        **found,
        "command_line": looked.command_line,
        "cron_line": looked.cron_line,
    }


def _rows(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "note": each.note,
            "line": each.line,
            "rule": each.rule,
            "state": each.state,
            "detail": each.detail,
            "hint": each.hint,
        }
        for each in findings
    ]


def _summary(looked: Looked) -> str:
    problems, warnings = looked.count("problem"), many(looked.count("warning"), "warning")
    if problems:
        return f"{many(problems, 'problem')}, {warnings}."
    return f"No problem, {warnings}." if looked.count("warning") else "All is well."


def _lines(looked: Looked, *, quiet: bool) -> list[str]:
    """For a person; `quiet` leaves what stops a run."""
    shown = ("problem",) if quiet else ("problem", "warning", "ok")
    checks = [
        f"{each.state + ':':9}{each.detail}.{f' {each.hint}' if each.hint else ''}"
        for each in looked.checks
        if each.state in shown
    ]
    found = [each for each in looked.findings or () if each.state in shown]
    lines = [*fitting(checks, MOST_CHECKS), *_found(found)]
    if quiet:
        return lines
    ways = [f"Shell commands plugin: {looked.command_line}"]
    ways += [f"cron: {looked.cron_line}"] if looked.cron_line else []
    return [*lines, "", *ways, "", _summary(looked)]


def _found(findings: Sequence[Finding]) -> list[str]:
    """The findings, problems first, and what to do about each kind."""
    if not findings:
        return []
    ordered = sorted(findings, key=lambda each: each.state != "problem")
    lines = [
        f"{each.state + ':':9}{each.note}:{each.line}: {each.rule}: {each.detail}"
        for each in ordered
    ]
    hints = dict.fromkeys(f"{each.rule}: {each.hint}" for each in ordered)
    return ["", *fitting(lines, MOST_FINDINGS), "", *hints]
