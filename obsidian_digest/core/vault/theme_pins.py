"""Which papers the reader put into their theme himself, and which themes he merged."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.note.links import links
from obsidian_digest.note.names import id_in, id_part
from obsidian_digest.note.region import BrokenMarkersError, find, intact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import KnownDigest, KnownPaper, Memory, NoteFile

_PLACED = re.compile(r" \^placed-(?P<id>[A-Za-z0-9-]+)\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a theme note's region lists: the theme's papers as the last run left them."""

    papers: frozenset[str]
    placed: frozenset[str]
    """Those that it says the reader placed."""


def placed_id(arxiv_id: str) -> str:
    """The block id of a paper that the reader placed in the theme: `^placed-2608-19197`."""
    return f"^placed-{id_part(arxiv_id)}"


def listed(note: NoteFile, places: Places) -> Listed | None:
    """The papers that a theme note lists; None where its region is gone or was edited."""
    try:
        found = {each.name: each for each in find(note.raw.decode("utf-8"))}
    except (BrokenMarkersError, UnicodeDecodeError):
        return None
    region = found.get("theme")
    if region is None or not intact(region, lambda target: places.trusts(target, note.path)):
        return None
    identities = (places.identity(link.target, note.path) for link in links(region.text))
    papers = {identity[1] for identity in identities if identity and identity[0] == "paper"}
    placed = {known for each in _PLACED.finditer(region.text) if (known := id_in(each["id"]))}
    return Listed(frozenset(papers), frozenset(placed))


def pinned(
    papers: Mapping[str, KnownPaper],
    digests: Iterable[KnownDigest],
    themes: Mapping[str, Listed | None],
) -> frozenset[str]:
    """The papers whose theme the reader set.

    Their theme's note lists them so, or does not list them though the run that wrote their own
    note was over: a digest shows them, or another theme lists them still.
    """
    known = [theme for theme in themes.values() if theme]
    settled = {each for digest in digests for each in digest.picked}
    settled |= {each for theme in known for each in theme.papers}
    found = set()
    for paper in papers.values():
        theme = themes.get(paper.theme)
        if theme and (
            paper.id in theme.placed or (paper.id not in theme.papers and paper.id in settled)
        ):
            found.add(paper.id)
    return frozenset(found)


def named_theme(value: str, source: str, places: Places) -> str | None:
    """The theme that a reader's property names: by a link, by the note's name or by its id."""
    for target in [*(link.target for link in links(value)), value]:
        identity = places.identity(target, source)
        if identity and identity[0] == "theme":
            return identity[1]
    return value if ("theme", value) in places.by_key else None


def with_merged(memory: Memory) -> tuple[Memory, tuple[str, ...]]:
    """The vault with the papers of merged themes in those that took them in, and which these are.

    Themes that are merged into each other in a ring stay as they are.
    """
    merged = {key: known.standing.merged_into for key, known in memory.themes.items()}
    heirs = {key: heir_of(key, merged) for key in merged}
    moved = tuple(
        key
        for key, paper in sorted(memory.papers.items())
        if heirs.get(paper.theme, paper.theme) != paper.theme
    )
    papers = dict(memory.papers)
    for key in moved:
        papers[key] = replace(papers[key], theme=heirs[papers[key].theme], pinned=False)
    return regrouped(replace(memory, papers=papers)) if moved else memory, moved


def regrouped(memory: Memory) -> Memory:
    """The vault with each theme's members as its papers name them."""
    members: dict[str, list[str]] = defaultdict(list)
    for key in sorted(memory.papers):
        members[memory.papers[key].theme].append(key)
    themes = {
        key: replace(known, standing=replace(known.standing, members=tuple(members[key])))
        for key, known in memory.themes.items()
    }
    return replace(memory, themes=themes)


def heir_of(theme: str, merged: Mapping[str, str | None]) -> str:
    """The theme that holds the papers of one, mergers followed; itself where they make a ring.

    `merged` tells into which each theme is merged; those that it does not name are no themes.
    """
    heir, passed = theme, {theme}
    while (after := merged[heir]) in merged and after:
        if after in passed:
            return theme
        heir = after
        passed.add(after)
    return heir
