"""Turns a choice into drafts of every note it touches, and the vault's indexes after it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.drafts import digest_name
from obsidian_digest.core.pool import reading_of, title_of
from obsidian_digest.model import (
    Digest,
    Entry,
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Link,
    Memory,
    NoteDraft,
    StandingTheme,
)
from obsidian_digest.note.names import file_stem, safe_part

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from obsidian_digest.config import Config
    from obsidian_digest.core.choose import Choice
    from obsidian_digest.core.drafts import Drafts
    from obsidian_digest.core.places import Places


def claim(config: Config, digest: Digest, places: Places) -> None:
    """Finds a name for every note to be born, before any link is written."""
    if config.notes.paper_notes:
        for entry in sorted(digest.entries, key=lambda entry: entry.paper.id):
            title = title_of(entry.paper)
            stem = file_stem(title, entry.paper.id, config.names.paper)
            places.claim("paper", entry.paper.id, config.folders.papers, stem)
        for theme in digest.themes:
            if theme.id:
                name = safe_part(theme.name)
                name = f"{name} (theme)" if places.named(name) else name
                places.claim("theme", theme.id, config.folders.themes, name)
    day = digest.day.isoformat()
    places.claim("digest", day, config.folders.digests, digest_name(config, digest.day))


def titles(digest: Digest | None, memory: Memory) -> dict[str, str]:
    """Plain titles of all papers that a link may lead to, by id."""
    known = {key: paper.reading.title for key, paper in memory.papers.items()}
    return known | {
        entry.paper.id: title_of(entry.paper) for entry in (digest.entries if digest else ())
    }


def compose(
    config: Config, digest: Digest | None, choice: Choice | None, memory: Memory, drafts: Drafts
) -> tuple[NoteDraft, ...]:
    """All drafts in the order of writing: papers, themes, the digest, the map of content.

    Without a digest only themes and map, which follow what the reader renamed or deleted.
    """
    if digest is None or choice is None:
        return (*drafts.themes(memory), *drafts.moc(memory))
    after = _after(digest, memory, paper_notes=config.notes.paper_notes)
    papers: list[NoteDraft] = []
    if config.notes.paper_notes:
        papers += [drafts.paper(entry, _days(entry, after)) for entry in digest.entries]
        papers += _older(choice, memory, drafts)
    return (*papers, *drafts.themes(after), drafts.digest(digest), *drafts.moc(after))


def _days(entry: Entry, after: Memory) -> tuple[date, ...]:
    known = after.papers.get(entry.paper.id)
    return known.digests if known else ()


def _older(choice: Choice, memory: Memory, drafts: Drafts) -> Iterable[NoteDraft]:
    """Notes that stand and whose related papers changed."""
    shown = {entry.paper.id for entry in choice.entries}
    links: dict[str, list[Link]] = defaultdict(list)
    for link in choice.links:
        links[link.a].append(link)
        links[link.b].append(link)
    for key in sorted(memory.papers.keys() - shown):
        now = {link.other(key) for link in links[key]}
        if now != set(memory.papers[key].related):
            yield drafts.related(key, links[key])


def _after(digest: Digest, memory: Memory, *, paper_notes: bool) -> Memory:
    papers, themes = dict(memory.papers), dict(memory.themes)
    if paper_notes:
        for entry in digest.entries:
            if entry.paper.id not in memory.foreign:
                papers[entry.paper.id] = _known(entry, digest, memory)
        for theme in digest.themes:
            members = {key for key, paper in papers.items() if theme.id and paper.theme == theme.id}
            terms = themes[theme.id].terms if theme.id in themes else theme.terms
            if theme.id:
                standing = StandingTheme(theme.id, theme.name, tuple(sorted(members)))
                themes[theme.id] = KnownTheme(standing, terms)
    before = memory.digests.get(digest.day)
    picked = before.picked if before else ()
    known = KnownDigest(
        digest.day,
        (*picked, *(entry.paper.id for entry in digest.entries)),
        digest.batches,
        digest.pool,
        digest.top,
        digest.min_stars,
        digest.number,
    )
    return replace(
        memory, papers=papers, themes=themes, digests={**memory.digests, digest.day: known}
    )


def _known(entry: Entry, digest: Digest, memory: Memory) -> KnownPaper:
    before = memory.papers.get(entry.paper.id)
    days = {*(before.digests if before else ()), digest.day}
    return KnownPaper(
        id=entry.paper.id,
        reading=reading_of(entry.paper),
        stars=entry.ranked.stars,
        theme=before.theme if before and before.theme else entry.theme,
        digests=tuple(sorted(days)),
        related=tuple(link.other(entry.paper.id) for link in entry.related),
    )
