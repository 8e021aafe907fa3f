"""What each note should say: paper, digest, theme and index drafts, in the order of writing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import title_of
from obsidian_digest.core.notes.footer import NOTES_HEADING, tail, up
from obsidian_digest.core.notes.moc_notes import moc_drafts
from obsidian_digest.core.notes.signal_lines import SignalLines
from obsidian_digest.core.notes.theme_notes import placed, theme_drafts
from obsidian_digest.core.notes.views import (
    ABS,
    PDF,
    DigestView,
    PaperView,
    SectionView,
    Views,
    plain_each,
)
from obsidian_digest.core.texts.language import ADVISED
from obsidian_digest.core.texts.pointers import pointers
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.core.vault.render import Renderer, literal, safe
from obsidian_digest.model import (
    Digest,
    Entry,
    HeaderValue,
    Link,
    Memory,
    NoteDraft,
    Region,
)
from obsidian_digest.note.names import safe_part
from obsidian_digest.note.text import property_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from markupsafe import Markup

    from obsidian_digest.config import Config
    from obsidian_digest.core.links.own_links import OwnNotes
    from obsidian_digest.core.trends.signals import Signal
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import FileDraft

ORIGINS = frozenset({"announcement", "search"})
"""Names of sources that the tables of words have a word for."""
ENTRIES_LINKED = 3
"""So many related papers a digest entry names; its note names all."""


def digest_name(config: Config, day: date) -> str:
    """The digest's base name at birth."""
    return config.names.digest.format(date=day.isoformat())


class Drafts:
    """Makes the drafts of one run."""

    def __init__(
        self,
        config: Config,
        renderer: Renderer,
        places: Places,
        titles: Mapping[str, str],
        own: OwnNotes | None = None,
        picture: FileDraft | None = None,
    ) -> None:
        """`titles` are plain titles of papers that may be linked, by id."""
        self._own = own
        self.picture = picture
        self._config = config
        self._render = renderer
        self._places = places
        self._titles = titles
        self._views = Views(renderer.words, places, titles)

    def paper(self, entry: Entry, days: Iterable[date]) -> NoteDraft:
        """The whole note of a selected paper; `days` are the digests that show it."""
        paper = entry.paper
        links = entry.related
        owned: dict[str, HeaderValue] = {
            "title": title_of(paper),
            "arxiv_id": paper.id,
            "arxiv_version": paper.version,
            "arxiv_primary": property_text(paper.primary),
            "arxiv_categories": tuple(property_text(each) for each in paper.categories),
            "authors": tuple(map(property_text, plain_each(paper.authors))),
            "published": paper.published.date() if paper.published else None,
            "updated": paper.updated.date() if paper.updated else None,
            "url": ABS + paper.id,
            "pdf": PDF + paper.id,
            "code": pointers(paper).code,
            "relevance": entry.ranked.stars,
            "theme": self._places.link("theme", entry.theme) if entry.theme else None,
            "digests": self._digest_links(days),
            "related": self._related_links(paper.id, links),
            "up": self._up(),
        }
        seeded: dict[str, HeaderValue] = {
            "aliases": self._aliases(title_of(paper), paper.id),
            "tags": self._config.notes.tags,
            "reading": "unread",
            "rating": None,
        }
        body = Region("paper", self._render("paper", p=self._views.paper(entry)))
        regions = (body, self._related_region(paper.id, links))
        path = self._places.by_key["paper", paper.id]
        return NoteDraft("paper", paper.id, path, owned, seeded, regions, NOTES_HEADING)

    def _aliases(self, title: str, arxiv_id: str) -> tuple[str, ...]:
        alias = safe_part(title, 200)
        return tuple(dict.fromkeys(filter(None, [alias, arxiv_id])))

    def related(self, arxiv_id: str, links: Iterable[Link]) -> NoteDraft:
        """Only the links of a paper note that stands."""
        links = tuple(links)
        owned: dict[str, HeaderValue] = {"related": self._related_links(arxiv_id, links)}
        regions = (self._related_region(arxiv_id, links),)
        path = self._places.by_key["paper", arxiv_id]
        return NoteDraft("paper", arxiv_id, path, owned, regions=regions, birth=False)

    def _related_region(self, arxiv_id: str, links: Iterable[Link]) -> Region:
        beside = self._own.beside(arxiv_id) if self._own else ()
        related, own = self._views.related(arxiv_id, links), self._views.own(beside)
        return Region("related", self._render("related", related=related, own=own))

    def _related_links(self, arxiv_id: str, links: Iterable[Link]) -> tuple[str, ...]:
        others = sorted({link.other(arxiv_id) for link in links})
        targets = (self._places.link("paper", other) for other in others)
        return tuple(target for target in targets if target)

    def digest(
        self,
        digest: Digest,
        revised: Iterable[tuple[str, Markup]] = (),
        signals: Iterable[Signal] = (),
    ) -> NoteDraft:
        """The day's digest, or a supplement to it.

        `revised` are papers that have a note and a new version, by id, with what is new;
        `signals` are what is to be noticed in it.
        """
        owned: dict[str, HeaderValue] = {
            "title": digest_name(self._config, digest.day),
            "digest_date": digest.day,
            "digest_batches": tuple(day.isoformat() for day in digest.batches),
            "digest_newest": digest.newest,
            "digest_pool": digest.pool,
            "digest_papers": digest.picked,
            "digest_top": digest.top,
            "digest_min_stars": digest.min_stars,
            "up": self._up(),
        }
        if digest.missing or digest.completes:
            owned["digest_missing"] = digest.missing
        seeded: dict[str, HeaderValue] = {"tags": self._config.notes.tags}
        name = f"supplement-{digest.number}" if digest.number else "digest"
        view = replace(
            self._digest_view(digest),
            revised=self._views.revised(revised),
            picture=safe(f"![[{base_name(self.picture.path)}]]") if self.picture else None,
            signals=tuple(map(self._signal_lines(digest).line, signals)),
        )
        region = Region(name, self._render("digest", d=view))
        key = digest.day.isoformat()
        path = self._places.by_key["digest", key]
        if digest.number:
            added = (region,) if digest.entries else ()
            return NoteDraft("digest", key, path, owned, added=added, birth=False)
        return NoteDraft("digest", key, path, owned, seeded, (region,), self._tail())

    def _signal_lines(self, digest: Digest) -> SignalLines:
        names = {theme.id: theme.name for theme in digest.themes}
        return SignalLines(self._render.words, self._places, self._titles, names)

    def _tail(self) -> str:
        return tail(self._config, self._places)

    def _up(self) -> str:
        return up(self._config, self._places)

    def _digest_links(self, days: Iterable[date]) -> tuple[str, ...]:
        links = (self._places.link("digest", day.isoformat()) for day in sorted(set(days)))
        return tuple(link for link in links if link)

    def _digest_view(self, digest: Digest) -> DigestView:
        by_id = {entry.paper.id: entry for entry in digest.entries}
        sections, number = [], 0
        for theme in digest.themes:
            entries = []
            for arxiv_id in theme.members:
                number += 1
                entries.append(self._entry(by_id[arxiv_id], number))
            link = self._places.link("theme", theme.id)
            terms = tuple(literal(term) for term in theme.terms)
            name = literal(theme.name) if theme.name else self._render.words("also")
            shown = safe(link) if link else None
            sections.append(SectionView(shown or name, shown, terms, theme.new, tuple(entries)))
        return DigestView(
            number=digest.number,
            selected=len(digest.entries),
            new=digest.new,
            facts=tuple(self._facts(digest)),
            sections=tuple(sections),
            near_misses=tuple(
                self._views.paper(entry, in_digest=True) for entry in digest.near_misses
            ),
        )

    def _entry(self, entry: Entry, number: int) -> PaperView:
        view = self._views.paper(entry, number, in_digest=True)
        return replace(view, related=view.related[:ENTRIES_LINKED])

    def _facts(self, digest: Digest) -> Iterable[Markup]:
        words = self._render.words
        if digest.batches:
            yield words("announced", days=", ".join(day.isoformat() for day in digest.batches))
        if digest.window:
            start, end = (f"{at:%Y-%m-%d %H:%M}" for at in (digest.window.start, digest.window.end))
            yield words("submitted", start=start, end=end)
        if digest.newest:
            yield words("newest", newest=safe(digest.newest))
        yield words("counts", collected=digest.collected, unique=digest.unique, new=digest.new)
        for source in digest.sources:
            key = "source_ok" if source.outcome == "ok" else "source_other"
            yield words(
                key,
                name=words(source.name) if source.name in ORIGINS else source.name,
                papers=source.papers,
                outcome=source.outcome,
                detail=source.detail,
            )
        if digest.missing:
            yield words("missing", names=", ".join(digest.missing))
        encoder = digest.encoder.partition("@")[0]
        yield words("encoder_words" if encoder == "words" else "encoder", encoder=encoder)
        if digest.unread:
            yield words("unread", interests=digest.unread, encoder=encoder, advised=ADVISED)
        if not digest.by_interests:
            key = "no_interests_read" if digest.unread else "no_interests"
            yield words(key, note=safe(f"[[{self._config.notes.interests}]]"))

    def themes(self, memory: Memory) -> Iterable[NoteDraft]:
        """Every theme's note, from the vault as it will stand after this run."""
        return theme_drafts(memory, self._config, self._render, self._places)

    def placed(self, arxiv_id: str, theme: str) -> NoteDraft:
        """Only the theme of a paper note that stands."""
        return placed(arxiv_id, theme, self._places)

    def moc(self, memory: Memory) -> Iterable[NoteDraft]:
        """The map of content's region; nothing where the vault has no such note of ours."""
        return moc_drafts(memory, self._places, self._render)
