"""Which of the selected papers belong together: standing themes they join, new ones they found."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.core.themes.communities import communities
from obsidian_digest.core.themes.names import SMALL, name_themes
from obsidian_digest.core.vault.theme_pins import heir_of
from obsidian_digest.model import Theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.texts.similarity import Similarity
    from obsidian_digest.model import Reading, StandingTheme, Vectors

JOIN_FLOOR = 3.0
"""Mean mixed similarity to its three nearest members that lets a paper join a standing theme.

With half of a hand-made list standing, 79 to 100 % of the other half join (at 4.0: 59 to 100 %)
and 5 % (0 %) of papers of another field, but 72 % (43 %) of a list near by; static, one pair each.
Those left over found small themes, which the week's turns empty again: over 20 days three to four
tenths of the theme notes at 4.0, at most an eighth at 3.0.
"""
JOIN_MEAN = 1.0
"""Mean mixed similarity to all its members that it takes, too: a large theme has three near ones
for nearly every paper."""
NARROW = 0.75
"""Papers of one narrow field look less alike than they are, as the mix is standardised over them:
the floor is never higher than this share of what their three nearest usually reach."""
MERGE_FLOOR = 0.5
"""Mean mixed similarity that lets a tiny theme or a lone paper go to its nearest theme."""
STAY_FLOOR = 0.0
"""Mean mixed similarity to its theme below which a paper stands alone: that of random papers."""
AROUND_FLOOR = 1.5
"""Mean mixed similarity that lets a paper not shown help to name a theme."""
_AROUND = 12
_NEAREST = 3
_FULL_DAY = 10


@dataclass(frozen=True, slots=True)
class Sections:
    """The selected papers as a digest shows them."""

    themes: tuple[Theme, ...]
    """Best theme first; members best first."""
    also: tuple[str, ...]
    """Papers that are alone, best first."""


def theme_id(founders: Iterable[str]) -> str:
    """The id of the theme that these papers found: the same on every machine."""
    return f"t-{hashlib.sha256(chr(10).join(sorted(founders)).encode()).hexdigest()[:8]}"


def assign_themes(
    readings: Sequence[Reading],
    vectors: Vectors,
    shown: Sequence[str],
    standing: Sequence[StandingTheme] = (),
) -> Sections:
    """The sections of a digest that shows the papers `shown`, best first.

    `readings` are the papers at hand: those shown, the day's other upper ranks and the vault's
    papers, whose words and vectors give a small day its shape. A shown paper stays in the standing
    theme that names it, joins one that is near enough, or founds a new one with at least one
    other, of fewer than `SMALL` only if a name is true of most; else it is left under `also`. The
    order of `readings` changes nothing.
    """
    if not shown:
        return Sections((), ())
    similarity = mixed_similarity(readings, vectors)
    homes = homes_of(standing)
    joined = _joined(similarity, shown, homes)
    free = [paper for paper in shown if paper not in joined]
    groups = _groups(similarity, free)
    taken = {theme.name for theme in standing}
    names = name_themes(groups, readings, taken, _around(similarity, groups, shown))
    new = [
        Theme(theme_id(group), name.name, tuple(group), name.terms)
        for group, name in zip(groups, names, strict=True)
        if len(group) >= SMALL or 2 * len(name.told) > len(group)
    ]
    placed = {paper for theme in new for paper in theme.members} | joined.keys()
    old = _standing_sections(joined, shown, standing)
    return Sections(
        _best_first([*old, *new], shown), tuple(paper for paper in shown if paper not in placed)
    )


def homes_of(standing: Sequence[StandingTheme]) -> dict[str, str]:
    """The standing theme of each paper that has one, mergers followed."""
    merged = {theme.id: theme.merged_into for theme in standing}
    return {
        paper: heir_of(theme.id, merged)
        for theme in sorted(standing, key=lambda one: one.id)
        for paper in theme.members
    }


def _joined(
    similarity: Similarity, shown: Sequence[str], homes: Mapping[str, str]
) -> dict[str, str]:
    """The standing theme of each shown paper that belongs to one already or is near enough.

    Of those near enough the one whose members it is most like on average, as `communities` settles.
    """
    joined = {paper: homes[paper] for paper in shown if paper in homes}
    members = [place for place, paper in enumerate(similarity.ids) if paper in homes]
    newcomers = sorted(set(shown) - joined.keys())
    if not members or not newcomers:
        return joined
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place in members:
        groups[homes[similarity.ids[place]]].append(place)
    themes = sorted(groups)
    at = {paper: place for place, paper in enumerate(similarity.ids)}
    rows = [at[paper] for paper in newcomers]
    means = similarity.to_groups([groups[theme] for theme in themes])[rows].round(4).tolist()
    nearness = similarity.rows(rows)
    floor = _join_floor(similarity)
    for paper, mean, row in zip(newcomers, means, nearness, strict=True):
        ranked = sorted(zip(mean, themes, strict=True), key=lambda pair: (-pair[0], pair[1]))
        near = (
            theme
            for mean, theme in ranked
            if mean >= JOIN_MEAN and _is_near(row[groups[theme]], floor)
        )
        if home := next(near, None):
            joined[paper] = home
    return joined


def _join_floor(similarity: Similarity) -> float:
    """The floor for these papers, told from at most 256 of them."""
    import numpy as np  # noqa: PLC0415 (heavy)

    count = len(similarity.ids)
    places = np.unique(np.linspace(0, count - 1, min(count, 256)).astype(int))
    rows = similarity.rows(places.tolist())
    rows[np.arange(len(places)), places] = -np.inf
    nearest = -np.partition(-rows, min(_NEAREST, count - 1) - 1, axis=1)[:, :_NEAREST]
    usual = float(np.median(nearest[:, : count - 1].mean(axis=1)))
    return round(min(similarity.scale * JOIN_FLOOR, NARROW * max(usual, 1.0)), 4)


def _is_near(nearness: NDArray[np.float32], floor: float) -> bool:
    """Whether the nearest members of a theme are near enough."""
    nearest: list[float] = sorted(nearness.tolist(), reverse=True)[:_NEAREST]
    return round(sum(nearest) / len(nearest), 4) >= floor


def _groups(similarity: Similarity, free: Sequence[str]) -> list[list[str]]:
    """The papers of `free` as communities of all papers at hand, small ones merged, best first.

    Papers that are alone are left out.
    """
    if not free[1:]:
        return []
    rank = {paper: place for place, paper in enumerate(free)}
    found = [
        [place for place in group if similarity.ids[place] in rank]
        for group in communities(similarity)
    ]
    merged = _without_tiny(similarity, _without_strangers(similarity, [g for g in found if g]))
    papers = [[similarity.ids[place] for place in group] for group in merged if len(group) > 1]
    return sorted(
        (sorted(group, key=rank.__getitem__) for group in papers), key=lambda g: rank[g[0]]
    )


def _without_strangers(similarity: Similarity, groups: list[list[int]]) -> list[list[int]]:
    """Groups without the papers that have less in common with them than any two papers have."""
    means = similarity.to_groups(groups).round(4)
    kept: list[list[int]] = []
    for number, group in enumerate(groups):
        near = [place for place in group if means[place, number] >= STAY_FLOOR]
        kept += [near, *([place] for place in group if place not in near)]
    return [group for group in kept if group]


def _without_tiny(similarity: Similarity, groups: list[list[int]]) -> list[list[int]]:
    """Groups merged, smallest into nearest, while they are tiny or too many for a reader."""
    total = sum(len(group) for group in groups)
    most, tiny = max(3, round(1.5 * total**0.5)), 3 if total >= _FULL_DAY else 2
    settled: list[list[int]] = []
    while groups:
        groups.sort(key=lambda group: (len(group), group))
        smallest, rest = groups[0], groups[1:]
        if len(smallest) >= tiny and len(groups) + len(settled) <= most:
            break
        near, place = _nearest(similarity, smallest, rest)
        if near < MERGE_FLOOR:
            settled.append(smallest)
            groups = rest
        else:
            groups = [*rest[:place], sorted(rest[place] + smallest), *rest[place + 1 :]]
    return groups + settled


def _around(
    similarity: Similarity, groups: Sequence[Sequence[str]], shown: Sequence[str]
) -> list[list[str]]:
    """For each group the papers not shown that are nearest to it, as far as they are near."""
    at = {paper: place for place, paper in enumerate(similarity.ids)}
    hidden = sorted(at[paper] for paper in at.keys() - set(shown))
    if not groups or not hidden:
        return [[] for _ in groups]
    means = similarity.to_groups([[at[paper] for paper in group] for group in groups]).round(4)
    around = []
    for row in means.T.tolist():
        near = sorted(
            (place for place in hidden if row[place] >= AROUND_FLOOR),
            key=lambda place: (-row[place], place),
        )
        around.append([similarity.ids[place] for place in near[:_AROUND]])
    return around


def _nearest(
    similarity: Similarity, group: Sequence[int], others: Sequence[Sequence[int]]
) -> tuple[float, int]:
    """Mean similarity to the nearest of the other groups, and its place."""
    if not others:
        return float("-inf"), -1
    means = similarity.to_groups(others)[list(group)].mean(axis=0).round(4).tolist()
    best = max(range(len(others)), key=lambda place: (means[place], -place))
    return means[best], best


def _standing_sections(
    joined: Mapping[str, str], shown: Sequence[str], standing: Sequence[StandingTheme]
) -> list[Theme]:
    members: defaultdict[str, list[str]] = defaultdict(list)
    for paper in shown:
        if paper in joined:
            members[joined[paper]].append(paper)
    return [
        Theme(theme.id, theme.name, tuple(members[theme.id]), new=False)
        for theme in standing
        if theme.id in members
    ]


def _best_first(themes: Iterable[Theme], shown: Sequence[str]) -> tuple[Theme, ...]:
    """By the sum of the members' reciprocal ranks: first places count most, then numbers."""
    rank = {paper: place for place, paper in enumerate(shown, start=1)}
    return tuple(
        sorted(
            themes,
            key=lambda theme: (-round(sum(1 / rank[one] for one in theme.members), 9), theme.id),
        )
    )
