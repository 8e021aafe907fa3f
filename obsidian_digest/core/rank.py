"""Ranks a day's papers by what the reader cares about, and says why."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.calibration import Family, family_of, stars
from obsidian_digest.core.closeness import Closeness, closeness, lent, words_of
from obsidian_digest.core.reasons import Found, reasons
from obsidian_digest.core.representatives import representatives
from obsidian_digest.model import Ranked, Reason, Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.words import WordSpace
    from obsidian_digest.model import Interest, Interests, Reading

ALSO = 1.5
"""Weight of the mean of a paper's other interests, where they match too."""
EXAMPLES = 0.6
"""Brings the sum of text and examples back to the spread of the text alone."""
DISLIKE = 2.0
BITES = 4.0
"""Closeness from which a dislike means the paper, and not only a word it shares with others."""


@dataclass(frozen=True, slots=True, eq=False)
class _Day:
    """The papers in the order of their ids."""

    readings: tuple[Reading, ...]
    vectors: Vectors
    space: WordSpace | None
    family: Family

    def close(self, texts: Sequence[str], rows: NDArray[np.float32]) -> Closeness:
        return closeness(self.vectors.matrix, self.space, texts, rows, self.family)


@dataclass(frozen=True, slots=True, eq=False)
class _Match:
    """How one interest fares; the arrays have shape (papers,)."""

    by_text: NDArray[np.float64]
    by_examples: NDArray[np.float64] | None
    nearest: NDArray[np.int64]
    """Place of each paper's nearest example among `examples`."""
    examples: tuple[Reading, ...]

    @property
    def total(self) -> NDArray[np.float64]:
        if self.by_examples is None:
            return self.by_text
        return EXAMPLES * (self.by_text + self.by_examples)


def texts_to_embed(interests: Interests) -> tuple[str, ...]:
    """What `rank` needs vectors of: the text of each interest, then each dislike."""
    return (*(_text(interest) for interest in interests.interests), *interests.dislikes)


def _text(interest: Interest) -> str:
    return f"{interest.name}. {interest.text}" if interest.text else interest.name


def rank(
    readings: Sequence[Reading],
    vectors: Vectors,
    interests: Interests,
    interest_vectors: NDArray[np.float32],
    *,
    authors: Mapping[str, tuple[str, ...]],
    encoder: str,
    liked: Sequence[Reading] = (),
    liked_vectors: Vectors | None = None,
) -> tuple[Ranked, ...]:
    """All papers, best first, ties by id.

    A paper's closeness to an interest is that of its words and of its vector, each standardised
    over the pool, added; the interest's examples count as much as its text. The paper's own value
    is its best interest's, so that a second interest is never buried, plus a part of the others'
    where they match as well, less what a dislike names. A logistic curve (`calibration`) makes it
    a score. Watched authors and ids are flagged and keep their score. Without interests the
    papers that stand for the day come first (`representatives`).

    Args:
        readings: The day's candidates.
        vectors: Their rows, in any order; d = 0 for the encoder `words`.
        interests: What the reader cares about.
        interest_vectors: A row for each of `texts_to_embed(interests)`.
        authors: Names by paper id.
        encoder: The encoder's name, for the calibration.
        liked: Papers that may be examples of interests; others are passed over.
        liked_vectors: Their rows; None with no liked papers.
    """
    if not readings:
        return ()
    day = _day(readings, vectors, encoder)
    if interests.interests:
        known = {reading.id: reading for reading in liked}
        rows = _by_interests(day, interests, interest_vectors, known, liked_vectors)
    else:
        rows = [(row, 0.0) for row in representatives(day.readings, day.vectors)]
    marked = [(_watch(row, interests, authors.get(row.id, ())), value) for row, value in rows]
    marked.sort(key=lambda pair: (-pair[0].score, -round(pair[1], 4), pair[0].id))
    return tuple(row for row, _ in marked)


def _day(readings: Sequence[Reading], vectors: Vectors, encoder: str) -> _Day:
    ordered = tuple(sorted(readings, key=lambda reading: reading.id))
    place = {paper: row for row, paper in enumerate(vectors.ids)}
    ids = tuple(reading.id for reading in ordered)
    matrix = vectors.matrix[[place[paper] for paper in ids]]
    family = family_of(encoder, matrix.shape[1])
    return _Day(ordered, Vectors(ids, matrix), words_of(ordered), family)


def _by_interests(
    day: _Day,
    interests: Interests,
    interest_vectors: NDArray[np.float32],
    liked: Mapping[str, Reading],
    liked_vectors: Vectors | None,
) -> list[tuple[Ranked, float]]:
    """Rows in the order of the day's papers, each with the value behind its score."""
    import numpy as np  # noqa: PLC0415 (heavy)

    texts = texts_to_embed(interests)
    close = day.close(texts, interest_vectors)
    matches = []
    for place, interest in enumerate(interests.interests):
        examples = tuple(liked[paper] for paper in interest.examples if paper in liked)
        matches.append(_match(day, close.total[:, place], examples, liked_vectors))
    count = len(matches)
    columns = [match.total for match in matches] + list(close.total[:, count:].T)
    totals = lent(np.stack(columns, axis=1), day.readings, day.vectors)
    best, value = _value(totals[:, :count])
    penalties = _penalties(totals[:, count:], value)
    value = value - penalties.sum(axis=1)
    projected = day.space.project(texts) if day.space else None
    rows = []
    for place, reading in enumerate(day.readings):
        score = day.family.score(float(value[place]))
        own = int(best[place])
        found = Found(
            interests=interests,
            closeness=close,
            space=day.space,
            texts=projected,
            best=own if totals[place, own] > 0 else None,
            example=_decider(matches[own], place),
            also=tuple(_also(totals[place, :count], own)),
            disliked=tuple(np.flatnonzero(penalties[place] > 0).tolist()),
        )
        name = None if found.best is None else interests.interests[own].name
        why = reasons(reading, place, found)
        rows.append((Ranked(reading.id, score, stars(score), name, why), float(value[place])))
    return rows


def _match(
    day: _Day,
    by_text: NDArray[np.float64],
    examples: tuple[Reading, ...],
    liked_vectors: Vectors | None,
) -> _Match:
    import numpy as np  # noqa: PLC0415 (heavy)

    if not examples or liked_vectors is None:
        return _Match(by_text, None, np.zeros(len(by_text), np.int64), ())
    place = {paper: row for row, paper in enumerate(liked_vectors.ids)}
    rows = liked_vectors.matrix[[place[reading.id] for reading in examples]]
    totals = day.close([reading.text for reading in examples], rows).total
    return _Match(by_text, totals.mean(axis=1), totals.argmax(axis=1), examples)


def _value(totals: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Each paper's best interest, and its value."""
    import numpy as np  # noqa: PLC0415 (heavy)

    best = totals.argmax(axis=1)
    value = totals[np.arange(len(totals)), best]
    others = np.sort(totals, axis=1)[:, :-1]
    if others.shape[1]:
        value = value + ALSO * np.maximum(others, 0).mean(axis=1)
    return best, value


def _penalties(totals: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each dislike takes from each paper; shape (papers, dislikes).

    Only from papers that are closer to it than its words alone explain: a dislike of traffic
    agents must not push down all that is said about agents.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    floor = np.maximum(BITES, 0.5 * value)[:, None]
    penalties: NDArray[np.float64] = DISLIKE * np.maximum(totals - floor, 0.0)
    return penalties


def _also(totals: NDArray[np.float64], best: int) -> list[int]:
    """Other interests that match nearly as well as the best one."""
    bar = max(BITES, 0.5 * float(totals[best]))
    return [int(place) for place in range(len(totals)) if place != best and totals[place] >= bar]


def _decider(match: _Match, place: int) -> Reading | None:
    """The liked paper nearest to this one, if examples said more than the text."""
    if match.by_examples is None or match.by_examples[place] <= max(match.by_text[place], 0.0):
        return None
    return match.examples[int(match.nearest[place])]


def _watch(row: Ranked, interests: Interests, authors: tuple[str, ...]) -> Ranked:
    wanted = {_plain_name(name) for name in interests.watched_authors}
    watched = [name for name in authors if _plain_name(name) in wanted]
    why = [Reason("reason_author", (("name", name),)) for name in watched]
    if row.id in interests.watched_ids:
        why.append(Reason("reason_listed"))
    if not why:
        return row
    return Ranked(row.id, row.score, row.stars, row.interest, (*why, *row.reasons), watched=True)


def _plain_name(name: str) -> str:
    """A name without accents, case, dots and middle initials."""
    spelt = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(sign for sign in spelt if not unicodedata.combining(sign))
    parts = "".join(sign if sign.isalpha() else " " for sign in bare).split()
    kept = [part for at, part in enumerate(parts) if len(part) > 1 or at in {0, len(parts) - 1}]
    return " ".join(kept)
