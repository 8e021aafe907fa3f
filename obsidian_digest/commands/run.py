"""`run`: the whole line, fetch to notes; --dry-run and --check stop before writing."""

from __future__ import annotations

import contextlib
import difflib
import json
import sys
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.options import Globals, global_options
from obsidian_digest.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from obsidian_digest.config import Config
    from obsidian_digest.core.due import Due
    from obsidian_digest.model import Plan
    from obsidian_digest.pipeline import Request, Result
    from obsidian_digest.ports import Progress
    from obsidian_digest.wiring import Opened

PROTECTED = frozenset({"edited", "unreadable", "conflict", "doubled"})
"""Reasons for which `--strict` calls a run partial: something of the reader's was in the way."""
MOST_KEPT = 10
"""So many notes left alone are named; without a terminal the output stays under 8 kB."""


class Day(click.ParamType[date]):
    """A calendar day, 2026-08-20."""

    name = "day"

    def convert(self, value: Any, param: Any, ctx: Any) -> date:
        """The day, or click's usage error."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            return self.fail(f'"{value}" is no day like 2026-08-20', param, ctx)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `run`."""

    day: date | None
    first: date | None
    last: date | None
    days: int | None
    source: str | None
    files: tuple[Path, ...]
    categories: tuple[str, ...]
    top: int | None
    min_stars: int | None
    dry_run: bool
    check: bool
    print_path: bool
    ranking: Path | None
    strict: bool
    offline: bool
    no_llm: bool


@dataclass(frozen=True, slots=True)
class Run:
    """A run's result and what it was asked for."""

    result: Result
    asked: Due


@click.command()
@click.option("--date", "day", type=Day(), help="The digest's day. [default: the newest batch]")
@click.option("--from", "first", type=Day(), help="First day of submission, UTC.")
@click.option("--to", "last", type=Day(), help="Last day of submission, UTC.")
@click.option("--days", type=click.IntRange(1, 60), help="The last N days of submission.")
@click.option(
    "--source",
    type=click.Choice(["auto", "rss", "listing", "api", "oai"]),
    help="auto or api; rss, listing and oai are not built yet.",
)
@click.option(
    "--from-file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Read papers from a file, no network: JSON lines, Atom, RSS or Kaggle. Repeatable.",
)
@click.option("--category", "categories", multiple=True, metavar="CAT", help="Repeatable.")
@click.option("--top", type=click.IntRange(1), help="At most N papers.")
@click.option("--min-stars", type=click.IntRange(0, 5), help="0 selects whatever the score.")
@click.option("--dry-run", is_flag=True, help="Print the changes as a diff, write nothing.")
@click.option("--check", is_flag=True, help="Write nothing; exit 3 if a run would.")
@click.option("--print-path", is_flag=True, help="Print only the digest's path.")
@click.option("--ranking", type=click.Path(path_type=Path), help="All new papers, as JSON lines.")
@click.option("--strict", is_flag=True, help="Exit 3 if an edited note was left alone.")
@click.option("--offline", is_flag=True, help="Never touch the network.")
@click.option("--no-llm", is_flag=True, help="Never ask a language model.")
@global_options
def run(shared: Globals, **given: Any) -> int:
    """Fetch the new papers, rank, group and link them, and write the notes.

    A second run with nothing new writes nothing. Your own text, properties, renames, moves and
    deletions are kept. Try --dry-run first.
    """
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.edge.terminal import progress_bars  # noqa: PLC0415 (keeps --help fast)

    options = Options(**given)
    opened = wiring.open_vault(shared.vault, shared.config_dir)
    writes = not (options.dry_run or options.check)
    with contextlib.ExitStack() as stack:
        if writes:
            opened.vault.check_writable()
            stack.enter_context(opened.vault.locked())
        progress = stack.enter_context(progress_bars(quiet=shared.quiet))
        done = _planned(opened, options, progress, writes=writes)
        if options.ranking:
            _write_ranking(options.ranking, done.result)
        if writes:
            opened.vault.write(done.result.plan)
            done.result.clock.lap("write")
    return _tell(shared, options, done)


def _planned(opened: Opened, options: Options, progress: Progress, *, writes: bool) -> Run:
    from obsidian_digest import pipeline, wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.due import newest_batch  # noqa: PLC0415 (keeps --help fast)

    now = wiring.now()
    snapshot = opened.vault.snapshot()
    asked = _asked(options, newest_batch(snapshot, now.date()), now)
    doors = pipeline.Doors(
        source=wiring.paper_source(
            options.files,
            options.source or opened.config.arxiv.source,
            offline=options.offline,
            nothing_due=bool(asked.message),
        ),
        embed=wiring.embedder(opened, offline=options.offline, writes=writes),
        renderer=wiring.renderer(opened.root, opened.config),
        progress=progress,
    )
    request = _request(opened.config, options, asked, now.date())
    return Run(pipeline.run(request, snapshot, doors), asked)


def _asked(options: Options, newest: date | None, now: datetime) -> Due:
    from obsidian_digest.core import due  # noqa: PLC0415 (keeps --help fast)

    spans = [options.first or options.last, options.days]
    if sum(each is not None for each in spans) > 1:
        raise InputError("--days and --from/--to exclude each other", hint="Give one of them.")
    if options.first or options.last:
        asked = due.span(options.first, options.last, now)
    elif options.days:
        asked = due.last_days(options.days, now)
    elif options.files:
        asked = due.Due(None)
    elif options.day:
        asked = due.one_batch(options.day, now)
    else:
        asked = due.due(now, newest)
    return replace(asked, day=options.day or asked.day)


def _request(config: Config, options: Options, asked: Due, today: date) -> Request:
    from obsidian_digest import pipeline  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.choose import Limits  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.model import Query  # noqa: PLC0415 (keeps --help fast)

    top = options.top or config.digest.top
    least = config.digest.min_stars if options.min_stars is None else options.min_stars
    categories = options.categories or config.arxiv.categories
    return pipeline.Request(
        config=config,
        query=Query(categories, config.arxiv.cross_lists, asked.window),
        day=asked.day,
        today=today,
        limits=Limits(top, least, config.digest.near_misses),
        batches=asked.batches,
        always_rank=options.ranking is not None,
    )


def _write_ranking(path: Path, result: Result) -> None:
    from obsidian_digest.core import report  # noqa: PLC0415 (keeps --help fast)

    ranking = report.ranking(result.choice, result.words)
    rows = [json.dumps(row, ensure_ascii=False) for row in ranking]
    try:
        path.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", str(path)) from error


def _exit_code(options: Options, plan: Plan) -> int:
    protected = any(keep.reason in PROTECTED for keep in plan.kept)
    found_work = options.check and plan.changes
    return 3 if found_work or (options.strict and protected) else 0


def _tell(shared: Globals, options: Options, done: Run) -> int:
    code = _exit_code(options, done.result.plan)
    answer = _answer(done, code)
    if shared.json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif options.print_path:
        if answer["digest"]:
            click.echo(answer["digest"])
    elif options.dry_run:
        click.echo(_diff(done.result.plan), nl=False)
    elif not shared.quiet:
        click.echo("\n".join(_lines(answer, verbose=shared.verbose or sys.stdout.isatty())))
    return code


def _answer(done: Run, code: int) -> dict[str, Any]:
    from obsidian_digest.core import report  # noqa: PLC0415 (keeps --help fast)

    result, digest = done.result, done.result.digest
    word = report.outcome(result.harvest, result.pool, digest)
    message = report.sentence(word, result.day, digest, result.plan)
    if done.asked.message:
        word, message = "no-announcement", done.asked.message
    return {
        "contract": report.CONTRACT,
        "command": "run",
        "exit": code,
        "date": result.day.isoformat(),
        "outcome": word,
        "message": message,
        "window": report.window(done.asked.window or result.pool.window),
        "newest_id": result.pool.newest or None,
        "sources": report.sources(result.harvest),
        "collected": len(result.harvest.papers),
        "unique": len(result.pool.papers),
        "new": len(result.choice.ranked) if result.choice else 0,
        "selected": len(digest.entries) if digest else 0,
        "papers": report.papers(digest, result.places, result.words),
        "themes": report.themes(digest, result.places),
        "notes": report.notes(result.plan),
        "digest": result.places.by_key.get(("digest", result.day.isoformat())),
        "encoder": {
            "name": result.encoder,
            "embedded": result.embedded,
            "cached": result.cached,
        },
        "seconds": report.seconds(result.clock.seconds),
    }


def _lines(answer: dict[str, Any], *, verbose: bool) -> list[str]:
    """The answer for a person; file names are ours, titles are not printed."""
    lines = [answer["message"]]
    notes = answer["notes"]
    if answer["digest"] and (notes["created"] or notes["updated"]):
        lines[0] += f" {answer['digest']}"
    kept = [keep for keep in notes["kept"] if keep["reason"] != "deleted"]
    lines += [f"left alone ({keep['reason']}): {keep['note']}" for keep in kept[:MOST_KEPT]]
    if len(kept) > MOST_KEPT:
        lines.append(f"and {len(kept) - MOST_KEPT} more notes left alone; see --json")
    if not verbose:
        return lines
    lines += [f"  {theme['name']}: {len(theme['papers'])}" for theme in answer["themes"]]
    counts = f"{len(notes['created'])} created, {len(notes['updated'])} updated"
    spent = f"{answer['encoder']['embedded']} texts embedded, {answer['encoder']['cached']} known"
    return [*lines, f"  notes: {counts}; {spent}; {answer['seconds']['total']:.1f} s"]


def _diff(plan: Plan) -> str:
    """The plan as one unified diff."""
    parts: list[str] = []
    for change in plan.changes:
        before = getattr(change, "before", b"").decode("utf-8")
        old = f"a/{change.path}" if before else "/dev/null"
        parts += difflib.unified_diff(
            before.splitlines(keepends=True),
            change.after.decode("utf-8").splitlines(keepends=True),
            old,
            f"b/{change.path}",
        )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in parts)
