"""What a week's turn puts right: papers move to nearer themes, themes grown too wide are split."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.core.themes.communities import communities
from obsidian_digest.core.themes.grouping import homes_of, theme_id
from obsidian_digest.core.themes.moves import LEAST_PART, best_moves
from obsidian_digest.core.themes.names import name_themes
from obsidian_digest.model import Move, Theme

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.texts.similarity import Similarity
    from obsidian_digest.model import Reading, StandingTheme, Vectors

TEACHES = 3.0
"""So many times a paper counts whose theme the reader set."""
OF_GROUP, OF_THEME = 0.25, 0.5
"""A theme goes on as a group that holds at least this share of one of them."""
NOWHERE = -1
"""The number of no theme."""
_ROUNDS = 5
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a turn changes."""

    moves: tuple[Move, ...] = ()
    """By paper."""
    founded: tuple[Theme, ...] = ()
    """Themes split off, with the papers that found them."""


def consolidate(
    readings: Sequence[Reading],
    vectors: Vectors,
    standing: Sequence[StandingTheme],
    movable: Collection[str],
    pinned: Collection[str] = (),
    most: int | None = None,
) -> Consolidation:
    """The moves that make the standing themes fit their papers better, at most `most` of them.

    The communities of all papers tell where each belongs; the standing themes go on as the groups
    that hold most of them, a group without a theme founds one. Only `movable` papers move, and none
    of `pinned`, which count more. A paper without a theme is left alone, but gives shape. The order
    of `readings` changes nothing.
    """
    homes = homes_of(standing)
    if sum(reading.id in homes for reading in readings) < 2 * LEAST_PART:
        return Consolidation()
    similarity = mixed_similarity(readings, vectors)
    ids = similarity.ids
    themes = sorted({homes[paper] for paper in ids if paper in homes})
    state = _State(
        start=[themes.index(homes[paper]) if paper in homes else NOWHERE for paper in ids],
        free=[paper in homes and paper in movable and paper not in pinned for paper in ids],
    )
    weights = [TEACHES if paper in pinned else 1.0 for paper in ids]
    state.settle(similarity, weights, sum(state.free) if most is None else most)
    return _told(ids, state, themes, readings, standing)


class _State:
    """A membership on its way to a better one: for each paper the number of its theme."""

    def __init__(self, start: Sequence[int], free: Sequence[bool]) -> None:
        self.start = tuple(start)
        self.free = tuple(free)
        self.labels = list(start)
        self._new = max(start) + 1

    def settle(self, similarity: Similarity, weights: Sequence[float], most: int) -> None:
        """Moves at most so many papers to where a fresh clustering has them."""
        aim = self._carried(communities(similarity))
        for _ in range(_ROUNDS):
            taught = self._taught(similarity, aim, weights)
            if taught == aim:
                break
            aim = taught
        gains = self._gains(similarity, aim, weights)
        for place in best_moves(self.start, aim, gains, most):
            self.labels[place] = aim[place]

    def _taught(
        self, similarity: Similarity, aim: list[int], weights: Sequence[float]
    ) -> list[int]:
        """The groups after papers followed those that count more; as they are where none does."""
        if max(weights) == min(weights):
            return aim
        names, means = _means(similarity, aim, weights)
        return [
            names[best] if self._may_settle(place) else aim[place]
            for place, best in enumerate(means.argmax(axis=1).tolist())
        ]

    def _may_settle(self, place: int) -> bool:
        """Papers without a theme give shape, too; those that hold theirs stay in it."""
        return self.free[place] or self.start[place] == NOWHERE

    def _carried(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """The groups in the numbers of the themes: each goes on where most of its papers are.

        Of a group that holds most of two themes the theme with more papers there goes on, of as
        many the one that comes first; groups without a theme get new numbers. A theme with hardly a
        paper in a group does not: its name would be true of none of the others. Papers that hold
        their themes are in them, wherever the groups have them.
        """
        group_of = {place: number for number, group in enumerate(groups) for place in group}
        overlap = Counter(
            (theme, group_of[place]) for place, theme in enumerate(self.start) if theme != NOWHERE
        )
        sizes = Counter(self.start)
        heirs: dict[int, int] = {}
        for theme, group in sorted(overlap, key=lambda pair: (-overlap[pair], pair)):
            held = overlap[theme, group]
            real = held >= OF_GROUP * len(groups[group]) or held >= OF_THEME * sizes[theme]
            if real and group not in heirs and theme not in heirs.values():
                heirs[group] = theme
        return [
            heirs.get(group_of[place], self._new + group_of[place])
            if self._may_settle(place)
            else theme
            for place, theme in enumerate(self.start)
        ]

    def _gains(
        self, similarity: Similarity, aim: Sequence[int], weights: Sequence[float]
    ) -> dict[int, float]:
        """How much liker each paper that should move is to its new theme than to its old one."""
        names, means = _means(similarity, aim, weights)
        column = {name: place for place, name in enumerate(names)}
        gains = {}
        for place, (before, after) in enumerate(zip(self.start, aim, strict=True)):
            if self.free[place] and before != after:
                old = float(means[place, column[before]]) if before in column else 0.0
                gains[place] = round(float(means[place, column[after]]) - old, _DIGITS)
        return gains


def _means(
    similarity: Similarity, labels: Sequence[int], weights: Sequence[float]
) -> tuple[list[int], NDArray[np.float32]]:
    """The labels in use, and every paper's mean similarity to those that bear each."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, label in enumerate(labels):
        groups[label].append(place)
    names = sorted(groups)
    return names, similarity.to_groups([groups[name] for name in names], weights).round(4)


def _told(
    ids: Sequence[str],
    state: _State,
    themes: Sequence[str],
    readings: Sequence[Reading],
    standing: Sequence[StandingTheme],
) -> Consolidation:
    founders: defaultdict[int, list[str]] = defaultdict(list)
    for paper, label in zip(ids, state.labels, strict=True):
        if label >= len(themes):
            founders[label].append(paper)
    groups = sorted(founders.values())
    names = name_themes(groups, readings, {theme.name for theme in standing}, [[] for _ in groups])
    known = {theme.id for theme in standing}
    founded = tuple(
        Theme(new_id(group, known), name.name, tuple(group), name.terms)
        for group, name in zip(groups, names, strict=True)
    )
    new = {paper: theme.id for theme in founded for paper in theme.members}
    return Consolidation(_moves(ids, state, themes, new), founded)


def _moves(
    ids: Sequence[str], state: _State, themes: Sequence[str], new: Mapping[str, str]
) -> tuple[Move, ...]:
    rows = zip(ids, state.start, state.labels, strict=True)
    return tuple(
        Move(paper, themes[before], new[paper] if paper in new else themes[after])
        for paper, before, after in rows
        if before != after
    )


def new_id(founders: Sequence[str], known: Collection[str]) -> str:
    """The id of the theme that these papers found; another where that theme stands already.

    The papers that founded a theme may leave it together.
    """
    found = theme_id(founders)
    return theme_id([*founders, found]) if found in known else found
