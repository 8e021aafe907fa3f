"""New versions of papers that have a note: what changed is changed there, and said.

A note's region `paper` is the template's, so it is not rendered anew: stars, reasons and what the
reader's template adds stay as they stand, and only the pieces that belong to a version are
exchanged. What is new is told in a region of its own below the others, `version-DAY`: also where
the reader edited `paper`, and so that a run that was cut short finds it again for its digest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.details import notice
from obsidian_digest.core.announcements.pool import reading_of, title_of, unite
from obsidian_digest.core.notes.changes import Change, change, region_of, version_of
from obsidian_digest.core.notes.rewording import abstract_in, exchanged, marked, wordings
from obsidian_digest.core.notes.views import ABS, VersionView, Views, plain_each, web_link
from obsidian_digest.core.texts.pointers import pointers
from obsidian_digest.core.vault.property_types import ours_in, text_in
from obsidian_digest.core.vault.render import safe
from obsidian_digest.model import Memory, NoteDraft, Region
from obsidian_digest.note import region
from obsidian_digest.note.copies import settle
from obsidian_digest.note.text import property_text, prose

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date

    from markupsafe import Markup

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import (
        Digest,
        Harvest,
        HeaderValue,
        KnownPaper,
        NoteFile,
        Paper,
        Snapshot,
    )


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A paper of the vault of which a day brings a new version."""

    id: str
    said: Markup
    """What its note says of it, in one line."""
    withdrawn: bool
    draft: NoteDraft | None
    """None: an earlier run has written it."""


@dataclass(frozen=True, slots=True)
class Revisions:
    """The day's new versions, by id, and what the vault knows once they are written."""

    versions: tuple[NewVersion, ...] = ()
    memory: Memory = field(default_factory=Memory)

    def drafts(self, written: Collection[str]) -> tuple[NoteDraft, ...]:
        """The changes to notes; `written` are papers whose notes this run writes as a whole."""
        return tuple(each.draft for each in self.versions if each.draft and each.id not in written)

    def told(self, digest: Digest, snapshot: Snapshot) -> tuple[tuple[str, Markup], ...]:
        """What the digest names, by id; a supplement only what stands in none yet."""
        shown = {entry.paper.id for entry in digest.entries}
        standing = "".join(
            note.raw.decode("utf-8", errors="replace")
            for note in snapshot.notes
            if digest.number and (note.kind, note.key) == ("digest", digest.day.isoformat())
        )
        return tuple(
            (each.id, each.said)
            for each in self.versions
            if each.id not in shown and each.said not in standing
        )


def announced_anew(harvest: Harvest, snapshot: Snapshot, day: date) -> tuple[Paper, ...]:
    """The papers, each once, that have a note of ours and perhaps a new version.

    All that the announcement replaces, and those of the others that are newer than their note: a
    file or a search may hold them too.
    """
    notes = _notes(snapshot, (*harvest.revised, *harvest.papers))

    def newer(paper: Paper) -> bool:
        standing = version_of(notes[paper.id]) or paper.version
        return paper.version > standing or region_of(day) in notes[paper.id].regions

    replaced = (paper for paper in harvest.revised if paper.id in notes)
    others = (paper for paper in harvest.papers if paper.id in notes and newer(paper))
    return unite((*replaced, *others), Memory(), day).papers


def revise(
    papers: Sequence[Paper],
    day: date,
    snapshot: Snapshot,
    memory: Memory,
    renderer: Renderer,
    places: Places,
) -> Revisions:
    """What a day's announcement changes in the notes of these papers (`announced_anew`)."""
    notes, reviser = _notes(snapshot, papers), _Reviser(day, renderer, places)
    known, found = dict(memory.papers), {}
    for paper in papers:
        if paper.id in notes and paper.id in known:
            new = reviser.version(paper, notes[paper.id], known[paper.id])
            if new is not None:
                found[paper.id], known[paper.id] = new
    versions = tuple(found[key] for key in sorted(found))
    return Revisions(versions, replace(memory, papers=known))


def _notes(snapshot: Snapshot, papers: Iterable[Paper]) -> dict[str, NoteFile]:
    """The notes of these papers that may be written into, by id."""
    ids = {paper.id for paper in papers}
    named = (note for note in snapshot.notes if note.kind == "paper" and note.key in ids)
    return {note.key: note for note in settle(named) if note.trouble is None}


@dataclass(frozen=True, slots=True)
class _Reviser:
    """Brings notes up to date with one day's announcement."""

    day: date
    renderer: Renderer
    places: Places

    def version(
        self, paper: Paper, note: NoteFile, known: KnownPaper
    ) -> tuple[NewVersion, KnownPaper] | None:
        """What is new and what the vault knows after it; None if nothing is."""
        words, name = self.renderer.words, region_of(self.day)
        mark = f"**{words('withdrawn')}**"
        if name in note.regions:
            said = self._said(note.regions[name]) or _link(paper, None)
            return NewVersion(paper.id, said, mark in said, None), known
        found = change(paper, note, known, self.day, mark)
        if found is None:
            return None
        text = self._text(paper, note, found)
        ours = self._ours(note)
        view = self._view(paper, note, found, shows_abstract=found.abstract and not ours)
        told = self.renderer("version", v=view)
        draft = NoteDraft(
            "paper",
            paper.id,
            note.path,
            dict(_owned(paper, note, found)),
            regions=(Region("paper", text),) if text else (),
            added=(Region(name, told),),
            birth=False,
        )
        said = self._said(told) or view.said
        after = self._after(paper, note, known, found, abstract=ours and bool(abstract_in(text)))
        return NewVersion(paper.id, said, found.withdrawn, draft), after

    def _said(self, text: str) -> Markup | None:
        """The line of the region that says what is new, by its block id."""
        line = re.search(rf"^(.+) \^{region_of(self.day)}[ \t]*\r?$", text, re.MULTILINE)
        return safe(line[1]) if line else None

    def _ours(self, note: NoteFile) -> bool:
        """Whether the reader left the region `paper` to us."""
        found = {each.name: each for each in region.find(note.raw.decode("utf-8"))}.get("paper")
        return found is not None and region.intact(
            found, lambda target: self.places.trusts(target, note.path)
        )

    def _text(self, paper: Paper, note: NoteFile, found: Change) -> str:
        """The region `paper` as it shall read; empty if it stays."""
        text = note.regions.get("paper", "").replace("\r\n", "\n")
        if found.withdrawn:
            edited = marked(text, f"**{self.renderer.words('withdrawn')}**")
        else:
            edited = exchanged(text, *wordings(paper, note, found, abstract_in(text)))
        return edited if edited != text else ""

    def _view(
        self, paper: Paper, note: NoteFile, found: Change, *, shows_abstract: bool
    ) -> VersionView:
        views = Views(self.renderer.words, self.places, {})
        lines = "\n".join(note.regions.values()).splitlines()
        mark = f"**{self.renderer.words('withdrawn')}**"
        remarks = (
            each
            for each in views.remarks(paper)
            if each != mark and not any(line.endswith(each) for line in lines)
        )
        abstract = safe(prose(paper.abstract))
        said = self.renderer.words(
            "revised", link=_link(paper, found.version), changes=tuple(self._changes(note, found))
        )
        return VersionView(
            day=self.day.isoformat(),
            said=said,
            anchor=safe(f"^{region_of(self.day)}"),
            remarks=(*((abstract,) if notice(paper) else ()), *remarks),
            abstract=abstract if shows_abstract else None,
        )

    def _changes(self, note: NoteFile, found: Change) -> Iterator[Markup]:
        words = self.renderer.words
        if found.withdrawn:
            yield safe(f"**{words('withdrawn')}**")
            return
        if found.version is None:
            yield words("revised_unknown")
        if found.title:
            yield words("revised_title", title=text_in(note.header, "title"))
        names = ("abstract", "authors", "categories")
        changed = [name for name in names if getattr(found, name)]
        for name in changed:
            yield words(f"revised_{name}")
        if not (found.title or changed):
            yield words("revised_text")

    def _after(
        self, paper: Paper, note: NoteFile, known: KnownPaper, found: Change, *, abstract: bool
    ) -> KnownPaper:
        """The paper as the note will tell it."""
        standing, new = known.reading, reading_of(paper)
        types = self.places.settings.property_types
        title = found.title and ours_in(note.header, "title", types) is not None
        return replace(
            known,
            reading=replace(
                standing,
                title=new.title if title else standing.title,
                abstract=new.abstract if found.abstract and abstract else standing.abstract,
            ),
        )


def _link(paper: Paper, version: int | None) -> Markup:
    name = f"{paper.id}v{version}" if version else paper.id
    return web_link(name, ABS + name)


def _owned(paper: Paper, note: NoteFile, found: Change) -> Iterator[tuple[str, HeaderValue]]:
    """The properties that the new version gives; what did not change is not touched."""
    if found.version is not None:
        yield "arxiv_version", found.version
    yield "updated", paper.updated.date() if paper.updated else None
    if found.title:
        yield "title", title_of(paper)
    if found.authors:
        yield "authors", tuple(map(property_text, plain_each(paper.authors)))
    if found.categories:
        yield "arxiv_primary", property_text(paper.primary)
        yield "arxiv_categories", tuple(map(property_text, paper.categories))
    code, standing = pointers(paper).code, text_in(note.header, "code")
    # Without its comment a paper shows only some of its addresses.
    moved = standing not in f"{paper.abstract} {paper.comment}" and paper.published is not None
    if code and not found.withdrawn and (moved or not standing):
        yield "code", code
