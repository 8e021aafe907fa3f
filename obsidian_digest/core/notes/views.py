"""What templates see: one record a thing, every text in it already safe Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from obsidian_digest.core.announcements.details import withdrawn
from obsidian_digest.core.announcements.pool import title_of
from obsidian_digest.core.links.link_words import told
from obsidian_digest.core.texts.pointers import doi_link, pointers
from obsidian_digest.core.texts.summary import summary
from obsidian_digest.core.vault.render import Words, literal, safe
from obsidian_digest.note.latex import plain
from obsidian_digest.note.names import id_part
from obsidian_digest.note.text import prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from markupsafe import Markup

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Entry, Link, OwnLink, Paper, Reason

ABS, PDF = "https://arxiv.org/abs/", "https://arxiv.org/pdf/"
AUTHORS_SHOWN = 8
SHORT_NAME = 40
SUMMARY_LENGTH = 560


@dataclass(frozen=True, slots=True)
class RelatedView:
    """One related paper."""

    link: Markup
    why: tuple[Markup, ...]
    """What both share."""
    told: Markup | None = None
    """What one says of the other by name, or what is to be said where they share no words."""


@dataclass(frozen=True, slots=True)
class OwnView:
    """A note of the reader's own beside a paper."""

    link: Markup
    why: Markup


@dataclass(frozen=True, slots=True)
class PaperView:
    """One paper, for its own note and for an entry of a digest."""

    number: int
    title: Markup
    link: Markup
    """Wikilink to the note, or the title where the paper has none."""
    anchor: Markup
    """Block id of the entry: `^arxiv-2608-19197`, by which the digest is read back."""
    authors: tuple[Markup, ...]
    authors_short: Markup
    affiliations: tuple[Markup, ...]
    links: tuple[Markup, ...]
    """Markdown links: abstract page, PDF, code, project page."""
    categories: tuple[Markup, ...]
    published: str
    summary: Markup
    abstract: Markup
    stars: str
    reasons: tuple[Markup, ...]
    remarks: tuple[Markup, ...]
    """Comment, journal and version, for the paper's note."""
    related: tuple[RelatedView, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionView:
    """A theme's part of a digest."""

    name: Markup
    link: Markup | None
    terms: tuple[Markup, ...]
    is_new: bool
    entries: tuple[PaperView, ...]


@dataclass(frozen=True, slots=True)
class VersionView:
    """What a paper's note is told of a new version."""

    day: str
    said: Markup
    """One line; the digest of the day shows it too."""
    anchor: Markup
    """Block id of that line: `^version-2026-08-21`, by which it is read back."""
    remarks: tuple[Markup, ...]
    """As in the paper's note, those that stand there left out."""
    abstract: Markup | None
    """The new abstract where the note's own is the reader's."""


@dataclass(frozen=True, slots=True)
class RevisedView:
    """A paper with a new version, in the day's digest."""

    link: Markup
    said: Markup


@dataclass(frozen=True, slots=True)
class DigestView:
    """A whole digest."""

    number: int
    """Of a supplement; 0 for the day's digest."""
    selected: int
    new: int
    facts: tuple[Markup, ...]
    sections: tuple[SectionView, ...]
    near_misses: tuple[PaperView, ...]
    picture: Markup | None = None
    """The embedded map of the day."""
    signals: tuple[Markup, ...] = ()
    """What is to be noticed in the day, one line each."""
    revised: tuple[RevisedView, ...] = ()
    """Papers that have a note and a new version."""


@dataclass(frozen=True, slots=True)
class ListedView:
    """A paper, theme or digest in a list."""

    link: Markup
    stars: str = ""
    count: int = 0
    heir: Markup | None = None
    """Link to the theme that one without papers is merged into."""


def stars(count: int) -> str:
    """Five characters: so many full stars, the rest empty."""
    return "★" * count + "☆" * (5 - count)


def short_name(title: str) -> str:
    """A title up to its colon, which is how people call a paper, unless that is long."""
    name = title.partition(": ")[0]
    return name if len(name) <= SHORT_NAME else title


def plain_each(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts as plain lines, those of which nothing is left left out."""
    return tuple(filter(None, map(plain, texts)))


def web_link(label: str | Markup, url: str) -> Markup:
    """A Markdown link; what Markdown or a plugin would act on is percent-encoded."""
    stray = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", url)
    address = quote(stray, safe=":/?#=&%~+@!,;-._").replace("::", "%3A%3A")
    return safe(f"[{label}]({address})")


class Views:
    """Makes views of papers in one language, with the vault's own links."""

    def __init__(self, words: Words, places: Places, titles: Mapping[str, str]) -> None:
        """`titles` are plain titles of papers that may be related, by id."""
        self._words = words
        self._places = places
        self._titles = titles

    def paper(self, entry: Entry, number: int = 0, *, in_digest: bool = False) -> PaperView:
        """The paper as its note and its digest entry show it."""
        paper, title = entry.paper, title_of(entry.paper)
        link = self._places.link("paper", paper.id, title)
        abstract = prose(paper.abstract)
        return PaperView(
            number=number,
            title=literal(title),
            link=safe(link) if link else literal(title),
            anchor=safe(f"^arxiv-{id_part(paper.id)}"),
            authors=tuple(map(literal, plain_each(paper.authors))),
            authors_short=self._authors_short(paper),
            affiliations=tuple(map(literal, plain_each(paper.affiliations))),
            links=self._links(paper),
            categories=tuple(literal(category) for category in paper.categories),
            published=paper.published.date().isoformat() if paper.published else "",
            summary=safe(summary(title, abstract, max_chars=SUMMARY_LENGTH)),
            abstract=safe(abstract),
            stars=stars(entry.ranked.stars),
            reasons=tuple(self._reason(each, in_digest) for each in entry.ranked.reasons),
            remarks=tuple(self.remarks(paper)),
            related=self.related(paper.id, entry.related),
        )

    def _reason(self, reason: Reason, in_digest: bool) -> Markup:
        """A reason in words, with links to the paper or the note of the reader's that it names.

        A digest names his notes without a link: its bare links are to themes, and one that was
        turned to a note of his must be seen (`note.region.may_lead_anywhere`).
        """
        values: dict[str, object] = dict(reason.values)
        link = None
        if "id" in values:
            link = self._places.link("paper", str(values["id"]), str(values["title"]))
        elif "path" in values and not in_digest:
            link = self._places.own(str(values["path"]))
        if link:
            values["title" if "id" in values else "note"] = safe(link)
        return self._words(reason.key, **values)

    def related(self, arxiv_id: str, links: Iterable[Link]) -> tuple[RelatedView, ...]:
        """The related papers that have a note: those named first, then the strongest."""
        views = []
        for link in sorted(links, key=lambda link: (not link.named, -link.weight, link.a, link.b)):
            other = link.other(arxiv_id)
            target = self._places.link("paper", other, self._short_name(other))
            if target:
                said = told(link, arxiv_id)
                words = self._words(said[0], **said[1]) if said else None
                why = tuple(literal(each) for each in link.why)
                views.append(RelatedView(safe(target), why, words))
        return tuple(views)

    def own(self, links: Iterable[OwnLink]) -> tuple[OwnView, ...]:
        """The reader's own notes beside a paper; a bare link is what shows that they are his."""
        return tuple(
            OwnView(
                safe(self._places.own(link.path) or ""),
                self._words(f"own_{link.because}", names=link.words),
            )
            for link in links
        )

    def revised(self, revised: Iterable[tuple[str, Markup]]) -> tuple[RevisedView, ...]:
        """Papers that have a new version, by id with what is new."""
        return tuple(
            RevisedView(
                safe(self._places.link("paper", arxiv_id, self._titles.get(arxiv_id, "")) or ""),
                said,
            )
            for arxiv_id, said in revised
        )

    def _short_name(self, arxiv_id: str) -> str:
        """The title up to its colon, which is how people call a paper; empty if not known."""
        return short_name(self._titles.get(arxiv_id, ""))

    def _links(self, paper: Paper) -> tuple[Markup, ...]:
        """Links out of the vault; the first is the abstract page, labelled with id and version."""
        at = pointers(paper)
        versioned = f"{paper.id}v{paper.version}"
        found = [
            web_link(versioned, ABS + versioned),
            web_link(self._words("pdf"), PDF + versioned),
        ]
        found += [web_link(self._words("code"), at.code)] if at.code else []
        found += [web_link(self._words("project"), at.project)] if at.project else []
        return tuple(found)

    def _authors_short(self, paper: Paper) -> Markup:
        names = list(map(literal, plain_each(paper.authors)))
        shown = safe(", ".join(names[:AUTHORS_SHOWN]))
        more = len(names) - AUTHORS_SHOWN
        return (
            self._words("authors_more", names=shown, n=more) if more > 1 else safe(", ".join(names))
        )

    def remarks(self, paper: Paper) -> Iterable[Markup]:
        """Whether it is withdrawn, its comment, journal, DOI and version."""
        if withdrawn(paper):
            yield safe(f"**{self._words('withdrawn')}**")
        if paper.comment:
            yield self._words("comment", text=safe(prose(paper.comment)))
        if paper.journal_ref:
            yield self._words("journal", text=safe(prose(paper.journal_ref)))
        if paper.doi:
            link, label = doi_link(paper.doi), literal(f"doi:{paper.doi}")
            yield web_link(label, link) if link else label
        if paper.version > 1 and paper.updated:
            yield self._words("version", n=paper.version, date=paper.updated.date())
