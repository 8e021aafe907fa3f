"""What the reader thinks of papers, as his vault tells without being asked.

Each paper's signs, and what each is worth from -1 (unwanted) to 1 (the best):

| sign | what it is | value |
| --- | --- | --- |
| rated | `rating`, 1 to 5 | -1, -0.5, 0.25, 0.75, 1 |
| read | `reading` is read, or is going on | 0.5 |
| skipped | `reading` is skipped | -0.5 |
| noted | the reader wrote into the note, outside what is ours | 0.75 |
| linked | a note of his own links to it, or is about it | 0.75 |
| moved | he took its note out of the folder where its day's other notes lie | 0.75 |
| deleted | a digest shows it, and it has no note | -0.75 |

A rating is a judgement in so many words and decides alone: three stars stay three however much was
written about a paper. Else what speaks against a paper outweighs what speaks for it, for it came
later: he read and wrote, then skipped or deleted. It counts half where something speaks for the
paper. Of several signs for it the strongest counts, and each other adds a little; only a rating
says 1. A paper without any sign is no opinion: an unread note is no dislike.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from obsidian_digest.core.ranking.signs import deleted, linked, moved, wrote
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.core.vault.property_types import text_in
from obsidian_digest.model import Reading
from obsidian_digest.note.own_notes import Corpus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Memory, NoteFile, Snapshot

CORPUS = 300
"""So many of the reader's own notes stand in as interests; more would drown the written ones."""

_VALUES = {
    "read": 0.5,
    "skipped": -0.5,
    "noted": 0.75,
    "linked": 0.75,
    "moved": 0.75,
    "deleted": -0.75,
}
_RATINGS = (-1.0, -0.5, 0.25, 0.75, 1.0)
"""What 1 to 5 are worth: three of five is what one gives to a paper that was no waste of time."""
_EACH_OTHER = 0.1
_MOST_UNRATED = 0.95
_AGAINST_BOTH = 0.5

_READ = frozenset({"read", "done", "finished", "reading", "已读", "读完", "读过", "在读", "正在读"})
_SKIPPED = frozenset({"skipped", "skip", "跳过", "略过"})
_OUT_OF = re.compile(
    r"(?P<given>[0-9]{1,3}(?:[.,][0-9]{1,3})?)\s*(?:/\s*(?P<most>5|10|100)|stars?|星|分|★|⭐)?"
)
_STARS = re.compile(r"(?P<full>[★⭐]{1,5})[☆\s]*")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the vault tells of one paper."""

    id: str
    value: float
    """-1 (unwanted) to 1 (the best), rounded to 4 digits."""
    day: date | None
    """The newest digest that shows the paper; None for an imported one."""
    signs: tuple[str, ...]
    """Why: `rated`, `read`, `skipped`, `noted`, `linked`, `moved`, `deleted`; in this order."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """All that the vault tells, the newest day first, then by id; without a day last."""

    opinions: tuple[Opinion, ...] = ()


def feedback(snapshot: Snapshot, places: Places, memory: Memory, config: Config) -> Feedback:
    """The vault's opinions: one for each of its papers that bears a sign."""
    notes: dict[str, NoteFile] = {}
    for note in snapshot.notes:
        if note.kind == "paper":
            notes.setdefault(note.key, note)
    days = _days(memory)
    gone = deleted(memory, notes) if config.notes.paper_notes else frozenset()
    taken_out = moved(notes, days, config.folders.papers)
    in_own = linked(snapshot, places, notes.keys() | days.keys())
    standing = (config.notes.moc, config.notes.home)
    opinions = []
    for paper in notes.keys() | days.keys():
        rating, found = _told(notes.get(paper), standing)
        found |= {"linked": paper in in_own, "moved": paper in taken_out, "deleted": paper in gone}
        signs = tuple(sign for sign in ("rated", *_VALUES) if found.get(sign))
        if signs:
            value = _combined(signs) if rating is None else rating
            opinions.append(Opinion(paper, value, days.get(paper), signs))
    opinions.sort(key=lambda each: (-each.day.toordinal() if each.day else 0, each.id))
    return Feedback(tuple(opinions))


def _told(note: NoteFile | None, standing: Sequence[str]) -> tuple[float | None, dict[str, bool]]:
    """What a paper's own note says: the worth of its rating, if it has one, and its signs."""
    if note is None:
        return None, {}
    rating = rated(text_in(note.header, "rating"))
    found = {"rated": rating is not None, _said(text_in(note.header, "reading")): True}
    # A note of the reader's own about the paper is all his text: that is a link, not a remark.
    found["noted"] = note.trouble != "foreign" and wrote(note, standing)
    return rating, found


def corpus(snapshot: Snapshot, config: Config) -> tuple[Reading, ...]:
    """The reader's own notes that stand in as interests: path, base name, text; by path."""
    folders = Corpus.of(config.ranking.corpus)
    notes = (note for note in snapshot.own if note.text and folders.holds(note.path))
    return tuple(
        Reading(note.path, base_name(note.path), note.text) for note in islice(notes, CORPUS)
    )


def _combined(signs: Sequence[str]) -> float:
    values = [_VALUES[sign] for sign in signs]
    bad, good = min(values), max(values)
    if bad < 0:
        return bad if good < 0 else round(bad * _AGAINST_BOTH, 4)
    return round(min(good + _EACH_OTHER * (len(values) - 1), max(good, _MOST_UNRATED)), 4)


def rated(text: str) -> float | None:
    """What a rating is worth, -1 to 1, rounded to 4 digits; None where it cannot be read.

    `4`, `4.5`, `4/5`, `8/10`, `80/100`, `4 stars`, `★★★★☆`. Between two whole ratings the value
    lies between theirs; 0 is what plugins write for no rating.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("\ufe0f", "").split()).lower()
    if found := _STARS.fullmatch(plain):
        return _RATINGS[len(found["full"]) - 1]
    found = _OUT_OF.fullmatch(plain)
    if not found:
        return None
    given = float(found["given"].replace(",", "."))
    if found["most"]:
        most = int(found["most"])
        given = max(given * 5 / most, 1.0) if 0 < given <= most else 0.0
    if not 1 <= given <= len(_RATINGS):
        return None
    low = min(int(given), len(_RATINGS) - 1)
    below, above = _RATINGS[low - 1 : low + 1]
    return round(below + (above - below) * (given - low), 4)


def _said(text: str) -> str:
    word = re.sub(r"^\W+|\W+$", "", unicodedata.normalize("NFKC", text)).casefold()
    return "read" if word in _READ else "skipped" if word in _SKIPPED else ""


def _days(memory: Memory) -> dict[str, date]:
    """The newest digest that shows each paper, as digests and notes tell."""
    days: dict[str, date] = {}
    shown = [(day, id_) for day, digest in memory.digests.items() for id_ in digest.picked]
    noted = [(day, paper.id) for paper in memory.papers.values() for day in paper.digests]
    for day, paper in (*shown, *noted):
        days[paper] = max(day, days.get(paper, day))
    return days
