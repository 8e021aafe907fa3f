"""Where each paper of a day lies on its map: near means alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.day.choose import CONTEXT_RANKS
from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.model import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.day.choose import Choice, Material
    from obsidian_digest.model import Reading

FEWEST = 3
"""Of fewer papers there is nothing to see."""
HALF_WAY = 4.0
"""The mixed similarity at which two papers lie half as far apart as strangers do."""
WITHIN_THEME = 0.4
"""So much of their distance is left to papers of one theme."""
_STEPS = 120
_DIGITS = 9
"""What is rounded away at each step is what differs between machines."""


def day_spots(
    material: Material, matrix: NDArray[np.float32], choice: Choice
) -> dict[str, tuple[float, float]]:
    """Places of the day's papers and of the next best; empty where the day shows too few.

    `matrix` has a row for each of the material's texts.
    """
    shown = [entry.paper.id for entry in choice.entries]
    if len(shown) < FEWEST:
        return {}
    ids = dict.fromkeys([*shown, *(row.id for row in choice.ranked[:CONTEXT_RANKS])])
    known = (*material.readings, *material.older)
    themes = {member: theme.id for theme in choice.themes if theme.id for member in theme.members}
    readings = [material.readings[each] for each in ids]
    return positions(readings, Vectors(known, matrix[: len(known)]), themes)


def positions(
    readings: Sequence[Reading], vectors: Vectors, themes: Mapping[str, str]
) -> dict[str, tuple[float, float]]:
    """Each paper's place, both coordinates 0 to 1; the first reading lies in the upper left.

    Weighted stress is majorised from classical scaling on (de Leeuw's SMACOF), the weight of a
    pair being 1/d² as in Kamada and Kawai's layouts, so that what is near is near for a reason.
    With words alone (d = 0) the words' similarity decides.

    Args:
        readings: At least three papers.
        vectors: At least their rows.
        themes: Theme id of those papers that have one.
    """
    import numpy as np  # noqa: PLC0415 (heavy)

    similarity = mixed_similarity(readings, vectors)
    ids = similarity.ids
    alike = np.maximum(similarity.square(), 0.0).astype(np.float64)
    far = 1.0 / (1.0 + alike / (HALF_WAY * similarity.scale))
    names = np.array([themes.get(each, f"\0{each}") for each in ids])
    far = np.where(names[:, None] == names[None, :], WITHIN_THEME * far, far)
    far = np.round((far + far.T) / 2, _DIGITS)
    np.fill_diagonal(far, 0.0)
    spread = _along_axes(_majorised(far, _scaled(far)), ids.index(readings[0].id))
    low, high = spread.min(axis=0), spread.max(axis=0)
    unit = np.round((spread - low) / np.maximum(high - low, 1e-9), 4)
    return {each: (float(x), float(y)) for each, (x, y) in zip(ids, unit, strict=True)}


def _scaled(far: NDArray[np.float64]) -> NDArray[np.float64]:
    """Classical scaling in two dimensions, signs fixed."""
    import numpy as np  # noqa: PLC0415 (heavy)

    square = far**2
    centred = square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean()
    values, axes = np.linalg.eigh(-0.5 * centred)
    return _signed(axes[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 1e-9)))


def _signed(points: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415 (heavy)

    rounded = np.round(points, _DIGITS)
    largest = np.abs(rounded).argmax(axis=0)
    return np.asarray(rounded * np.where(rounded[largest, range(2)] < 0, -1.0, 1.0))


def _majorised(far: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415 (heavy)

    count = len(far)
    weights = 1.0 / (far + np.eye(count)) ** 2
    np.fill_diagonal(weights, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    for _ in range(_STEPS):
        apart = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
        pulls = -weights * far / np.maximum(apart, 1e-6)
        np.fill_diagonal(pulls, 0.0)
        np.fill_diagonal(pulls, -pulls.sum(axis=1))
        points = np.round(inverse @ (pulls @ points), _DIGITS)
    return points


def _along_axes(points: NDArray[np.float64], first: int) -> NDArray[np.float64]:
    """Turned to be wider than high, mirrored so that the first paper is in the upper left."""
    import numpy as np  # noqa: PLC0415 (heavy)

    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = _signed(centred @ axes.T)
    return np.asarray(turned * np.where(turned[first] > 0, -1.0, 1.0))
