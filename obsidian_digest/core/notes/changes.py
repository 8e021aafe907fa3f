"""Whether a paper is newer than its note, and in what."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.details import says_version, withdrawn
from obsidian_digest.core.announcements.pool import reading_of, title_of
from obsidian_digest.core.notes.views import plain_each
from obsidian_digest.core.vault.property_types import text_in, value_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.model import KnownPaper, NoteFile, Paper

SHORTENED = 90
"""A list of so many authors may be the beginning of one: listing pages stop at about 100."""
_CATEGORY = re.compile(r"[a-z-]+(?:\.[A-Za-z-]+)?")
_REGION = "version-"


@dataclass(frozen=True, slots=True)
class Change:
    """What is new in a paper, against its note."""

    version: int | None
    """The new version; None: its source does not tell which."""
    title: bool = False
    abstract: bool = False
    authors: bool = False
    categories: bool = False
    withdrawn: bool = False
    """Nothing else is looked at then: the reader keeps what there was to read."""


def region_of(day: date) -> str:
    """The region that tells what a paper's note learned from one day's announcement."""
    return f"{_REGION}{day.isoformat()}"


def version_of(note: NoteFile) -> int | None:
    """The version a note is of: its property, or what its links name if that was taken out."""
    said = text_in(note.header, "arxiv_version")
    if re.fullmatch(r"[1-9][0-9]{0,3}", said):
        return int(said)
    linked = re.findall(
        rf"(?<![\w.-]){re.escape(note.key)}v([1-9][0-9]{{0,3}})(?!\d)",
        "\n".join(note.regions.values()),
    )
    return max(map(int, linked), default=None)


def change(paper: Paper, note: NoteFile, known: KnownPaper, day: date, mark: str) -> Change | None:
    """What the announcement of a day brings; None if the note has it already.

    A version that is higher is new. One that is not known is if its title or abstract differ and
    the note has heard of no later day. `mark` is how a withdrawn paper is marked.
    """
    version = paper.version if says_version(paper) else None
    standing = version_of(note)
    found = _differences(paper, note, known, version, mark)
    if version is not None and standing is not None:
        return found if version > standing else None
    tells = found.title or found.abstract or found.withdrawn
    later = day > max(_days(note, known), default=date.min)
    return found if tells and later else None


def _differences(
    paper: Paper, note: NoteFile, known: KnownPaper, version: int | None, mark: str
) -> Change:
    if withdrawn(paper):
        return Change(version, withdrawn=all(mark not in text for text in note.regions.values()))
    title, abstract = text_in(note.header, "title"), known.reading.abstract
    return Change(
        version,
        title=bool(title) and not alike(title, title_of(paper)),
        abstract=bool(abstract and paper.abstract)
        and not alike(abstract, reading_of(paper).abstract),
        authors=_authors_differ(paper, note),
        categories=_categories(value_in(note.header, "arxiv_categories"))
        not in (frozenset(), _categories(paper.categories)),
    )


def _authors_differ(paper: Paper, note: NoteFile) -> bool:
    names, standing = plain_each(paper.authors), _many(value_in(note.header, "authors"))
    old, new = " ".join(standing), " ".join(names)
    if not names or not standing or alike(old, new):
        return False
    return not (len(names) >= SHORTENED and _continues(old, new))


def _categories(names: str | tuple[str, ...]) -> frozenset[str]:
    """Those of arXiv's own: classes of the ACM and the AMS come and go with the source."""
    return frozenset(filter(_CATEGORY.fullmatch, _many(names)))


def _many(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,) if value else ()


def _days(note: NoteFile, known: KnownPaper) -> Iterator[date]:
    """The announcements that the note tells of."""
    yield from known.digests
    for name in note.regions:
        if name.startswith(_REGION):
            try:
                yield date.fromisoformat(name.removeprefix(_REGION))
            except ValueError:
                continue


def alike(one: str, other: str) -> bool:
    """Whether two texts say the same, whichever of arXiv's services spelt them."""
    return _letters(one) == _letters(other)


def _continues(names: str, shorter: str) -> bool:
    """Whether the first text begins with all that the second says."""
    return _letters(names).startswith(_letters(shorter))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))
