"""How good an order of papers is, by where those stand in it that the reader kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

TOPS = (10, 20, 50)
"""So many of the first papers are looked at."""
REACH = 100
"""Ranks that the curve tells of."""
_DIGITS = 6
"""Values are rounded to so many before they decide, as sums differ between machines."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one day, or the means of several; all from 0 to 1, rounded to 4 digits."""

    ap: float
    """Average precision: over the kept papers, the mean share of kept ones down to each."""
    auc: float
    """The chance that a kept paper stands before another one of its day."""
    tops: tuple[float, ...]
    """The share of the kept papers among the first `TOPS`."""


@dataclass(frozen=True, slots=True)
class Order:
    """What one method made of one day."""

    figures: Figures
    ranks: tuple[int, ...]
    """Of the kept papers, ascending, from 1."""


def order_of(values: Sequence[float], kept: Sequence[bool]) -> Order:
    """The order by value, the highest first, equal ones as they are given.

    With r_1 < … < r_K the ranks of the K kept of N papers: average precision is the mean of
    i / r_i, and AUC is 1 - (sum of r_i - K (K + 1) / 2) / (K (N - K)), there with the mean rank of
    all that have the same value (Mann and Whitney), since an order among equals is no merit.

    Args:
        values: What the method says of each paper.
        kept: Whether the reader kept it; at least one, and not all.
    """
    rounded = [round(value, _DIGITS) for value in values]
    order = sorted(range(len(rounded)), key=lambda place: (-rounded[place], place))
    ranks = tuple(rank for rank, place in enumerate(order, 1) if kept[place])
    count, others = len(ranks), len(rounded) - len(ranks)
    precision = sum(found / rank for found, rank in enumerate(ranks, 1)) / count
    before = _mean_ranks(rounded, kept) - count * (count + 1) / 2
    tops = (sum(rank <= top for rank in ranks) / count for top in TOPS)
    figures = Figures(
        round(precision, 4),
        round(1 - before / (count * others), 4),
        tuple(round(x, 4) for x in tops),
    )
    return Order(figures, ranks)


def _mean_ranks(values: Sequence[float], kept: Sequence[bool]) -> float:
    """The sum of the kept papers' ranks, equal values sharing the mean of theirs."""
    ranks: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values, reverse=True), 1):
        ranks.setdefault(value, []).append(rank)
    shared = {value: sum(each) / len(each) for value, each in ranks.items()}
    return sum(shared[value] for value, wanted in zip(values, kept, strict=True) if wanted)


def mean_of(orders: Sequence[Order]) -> Figures:
    """The means over days, of which there must be one: each day counts the same."""

    def mean(numbers: Sequence[float]) -> float:
        return round(sum(numbers) / len(numbers), 4)

    each = [order.figures for order in orders]
    tops = (mean([one.tops[place] for one in each]) for place in range(len(TOPS)))
    return Figures(mean([one.ap for one in each]), mean([one.auc for one in each]), tuple(tops))


def curve(orders: Sequence[Order]) -> tuple[float, ...]:
    """The share of the kept papers down to each rank from 1 to `REACH`, mean over the days."""
    return tuple(
        round(
            sum(sum(rank <= most for rank in order.ranks) / len(order.ranks) for order in orders)
            / len(orders),
            4,
        )
        for most in range(1, REACH + 1)
    )
