"""The papers that stand for a day, for readers who have written down no interests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.model import Ranked, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.model import Reading, Vectors

NEIGHBOURS = 10
PAPERS_A_NEIGHBOUR = 10
"""A pool of so many papers has one near neighbour a paper, up to `NEIGHBOURS`."""
STANDS, REST = 3, 1
"""Stars: nothing is known of the reader, so no paper has more than the middle."""
_CHUNK = 256


def representatives(readings: Sequence[Reading], vectors: Vectors) -> list[Ranked]:
    """One row a paper; the score is the share of the day that the paper stands for.

    A paper may stand for those that have it among their nearest. The one that stands for most is
    taken, then the one that stands for most of the rest, and so on (greedy cover), so that the
    first ones speak for different parts of the day and not for its largest theme.
    """
    ordered = sorted(readings, key=lambda reading: reading.id)
    nearest, mean = _nearest(ordered, vectors)
    followers: list[set[int]] = [{place} for place in range(len(ordered))]
    for place, row in enumerate(nearest):
        for near in row:
            followers[near].add(place)
    rows: dict[int, Ranked] = {}
    waiting = set(range(len(ordered)))
    left = set(range(len(ordered)))
    while waiting:
        leader = max(left, key=lambda at: (len(followers[at] & waiting), mean[at], -at))
        stands_for = len(followers[leader] & waiting)
        waiting -= followers[leader]
        left.discard(leader)
        score = round(stands_for / len(ordered), 4)
        why = (Reason("reason_stands", (("n", stands_for),)),) if stands_for > 1 else ()
        rows[leader] = Ranked(ordered[leader].id, score, STANDS, None, why)
    for place in left:
        rows[place] = Ranked(ordered[place].id, 0.0, REST, None)
    return [rows[place] for place in range(len(ordered))]


def _nearest(
    ordered: Sequence[Reading], vectors: Vectors
) -> tuple[list[list[int]], NDArray[np.float64]]:
    """Places of each paper's nearest others, and the mean similarity to them, rounded."""
    import numpy as np  # noqa: PLC0415 (heavy)

    count = min(NEIGHBOURS, len(ordered) // PAPERS_A_NEIGHBOUR)
    if not count:
        return [[] for _ in ordered], np.zeros(len(ordered))
    similarity = mixed_similarity(ordered, vectors)
    places: list[list[int]] = []
    means: list[float] = []
    for start in range(0, len(ordered), _CHUNK):
        chunk = range(start, min(start + _CHUNK, len(ordered)))
        rows = similarity.rows(chunk)
        for at, row in zip(chunk, rows, strict=True):
            row[at] = -np.inf
            near = np.argsort(-row, kind="stable")[:count]
            places.append(near.tolist())
            means.append(round(float(row[near].mean()), 4))
    return places, np.array(means)
