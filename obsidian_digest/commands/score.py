"""`score`: replays the vault's own history, day by day, beside keyword count and plain cosine."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.options import Globals, global_options
from obsidian_digest.commands.score_answer import Replayed, Scored, tell
from obsidian_digest.errors import InputError, SourceError

if TYPE_CHECKING:
    from obsidian_digest.core.score.days import History
    from obsidian_digest.model import Harvest, KnownDigest, Snapshot
    from obsidian_digest.ports import Progress
    from obsidian_digest.wiring import Opened


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `score`."""

    days: int | None
    encoder: str | None
    interests: Path | None
    note: bool
    offline: bool

    @property
    def tried(self) -> str:
        """What is tried, in words; empty for nothing."""
        tried = [f"encoder {self.encoder}"] if self.encoder else []
        return ", ".join([*tried, *([f"interests {self.interests}"] if self.interests else [])])


@click.command()
@click.option("--days", type=click.IntRange(1), help="Only the newest N days that can be replayed.")
@click.option("--encoder", metavar="NAME", help="Also replay with another encoder.")
@click.option(
    "--interests", type=click.Path(path_type=Path), help="Also replay with another interests note."
)
@click.option("--note", is_flag=True, help='Write the figures into the note "arXiv score".')
@click.option("--offline", is_flag=True, help="Never touch the network.")
@global_options
def score(shared: Globals, **given: Any) -> int:
    """Replay your own history: would the papers you kept have stood at the top of their day?

    Each day is ranked anew by what was known before it, with your interests as they are now.
    Nothing is written without --note.
    """
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.edge.terminal import progress_bars  # noqa: PLC0415 (keeps --help fast)

    started = time.perf_counter()
    options = Options(**given)
    opened = wiring.open_vault(shared.vault, shared.config_dir)
    if options.note:
        opened.vault.check_writable()
    snapshot = opened.vault.snapshot()
    with progress_bars(quiet=shared.quiet) as progress:
        history = _history(opened, snapshot, options.days, progress)
        done = _scored(opened, options, snapshot, history, progress)
    if options.note and done.now is not None:
        done = _written(opened, done, done.now)
    return tell(shared, done, time.perf_counter() - started)


def _history(opened: Opened, snapshot: Snapshot, most: int | None, progress: Progress) -> History:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.score.days import history_of  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.model import Query  # noqa: PLC0415 (keeps --help fast)

    asked = opened.config.arxiv
    saved = wiring.paper_source(opened, (), asked.source, wiring.now(), offline=True, writes=False)

    def announced(digest: KnownDigest) -> Harvest | None:
        query = Query(asked.categories, asked.cross_lists, batches=digest.batches)
        try:
            return saved.harvest(query, progress)
        except SourceError:  # nothing of these batches was kept
            return None

    return history_of(snapshot, opened.config, announced, wiring.announcements(opened), most)


def _scored(
    opened: Opened, options: Options, snapshot: Snapshot, history: History, progress: Progress
) -> Scored:
    """The replay as things are, and the one with what is tried."""
    if not history.days:
        return Scored(history)
    other = history
    if options.interests:
        other = _with_interests(opened, history, snapshot, options.interests)
    now = _replay(opened, options, history, progress)
    if not options.tried:
        return Scored(history, now)
    config = opened.config
    if options.encoder:
        config = replace(config, encoder=replace(config.encoder, name=options.encoder))
    changed = _replay(replace(opened, config=config), options, other, progress)
    return Scored(history, now, replace(changed, label=options.tried, interests=options.interests))


def _replay(opened: Opened, options: Options, history: History, progress: Progress) -> Replayed:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.score.days import read_by  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.score.replay import replay, texts_of  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.texts import language  # noqa: PLC0415 (keeps --help fast)

    embed = wiring.embedder(opened, offline=options.offline, writes=False)
    read, unread = read_by(history, embed.name)
    texts = texts_of(read)
    matrix, embedded, cached = embed(texts, progress)
    score = replay(read, dict(zip(texts, matrix, strict=True)), embed.name, progress)
    return Replayed(score, embed.name, embedded, cached, tuple(language.sentences(unread)))


def _with_interests(opened: Opened, history: History, snapshot: Snapshot, given: Path) -> History:
    """The history under another note, found from the current folder or from the vault's root."""
    from obsidian_digest.core.score.days import with_interests  # noqa: PLC0415 (--help is fast)

    names = (given, opened.root / given, opened.root / f"{given}.md")
    file = next((name for name in names if name.is_file()), None)
    if file is None:
        hint = "Name a file, or a note by its path in the vault."
        raise InputError("there is no such interests note", str(given), hint)
    try:
        text = file.read_text("utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(given)) from error
    inside = file.resolve().is_relative_to(opened.root.resolve())
    path = file.resolve().relative_to(opened.root.resolve()).as_posix() if inside else ""
    changed = with_interests(history, snapshot, text, path)
    if not changed.interests:
        hint = "Every second-level heading (## Name) with its text is an interest."
        raise InputError("holds no interests", str(given), hint)
    return changed


def _written(opened: Opened, done: Scored, now: Replayed) -> Scored:
    """Plans from the vault as it is by now, and writes: the replay may have taken minutes."""
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.score.note import plan_score  # noqa: PLC0415 (keeps --help fast)

    renderer = wiring.renderer(opened.root, opened.config)
    with opened.vault.locked():
        snapshot = opened.vault.snapshot()
        plan, path = plan_score(now.score, now.encoder, snapshot, opened.config, renderer)
        if plan.changes:
            opened.vault.write(plan)
    return replace(done, plan=plan, note=path)
