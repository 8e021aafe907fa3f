"""Turns a choice into drafts of every note it touches, and the vault's indexes after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.drafts import digest_name
from obsidian_digest.core.pool import reading_of, title_of
from obsidian_digest.model import (
    Digest,
    Entry,
    KnownDigest,
    KnownPaper,
    KnownTheme,
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


@dataclass(frozen=True, slots=True)
class Composed:
    """All drafts in the order of writing, and the vault as it will stand."""

    drafts: tuple[NoteDraft, ...]
    memory: Memory


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
) -> Composed:
    """Papers first, then themes, then the digest, then the map of content."""
    if digest is None or choice is None:
        return Composed(tuple(_indexes(memory, drafts)), memory)
    after = _after(digest, memory, paper_notes=config.notes.paper_notes)
    papers: list[NoteDraft] = []
    if config.notes.paper_notes:
        papers += [drafts.paper(entry, _days(entry, after)) for entry in digest.entries]
        papers += _older(choice, memory, drafts)
    themes, moc = [*drafts.themes(after)], drafts.moc(after)
    ordered = [*papers, *themes, drafts.digest(digest), *([moc] if moc else [])]
    return Composed(tuple(ordered), after)


def _indexes(memory: Memory, drafts: Drafts) -> Iterable[NoteDraft]:
    yield from drafts.themes(memory)
    if moc := drafts.moc(memory):
        yield moc


def _days(entry: Entry, after: Memory) -> tuple[date, ...]:
    known = after.papers.get(entry.paper.id)
    return known.digests if known else ()


def _older(choice: Choice, memory: Memory, drafts: Drafts) -> Iterable[NoteDraft]:
    """Notes that stand and whose related papers changed."""
    shown = {entry.paper.id for entry in choice.entries}
    for key in sorted(memory.papers):
        links = [link for link in choice.links if key in (link.a, link.b)]
        now = {link.b if link.a == key else link.a for link in links}
        if key not in shown and now != set(memory.papers[key].related):
            yield drafts.related(key, links)


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
    others = [link.b if link.a == entry.paper.id else link.a for link in entry.related]
    return KnownPaper(
        id=entry.paper.id,
        reading=reading_of(entry.paper),
        stars=entry.ranked.stars,
        theme=before.theme if before and before.theme else entry.theme,
        digests=tuple(sorted(days)),
        related=tuple(others),
    )
