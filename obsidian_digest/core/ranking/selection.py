"""Which of the ranked papers a day shows: the best, no near-copies, every interest's share."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.words import word_space
from obsidian_digest.model import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.model import Ranked, Reading

COPY_WORDS = 0.45
"""TF-IDF cosine, among those that may be shown, from which one paper is a near-copy of another."""
COPIES = 2
"""So many near-copies are shown; the others wait until nothing else is good enough."""
LOOKED_AT = 4
"""So many times the papers wanted are looked through for ones to put in a near-copy's place."""
UNCERTAIN = 2
"""Least stars of a paper that is shown to find out."""


def select(
    ranked: Sequence[Ranked],
    top: int,
    min_stars: int,
    readings: Mapping[str, Reading],
    explore: int = 0,
) -> tuple[Ranked, ...]:
    """At most `top` papers, best first, then `explore` uncertain ones, which say that they are.

    Watched ones always, others from `min_stars` up. Of papers that are nearly the same only
    `COPIES` count, unless there is room left for the others; and an interest that has good papers
    keeps half of an even share of the places, so that a day that suits one interest does not hide
    the others.
    """
    watched = [row for row in ranked if row.watched][:top]
    good = [row for row in ranked if not row.watched and row.stars >= min_stars]
    room = top - len(watched)
    different = _without_copies(watched, good[: LOOKED_AT * top], room, readings)
    first = {row.id for row in (*watched, *_shared_out(different, room))}
    others = [row.id for row in good if row.id not in first]
    chosen = first | set(others[: top - len(first)])
    shown = [row for row in ranked if row.id in chosen]
    rest = [row for row in ranked if row.id not in chosen]
    return (*shown, *_uncertain(shown, rest, explore, readings))


def _shared_out(good: Sequence[Ranked], room: int) -> list[Ranked]:
    """The best `room` papers, each interest's best before another's surplus."""
    interests = {row.interest for row in good if row.interest is not None}
    if len(interests) < 2:  # noqa: PLR2004 (nobody to share with)
        return list(good[:room])
    share = room // (2 * len(interests))
    places: Counter[str | None] = Counter()
    first: list[Ranked] = []
    for row in good:
        if row.interest is not None and places[row.interest] < share:
            places[row.interest] += 1
            first.append(row)
    kept = {row.id for row in first[:room]}
    others = [row.id for row in good if row.id not in kept]
    kept |= set(others[: room - len(kept)])
    return [row for row in good if row.id in kept]


def _without_copies(
    watched: Sequence[Ranked],
    good: Sequence[Ranked],
    room: int,
    readings: Mapping[str, Reading],
) -> list[Ranked]:
    """The good papers, those left out of which `COPIES` near-copies stand before them."""
    rows = [*watched, *good]
    if len(good) <= COPIES or room < 1:
        return list(good)
    copied = near_copies([row.id for row in rows], len(watched), readings)
    return [row for row in good if row.id not in copied]


def near_copies(
    ids: Sequence[str], watched: int, readings: Mapping[str, Reading]
) -> dict[str, tuple[str, ...]]:
    """Of these papers, best first, those with `COPIES` near-copies before them, and which.

    The first `watched` ones stand in any case.
    """
    near = _overlaps([readings[paper] for paper in ids])
    kept: list[int] = list(range(watched))
    copied: dict[str, tuple[str, ...]] = {}
    for place in range(watched, len(ids)):
        same = tuple(ids[other] for other in kept if near[place, other] >= COPY_WORDS)
        if len(same) < COPIES:
            kept.append(place)
        else:
            copied[ids[place]] = same
    return copied


def left_out(
    arxiv_id: str,
    ranked: Sequence[Ranked],
    top: int,
    min_stars: int,
    readings: Mapping[str, Reading],
) -> tuple[str, tuple[str, ...]]:
    """Why `select` did not choose this paper: `stars`, `copy` (of which), or `room`."""
    watched = [row.id for row in ranked if row.watched][:top]
    good = [row for row in ranked if not row.watched and row.stars >= min_stars]
    looked_at = [row.id for row in good[: LOOKED_AT * top]]
    if arxiv_id not in {row.id for row in good} | set(watched):
        watches = any(row.watched for row in ranked if row.id == arxiv_id)
        return ("room" if watches else "stars"), ()
    if arxiv_id not in looked_at or len(good) <= COPIES or top <= len(watched):
        return "room", ()
    copied = near_copies([*watched, *looked_at], len(watched), readings)
    return ("copy", copied[arxiv_id]) if arxiv_id in copied else ("room", ())


def _uncertain(
    shown: Sequence[Ranked], rest: Sequence[Ranked], count: int, readings: Mapping[str, Reading]
) -> list[Ranked]:
    """Papers just not good enough, those least like what is shown: there is most to be learnt."""
    candidates = [row for row in rest if row.stars >= UNCERTAIN][: LOOKED_AT * 10]
    if not count or not candidates:
        return []
    near = _overlaps([readings[row.id] for row in (*candidates, *shown)])
    likeness = near[: len(candidates), len(candidates) :].sum(axis=1).round(4).tolist()
    order = sorted(range(len(candidates)), key=lambda at: (likeness[at], candidates[at].id))
    picked = sorted(order[:count])
    why = Reason("reason_explore")
    return [replace(candidates[at], reasons=(why, *candidates[at].reasons)) for at in picked]


def _overlaps(readings: Sequence[Reading]) -> NDArray[np.float64]:
    """TF-IDF cosines of these papers; 0 where they hold no word."""
    import numpy as np  # noqa: PLC0415 (heavy)

    try:
        matrix = word_space(readings).matrix
    except ValueError:  # scikit-learn's way to say that no word is left
        return np.zeros((len(readings), len(readings)))
    overlaps: NDArray[np.float64] = (matrix @ matrix.T).toarray()
    return overlaps
