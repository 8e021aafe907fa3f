"""What each paper of a day is worth to the reader: every number that the ranking is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.ranking.calibration import Family, family_of
from obsidian_digest.core.ranking.closeness import Closeness, closeness, lent, words_of
from obsidian_digest.core.ranking.taste import FULL, Taste, learn
from obsidian_digest.model import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from obsidian_digest.core.ranking.reader import Reader
    from obsidian_digest.core.texts.words import WordSpace
    from obsidian_digest.model import Interest, Interests, Reading

ALSO, OTHERS = 0.8, 3
"""Weight of the next best of a paper's interests, so many of them, where they match too."""
EXAMPLES = 0.6
"""Brings the sum of text and examples back to the spread of the text alone."""
DISLIKE = 2.0
BITES = 4.0
"""Closeness from which a dislike means the paper, and not only a word it shares with others."""
SPREAD = 2.0
"""Least spread of the interests' values that liking is measured in: that of a usual day."""
ALIKE = 0.6
"""Usual correlation of liking and interests, for the spread of their sum."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Vectors of all that ranking looks at; d = 0 for the encoder `words`."""

    papers: Vectors
    """The candidates, in any order."""
    interests: NDArray[np.float32]
    """A row for each of `texts_to_embed`."""
    judged: NDArray[np.float32]
    """A row for each of the reader's judged papers."""
    notes: NDArray[np.float32]
    """A row for each of his own notes."""
    liked: Vectors | None = None
    """Papers that may be examples of interests."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """How one interest fares; the arrays have shape (papers,)."""

    by_text: NDArray[np.float64]
    by_examples: NDArray[np.float64] | None
    nearest: NDArray[np.int64]
    """Place of each paper's nearest example among `examples`."""
    examples: tuple[Reading, ...]

    @property
    def total(self) -> NDArray[np.float64]:
        """Text and examples together."""
        if self.by_examples is None:
            return self.by_text
        return EXAMPLES * (self.by_text + self.by_examples)

    def decider(self, place: int) -> Reading | None:
        """The liked paper nearest to this one, if examples said more than the text."""
        if self.by_examples is None or self.by_examples[place] <= max(self.by_text[place], 0.0):
            return None
        return self.examples[int(self.nearest[place])]


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The numbers behind a ranking; papers in the order of their ids."""

    readings: tuple[Reading, ...]
    reader: Reader
    family: Family
    space: WordSpace | None
    close: Closeness
    """Papers against `texts_to_embed`."""
    projected: csr_matrix | None
    """The texts as rows of `space`."""
    matches: tuple[Match, ...]
    """One an interest."""
    totals: NDArray[np.float64]
    """Papers against interests and, as the last column, the reader's own notes, if there are any:
    with what a paper's neighbours lend it."""
    nearest_note: NDArray[np.int64] | None
    by_interests: NDArray[np.float64]
    """The best of `totals`, with a part of the others."""
    liking: NDArray[np.float64]
    """The learned part, in spreads of the pool; 0 where nothing is learned."""
    taste: Taste | None
    spread: float
    """What one spread of liking is worth beside `by_interests`."""
    penalties: NDArray[np.float64]
    """What each dislike takes; shape (papers, dislikes)."""
    value: NDArray[np.float64]

    @property
    def weight(self) -> float:
        """Of the learned part beside the interests' 1."""
        return self.taste.weight if self.taste else 0.0

    def score(self, place: int) -> float:
        """The chance that the reader would pick the paper, 0 to 1."""
        return self.family.score(float(self.value[place]), self.weight / FULL)

    def learned(self, place: int) -> float:
        """The learned part's share of a paper's value."""
        return self.weight * self.spread * float(self.liking[place]) * self.shrink

    @property
    def shrink(self) -> float:
        """Brings the sum of interests and liking back to the spread of either."""
        return _shrink(self.weight, self.totals.shape[1])


def texts_to_embed(interests: Interests) -> tuple[str, ...]:
    """What ranking needs vectors of: the text of each interest, then each dislike."""
    return (*(_text(interest) for interest in interests.interests), *interests.dislikes)


def _text(interest: Interest) -> str:
    if interest.read_as is not None:
        return interest.read_as
    return f"{interest.name}. {interest.text}" if interest.text else interest.name


def values(
    readings: Sequence[Reading],
    rows: Rows,
    reader: Reader,
    encoder: str,
    liked: Mapping[str, Reading],
) -> Values:
    """The worth of each paper; there must be at least one, and something to rank by.

    Closeness to an interest is that of a paper's words and of its vector, each standardised over
    the pool, added; the interest's examples count as much as its text. A paper's value is its best
    interest's, so that a second interest is never buried, plus a part of the others'. What was
    learned from judged papers is added with a weight that grows with their number, and dislikes
    take off what they name.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    ordered, vectors = in_order(readings, rows.papers)
    family, space = family_of(encoder, vectors.matrix.shape[1]), words_of(ordered)

    def near(texts: Sequence[str], matrix: NDArray[np.float32]) -> Closeness:
        return closeness(vectors.matrix, space, texts, matrix, family)

    texts = texts_to_embed(reader.interests)
    close = near(texts, rows.interests)
    matches = _matches(near, close, reader.interests, liked, rows.liked)
    notes, nearest = _notes(near, reader.notes, rows.notes)
    taste = learn(ordered, vectors, reader.judged, rows.judged)
    liking = np.zeros(len(ordered)) if taste is None else taste.liking
    parts = [match.total for match in matches] + notes
    columns = [*parts, *close.total[:, len(matches) :].T, liking]
    mixed = lent(np.stack(columns, axis=1), ordered, vectors)
    totals, liking = mixed[:, : len(parts)], mixed[:, -1]
    by_interests = _together(totals)
    spread = max(float(by_interests.std()), SPREAD)
    weight = taste.weight if taste else 0.0
    value = (by_interests + weight * spread * liking) * _shrink(weight, len(parts))
    penalties = _penalties(mixed[:, len(parts) : -1], value)
    projected = space.project(texts) if space and texts else None
    measured = (family, space, close, projected, matches, totals, nearest)
    learned = (by_interests, liking, taste, spread, penalties)
    return Values(ordered, reader, *measured, *learned, value - penalties.sum(axis=1))


def _matches(
    near: Callable[[Sequence[str], NDArray[np.float32]], Closeness],
    close: Closeness,
    interests: Interests,
    liked: Mapping[str, Reading],
    liked_vectors: Vectors | None,
) -> tuple[Match, ...]:
    """One for each interest, its examples among the liked papers taken in."""
    matches = []
    for place, interest in enumerate(interests.interests):
        examples = tuple(liked[paper] for paper in interest.examples if paper in liked)
        matches.append(_match(near, close.total[:, place], examples, liked_vectors))
    return tuple(matches)


def in_order(readings: Sequence[Reading], vectors: Vectors) -> tuple[tuple[Reading, ...], Vectors]:
    """The papers by id, and their rows."""
    ordered = tuple(sorted(readings, key=lambda reading: reading.id))
    place = {paper: row for row, paper in enumerate(vectors.ids)}
    ids = tuple(reading.id for reading in ordered)
    return ordered, Vectors(ids, vectors.matrix[[place[paper] for paper in ids]])


def _shrink(weight: float, interests: int) -> float:
    """One over the spread of interests plus `weight` times liking, both of spread 1.

    Without interests liking stands alone: full once the weight is that of some 30 opinions.
    """
    if not interests:
        return 1.0 / max(weight, FULL / 2) if weight else 0.0
    return 1.0 / math.sqrt(1.0 + weight**2 + 2.0 * ALIKE * weight)


def _match(
    near: Callable[[Sequence[str], NDArray[np.float32]], Closeness],
    by_text: NDArray[np.float64],
    examples: tuple[Reading, ...],
    liked: Vectors | None,
) -> Match:
    import numpy as np  # noqa: PLC0415 (heavy)

    if not examples or liked is None:
        return Match(by_text, None, np.zeros(len(by_text), np.int64), ())
    place = {paper: row for row, paper in enumerate(liked.ids)}
    rows = liked.matrix[[place[reading.id] for reading in examples]]
    totals = near([reading.text for reading in examples], rows).total
    return Match(by_text, totals.mean(axis=1), totals.argmax(axis=1), examples)


def _notes(
    near: Callable[[Sequence[str], NDArray[np.float32]], Closeness],
    notes: Sequence[Reading],
    rows: NDArray[np.float32],
) -> tuple[list[NDArray[np.float64]], NDArray[np.int64] | None]:
    """Closeness to the nearest of the reader's own notes, as one more interest, and which it is.

    The nearest of many is near by chance: the expected maximum of as many standard normal numbers,
    at most sqrt(2 ln n), is taken off.
    """
    if not notes:
        return [], None
    totals = near([note.text for note in notes], rows).total
    return [totals.max(axis=1) - math.sqrt(2.0 * math.log(len(notes)))], totals.argmax(axis=1)


def _together(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each paper's best interest, plus a part of the next best; 0 without interests.

    One interest more never lowers a value.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    if not totals.shape[1]:
        return np.zeros(len(totals))
    ordered = np.sort(totals, axis=1)[:, ::-1]
    others: NDArray[np.float64] = np.maximum(ordered[:, 1 : 1 + OTHERS], 0).sum(axis=1)
    return ordered[:, 0] + ALSO * others


def _penalties(totals: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each dislike takes from each paper; shape (papers, dislikes).

    Only from papers that are closer to it than its words alone explain: a dislike of traffic
    agents must not push down all that is said about agents.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    floor = np.maximum(BITES, 0.5 * value)[:, None]
    penalties: NDArray[np.float64] = DISLIKE * np.maximum(totals - floor, 0.0)
    return penalties
