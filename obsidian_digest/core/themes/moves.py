"""Which papers move first where only so many may: those that bring two groupings nearest."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_PART = 5
"""Papers that a theme must have to be split off."""
_DIGITS = 12


def best_moves(
    start: Sequence[int], aim: Sequence[int], gains: Mapping[int, float], most: int
) -> list[int]:
    """The places that are to go from the group in `start` to that in `aim`, at most `most`.

    All papers that two groups share are a part; the part comes next whose move raises the adjusted
    Rand index between both groupings most for each paper, and none that lowers it. Of a part too
    large for what is left those go that gain most. A group of `aim` that `start` does not have
    begins with `LEAST_PART` papers.

    Args:
        start: The group of each paper; a negative number for none.
        aim: The group that each should be in, in the same numbers.
        gains: By place, what a paper gains by its move; others stay.
        most: How many may move.
    """
    parts: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for place in sorted(gains, key=lambda one: (-gains[one], one)):
        parts[start[place], aim[place]].append(place)
    table = _Table([pair for pair in zip(start, aim, strict=True) if pair[0] >= 0])
    moved: list[int] = []
    while parts and len(moved) < most:
        going = {part: places[: most - len(moved)] for part, places in parts.items()}
        rises = {
            part: round(table.rise(part, len(places)) / len(places), _DIGITS)
            for part, places in going.items()
            if table.stands(part[1]) or len(places) >= LEAST_PART
        }
        best = min(rises, key=lambda part: (-rises[part], part), default=None)
        if best is None or rises[best] <= 0:
            break
        table.move(best, len(going[best]))
        moved += going[best]
        del parts[best]
    return moved


class _Table:
    """How many papers each group on its way shares with each group aimed at."""

    def __init__(self, pairs: Sequence[tuple[int, int]]) -> None:
        self._shared = Counter(pairs)
        self._sizes = Counter(before for before, _ in pairs)
        self._aims = sum(comb(size, 2) for size in Counter(after for _, after in pairs).values())
        self._all = comb(len(pairs), 2)
        self._alike = sum(comb(count, 2) for count in self._shared.values())
        self._together = sum(comb(size, 2) for size in self._sizes.values())

    def stands(self, group: int) -> bool:
        """Whether papers are in the group."""
        return self._sizes[group] > 0

    def rise(self, part: tuple[int, int], count: int) -> float:
        """By how much the adjusted Rand index rises if so many of a part move."""
        alike, together = self._after(part, count)
        return self._index(alike, together) - self._index(self._alike, self._together)

    def move(self, part: tuple[int, int], count: int) -> None:
        """Moves so many of a part."""
        self._alike, self._together = self._after(part, count)
        before, after = part
        self._shared[before, after] -= count
        self._shared[after, after] += count
        self._sizes[before] -= count
        self._sizes[after] += count

    def _after(self, part: tuple[int, int], count: int) -> tuple[int, int]:
        before, after = part
        shared, sizes = self._shared, self._sizes
        alike = _growth(shared[before, after], shared[after, after], count)
        return self._alike + alike, self._together + _growth(sizes[before], sizes[after], count)

    def _index(self, alike: int, together: int) -> float:
        """Hubert and Arabie (1985): pairs alike, as far as they are not so by chance."""
        chance = together * self._aims / self._all if self._all else 0.0
        best = (together + self._aims) / 2
        return (alike - chance) / (best - chance) if best > chance else 1.0


def _growth(giving: int, taking: int, count: int) -> int:
    """By how much the number of pairs within two groups grows if one gives to the other."""
    return count * (taking - giving + count)
