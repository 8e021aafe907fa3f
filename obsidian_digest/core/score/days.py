"""The days of a vault that can be replayed: their papers, what was kept, what was known before."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from obsidian_digest.core.announcements.pool import reading_of, unite
from obsidian_digest.core.ranking.feedback import corpus, feedback
from obsidian_digest.core.ranking.interests import interests_in, parse_interests
from obsidian_digest.core.ranking.reader import JUDGED, Judged, Reader, judged_papers, month_of
from obsidian_digest.core.ranking.shown import readings_shown
from obsidian_digest.core.texts.language import legible
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import Memory
from obsidian_digest.note.header import split

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from datetime import date

    from obsidian_digest.config import Config
    from obsidian_digest.core.ranking.feedback import Opinion
    from obsidian_digest.core.texts.language import Unread
    from obsidian_digest.model import Harvest, Interests, KnownDigest, Paper, Reading, Snapshot

Source = Literal["saved", "shown"]
"""Whether all that arXiv announced is known of a day, or only what its digest shows."""
Why = Literal["nothing-kept", "no-digest", "all-kept", "unknown"]
"""Why a day is left out; `all-kept`: no other paper of it is known; `unknown`: no paper is."""


@dataclass(frozen=True, slots=True)
class PastDay:
    """A day as it was, but for what the reader did with it later."""

    day: date
    readings: tuple[Reading, ...]
    """What could have been shown, by id."""
    papers: Mapping[str, Paper]
    """Those of them whose announcement is saved."""
    kept: frozenset[str]
    source: Source

    @property
    def wanted(self) -> list[bool]:
        """Whether each of `readings` was kept."""
        return [reading.id in self.kept for reading in self.readings]


@dataclass(frozen=True, slots=True)
class History:
    """All that a replay needs to know of a vault."""

    days: tuple[PastDay, ...]
    """Those that can be replayed, oldest first."""
    left_out: tuple[tuple[date, Why], ...]
    """The others, oldest first."""
    digests: int
    interests: Interests
    notes: tuple[Reading, ...]
    judged: tuple[tuple[date, Judged], ...]
    """Newest first, each with its paper's day."""
    known: Mapping[str, tuple[date, Reading]]
    """The vault's papers, each with its first day: examples of interests are among them."""

    def before(self, day: date) -> Reader:
        """The reader as he was known on the eve of the day; interests and notes are today's."""
        judged = tuple(each for told, each in self.judged if told < day)
        return Reader(self.interests, judged[:JUDGED], self.notes)

    def examples(self, past: PastDay) -> dict[str, Reading]:
        """Papers that the interests name and that the vault had before the day, by id."""
        named = {paper for each in self.interests.interests for paper in each.examples}
        ours = {key: self.known[key] for key in sorted(named & self.known.keys())}
        return {key: reading for key, (first, reading) in ours.items() if first < past.day}


def history_of(
    snapshot: Snapshot,
    config: Config,
    announced: Callable[[KnownDigest], Harvest | None],
    saved: Collection[date],
    most: int | None = None,
) -> History:
    """The vault's history; a paper is kept where its opinion is above 0 (`core.ranking.feedback`).

    Args:
        snapshot: The vault.
        config: Its settings.
        announced: What is saved of the batches of a digest; None for nothing.
        saved: The batches of which something is saved.
        most: So many of the newest days are replayed; None: all.
    """
    notes = config.notes
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    memory = remember(snapshot, places)
    opinions = feedback(snapshot, places, memory, config).opinions
    shown = {paper for digest in memory.digests.values() for paper in digest.picked}
    readings = readings_shown(snapshot, shown - memory.papers.keys())
    readings |= {key: paper.reading for key, paper in memory.papers.items()}
    days: list[PastDay] = []
    left_out: list[tuple[date, Why]] = list(_without_digest(memory, saved))
    for day, kept in sorted(_kept(memory, opinions).items(), reverse=True):
        if len(days) == most:
            break
        known = kept & readings.keys()
        past = _past_day(memory.digests[day], known, memory, readings, announced) if known else None
        if past is None or len(past.readings) == len(known):
            left_out.append((day, _why(kept, past)))
        else:
            days.append(past)
    return History(
        days=tuple(reversed(days)),
        left_out=tuple(sorted(left_out)),
        digests=len(memory.digests),
        interests=interests_in(snapshot, places, notes.interests),
        notes=corpus(snapshot, config),
        judged=judged_papers(snapshot, memory, opinions),
        known={
            key: (min(paper.digests, default=None) or month_of(key), paper.reading)
            for key, paper in memory.papers.items()
        },
    )


def read_by(history: History, encoder: str) -> tuple[History, Unread]:
    """The history as far as this encoder can read interests and notes, and what it cannot."""
    interests, notes, unread = legible(history.interests, history.notes, encoder)
    return replace(history, interests=interests, notes=notes), unread


def with_interests(history: History, snapshot: Snapshot, text: str, path: str = "") -> History:
    """The same history under the interests of another note; `path` is where it lies."""
    places = Places.of(snapshot)

    def paper_of(target: str) -> str | None:
        identity = places.identity(target, path)
        return identity[1] if identity and identity[0] == "paper" else None

    return replace(history, interests=parse_interests(split(text).body, paper_of))


def _kept(memory: Memory, opinions: Collection[Opinion]) -> dict[date, set[str]]:
    """What was kept of each digest's day."""
    kept: dict[date, set[str]] = defaultdict(set)
    for opinion in opinions:
        if opinion.value > 0 and opinion.day is not None:
            kept[opinion.day].add(opinion.id)
    return {day: kept[day] for day in memory.digests}


def _without_digest(memory: Memory, saved: Collection[date]) -> Iterator[tuple[date, Why]]:
    covered = {batch for digest in memory.digests.values() for batch in digest.batches}
    for day in saved:
        if day not in covered and day not in memory.digests:
            yield day, "no-digest"


def _why(kept: Collection[str], past: PastDay | None) -> Why:
    if not kept:
        return "nothing-kept"
    return "all-kept" if past else "unknown"


def _past_day(
    digest: KnownDigest,
    kept: Collection[str],
    memory: Memory,
    readings: Mapping[str, Reading],
    announced: Callable[[KnownDigest], Harvest | None],
) -> PastDay:
    """What arXiv announced and nobody had shown by then, and whatever the digest shows."""
    harvest = announced(digest)
    earlier = Memory(
        digests={day: each for day, each in memory.digests.items() if day < digest.day}
    )
    fresh = unite(harvest.papers, earlier, digest.day, harvest.seen).fresh if harvest else ()
    papers = {paper.id: paper for paper in fresh}
    pool = {key: reading_of(paper) for key, paper in papers.items()}
    pool |= {key: readings[key] for key in (*digest.picked, *kept) if key in readings}
    ordered = tuple(pool[key] for key in sorted(pool))
    return PastDay(digest.day, ordered, papers, frozenset(kept), "saved" if papers else "shown")
