"""Communities of papers in the graph of nearest neighbours: as many as the papers ask for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.texts.similarity import Similarity

NEIGHBOURS = 8
"""Edges drawn from each paper; 5 to 15 differ by less than 0.02 in V-measure."""
RESOLUTIONS = (1.0, 1.5, 2.0, 2.5)
"""Each is asked by several seeds; papers count as tied as far as these keep them together."""
_SEEDS = 5
_MANY_TIES, _FEW_SEEDS = 20_000, 2
"""From so many edges on a run takes seconds, and so many seeds must do."""
_LEAST_WEIGHT = 0.01
_ROWS_AT_ONCE = 1024
_ROUNDS = 5


def communities(similarity: Similarity) -> list[list[int]]:
    """Groups of places in `similarity.ids`: every paper is in exactly one, none is left over.

    Louvain on the 8-nearest-neighbour graph, run at several resolutions and seeds; the graph's
    edges, weighted by how often their ends fell together, are clustered once more, and papers then
    move to the group they are nearest to on average. The same papers give the same groups.
    """
    count = len(similarity.ids)
    if count == 1:
        return [[0]]
    ties = edges(similarity)
    kept = agreed(count, ties, RESOLUTIONS, _SEEDS if len(ties) < _MANY_TIES else _FEW_SEEDS)
    return _settled(similarity, louvain(count, kept, 1.0, 0))


def edges(similarity: Similarity) -> dict[tuple[int, int], float]:
    """Rounded weights of the edges to each paper's nearest neighbours, in sorted order."""
    ties: dict[tuple[int, int], float] = {}
    count = len(similarity.ids)
    for start in range(0, count, _ROWS_AT_ONCE):
        places = range(start, min(start + _ROWS_AT_ONCE, count))
        rows = similarity.rows(places).round(4)
        for place, row in zip(places, rows, strict=True):
            for other in _nearest(row, place):
                ends = (min(place, other), max(place, other))
                ties[ends] = max(round(float(row[other]), 4), _LEAST_WEIGHT)
    return dict(sorted(ties.items()))


def agreed(
    count: int, ties: dict[tuple[int, int], float], resolutions: Sequence[float], seeds: int
) -> dict[tuple[int, int], float]:
    """The edges, each times the square of the share of runs in which its ends fall together."""
    runs = [louvain(count, ties, one, seed) for one in resolutions for seed in range(seeds)]
    shares = {
        (a, b): round(weight * (sum(run[a] == run[b] for run in runs) / len(runs)) ** 2, 4)
        for (a, b), weight in ties.items()
    }
    return {ends: weight for ends, weight in shares.items() if weight > 0}


def _nearest(row: NDArray[np.float32], place: int) -> list[int]:
    import numpy as np  # noqa: PLC0415 (heavy)

    order: list[int] = np.argsort(-row, kind="stable")[: NEIGHBOURS + 1].tolist()
    return [other for other in order if other != place][:NEIGHBOURS]


def louvain(
    count: int, ties: dict[tuple[int, int], float], resolution: float, seed: int
) -> list[int]:
    """The community of each paper, numbered from 0 in order of first members."""
    import networkx as nx  # noqa: PLC0415 (0.5 s)

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in ties.items())
    found = nx.community.louvain_communities(graph, resolution=resolution, seed=seed)
    numbers = [0] * count
    for number, group in enumerate(sorted(found, key=min)):
        for place in group:
            numbers[place] = number
    return numbers


def _settled(similarity: Similarity, numbers: Sequence[int]) -> list[list[int]]:
    """Groups after papers moved to the one they are nearest to on average, a few rounds long."""
    groups = _grouped(numbers)
    for _ in range(_ROUNDS):
        nearest: list[int] = similarity.to_groups(groups).round(4).argmax(axis=1).tolist()
        moved = _grouped(nearest)
        if moved == groups:
            break
        groups = moved
    return groups


def _grouped(numbers: Sequence[int]) -> list[list[int]]:
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, number in enumerate(numbers):
        groups[number].append(place)
    return sorted(groups.values())
