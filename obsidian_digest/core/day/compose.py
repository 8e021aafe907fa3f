"""Turns a choice into drafts of every note it touches, and the vault's indexes after it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import reading_of, title_of
from obsidian_digest.core.day.choose import changed
from obsidian_digest.core.notes.drafts import digest_name
from obsidian_digest.core.trends.day_signals import day_signals
from obsidian_digest.core.vault.theme_pins import regrouped, with_merged
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
    Theme,
)
from obsidian_digest.note.names import file_stem, safe_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from markupsafe import Markup

    from obsidian_digest.config import Config
    from obsidian_digest.core.day.choose import Choice
    from obsidian_digest.core.notes.drafts import Drafts
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import FileDraft


def claim(config: Config, digest: Digest, places: Places) -> None:
    """Finds a name for every note to be born, before any link is written."""
    if config.notes.paper_notes:
        claim_papers(config, digest.entries, digest.themes, places)
    day = digest.day.isoformat()
    places.claim("digest", day, config.folders.digests, digest_name(config, digest.day))


def claim_papers(
    config: Config, entries: Iterable[Entry], themes: Iterable[Theme], places: Places
) -> None:
    """Finds names for the notes of papers and themes."""
    for entry in sorted(entries, key=lambda entry: entry.paper.id):
        title = title_of(entry.paper)
        stem = file_stem(title, entry.paper.id, config.names.paper)
        places.claim("paper", entry.paper.id, config.folders.papers, stem)
    for theme in themes:
        if theme.id:
            name = safe_part(theme.name)
            name = f"{name} (theme)" if places.named(name) else name
            places.claim("theme", theme.id, config.folders.themes, name)


def titles(digest: Digest | None, memory: Memory) -> dict[str, str]:
    """Plain titles of all papers that a link may lead to, by id."""
    known = {key: paper.reading.title for key, paper in memory.papers.items()}
    return known | {
        entry.paper.id: title_of(entry.paper) for entry in (digest.entries if digest else ())
    }


def compose(
    config: Config,
    digest: Digest | None,
    choice: Choice | None,
    memory: Memory,
    drafts: Drafts,
    foresee: Callable[[Iterable[NoteDraft]], Memory],
    *,
    revised: Sequence[NoteDraft] = (),
    told: Sequence[tuple[str, Markup]] = (),
) -> tuple[NoteDraft | FileDraft, ...]:
    """All drafts in the order of writing: papers, themes, the digest, the map of content.

    Without a digest only themes and map, which follow what the reader renamed or deleted.
    `foresee` tells what the vault will hold once drafts of papers and digests are written.
    `revised` are notes that a new version or a week's turn changes, and `told` what the digest says
    of new versions.
    """
    memory, moved = with_merged(memory)
    followed = [drafts.placed(key, memory.papers[key].theme) for key in moved]
    if digest is None or choice is None:
        return (*revised, *followed, *drafts.themes(memory), *drafts.moc(memory))
    rough = _after(digest, memory, paper_notes=config.notes.paper_notes)
    papers: list[NoteDraft] = []
    if config.notes.paper_notes:
        papers += [_paper(entry, rough, drafts) for entry in digest.entries]
        papers += _older(choice, memory, drafts)
    papers += [*revised, *followed]
    pictures = (drafts.picture,) if drafts.picture else ()
    day = drafts.digest(digest, told, day_signals(digest, memory))
    after = _grouped(rough.themes, foresee((*papers, day)), memory)
    return (*papers, *drafts.themes(after), *pictures, day, *drafts.moc(after))


def _grouped(themes: Mapping[str, KnownTheme], seen: Memory, before: Memory) -> Memory:
    """The vault as foreseen, with all themes, the new ones included.

    What the reader placed is told by the notes of before: those of themes are yet to be written.
    """
    papers = {
        key: replace(paper, pinned=_pinned(paper, before)) for key, paper in seen.papers.items()
    }
    return with_merged(regrouped(replace(seen, papers=papers, themes=themes)))[0]


def _pinned(paper: KnownPaper, before: Memory) -> bool:
    known = before.papers.get(paper.id)
    return known is not None and known.pinned and known.theme == paper.theme


def compose_import(choice: Choice, memory: Memory, drafts: Drafts) -> tuple[NoteDraft, ...]:
    """The drafts of papers on the reader's own account: papers, themes, the map of content."""
    memory, moved = with_merged(memory)
    shown: dict[str, list[date]] = defaultdict(list)
    for digest in memory.digests.values():
        for key in digest.picked:
            shown[key].append(digest.day)
    after = _with_papers(choice.entries, choice.themes, memory, shown)
    papers = [_paper(entry, after, drafts) for entry in choice.entries]
    papers += _older(choice, memory, drafts)
    papers += [drafts.placed(key, memory.papers[key].theme) for key in moved]
    after = _linked(after, choice)
    return (*papers, *drafts.themes(after), *drafts.moc(after))


def _linked(after: Memory, choice: Choice) -> Memory:
    """The vault with the related papers that notes which stand will name, too."""
    others: dict[str, list[str]] = defaultdict(list)
    for link in choice.links:
        others[link.a].append(link.b)
        others[link.b].append(link.a)
    papers = {key: replace(one, related=tuple(others[key])) for key, one in after.papers.items()}
    return replace(after, papers=papers)


def _paper(entry: Entry, after: Memory, drafts: Drafts) -> NoteDraft:
    """A note that stands keeps its theme: the reader may have chosen it."""
    known = after.papers.get(entry.paper.id)
    if known is None:
        return drafts.paper(entry, ())
    return drafts.paper(replace(entry, theme=known.theme), known.digests)


def _older(choice: Choice, memory: Memory, drafts: Drafts) -> Iterable[NoteDraft]:
    """Notes that stand and whose related papers changed."""
    shown = {entry.paper.id for entry in choice.entries}
    links: dict[str, list[Link]] = defaultdict(list)
    for link in choice.links:
        links[link.a].append(link)
        links[link.b].append(link)
    for key in changed(choice.links, memory, shown):
        yield drafts.related(key, links[key])


def _with_papers(
    entries: Iterable[Entry],
    sections: Iterable[Theme],
    memory: Memory,
    days: Mapping[str, Sequence[date]],
) -> Memory:
    """The vault once these papers and themes have their notes; `days` are digests, by paper."""
    papers, themes = dict(memory.papers), dict(memory.themes)
    for entry in entries:
        if entry.paper.id not in memory.foreign:
            papers[entry.paper.id] = _known(entry, memory, days.get(entry.paper.id, ()))
    for theme in sections:
        members = {key for key, paper in papers.items() if theme.id and paper.theme == theme.id}
        terms = themes[theme.id].terms if theme.id in themes else theme.terms
        if theme.id:
            merged = themes[theme.id].standing.merged_into if theme.id in themes else None
            standing = StandingTheme(theme.id, theme.name, tuple(sorted(members)), merged)
            themes[theme.id] = KnownTheme(standing, terms)
    return replace(memory, papers=papers, themes=themes)


def _after(digest: Digest, memory: Memory, *, paper_notes: bool) -> Memory:
    after = memory
    if paper_notes:
        days = {entry.paper.id: (digest.day,) for entry in digest.entries}
        after = _with_papers(digest.entries, digest.themes, memory, days)
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
    return replace(after, digests={**memory.digests, digest.day: known})


def _known(entry: Entry, memory: Memory, days: Sequence[date]) -> KnownPaper:
    before = memory.papers.get(entry.paper.id)
    return KnownPaper(
        id=entry.paper.id,
        reading=reading_of(entry.paper),
        stars=entry.ranked.stars,
        theme=before.theme if before and before.theme else entry.theme,
        digests=tuple(sorted({*(before.digests if before else ()), *days})),
        related=tuple(link.other(entry.paper.id) for link in entry.related),
        pinned=before is not None and before.pinned,
    )
