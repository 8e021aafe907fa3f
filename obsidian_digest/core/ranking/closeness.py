"""How close the day's papers are to some texts: by words and by vectors, on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.core.texts.words import word_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.ranking.calibration import Family
    from obsidian_digest.core.texts.words import WordSpace
    from obsidian_digest.model import Reading, Vectors

NEIGHBOURS = 15
LENT = 0.4
"""Part of a paper's closeness that its nearest papers of the day lend it."""
CROWD = 60
"""Below so many papers the nearest ones are too far to lend anything."""
SMALL = 20.0
"""So many imaginary usual papers steady the mean and spread of a small pool."""
_CHUNK = 256


@dataclass(frozen=True, slots=True, eq=False)
class Closeness:
    """Papers against texts; every matrix has shape (papers, texts)."""

    total: NDArray[np.float64]
    """Standardised and added; 0 is the day's usual paper."""
    words: NDArray[np.float64]
    """The part of the words."""
    vectors: NDArray[np.float64]
    """The part of the vectors; 0 with the encoder `words`."""
    cosines: NDArray[np.float64]
    """Of vectors, as they are; 0 with the encoder `words`."""
    overlaps: NDArray[np.float64]
    """Of TF-IDF rows, times the share of the text that the pool knows."""
    shared: NDArray[np.int64]
    """How many of the text's different words the paper has."""
    asked: NDArray[np.int64]
    """How many different words the text has; shape (texts,)."""


def closeness(
    vectors: NDArray[np.float32],
    space: WordSpace | None,
    texts: Sequence[str],
    rows: NDArray[np.float32],
    family: Family,
) -> Closeness:
    """Closeness of papers to texts.

    Words: the TF-IDF cosine, times the share of the text that the pool knows, times the square
    root of the part of its words that the paper has (one rare word in common is chance, many are
    not). Vectors: the cosine. Each is standardised over the pool, a text at a time, and added.

    Args:
        vectors: The papers' unit rows, shape (papers, d).
        space: Their words; None where they have none.
        texts: What they are compared to.
        rows: The texts' unit rows, shape (len(texts), d).
        family: What is usual for the encoder.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    shape = (len(vectors), len(texts))
    cosines = (vectors @ rows.T).astype(np.float64) if vectors.shape[1] else np.zeros(shape)
    overlaps, shared, asked = _word_match(space, texts, shape)
    matched = overlaps * np.sqrt(shared / np.maximum(asked, 1))
    for_words, for_vectors = family.parts
    by_words = for_words * standardised(matched, family.words)
    by_vectors = np.zeros(shape)
    if vectors.shape[1] and (family.vectors or len(vectors) >= SMALL):
        by_vectors = for_vectors * standardised(cosines, family.vectors)
    total = by_words + by_vectors
    return Closeness(total, by_words, by_vectors, cosines, overlaps, shared, asked)


def words_of(readings: Sequence[Reading]) -> WordSpace | None:
    """The word space of these papers, or None if they hold no word at all."""
    try:
        return word_space(readings)
    except ValueError:  # scikit-learn's way to say that no word is left
        return None


def _word_match(
    space: WordSpace | None, texts: Sequence[str], shape: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    import numpy as np  # noqa: PLC0415 (heavy)

    if space is None or not texts:
        return np.zeros(shape), np.zeros(shape, np.int64), np.zeros(len(texts), np.int64)
    overlaps = (space.matrix @ space.project(texts).T).toarray() * space.known_shares(texts)
    wanted, asked = space.single_words(texts)
    shared = ((space.matrix > 0).astype(np.int64) @ wanted.T).toarray().astype(np.int64)
    return overlaps, shared, asked


def standardised(
    values: NDArray[np.float64], usual: tuple[float, float] | None
) -> NDArray[np.float64]:
    """Each column less its mean, over its spread.

    `usual` (mean, spread) sets a floor to both, and is what a small pool falls back to: a pool may
    raise the bar, for where everything is close nothing stands out, but a pool in which nothing is
    close does not lower it.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    mean, spread = values.mean(axis=0), values.std(axis=0)
    if usual is not None:
        weight = len(values) / (len(values) + SMALL)
        mean = usual[0] + weight * np.maximum(mean - usual[0], 0.0)
        spread = usual[1] + weight * np.maximum(spread - usual[1], 0.0)
    scaled: NDArray[np.float64] = (values - mean) / np.maximum(spread, 1e-9)
    return scaled


def lent(
    values: NDArray[np.float64], readings: Sequence[Reading], vectors: Vectors
) -> NDArray[np.float64]:
    """`values` (papers in order of id, texts) with `LENT` of them from each paper's neighbours."""
    import numpy as np  # noqa: PLC0415 (heavy)

    if len(readings) < CROWD:
        return values
    similarity = mixed_similarity(readings, vectors)
    result = (1 - LENT) * values
    for start in range(0, len(values), _CHUNK):
        places = np.arange(start, min(start + _CHUNK, len(values)))
        rows = similarity.rows(places.tolist())
        rows[np.arange(len(places)), places] = -np.inf
        nearest = np.argpartition(-rows, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        result[places] += LENT * values[nearest].mean(axis=1)
    return result
