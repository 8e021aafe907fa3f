"""What the papers a reader judged say about new ones: a regularised linear model, learned anew.

Ridge regression on words, title words, vectors and categories, solved in its dual form: the targets
are the reader's opinions, and the day's own papers, nearly all of which he will not want, count as
0. So the vault and the pool alone decide, and no other day's papers need to be kept. The newest
opinions weigh most. With much regularisation, as here, the model is close to "more like the mean of
what he kept than the day's mean is" (Rocchio), which is what does best on few examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.words import title_space, word_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from obsidian_digest.core.ranking.reader import Judged
    from obsidian_digest.core.texts.words import WordSpace
    from obsidian_digest.model import Reading, Vectors

HALF_LIFE = 30
"""Opinions after which one weighs half; by replay, 25 to 60 are alike."""
RIDGE = 10.0
"""Of the mean self-similarity; 10 to 30 are alike, 1 is worse, 0.1 much worse."""
SHARE = 0.5
"""Weight of all opinions together beside the pool's."""
BACKGROUND = 1000
"""So many of a larger pool's papers stand for it."""
USUAL = 2.0
"""How far above the pool, in its spreads, what the reader keeps usually lies: on a day with nothing
like it, the pool's own spread would make much of little."""
FULL, HALFWAY = 5.0, 250.0
"""Weight beside the interests: it grows with the 1.5th power of the number of opinions, so that a
handful, which often are of one kind, hardly shift a day; half of `FULL` at some 40."""
MANY = 100
"""Texts from which a word that only one of them holds is left out."""
NEAR = 5.0
"""Sum of standardised similarities from which two papers are called close."""


@dataclass(frozen=True, slots=True, eq=False)
class Taste:
    """What was learned, for the day's papers in their order."""

    liking: NDArray[np.float64]
    """In spreads of the pool, 0 for its usual paper; shape (papers,)."""
    weight: float
    """Beside the interests' 1; 0 to `FULL`."""
    judged: tuple[Judged, ...]
    closeness: NDArray[np.float64]
    """Standardised similarity of each paper to each judged one; shape (papers, judged)."""
    space: WordSpace
    """Words of the day's papers, then of the judged ones."""
    words: csr_matrix
    """What each word is worth; one row over the vocabulary of `space`."""

    def nearest(self, place: int, *, liked: bool) -> int | None:
        """The judged paper closest to this one, if it is close, liked or not as asked."""
        near = self.near(place, liked=liked, least=NEAR)
        return near[0][0] if near else None

    def near(self, place: int, *, liked: bool, least: float) -> list[tuple[int, float]]:
        """Judged papers, liked or not as asked, from a closeness of `least` up; closest first.

        A paper that was given a value of 0 is not liked.
        """
        near = [
            (at, value)
            for at, value in enumerate(self.closeness[place].round(4).tolist())
            if (self.judged[at].value > 0) is liked and value >= least
        ]
        return sorted(near, key=lambda each: (-each[1], each[0]))

    def words_of(self, place: int) -> list[tuple[str, float]]:
        """The paper's words with what each adds to its liking, before scaling; best first."""
        product = self.space.matrix[place].multiply(self.words).tocoo()
        rows = zip(product.col.tolist(), product.data.tolist(), strict=True)
        worth = [(self.space.vocabulary[term], round(part, 6)) for term, part in rows if part]
        return sorted(worth, key=lambda each: (-each[1], each[0]))


def learn(
    readings: Sequence[Reading],
    vectors: Vectors,
    judged: Sequence[Judged],
    judged_rows: NDArray[np.float32],
) -> Taste | None:
    """The model's say about `readings`, in the order of `vectors`; None if it cannot learn.

    Args:
        readings: The day's papers.
        vectors: Their rows, in the same order; d = 0 for the encoder `words`.
        judged: Papers the reader judged, newest first; none of the day's.
        judged_rows: Their rows, shape (len(judged), d).
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    weight = weight_of(judged)
    texts = [*readings, *(each.reading for each in judged)]
    if not weight or not readings:
        return None
    try:
        common = 2 if len(texts) >= MANY else 1
        space, titles = word_space(texts, min_df=common), title_space(texts, min_df=common)
    except ValueError:  # scikit-learn's way to say that no word is left
        return None
    count = len(readings)
    rows = np.concatenate([vectors.matrix, judged_rows]).astype(np.float64)
    blocks = [space.matrix, titles, _centred(rows, count), _categories(texts, count)]
    sample = np.unique(np.linspace(0, count - 1, min(count, BACKGROUND)).astype(int))
    trained = np.concatenate([sample, np.arange(count, len(texts))])
    scales = [_spread(block, sample) for block in blocks]
    fit = _fit(_kernel(blocks, scales, trained, trained), judged, len(sample))
    said = fit.predict(_kernel(blocks, scales, np.arange(count), trained))
    liking = (said - said.mean()) / _scale(fit, said, judged)
    worth = (space.matrix[trained].T @ fit.dual) / scales[0]
    return Taste(
        liking.round(6),
        weight,
        tuple(judged),
        _closeness(blocks[:3], count),
        space,
        _row(worth),
    )


def weight_of(judged: Sequence[Judged]) -> float:
    """How much the model counts beside the interests, 0 to `FULL`."""
    good = sum((each.value for each in judged if each.value > 0), start=0.0)
    bad = -sum((each.value for each in judged if each.value < 0), start=0.0)
    known: float = (good + min(bad, good + HALF_LIFE / 10)) ** 1.5
    return FULL * known / (known + HALFWAY)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A solved ridge regression; `sample` rows of the pool come first, then the judged papers."""

    dual: NDArray[np.float64]
    mass: NDArray[np.float64]
    """Weights of the rows, summing to 1."""
    means: NDArray[np.float64]
    """Mean similarity of all rows to each, by mass."""
    held_out: NDArray[np.float64]
    """What the model would say of each judged paper without having seen it."""

    def predict(self, kernel: NDArray[np.float64]) -> NDArray[np.float64]:
        """What it says of papers, by their similarity to the rows: shape (papers, rows)."""
        mean = kernel @ self.mass
        centred = kernel - self.means[None, :] - mean[:, None] + self.means @ self.mass
        said: NDArray[np.float64] = centred @ self.dual
        return said


def _fit(kernel: NDArray[np.float64], judged: Sequence[Judged], sample: int) -> _Fit:
    """Weighted ridge regression on centred features.

    Leaving one row out of a ridge regression changes its residual to dual / diagonal of the
    inverse (the PRESS statistic), which gives `held_out` at no cost.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    ages = np.arange(len(judged))
    opinions = 0.5 ** (ages / HALF_LIFE)
    weights = np.concatenate([np.ones(sample), opinions * (SHARE * sample / opinions.sum())])
    targets = np.concatenate([np.zeros(sample), [each.value for each in judged]])
    mass = weights / weights.sum()
    means = kernel @ mass
    centred = kernel - means[None, :] - means[:, None] + means @ mass
    wanted = targets - mass @ targets
    strength = RIDGE * np.trace(centred) / len(centred)
    inverse = np.linalg.inv(centred + np.diag(strength * weights.mean() / weights))
    dual = inverse @ wanted
    left_out = wanted - dual / np.diag(inverse)
    return _Fit(dual, mass, means, left_out[sample:])


def _scale(fit: _Fit, said: NDArray[np.float64], judged: Sequence[Judged]) -> float:
    """The pool's spread, or what kept papers ask for where that is more."""
    import numpy as np  # noqa: PLC0415 (heavy)

    kept = [value for value, each in zip(fit.held_out, judged, strict=True) if each.value > 0]
    reach = (float(np.median(kept)) - float(said.mean())) / USUAL if kept else 0.0
    return max(float(said.std()), reach, 1e-9)


def _centred(rows: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Unit rows about the mean of the first `count`: what all of a day share tells nothing."""
    import numpy as np  # noqa: PLC0415 (heavy)

    moved = rows - rows[:count].mean(axis=0)
    unit: NDArray[np.float64] = moved / np.maximum(np.linalg.norm(moved, axis=1), 1e-9)[:, None]
    return unit


def _categories(readings: Sequence[Reading], count: int) -> NDArray[np.float64]:
    """A column a primary category: one that a reader hardly ever takes from tells against."""
    import numpy as np  # noqa: PLC0415 (heavy)

    known = sorted({reading.category for reading in readings} - {""})
    rows = np.zeros((len(readings), max(len(known), 1)))
    for place, reading in enumerate(readings):
        if reading.category:
            rows[place, known.index(reading.category)] = 1.0
    told: NDArray[np.float64] = _centred(rows, count) * rows.sum(axis=1, keepdims=True)
    return told


def _product(
    block: object, left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.float64]:
    product = block[left] @ block[right].T  # type: ignore[index]
    dense: NDArray[np.float64] = product.toarray() if hasattr(product, "toarray") else product
    return dense


def _spread(block: object, sample: NDArray[np.int64]) -> float:
    return max(float(_product(block, sample, sample).std()), 1e-9)


def _kernel(
    blocks: Sequence[object],
    scales: Sequence[float],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Similarity of papers, each block's over its spread in the pool, added."""
    import numpy as np  # noqa: PLC0415 (heavy)

    total = np.zeros((len(left), len(right)))
    for block, scale in zip(blocks, scales, strict=True):
        total += _product(block, left, right) / scale
    return total


def _closeness(blocks: Sequence[object], count: int) -> NDArray[np.float64]:
    """Sum over the blocks of each paper's similarity to the judged ones, standardised by column."""
    import numpy as np  # noqa: PLC0415 (heavy)

    here, there = np.arange(count), np.arange(count, blocks[0].shape[0])  # type: ignore[attr-defined]
    total = np.zeros((count, len(there)))
    for block in blocks:
        near = _product(block, here, there)
        total += (near - near.mean(axis=0)) / np.maximum(near.std(axis=0), 0.02)
    return total


def _row(values: NDArray[np.float64]) -> csr_matrix:
    from scipy.sparse import csr_matrix  # noqa: PLC0415 (heavy)

    return csr_matrix(values.reshape(1, -1))
