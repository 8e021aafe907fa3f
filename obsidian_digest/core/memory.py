"""What the vault already holds: papers, digests and themes, read back from their notes."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING

from obsidian_digest.core.places import base_name
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Memory,
    NoteFile,
    Reading,
    Snapshot,
    StandingTheme,
)
from obsidian_digest.note.names import id_in
from obsidian_digest.note.text import reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from obsidian_digest.core.places import Places

_ABSTRACT = re.compile(r"^(?P<text>.*) \^abstract\r?$", re.MULTILINE)
_PICKED = re.compile(r" \^arxiv-(?P<id>[A-Za-z0-9-]+)\r?$", re.MULTILINE)
_STARS = frozenset("12345")
_LINK_TARGET = re.compile(r"\[\[([^\[\]|#]+)")


def remember(snapshot: Snapshot, places: Places) -> Memory:
    """The vault's papers, digests and themes; of notes that share an identity the first counts."""
    papers: dict[str, KnownPaper] = {}
    digests: dict[date, KnownDigest] = {}
    themes: dict[str, NoteFile] = {}
    for note in snapshot.notes:
        if note.kind == "paper" and note.trouble != "foreign":
            papers.setdefault(note.key, _paper(note, places))
        elif note.kind == "digest" and (day := _day(note.key)):
            digests.setdefault(day, _digest(note, day))
        elif note.kind == "theme":
            themes.setdefault(note.key, note)
    members: dict[str, list[str]] = defaultdict(list)
    for paper in papers.values():
        members[paper.theme].append(paper.id)
    known = {key: _theme(note, tuple(sorted(members[key]))) for key, note in themes.items()}
    foreign = {n.key for n in snapshot.notes if n.kind == "paper" and n.trouble == "foreign"}
    return Memory(papers, digests, known, frozenset(foreign - papers.keys()))


def reading_of_note(title: str, abstract_markdown: str, arxiv_id: str) -> Reading:
    """The reading that a paper note gives back; a paper from arXiv is read the same way."""
    return Reading(arxiv_id, title, reading(abstract_markdown))


def _paper(note: NoteFile, places: Places) -> KnownPaper:
    text = note.regions.get("paper") or note.raw.decode("utf-8", errors="replace")
    abstract = _ABSTRACT.search(text)
    title = _one(note, "title") or base_name(note.path)
    stars = _one(note, "relevance")
    return KnownPaper(
        id=note.key,
        reading=reading_of_note(title, abstract["text"] if abstract else "", note.key),
        stars=int(stars) if stars in _STARS else 0,
        theme=next(iter(_linked([_one(note, "theme")], "theme", places)), ""),
        digests=tuple(
            day for key in _linked(_many(note, "digests"), "digest", places) if (day := _day(key))
        ),
        related=tuple(_linked(_many(note, "related"), "paper", places)),
    )


def _linked(links: Iterable[str], kind: str, places: Places) -> list[str]:
    keys = []
    for link in links:
        target = _LINK_TARGET.search(link)
        identity = places.identity(target[1]) if target else None
        if identity and identity[0] == kind:
            keys.append(identity[1])
    return keys


def _digest(note: NoteFile, day: date) -> KnownDigest:
    text = note.raw.decode("utf-8", errors="replace")
    picked = [known for found in _PICKED.finditer(text) if (known := id_in(found["id"]))]
    return KnownDigest(
        day=day,
        picked=tuple(dict.fromkeys(picked)),
        batches=tuple(batch for text in _many(note, "digest_batches") if (batch := _day(text))),
        pool=_one(note, "digest_pool"),
        top=_number(_one(note, "digest_top")),
        min_stars=_number(_one(note, "digest_min_stars")),
        supplements=sum(name.startswith("supplement-") for name in note.regions),
    )


def _theme(note: NoteFile, members: tuple[str, ...]) -> KnownTheme:
    merged = _one(note, "merged_into") or None
    standing = StandingTheme(note.key, base_name(note.path), members, merged)
    return KnownTheme(standing, _many(note, "theme_terms"))


def _one(note: NoteFile, key: str) -> str:
    value = note.header.get(key, "")
    return value if isinstance(value, str) else next(iter(value), "")


def _many(note: NoteFile, key: str) -> tuple[str, ...]:
    value = note.header.get(key, ())
    return value if isinstance(value, tuple) else (value,) if value else ()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0
