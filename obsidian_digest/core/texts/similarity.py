"""How alike papers are: what their vectors say and what their words say, added."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.phrases import singular
from obsidian_digest.core.texts.words import word_space
from obsidian_digest.model import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from obsidian_digest.model import Vectors

WORD_WEIGHT = 1.5
"""How much words count beside vectors: best of a small grid over eight hand-made lists."""
WORDS_ONLY = 0.75
"""Share of every floor that is left where there are no vectors."""
SMALL_POOL = 12
"""Below this many papers the pool's own mean and spread are chance; the usual ones are taken."""
USUAL_VECTORS = (0.18, 0.12)
"""Mean and standard deviation of MiniLM cosines, not centred, over sixes of 720 papers."""
USUAL_WORDS = (0.022, 0.013)
"""The same for TF-IDF cosines, counted within each six."""
_SAMPLE = 512
_HUGE_POOL = 5000
_SEVERAL_DAYS = 4096
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True, eq=False)
class Similarity:
    """The mixed similarity over one set of papers, computed row by row when asked for.

    A value is `(centred vector cosine, standardised) + 1.5 x (TF-IDF cosine, standardised)`; about
    zero for two papers taken at random. With the encoder `words` the first part is missing.
    """

    ids: tuple[str, ...]
    """Sorted, so that the order in which papers arrive changes nothing."""
    vectors: NDArray[np.float32]
    """Centred unit rows, shape (n, d)."""
    words: csr_matrix
    """TF-IDF unit rows, shape (n, vocabulary)."""
    idf: Mapping[str, float]
    """How rare each singular word is in these papers."""
    vector_scale: tuple[float, float]
    word_scale: tuple[float, float]

    @property
    def scale(self) -> float:
        """What a floor is to be multiplied by: less than 1 where the mix has one part, not two."""
        return 1.0 if self.vectors.shape[1] else WORDS_ONLY

    def rows(self, places: Sequence[int]) -> NDArray[np.float32]:
        """Similarity of the papers at `places` to all, shape (len(places), n); self included."""
        cosines, overlaps = _cosines(self.vectors, self.words, places)
        return self._mix(cosines, overlaps)

    def square(self) -> NDArray[np.float32]:
        """All against all, shape (n, n): for hundreds of papers, not for tens of thousands."""
        return self.rows(range(len(self.ids)))

    def pairs(self, left: Sequence[int], right: Sequence[int]) -> NDArray[np.float32]:
        """Similarity of each paper of `left` to the paper at the same place of `right`."""
        import numpy as np  # noqa: PLC0415 (heavy)

        cosines = np.einsum("ij,ij->i", self.vectors[list(left)], self.vectors[list(right)])
        overlaps = self.words[list(left)].multiply(self.words[list(right)]).sum(axis=1)
        return self._mix(cosines, np.asarray(overlaps, dtype=np.float32).ravel())

    def overlap(self, left: int, right: int) -> float:
        """The plain TF-IDF cosine of two papers."""
        return float(self.words[left].multiply(self.words[right]).sum())

    def to_groups(
        self, groups: Sequence[Sequence[int]], weights: Sequence[float] = ()
    ) -> NDArray[np.float32]:
        """Mean similarity of every paper to each group's members, itself left out.

        Shape (n, len(groups)); minus infinity for the only member of a group. `weights` tells how
        many times each paper counts, at least once; each once if empty. Costs no n x n matrix, as
        the mix is linear in both cosines.
        """
        import numpy as np  # noqa: PLC0415 (heavy)

        member = np.zeros((len(self.ids), len(groups)), dtype=np.float32)
        for place, group in enumerate(groups):
            member[list(group), place] = [weights[one] for one in group] if weights else 1
        counts = member.sum(axis=0) - member
        cosines = self.vectors @ (self.vectors.T @ member)
        overlaps = self.words @ (self.words.T @ member)
        cosines -= member * (self.vectors**2).sum(axis=1, keepdims=True)
        overlaps -= member * np.asarray(self.words.multiply(self.words).sum(axis=1))
        share = np.maximum(counts, 1)
        means = self._mix(cosines / share, (overlaps / share).astype("float32"))
        return np.where(counts > 0, means, -np.inf).astype("float32")

    def _mix(
        self, cosines: NDArray[np.float32], overlaps: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415 (heavy)

        mean, spread = self.word_scale
        mixed = WORD_WEIGHT * (overlaps - mean) / spread
        if self.vectors.shape[1]:
            mean, spread = self.vector_scale
            mixed = mixed + (cosines - mean) / spread
        return np.asarray(mixed, dtype=np.float32)


def mixed_similarity(readings: Sequence[Reading], vectors: Vectors) -> Similarity:
    """The mixed similarity of these papers; `vectors` holds at least their rows.

    Standardised over the pool; fewer than `SMALL_POOL` papers take the usual mean and spread, and
    their vectors are not centred, so that even two or three papers get sane values.
    """
    ordered = sorted(readings, key=lambda reading: reading.id)
    ids = tuple(reading.id for reading in ordered)
    centred = _centred(ids, vectors)
    words, idf = _words(ordered)
    usual = len(ids) < SMALL_POOL
    scales = (USUAL_VECTORS, USUAL_WORDS) if usual else _scales(centred, words)
    return Similarity(ids, centred, words, idf, *scales)


def _centred(ids: tuple[str, ...], vectors: Vectors) -> NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415 (heavy)

    place = {paper: index for index, paper in enumerate(vectors.ids)}
    matrix = vectors.matrix[[place[paper] for paper in ids]].astype(np.float32)
    if len(ids) >= SMALL_POOL:
        matrix = matrix - matrix.mean(axis=0)
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(matrix, norms, out=np.zeros_like(matrix), where=norms > 0)
    return unit


def _words(readings: Sequence[Reading]) -> tuple[csr_matrix, dict[str, float]]:
    """TF-IDF rows over words without plural endings, which counts `agents` and `agent` as one."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 (heavy)

    plain = [
        Reading(one.id, _without_plurals(one.title), _without_plurals(one.abstract))
        for one in readings
    ]
    try:
        space = word_space(plain, min_df=2 if len(plain) >= _HUGE_POOL else 1)
    except ValueError:  # scikit-learn's way to say that no word is left
        return csr_matrix((len(plain), 1), dtype="float64"), {}
    rarity = zip(space.vocabulary, space.vectorizer.idf_.tolist(), strict=True)
    return space.matrix, {word: idf for word, idf in rarity if " " not in word}


@lru_cache(maxsize=_SEVERAL_DAYS)
def _without_plurals(text: str) -> str:
    return _WORD.sub(lambda found: singular(found.group()), text)


def _scales(
    vectors: NDArray[np.float32], words: csr_matrix
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean and spread of both cosines between different papers, over at most `_SAMPLE` rows."""
    import numpy as np  # noqa: PLC0415 (heavy)

    count = len(vectors)
    places = np.unique(np.linspace(0, count - 1, min(count, _SAMPLE)).astype(int))
    others = np.ones((len(places), count), dtype=bool)
    others[np.arange(len(places)), places] = False
    cosines, overlaps = _cosines(vectors, words, places.tolist())
    return _mean_and_spread(cosines[others]), _mean_and_spread(overlaps[others])


def _mean_and_spread(values: NDArray[np.float32]) -> tuple[float, float]:
    return round(float(values.mean()), 6), max(round(float(values.std()), 6), 1e-6)


def _cosines(
    vectors: NDArray[np.float32], words: csr_matrix, places: Sequence[int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    chosen = list(places)
    overlaps = (words[chosen] @ words.T).toarray().astype("float32")
    return vectors[chosen] @ vectors.T, overlaps
