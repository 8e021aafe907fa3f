"""Puts ranking, themes and links together: which papers the day shows, and beside which others."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import reading_of
from obsidian_digest.core.links.related import related
from obsidian_digest.core.ranking.rank import rank, ranks_by
from obsidian_digest.core.ranking.selection import select
from obsidian_digest.core.ranking.value import Rows, texts_to_embed
from obsidian_digest.core.themes.grouping import assign_themes
from obsidian_digest.model import Entry, Link, Paper, Ranked, StandingTheme, Theme, Vectors
from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.announcements.pool import Pool
    from obsidian_digest.core.ranking.rank import Ranking
    from obsidian_digest.core.ranking.reader import Reader
    from obsidian_digest.core.ranking.value import Values
    from obsidian_digest.model import KnownDigest, Memory, Reading

CONTEXT_RANKS = 60
"""So many of the day's best papers give its themes shape, selected or not."""
CONTEXT_VAULT = 400
"""So many of the vault's newest papers do."""
LINKED_VAULT = 3000
"""Related papers are looked for among so many of the vault's newest."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of the pool is wanted."""

    top: int
    min_stars: int
    near_misses: int
    explore: int = 0
    """So many uncertain papers are shown beyond those that were good enough."""


@dataclass(frozen=True, slots=True)
class Material:
    """All that choosing looks at, before it is turned into vectors."""

    papers: Mapping[str, Paper]
    """Candidates: the pool's papers that no digest shows yet."""
    readings: Mapping[str, Reading]
    older: Mapping[str, Reading]
    """Papers the vault holds, the candidates' own notes (of a run cut short) left out."""
    reader: Reader

    @property
    def texts(self) -> tuple[str, ...]:
        """What the encoder is given: candidates, older papers, then what they are ranked by."""
        judged = (each.reading for each in self.reader.judged)
        papers = (*self.readings.values(), *self.older.values(), *judged, *self.reader.notes)
        return (*(each.text for each in papers), *texts_to_embed(self.reader.interests))


@dataclass(frozen=True, slots=True)
class Choice:
    """What the day shows."""

    ranked: tuple[Ranked, ...]
    """Every candidate, best first."""
    entries: tuple[Entry, ...]
    near_misses: tuple[Entry, ...]
    themes: tuple[Theme, ...]
    """Sections in order; papers that stand alone come last, in one without id and name."""
    links: tuple[Link, ...]
    """All links that shall stand among the candidates shown and the vault's papers.

    A link to one of those beyond `LINKED_VAULT` has no weight any more; one whose notes both stand
    as they are has no words.
    """
    by_interests: bool
    """False: the reader has written none."""
    unread: tuple[str, ...] = ()
    """Names of interests that the encoder cannot read."""
    readings: Mapping[str, Reading] = field(default_factory=dict)
    """Of all papers at hand, the candidates and the vault's."""
    values: Values | None = None
    """The numbers behind the ranking; None: there was nothing to rank by."""
    limits: Limits | None = None
    """How much was wanted; None where something else chose."""


def gather(
    pool: Pool, standing: KnownDigest | None, memory: Memory, reader: Reader, explain: str = ""
) -> Material:
    """The candidates of a day and what they are measured against.

    To `explain` a paper of a digest that stands, shown or not, it and what the digest shows count
    as candidates once more.
    """
    wanted = candidates(pool, standing)
    if explain:
        wanted |= {explain, *(standing.picked if standing else ())}
    papers = {paper.id: paper for paper in pool.papers if paper.id in wanted}
    readings = {key: reading_of(paper) for key, paper in papers.items()}
    newest = sorted((key for key in memory.papers if key not in papers), key=sort_key)
    older = {key: memory.papers[key].reading for key in sorted(newest[:LINKED_VAULT])}
    judged = tuple(each for each in reader.judged if each.reading.id not in papers)
    return Material(papers, readings, older, replace(reader, judged=judged))


def candidates(pool: Pool, standing: KnownDigest | None) -> frozenset[str]:
    """Ids of what no digest shows yet."""
    shown = frozenset(standing.picked) if standing else frozenset()
    return frozenset(paper.id for paper in pool.fresh) - shown


def choose(
    material: Material, matrix: NDArray[np.float32], encoder: str, memory: Memory, limits: Limits
) -> Choice:
    """The day's papers, ranked, grouped and linked. `matrix` has a row for each of `texts`."""
    found = _ranking(material, matrix, encoder)
    floor = limits.min_stars if ranks_by(material.reader) else 0
    chosen = select(found.rows, limits.top, floor, material.readings, limits.explore)
    choice = arrange(material, matrix, memory, found.rows, chosen, limits.near_misses)
    return replace(choice, values=found.values, limits=replace(limits, min_stars=floor))


def ranking(material: Material, matrix: NDArray[np.float32], encoder: str) -> tuple[Ranked, ...]:
    """Every candidate, best first. `matrix` has a row for each of `texts`."""
    return _ranking(material, matrix, encoder).rows


def _ranking(material: Material, matrix: NDArray[np.float32], encoder: str) -> Ranking:
    return rank(
        tuple(material.readings.values()),
        rows_of(material, matrix),
        material.reader,
        authors={key: paper.authors for key, paper in material.papers.items()},
        liked=tuple(material.older.values()),
        encoder=encoder,
    )


def rows_of(material: Material, matrix: NDArray[np.float32]) -> Rows:
    """The rows of `texts` by what they are."""
    ids = (*material.readings, *material.older)
    vectors = Vectors(ids, matrix[: len(ids)])
    judged = len(ids) + len(material.reader.judged)
    notes = judged + len(material.reader.notes)
    return Rows(
        papers=_rows(vectors, tuple(material.readings)),
        interests=matrix[notes:],
        judged=matrix[len(ids) : judged],
        notes=matrix[judged:notes],
        liked=_rows(vectors, tuple(material.older)),
    )


def arrange(
    material: Material,
    matrix: NDArray[np.float32],
    memory: Memory,
    ranked: tuple[Ranked, ...],
    chosen: Sequence[Ranked],
    near_misses: int = 0,
) -> Choice:
    """The chosen of the ranked papers, grouped and linked, with so many of the next best."""
    ids = (*material.readings, *material.older)
    vectors = Vectors(ids, matrix[: len(ids)])
    themes = _themes(ranked, chosen, material, vectors, memory)
    links = _links(chosen, material, vectors, memory)
    theme_of = {member: theme.id for theme in themes for member in theme.members}
    entries = tuple(
        Entry(material.papers[row.id], row, _touching(links, row.id), theme_of[row.id])
        for row in chosen
    )
    taken = {row.id for row in chosen}
    missed = [row for row in ranked if row.id not in taken][:near_misses]
    near = tuple(Entry(material.papers[row.id], row) for row in missed)
    vault = {key: paper.reading for key, paper in memory.papers.items()}
    readings = {**vault, **material.older, **material.readings}
    reader = material.reader
    return Choice(
        ranked,
        entries,
        near,
        themes,
        links,
        ranks_by(reader),
        unread=reader.unread.interests,
        readings=readings,
    )


def _rows(vectors: Vectors, ids: Sequence[str]) -> Vectors:
    place = {key: row for row, key in enumerate(vectors.ids)}
    return Vectors(tuple(ids), vectors.matrix[[place[key] for key in ids]])


def _touching(links: Sequence[Link], arxiv_id: str) -> tuple[Link, ...]:
    return tuple(link for link in links if arxiv_id in (link.a, link.b))


def _themes(
    ranked: Sequence[Ranked],
    chosen: Sequence[Ranked],
    material: Material,
    vectors: Vectors,
    memory: Memory,
) -> tuple[Theme, ...]:
    recent = sorted(material.older, key=sort_key)[:CONTEXT_VAULT]
    shown = tuple(row.id for row in chosen)
    ids = dict.fromkeys([*shown, *(row.id for row in ranked[:CONTEXT_RANKS]), *recent])
    readings = {**material.readings, **material.older}
    standing = _standing(material, memory)
    sections = assign_themes(
        tuple(readings[key] for key in ids), _rows(vectors, tuple(ids)), shown, standing
    )
    alone = (Theme("", "", sections.also, new=False),) if sections.also else ()
    return tuple(_as_named(theme, memory) for theme in sections.themes) + alone


def _as_named(theme: Theme, memory: Memory) -> Theme:
    """A theme that its founders found once more, their digest being asked for again, is the old."""
    known = memory.themes.get(theme.id)
    return replace(theme, name=known.standing.name) if known else theme


def _standing(material: Material, memory: Memory) -> tuple[StandingTheme, ...]:
    """The vault's themes without the candidates: what a run cut short left behind."""
    standing = []
    for known in memory.themes.values():
        theme = known.standing
        members = tuple(key for key in theme.members if key not in material.papers)
        if members or not theme.members:
            standing.append(StandingTheme(theme.id, theme.name, members, theme.merged_into))
    return tuple(standing)


def _links(
    chosen: Sequence[Ranked], material: Material, vectors: Vectors, memory: Memory
) -> tuple[Link, ...]:
    """All links; those of notes that are to be written say what both papers share."""
    ids = tuple(sorted([*(row.id for row in chosen), *material.older]))
    readings = {**material.readings, **material.older}
    standing = {
        key: tuple(other for other in memory.papers[key].related if other in material.older)
        for key in material.older
    }
    new = tuple(row.id for row in chosen)
    others = [memory.papers[key].reading for key in sorted(memory.papers.keys() - readings.keys())]
    found = related(
        tuple(readings[key] for key in ids), _rows(vectors, ids), new, standing, beyond=others
    )
    links = (*found.links, *_beyond(material, memory))
    written = {*new, *changed(links, memory, new)}
    told = {(link.a, link.b) for link in links if link.a in written or link.b in written}
    return tuple(found.told(link) if (link.a, link.b) in told else link for link in links)


def changed(links: Sequence[Link], memory: Memory, new: Collection[str]) -> tuple[str, ...]:
    """The vault's papers, those of `new` left out, whose notes do not name all these links."""
    others: dict[str, set[str]] = defaultdict(set)
    for link in links:
        others[link.a].add(link.b)
        others[link.b].add(link.a)
    return tuple(
        key
        for key in sorted(memory.papers.keys() - set(new))
        if others[key] != set(memory.papers[key].related)
    )


def _beyond(material: Material, memory: Memory) -> tuple[Link, ...]:
    """Standing links of papers that are too old to be measured again: kept as they are."""
    stay = memory.papers.keys() - material.papers.keys()
    ends = {
        (min(key, other), max(key, other))
        for key in stay
        for other in memory.papers[key].related
        if other in stay and not (key in material.older and other in material.older)
    }
    return tuple(Link(a, b, 0.0) for a, b in sorted(ends))
