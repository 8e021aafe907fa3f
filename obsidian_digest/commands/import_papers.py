"""`import`: paper notes, and no digest, for papers the reader names or a span of days."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.import_answer import tell
from obsidian_digest.commands.options import Day, Globals, global_options
from obsidian_digest.errors import InputError, SourceError
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from obsidian_digest.core.day.importing import Wish
    from obsidian_digest.importing import Imported
    from obsidian_digest.importing.offers import Offers
    from obsidian_digest.model import Window
    from obsidian_digest.ports import Progress
    from obsidian_digest.wiring import Opened


@dataclass(frozen=True, slots=True)
class Options:
    """What follows the verb."""

    papers: tuple[str, ...]
    categories: tuple[str, ...]
    first: date | None
    last: date | None
    top: int | None
    min_stars: int | None
    dry_run: bool
    offline: bool
    accept_deletions: bool


@click.command("import")
@click.argument("papers", nargs=-1, metavar="[FILE|ID]...")
@click.option("--category", "categories", multiple=True, metavar="CAT", help="Repeatable.")
@click.option("--from", "first", type=Day(), help="First day of submission, UTC.")
@click.option("--to", "last", type=Day(), help="Last day of submission, UTC.")
@click.option("--top", type=click.IntRange(1), help="The N best; of a span of days, each day's.")
@click.option("--min-stars", type=click.IntRange(0, 5), help="Only papers with so many stars.")
@click.option("--dry-run", is_flag=True, help="Print the changes as a diff, write nothing.")
@click.option("--offline", is_flag=True, help="Never touch the network.")
@click.option(
    "--accept-deletions", is_flag=True, help="Go on though most paper notes are gone at once."
)
@global_options
def import_papers(shared: Globals, **given: Any) -> int:
    """Write paper notes, and no digest, for the papers you name.

    FILE is any file of papers: BibTeX, lists of ids, JSON records, the Kaggle snapshot, saved
    answers of arXiv, its mails. ID is an arXiv id or address. Options choose among the papers of
    files; one named by its id is always taken. Without any, --from and --to fetch the best papers
    submitted on each of these days. Killed or refused, the same command goes on where it stopped.
    """
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.edge.terminal import progress_bars  # noqa: PLC0415 (keeps --help fast)

    options = Options(**given)
    opened = wiring.open_vault(shared.vault, shared.config_dir)
    writes = not options.dry_run
    with contextlib.ExitStack() as stack:
        if writes:
            opened.vault.check_writable()
            stack.enter_context(opened.vault.locked())
        progress = stack.enter_context(progress_bars(quiet=shared.quiet))
        done = _imported(opened, options, progress)
        if writes and done.noted is not None:
            opened.vault.remember_papers(done.noted)
    return tell(shared, done, writes=writes)


def _imported(opened: Opened, options: Options, progress: Progress) -> Imported:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.importing import Doors, Request, run_import  # noqa: PLC0415 (as above)

    writes = not options.dry_run
    asked = _named if options.papers else _days
    offers, wish = asked(opened, options, progress)
    many, few, vectors = wiring.import_embedders(opened, offline=options.offline, writes=writes)
    doors = Doors(
        look=opened.vault.snapshot,
        vault=opened.vault,
        unfinished=wiring.unfinished(opened),
        embed_pool=many,
        embed=few,
        renderer=wiring.renderer(opened.root, opened.config),
        progress=progress,
    )
    request = Request(opened.config, wish, writes, options.accept_deletions)
    done = run_import(request, doors, offers)
    if writes and not done.failure and not offers.account.missing:
        vectors.clear()
    return done


def _named(opened: Opened, options: Options, progress: Progress) -> tuple[Offers, Wish]:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.day.importing import Wish  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.importing.offers import FromFiles  # noqa: PLC0415 (as above)

    ids, files = _sorted_out(options.papers)
    wish = Wish(
        named=frozenset(ids),
        categories=options.categories,
        cross_lists=opened.config.arxiv.cross_lists,
        first=options.first,
        last=options.last,
        top=options.top,
        min_stars=options.min_stars or 0,
    )
    look_up = None if options.offline else wiring.search().papers_by_id
    saved = wiring.paper_files(files).files
    return FromFiles(tuple(ids.values()), saved, look_up, progress), wish


def _sorted_out(papers: Iterable[str]) -> tuple[dict[str, str], tuple[Path, ...]]:
    """The ids, bare and with their version where one was given, and the files. Raises InputError.

    What exists is a file, whatever it is called.
    """
    ids: dict[str, str] = {}
    files = []
    for each in papers:
        found = paper_id(each)
        if Path(each).exists():
            files.append(Path(each))
        elif found is None:
            raise InputError("this is neither a file nor an arXiv id", each, "Nothing was written.")
        else:
            ids.setdefault(found[0], found[0] if found[1] is None else f"{found[0]}v{found[1]}")
    return ids, tuple(files)


def _days(opened: Opened, options: Options, progress: Progress) -> tuple[Offers, Wish]:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.day.importing import Wish  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.importing.offers import FromDays  # noqa: PLC0415 (as above)
    from obsidian_digest.model import Query  # noqa: PLC0415 (keeps --help fast)

    if not (options.first or options.last):
        hint = "Name files or arXiv ids, or days of submission with --from and --to."
        raise InputError("there is nothing to import", hint=hint)
    if options.offline:
        raise SourceError("--offline was given and no file to read papers from")
    window = _span(options, wiring.now())
    arxiv, digest = opened.config.arxiv, opened.config.digest
    wish = Wish(
        top=options.top or digest.top,
        min_stars=digest.min_stars if options.min_stars is None else options.min_stars,
    )
    query = Query(options.categories or arxiv.categories, arxiv.cross_lists, window)
    store = wiring.import_days(opened, writes=not options.dry_run)
    return FromDays(wiring.search(), query, window, store, progress), wish


def _span(options: Options, now: datetime) -> Window:
    """The days asked for, up to the end of what arXiv has announced. Raises InputError."""
    from obsidian_digest.core.announcements.calendar import batch_window, latest_batch  # noqa: PLC0415 (as above)
    from obsidian_digest.core.announcements.due import span  # noqa: PLC0415 (keeps --help fast)

    asked, public = span(options.first, options.last, now).window, batch_window(latest_batch(now))
    if not asked or not public or asked.start >= public.end:
        what = "nothing that was submitted on these days is announced yet"
        raise InputError(what, hint="Nothing was written. Ask for earlier days, or later.")
    return replace(asked, end=min(asked.end, public.end))
