"""What the vault tells of its reader: written interests, judged papers, notes of his own."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from obsidian_digest.core.ranking.feedback import corpus, feedback
from obsidian_digest.core.ranking.interests import interests_in
from obsidian_digest.core.ranking.shown import readings_shown
from obsidian_digest.core.texts.language import Unread, legible
from obsidian_digest.model import Interests
from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from obsidian_digest.config import Config
    from obsidian_digest.core.ranking.feedback import Opinion
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Memory, Reading, Snapshot

JUDGED = 300
"""So many of the newest opinions teach: older ones weigh nothing any more (`taste.HALF_LIFE`)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A paper the reader has an opinion about."""

    reading: Reading
    value: float
    """-1 (unwanted) to 1 (the best)."""


@dataclass(frozen=True, slots=True)
class Reader:
    """All that ranking knows of the reader."""

    interests: Interests = field(default_factory=Interests)
    judged: tuple[Judged, ...] = ()
    """Newest first."""
    notes: tuple[Reading, ...] = ()
    """His own notes that stand in as interests; their ids are paths."""
    unread: Unread = field(default_factory=Unread)
    """What of interests and notes the encoder cannot read."""

    @property
    def known(self) -> bool:
        """Whether there is anything to rank by."""
        return bool(self.interests or self.judged or self.notes)


def reader_of(
    snapshot: Snapshot, places: Places, memory: Memory, config: Config, encoder: str
) -> Reader:
    """The reader as the vault tells of him, as far as the encoder can read it.

    A paper without any text there cannot teach.
    """
    written = interests_in(snapshot, places, config.notes.interests)
    interests, notes, unread = legible(written, corpus(snapshot, config), encoder)
    opinions = feedback(snapshot, places, memory, config).opinions
    judged = tuple(each for _, each in judged_papers(snapshot, memory, opinions))
    return Reader(interests, judged[:JUDGED], notes, unread)


def judged_papers(
    snapshot: Snapshot, memory: Memory, opinions: Iterable[Opinion]
) -> tuple[tuple[date, Judged], ...]:
    """The opinions that can teach, newest first, each with its paper's day."""
    opinions = sorted(opinions, key=lambda each: (_age(each), sort_key(each.id)))
    gone = {each.id for each in opinions if each.id not in memory.papers}
    readings = readings_shown(snapshot, gone) if gone else {}
    readings |= {key: paper.reading for key, paper in memory.papers.items()}
    return tuple(
        (_day(each), Judged(readings[each.id], each.value))
        for each in opinions
        if each.id in readings
    )


def _age(opinion: Opinion) -> int:
    """Days before a far day."""
    return date.max.toordinal() - _day(opinion).toordinal()


def _day(opinion: Opinion) -> date:
    """An imported paper, which no digest shows, counts by its id's month."""
    return opinion.day or month_of(opinion.id)


def month_of(arxiv_id: str) -> date:
    """The middle of the month that an arXiv id names (`2608.12590`, `quant-ph/0201082`)."""
    digits = arxiv_id.rpartition("/")[2][:4]
    year, month = int(digits[:2]), int(digits[2:])
    return date(year + (1900 if year > 90 else 2000), min(max(month, 1), 12), 15)  # noqa: PLR2004
