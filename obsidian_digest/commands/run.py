"""`run`: the whole line, fetch to notes; --dry-run and --check stop before writing."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.options import ArxivId, Day, Globals, global_options
from obsidian_digest.commands.run_answer import tell
from obsidian_digest.errors import InputError

if TYPE_CHECKING:
    from datetime import date, datetime

    from obsidian_digest.config import Config
    from obsidian_digest.core.announcements.due import Due
    from obsidian_digest.core.day.choose import Limits
    from obsidian_digest.days import Days
    from obsidian_digest.model import Snapshot
    from obsidian_digest.pipeline import Request, Result
    from obsidian_digest.ports import Progress
    from obsidian_digest.wiring import Opened


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
    explain: str
    strict: bool
    offline: bool
    no_llm: bool
    accept_deletions: bool


@click.command()
@click.option("--date", "day", type=Day(), help="The digest's day. [default: the newest batch]")
@click.option("--from", "first", type=Day(), help="First day of submission, UTC.")
@click.option("--to", "last", type=Day(), help="Last day of submission, UTC.")
@click.option("--days", type=click.IntRange(1, 60), help="The last N days of submission.")
@click.option(
    "--source",
    type=click.Choice(["auto", "rss", "listing", "api", "oai"]),
    help="Where batches are read; auto asks one after the other.",
)
@click.option(
    "--from-file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Read papers from a file, no network; see the README for the forms. Repeatable.",
)
@click.option("--category", "categories", multiple=True, metavar="CAT", help="Repeatable.")
@click.option("--top", type=click.IntRange(1), help="At most N papers.")
@click.option("--min-stars", type=click.IntRange(0, 5), help="0 selects whatever the score.")
@click.option("--dry-run", is_flag=True, help="Print the changes as a diff, write nothing.")
@click.option("--check", is_flag=True, help="Write nothing; exit 3 if a run would.")
@click.option("--print-path", is_flag=True, help="Print only the digest's path.")
@click.option("--ranking", type=click.Path(path_type=Path), help="All new papers, as JSON lines.")
@click.option(
    "--explain",
    type=ArxivId(),
    default="",
    metavar="ID",
    help="The whole account of one paper's place, writes nothing.",
)
@click.option("--strict", is_flag=True, help="Exit 3 if an edited note was left alone.")
@click.option(
    "--accept-deletions", is_flag=True, help="Go on though most paper notes are gone at once."
)
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
    writes = not (options.dry_run or options.check or options.explain)
    with contextlib.ExitStack() as stack:
        if writes:
            opened.vault.check_writable()
            stack.enter_context(opened.vault.locked())
        progress = stack.enter_context(progress_bars(quiet=shared.quiet))
        days = _days(opened, options, progress, writes=writes)
        if writes:
            opened.vault.remember_papers(days.done[-1].result.noted)
    return tell(shared, options, days)


def _days(opened: Opened, options: Options, progress: Progress, *, writes: bool) -> Days:
    from obsidian_digest import pipeline, wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.days import run_days  # noqa: PLC0415 (keeps --help fast)

    now, config = wiring.now(), opened.config
    snapshot = opened.vault.snapshot()
    asked = _asked(options, config, snapshot, now.astimezone())
    asks = not (options.files or options.offline)
    details, affiliations = wiring.details(opened, asks=asks, writes=writes)
    doors = pipeline.Doors(
        source=wiring.paper_source(
            opened,
            options.files,
            options.source or config.arxiv.source,
            now,
            offline=options.offline,
            writes=writes,
        ),
        embed=wiring.embedder(opened, offline=options.offline, writes=writes),
        renderer=wiring.renderer(opened.root, config),
        progress=progress,
        details=details,
        affiliations=affiliations,
    )

    def request(due: Due, snapshot: Snapshot) -> Request:
        return _request(config, options, due, snapshot, now.date())

    def planned(result: Result) -> None:
        if options.ranking:
            _write_ranking(options.ranking, result)

    return run_days(
        asked,
        request,
        snapshot,
        doors,
        opened.vault,
        config.notes,
        writes=writes,
        planned=planned,
    )


def _asked(options: Options, config: Config, snapshot: Snapshot, now: datetime) -> tuple[Due, ...]:
    from obsidian_digest.core.announcements import due  # noqa: PLC0415 (keeps --help fast)

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
        return _due(options, config, snapshot, now)
    return (replace(asked, day=options.day or asked.day),)


def _due(options: Options, config: Config, snapshot: Snapshot, now: datetime) -> tuple[Due, ...]:
    """Days that are to be completed, then the batches that came since, each or all as one.

    To explain a paper: the day that shows it, else what is due, else the newest day.
    """
    from obsidian_digest.core.announcements import due  # noqa: PLC0415 (keeps --help fast)

    shown = due.shown_on(snapshot, options.explain, now) if options.explain else None
    if shown:
        return (shown,)
    asked = due.due(now, due.newest_batch(snapshot, now.date()))
    incomplete = due.unfinished(snapshot, now)
    if asked.message:
        limits = _limits(options, config)
        more = due.more_wanted(snapshot, now, limits.top, limits.min_stars)
        if more and more.day not in [each.day for each in incomplete]:
            return (*incomplete, more)
        newest = due.newest_day(snapshot, now) if options.explain else None
        return incomplete or (newest or asked,)
    new = due.one_by_one(asked) if config.digest.catch_up == "days" else (asked,)
    return (*incomplete, *new)


def _limits(options: Options, config: Config) -> Limits:
    from obsidian_digest.core.day.choose import Limits  # noqa: PLC0415 (keeps --help fast)

    least = config.digest.min_stars if options.min_stars is None else options.min_stars
    top = options.top or config.digest.top
    return Limits(top, least, config.digest.near_misses, config.ranking.explore)


def _request(
    config: Config, options: Options, asked: Due, snapshot: Snapshot, today: date
) -> Request:
    from obsidian_digest import pipeline  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.announcements.due import newest_id  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.model import Query  # noqa: PLC0415 (keeps --help fast)

    categories = options.categories or config.arxiv.categories
    known = newest_id(snapshot, asked.batches[0]) if asked.batches else ""
    return pipeline.Request(
        config=config,
        query=Query(categories, config.arxiv.cross_lists, asked.window, asked.batches, known),
        day=asked.day,
        today=today,
        limits=_limits(options, config),
        always_rank=bool(options.ranking or options.explain),
        explain=options.explain,
        accept_deletions=options.accept_deletions,
    )


def _write_ranking(path: Path, result: Result) -> None:
    from obsidian_digest.core.day import report  # noqa: PLC0415 (keeps --help fast)

    ranking = report.ranking(result.choice, result.words)
    rows = [json.dumps(row, ensure_ascii=False) for row in ranking]
    try:
        path.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", str(path)) from error
