"""Replays a reader's own history: each day ranked anew with nothing known but what came before.

An opinion counts from the day of the digest that shows its paper: what the reader thought of a
paper when, his vault does not tell. His interests and notes are those of today.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.day.choose import Material, ranking
from obsidian_digest.core.ranking.calibration import expected_error
from obsidian_digest.core.ranking.rank import ranks_by
from obsidian_digest.core.score.figures import Figures, Order, curve, mean_of, order_of
from obsidian_digest.core.score.peers import keyword_count, plain_cosine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.score.days import History, PastDay, Source
    from obsidian_digest.model import Ranked

METHODS = ("ranking", "cosine", "keywords")
"""This vault's ranking, then what it is measured against."""
STARS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class ScoredDay:
    """What each method made of one day."""

    past: PastDay
    known: int
    """Opinions that the ranking learned from."""
    orders: Mapping[str, Order]
    """By method, all of `METHODS`; where one had nothing to go by all papers are alike to it."""
    spoke: frozenset[str]
    """The methods that had something to go by."""
    rows: tuple[tuple[Ranked, bool], ...]
    """Every paper with whether it was kept, where there was something to rank by; else none."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Whether scores and stars mean what they say."""

    error: float
    """Expected calibration error, 0 to 1 (`calibration.expected_error`)."""
    stars: Mapping[int, tuple[int, int]]
    """Papers and kept ones by stars, 1 to 5."""


@dataclass(frozen=True, slots=True)
class Score:
    """A replay."""

    days: tuple[ScoredDay, ...]
    """Oldest first; there is at least one."""

    @property
    def counted(self) -> tuple[ScoredDay, ...]:
        """Those that the means are of: with the whole pool, where there are such days."""
        whole = tuple(each for each in self.days if each.past.source == "saved")
        return whole or self.days

    @property
    def basis(self) -> Source:
        """What is known of the days that the means are of."""
        return self.counted[0].past.source

    @property
    def kept(self) -> int:
        """Papers kept on the days that count."""
        return sum(len(each.past.kept) for each in self.counted)

    def in_top(self, most: int) -> int:
        """How many of them stood among the first so many of their day."""
        orders = (each.orders["ranking"] for each in self.counted)
        return sum(rank <= most for order in orders for rank in order.ranks)

    @property
    def methods(self) -> dict[str, Figures]:
        """Means over the days that count, of each method that had anything to go by."""
        return {method: mean_of(orders) for method, orders in self._orders()}

    @property
    def curves(self) -> dict[str, tuple[float, ...]]:
        """The share of the kept papers found down to each rank, in the same way."""
        return {method: curve(orders) for method, orders in self._orders()}

    def _orders(self) -> Iterable[tuple[str, list[Order]]]:
        for method in METHODS:
            if any(method in each.spoke for each in self.counted):
                yield method, [each.orders[method] for each in self.counted]

    @property
    def calibration(self) -> Calibration | None:
        """Over the papers of the days that count; None where no day had anything to rank by."""
        rows = [row for each in self.counted for row in each.rows]
        if not rows:
            return None
        found: dict[int, list[bool]] = defaultdict(list)
        for ranked, kept in rows:
            found[ranked.stars].append(kept)
        error = expected_error([ranked.score for ranked, _ in rows], [kept for _, kept in rows])
        return Calibration(error, {each: (len(found[each]), sum(found[each])) for each in STARS})


def texts_of(history: History) -> tuple[str, ...]:
    """Every text that a replay needs a vector of, each once."""
    texts = (text for past in history.days for text in _material(history, past).texts)
    return tuple(dict.fromkeys(texts))


def replay(
    history: History,
    rows: Mapping[str, NDArray[np.float32]],
    encoder: str,
    progress: Callable[[str, int, int], None],
) -> Score:
    """What each method makes of each day. `rows` has a unit row for each of `texts_of`."""
    scored = []
    for number, past in enumerate(history.days, 1):
        scored.append(_scored(history, past, rows, encoder))
        progress("rank", number, len(history.days))
    return Score(tuple(scored))


def _material(history: History, past: PastDay) -> Material:
    """As `choose.gather` has it; of older papers ranking looks only at the interests' examples."""
    pool = {reading.id: reading for reading in past.readings}
    examples = {key: each for key, each in history.examples(past).items() if key not in pool}
    reader = history.before(past.day)
    judged = tuple(each for each in reader.judged if each.reading.id not in pool)
    return Material(past.papers, pool, examples, replace(reader, judged=judged))


def _scored(
    history: History, past: PastDay, rows: Mapping[str, NDArray[np.float32]], encoder: str
) -> ScoredDay:
    import numpy as np  # noqa: PLC0415 (heavy)

    material = _material(history, past)
    matrix = np.stack([rows[text] for text in material.texts])
    ranked = ranking(material, matrix, encoder)
    said: dict[str, Sequence[float] | None] = {
        "ranking": _by_place(ranked, past),
        "cosine": plain_cosine(past.readings, material.reader, rows),
        "keywords": keyword_count(past.readings, history.interests),
    }
    wanted = past.wanted
    nothing = [0.0] * len(wanted)
    scores = tuple((row, row.id in past.kept) for row in ranked)
    return ScoredDay(
        past=past,
        known=len(material.reader.judged),
        orders={method: order_of(found or nothing, wanted) for method, found in said.items()},
        spoke=frozenset(method for method, found in said.items() if found),
        rows=scores if ranks_by(material.reader) else (),
    )


def _by_place(ranked: Sequence[Ranked], past: PastDay) -> list[float]:
    place = {row.id: float(-number) for number, row in enumerate(ranked)}
    return [place[reading.id] for reading in past.readings]
