"""What the vault already holds: papers, digests, themes and weeks, read back from their notes."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.places import base_name
from obsidian_digest.core.vault.property_types import text_in, value_in
from obsidian_digest.core.vault.theme_pins import listed, named_theme, pinned
from obsidian_digest.core.vault.week_moves import moves_in
from obsidian_digest.core.vault.weeks import is_week
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    KnownWeek,
    Memory,
    NoteFile,
    Reading,
    Snapshot,
    StandingTheme,
)
from obsidian_digest.note.links import links
from obsidian_digest.note.names import id_in
from obsidian_digest.note.text import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Kind

_ABSTRACT = re.compile(r"^(?P<text>.*) \^abstract\r?$", re.MULTILINE)
_PICKED = re.compile(r" \^arxiv-(?P<id>[A-Za-z0-9-]+)\r?$", re.MULTILINE)
_SUPPLEMENT = re.compile(r"supplement-(\d{1,4})")
_STARS = frozenset("12345")


def remember(snapshot: Snapshot, places: Places) -> Memory:
    """What the vault's notes tell; of notes that share an identity the first counts."""
    papers: dict[str, KnownPaper] = {}
    days: dict[date, NoteFile] = {}
    themes: dict[str, NoteFile] = {}
    weeks: dict[str, KnownWeek] = {}
    for note in snapshot.notes:
        if note.kind == "paper" and note.trouble != "foreign":
            papers.setdefault(note.key, _paper(note, places))
        elif note.kind == "digest" and (day := _day(note.key)):
            days.setdefault(day, note)
        elif note.kind == "theme":
            themes.setdefault(note.key, note)
        elif note.kind == "week" and is_week(note.key):
            weeks.setdefault(note.key, _week(note, places))
    members: dict[str, list[str]] = defaultdict(list)
    shown: dict[date, list[str]] = defaultdict(list)
    for paper in sorted(papers.values(), key=lambda paper: paper.id):
        members[paper.theme].append(paper.id)
        for day in paper.digests:
            shown[day].append(paper.id)
    digests = {day: _digest(note, day, shown[day]) for day, note in days.items()}
    known = {key: _theme(note, tuple(members[key]), places) for key, note in themes.items()}
    told = {key: listed(note, places) for key, note in themes.items()}
    for key in pinned(papers, digests.values(), told):
        papers[key] = replace(papers[key], pinned=True)
    foreign = {n.key for n in snapshot.notes if n.kind == "paper" and n.trouble == "foreign"}
    return Memory(papers, digests, known, weeks, frozenset(foreign - papers.keys()))


def reading_of_note(
    title: str, abstract_markdown: str, arxiv_id: str, category: str = ""
) -> Reading:
    """The reading that a paper note gives back; a paper from arXiv is read the same way."""
    return Reading(arxiv_id, title, reading(abstract_markdown), category)


def _paper(note: NoteFile, places: Places) -> KnownPaper:
    text = note.regions.get("paper") or note.raw.decode("utf-8", errors="replace")
    abstract = _ABSTRACT.search(text)
    title = text_in(note.header, "title") or base_name(note.path)
    stars = text_in(note.header, "relevance")
    return KnownPaper(
        id=note.key,
        reading=reading_of_note(
            title,
            abstract["text"] if abstract else "",
            note.key,
            text_in(note.header, "arxiv_primary"),
        ),
        stars=int(stars) if stars in _STARS else 0,
        theme=named_theme(text_in(note.header, "theme"), note.path, places) or "",
        digests=tuple(
            day for key in _linked(note, "digests", "digest", places) if (day := _day(key))
        ),
        related=tuple(_linked(note, "related", "paper", places)),
    )


def _linked(note: NoteFile, key: str, kind: Kind, places: Places) -> Iterator[str]:
    """The keys of those notes of a kind that a property links to."""
    for value in _many(note, key):
        for link in links(value):
            identity = places.identity(link.target, note.path)
            if identity and identity[0] == kind:
                yield identity[1]


def _digest(note: NoteFile, day: date, shown: Iterable[str]) -> KnownDigest:
    """`shown` are the papers whose notes name the day.

    They count where the reader has cut the digest's text, which then names fewer papers than its
    header says; those of a supplement that was cut short stand in no digest yet.
    """
    text = note.raw.decode("utf-8", errors="replace")
    picked = [known for found in _PICKED.finditer(text) if (known := id_in(found["id"]))]
    cut = len(set(picked)) < _number(text_in(note.header, "digest_papers"))
    return KnownDigest(
        day=day,
        picked=tuple(dict.fromkeys([*picked, *shown] if cut else picked)),
        batches=tuple(batch for text in _many(note, "digest_batches") if (batch := _day(text))),
        pool=text_in(note.header, "digest_pool"),
        top=_number(text_in(note.header, "digest_top")),
        min_stars=_number(text_in(note.header, "digest_min_stars")),
        supplements=max(_supplements(note.regions), default=0),
        missing=tuple(_many(note, "digest_missing")),
        newest=text_in(note.header, "digest_newest"),
    )


def _supplements(regions: Iterable[str]) -> Iterator[int]:
    """Their numbers: of those that the reader took out none is given again while a later stands."""
    for name in regions:
        if found := _SUPPLEMENT.fullmatch(name):
            yield int(found[1])


def _theme(note: NoteFile, members: tuple[str, ...], places: Places) -> KnownTheme:
    merged = named_theme(text_in(note.header, "merged_into"), note.path, places)
    standing = StandingTheme(note.key, base_name(note.path), members, merged)
    return KnownTheme(standing, _many(note, "theme_terms"))


def _week(note: NoteFile, places: Places) -> KnownWeek:
    return KnownWeek(note.key, moves_in(note.regions.get("week", ""), note.path, places))


def _many(note: NoteFile, key: str) -> tuple[str, ...]:
    value = value_in(note.header, key)
    return value if isinstance(value, tuple) else (value,) if value else ()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0
