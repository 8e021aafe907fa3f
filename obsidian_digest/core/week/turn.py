"""The week's turn: the first digest of a new week finds the themes of the last weeks put right."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.day.choose import CONTEXT_RANKS, ranking
from obsidian_digest.core.themes.consolidation import consolidate, new_id
from obsidian_digest.core.vault.theme_pins import regrouped, with_merged
from obsidian_digest.core.vault.weeks import days_by_week, week_of, weeks_between
from obsidian_digest.model import KnownTheme, Memory, Move, StandingTheme, Theme, Vectors
from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.day.choose import Material
    from obsidian_digest.model import KnownPaper, Reading

WEEKS = 8
"""Papers of so many weeks may move; older ones hold their themes where they are."""
MOST_PAPERS = 1500
"""So many of the vault's newest papers are looked at."""
MOST_MOVED = 0.1
"""Share of the papers of those weeks that one turn moves at most, once the vault is `SETTLED` weeks
old: from the turn that ends the third week on. The first days found the themes; two turns put that
right."""
SETTLED = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """What the end of a week changes in the vault's themes."""

    week: str = ""
    """The week that ended; empty: none did."""
    moves: tuple[Move, ...] = ()
    founded: tuple[Theme, ...] = ()
    memory: Memory = field(default_factory=Memory)
    """The vault once the moved papers' notes are written."""


def ended_week(memory: Memory, day: date) -> str | None:
    """The newest week that has a digest, if the digest of `day` is the first of a later week."""
    newest = max(memory.digests, default=None)
    if newest is None or week_of(newest) >= week_of(day):
        return None
    return week_of(newest)


def turned(
    day: date, material: Material, matrix: NDArray[np.float32], encoder: str, memory: Memory
) -> Turn:
    """The vault's themes as the digest of `day` finds them. `matrix` has a row for each text."""
    week = ended_week(memory, day)
    if week is None:
        return Turn(memory=memory)
    readings = {**material.readings, **material.older}
    vectors = Vectors(tuple(readings), matrix[: len(readings)])
    best = ranking(material, matrix, encoder)[:CONTEXT_RANKS]
    return turn(week, readings, vectors, memory, [row.id for row in best])


def turn(
    week: str,
    readings: Mapping[str, Reading],
    vectors: Vectors,
    memory: Memory,
    context: Collection[str] = (),
) -> Turn:
    """The turn after `week`.

    `readings` are the papers that `vectors` has rows of; those of `context`, the new day's best,
    give the themes of a young vault their shape. Where the note of the week lists moves, a
    run that was cut short wrote them: they are made again, as then.
    """
    written = memory.weeks.get(week)
    if written and written.moves:
        return _again(week, written.moves, memory)
    merged, _ = with_merged(memory)
    newest = sorted((key for key in readings if key in memory.papers), key=sort_key)[:MOST_PAPERS]
    recent = {key for key in newest if _is_recent(memory.papers[key], week)}
    at_hand = [*newest, *sorted(set(context) - memory.papers.keys())]
    place = {key: row for row, key in enumerate(vectors.ids)}
    young = len(days_by_week(memory)) < SETTLED
    found = consolidate(
        [readings[key] for key in at_hand],
        Vectors(tuple(at_hand), vectors.matrix[[place[key] for key in at_hand]]),
        [theme.standing for theme in merged.themes.values()],
        recent,
        {key for key in newest if memory.papers[key].pinned},
        None if young else int(MOST_MOVED * len(recent)),
    )
    return Turn(week, found.moves, found.founded, _moved(memory, found.moves, found.founded))


def _is_recent(paper: KnownPaper, week: str) -> bool:
    """Whether a digest of the last weeks shows it; imported papers are shown by none."""
    return any(0 <= weeks_between(week_of(day), week) < WEEKS for day in paper.digests)


def _again(week: str, moves: Iterable[Move], memory: Memory) -> Turn:
    """The turn as its note lists it, with the themes that have no note yet founded again."""
    founders: defaultdict[str, list[str]] = defaultdict(list)
    moves = [move for move in moves if _stands(move, memory)]
    for move in moves:
        if move.after and move.after not in memory.themes:
            founders[move.after].append(move.paper)
    founded = tuple(
        Theme(new_id(sorted(papers), memory.themes.keys()), name, tuple(sorted(papers)))
        for name, papers in sorted(founders.items())
    )
    born = {theme.name: theme.id for theme in founded}
    made = tuple(replace(move, after=born.get(move.after, move.after)) for move in moves)
    return Turn(week, made, founded, _moved(memory, made, founded))


def _stands(move: Move, memory: Memory) -> bool:
    """Whether the reader has not decided otherwise since."""
    paper = memory.papers.get(move.paper)
    return paper is not None and not (paper.pinned and paper.theme == move.before)


def _moved(memory: Memory, moves: Sequence[Move], founded: Iterable[Theme]) -> Memory:
    papers = dict(memory.papers)
    for move in moves:
        papers[move.paper] = replace(papers[move.paper], theme=move.after, pinned=False)
    new = {
        theme.id: KnownTheme(StandingTheme(theme.id, theme.name, theme.members), theme.terms)
        for theme in founded
    }
    after = regrouped(replace(memory, papers=papers, themes={**memory.themes, **new}))
    return replace(after, themes={**after.themes, **_emptied(after, moves)})


def _emptied(after: Memory, moves: Iterable[Move]) -> dict[str, KnownTheme]:
    """The themes that the moves left without papers, merged into where most of these went."""
    gone: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for move in moves:
        gone[move.before][move.after] += 1
    living = {paper.theme for paper in with_merged(after)[0].papers.values()}
    found = {}
    for key in sorted(gone.keys() & after.themes.keys() - living):
        heir = min(gone[key], key=lambda each: (-gone[key][each], each))
        known = after.themes[key]
        if heir in after.themes and known.standing.merged_into is None:
            standing = replace(known.standing, merged_into=heir)
            found[key] = replace(known, standing=standing, emptied=True)
    return found
