"""What each note should say: paper, digest, theme and index drafts, in the order of writing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.places import base_name
from obsidian_digest.core.pointers import pointers
from obsidian_digest.core.pool import title_of
from obsidian_digest.core.render import Renderer, literal, safe
from obsidian_digest.core.views import (
    ABS,
    PDF,
    DayView,
    DigestView,
    ListedView,
    PaperView,
    SectionView,
    ThemeView,
    Views,
    plain_each,
    stars,
)
from obsidian_digest.model import (
    Digest,
    Entry,
    HeaderValue,
    KnownPaper,
    KnownTheme,
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
    from obsidian_digest.core.places import Places
    from obsidian_digest.model import Kind

ORIGINS = frozenset({"announcement", "search"})
"""Names of sources that the tables of words have a word for."""
DIGESTS_IN_MOC = 14
THEMES_IN_MOC = 40
ENTRIES_LINKED = 3
"""So many related papers a digest entry names; its note names all."""
_NOTES_HEADING = "## Notes"


def digest_name(config: Config, day: date) -> str:
    """The digest's base name at birth."""
    return config.names.digest.format(date=day.isoformat())


class Drafts:
    """Makes the drafts of one run."""

    def __init__(
        self, config: Config, renderer: Renderer, places: Places, titles: Mapping[str, str]
    ) -> None:
        """`titles` are plain titles of papers that may be linked, by id."""
        self._config = config
        self._render = renderer
        self._places = places
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
        return NoteDraft("paper", paper.id, path, owned, seeded, regions, _NOTES_HEADING)

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
        views = self._views.related(arxiv_id, links)
        return Region("related", self._render("related", related=views))

    def _related_links(self, arxiv_id: str, links: Iterable[Link]) -> tuple[str, ...]:
        others = sorted({link.other(arxiv_id) for link in links})
        targets = (self._places.link("paper", other) for other in others)
        return tuple(target for target in targets if target)

    def digest(self, digest: Digest, revised: Iterable[tuple[str, Markup]] = ()) -> NoteDraft:
        """The day's digest, or a supplement to it.

        `revised` are papers that have a note and a new version, by id, with what is new.
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
        view = replace(self._digest_view(digest), revised=self._views.revised(revised))
        region = Region(name, self._render("digest", d=view))
        key = digest.day.isoformat()
        path = self._places.by_key["digest", key]
        if digest.number:
            added = (region,) if digest.entries else ()
            return NoteDraft("digest", key, path, owned, added=added, birth=False)
        tail = f"{_NOTES_HEADING}\n\n{self._footer()}"
        return NoteDraft("digest", key, path, owned, seeded, (region,), tail)

    def _footer(self) -> str:
        """Outside the regions: a reader who renames his Home breaks no seal."""
        home = self._config.notes.home
        return " · ".join([self._up(), *([f"[[{home}]]"] if self._places.resolve(home) else [])])

    def _up(self) -> str:
        """The map of content, under the name the reader gave it."""
        name = self._config.notes.moc
        renamed = None if self._places.named(name) else self._places.link("moc", "moc")
        return renamed or f"[[{name}]]"

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
            near_misses=tuple(self._views.paper(entry) for entry in digest.near_misses),
        )

    def _entry(self, entry: Entry, number: int) -> PaperView:
        view = self._views.paper(entry, number)
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
        if not digest.by_interests:
            yield words("no_interests", note=safe(f"[[{self._config.notes.interests}]]"))

    def themes(self, memory: Memory) -> Iterable[NoteDraft]:
        """Every theme's note, from the vault as it will stand after this run."""
        for key in sorted(memory.themes):
            theme = memory.themes[key]
            papers = [memory.papers[each] for each in theme.standing.members]
            view = ThemeView(
                terms=tuple(literal(term) for term in theme.terms),
                count=len(papers),
                days=tuple(self._days(papers)),
            )
            path = self._places.by_key["theme", key]
            owned: dict[str, HeaderValue] = {
                "title": base_name(path),
                "theme_id": key,
                "theme_terms": theme.terms,
                "theme_papers": len(papers),
                "up": self._up(),
            }
            seeded: dict[str, HeaderValue] = {"tags": self._config.notes.tags}
            yield NoteDraft(
                "theme",
                key,
                path,
                owned,
                seeded,
                (Region("theme", self._render("theme", theme=view)),),
                f"{_NOTES_HEADING}\n\n{self._footer()}",
            )

    def _days(self, papers: Iterable[KnownPaper]) -> Iterable[DayView]:
        by_day: dict[date | None, list[KnownPaper]] = defaultdict(list)
        for paper in papers:
            by_day[max(paper.digests, default=None)].append(paper)
        undated = str(self._render.words("undated"))
        for day in sorted(by_day, key=lambda day: day.isoformat() if day else "", reverse=True):
            listed = sorted(by_day[day], key=lambda paper: (-paper.stars, paper.id))
            link = self._places.link("digest", day.isoformat()) if day else None
            views = tuple(self._listed(paper) for paper in listed)
            yield DayView(day.isoformat() if day else undated, safe(link) if link else None, views)

    def _listed(self, paper: KnownPaper) -> ListedView:
        link = self._places.link("paper", paper.id, paper.reading.title)
        return ListedView(safe(link or literal(paper.reading.title)), stars(paper.stars))

    def moc(self, memory: Memory) -> Iterable[NoteDraft]:
        """The map of content's region; nothing where the vault has no such note of ours."""
        path = self._places.by_key.get(("moc", "moc"))
        if path is None:
            return

        def largest_first(theme: KnownTheme) -> tuple[int, str]:
            return (-len(theme.standing.members), theme.standing.name)

        themes = sorted(memory.themes.values(), key=largest_first)[:THEMES_IN_MOC]
        days = sorted(memory.digests, reverse=True)[:DIGESTS_IN_MOC]
        text = self._render(
            "moc",
            themes=tuple(
                self._item("theme", each.standing.id, len(each.standing.members)) for each in themes
            ),
            digests=tuple(
                self._item("digest", day.isoformat(), len(memory.digests[day].picked))
                for day in days
            ),
        )
        yield NoteDraft("moc", "moc", path, regions=(Region("moc", text),), birth=False)

    def _item(self, kind: Kind, key: str, count: int) -> ListedView:
        return ListedView(safe(self._places.link(kind, key) or ""), count=count)
