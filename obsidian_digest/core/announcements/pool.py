"""The day's pool: every paper once, and which of them the reader has not been shown."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.memory import reading_of_note
from obsidian_digest.model import Window
from obsidian_digest.note.latex import plain
from obsidian_digest.note.text import property_text, prose

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date

    from obsidian_digest.model import Memory, Paper, Reading

_NEW_STYLE = re.compile(r"[0-9]{4}\.[0-9]{4,5}\Z")


@dataclass(frozen=True, slots=True)
class Pool:
    """What may be shown on one day."""

    papers: tuple[Paper, ...]
    """All papers, each once, by id."""
    fresh: tuple[Paper, ...]
    """Those that no digest of another day shows and no earlier batch announced."""

    @property
    def fingerprint(self) -> str:
        """Count and hash of the ids: an equal pool is known without asking what it held."""
        ids = ",".join(paper.id for paper in self.papers)
        return f"{len(self.papers)}-{hashlib.sha256(ids.encode()).hexdigest()[:8]}"

    @property
    def newest(self) -> str:
        """The highest new-style id, empty if there is none."""
        return max((paper.id for paper in self.papers if _NEW_STYLE.match(paper.id)), default="")

    @property
    def window(self) -> Window | None:
        """From the first submission to the last; None where no paper tells."""
        times = [paper.published for paper in self.papers if paper.published]
        return Window(min(times), max(times)) if times else None


def unite(papers: Iterable[Paper], memory: Memory, day: date, seen: Collection[str] = ()) -> Pool:
    """Cross-lists and versions united by id; the highest version counts.

    Where two sources tell different things of one version, the same one wins in any order. Papers
    that were `seen` in an earlier batch are not fresh.
    """
    by_id: dict[str, Paper] = {}
    for paper in papers:
        known = by_id.get(paper.id)
        if known is None or _counts_before(paper, known):
            by_id[paper.id] = paper
    united = tuple(by_id[key] for key in sorted(by_id))
    elsewhere = {
        arxiv_id
        for digest in memory.digests.values()
        if digest.day != day
        for arxiv_id in digest.picked
    }
    old = elsewhere.union(seen)
    return Pool(united, tuple(paper for paper in united if paper.id not in old))


def came_late(pool: Pool, categories: Collection[str]) -> Pool:
    """The pool with only those papers fresh that are in these categories; all if there is none."""
    if not categories:
        return pool
    fresh = tuple(paper for paper in pool.fresh if not set(paper.categories).isdisjoint(categories))
    return replace(pool, fresh=fresh)


def title_of(paper: Paper) -> str:
    """The title as plain text, harmless also as a property."""
    return property_text(plain(paper.title))


def _counts_before(paper: Paper, known: Paper) -> bool:
    if paper.version != known.version:
        return paper.version > known.version
    return paper != known and repr(paper) < repr(known)


def mailing_days(papers: Iterable[Paper], today: date) -> tuple[date, ...]:
    """The mailings these papers were announced in, as far as known, oldest first.

    A day later than tomorrow cannot have been announced: it is a slip in the file, and a digest
    under its date would make every later run believe that nothing is due. Tomorrow can, by the
    reader's calendar: a batch goes public on the evening before its date.
    """
    days = {paper.announced for paper in papers if paper.announced}
    return tuple(sorted(day for day in days if (day - today).days <= 1))


def reading_of(paper: Paper) -> Reading:
    """The paper's words, the same as its note will give back."""
    category = property_text(paper.primary)
    return reading_of_note(title_of(paper), prose(paper.abstract), paper.id, category)
