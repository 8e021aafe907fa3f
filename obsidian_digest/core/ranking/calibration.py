"""What is usual for an encoder, and what closeness is worth: constants, and how they were got.

Slope and intercept are a logistic regression of "picked" on log1p(value), which fits better than
the value itself: two announcement batches of 13 and 14 August 2026 (615 papers, of which one reader
picked 60) and 400 papers of astrophysics and mathematics (none picked), against fourteen wordings
of four interests. Up to a value of 20 the curve follows the share picked; above, it overrates. Not
picked does not mean irrelevant: another reader would find the scores low.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STARS = (0.05, 0.14, 0.2, 0.5)
"""Scores from which a paper has 2, 3, 4, 5 stars. Of the papers that one reader looked at in two
batches and seven windows of July and August 2026 (`tests/bench/ranking.py`; 1,923 papers, 199 kept)
he kept, of those with 1 to 5 stars, 2, 8, 18, 34 and 42 % (MiniLM) or 3, 11, 14, 39 and 45 %
(static). Of 892 papers on physics and mathematics (static) seven have three or more."""


@dataclass(frozen=True, slots=True)
class Family:
    """Encoders whose numbers mean the same."""

    slope: float
    intercept: float
    words: tuple[float, float] = (0.002, 0.006)
    """Least mean and spread of the word measure, paper against interest: the upper end of what
    days have on which an interest is at home."""
    vectors: tuple[float, float] | None = None
    """Least mean and spread of cosines; None where nothing is known of the encoder."""
    parts: tuple[float, float] = (1.45, 1.5)
    """Weights of words and vectors. With MiniLM the two are best about even (on each of the seven
    windows of the bench, where 2 to 1 is worse by 0.02 of average precision), static takes 4 to
    one; both are of one spread together."""

    taught: tuple[float, float] = (1.76, -4.39)
    """Slope and intercept where opinions weigh fully: the sum of two has fewer far values."""

    def score(self, value: float, learned: float = 0.0) -> float:
        """The chance that a reader would pick the paper, 0 to 1, to 4 digits.

        `learned` tells how far opinions weigh, 0 to 1.
        """
        slope = self.slope + learned * (self.taught[0] - self.slope)
        intercept = self.intercept + learned * (self.taught[1] - self.intercept)
        strength = slope * math.log1p(max(value, 0.0)) + intercept
        return round(1.0 / (1.0 + math.exp(-strength)), 4)


MINILM = Family(1.55, -4.3, vectors=(0.05, 0.1))
STATIC = Family(1.6, -4.45, vectors=(0.25, 0.065), parts=(2.3, 0.58), taught=(1.72, -4.1))
WORDS = Family(1.65, -3.75, taught=(1.9, -3.6))
OTHER = Family(1.55, -4.3)
"""MiniLM's curve: its vectors under an unknown name fit one within a tenth of it."""


def family_of(encoder: str, dimensions: int) -> Family:
    """The constants for an encoder's name; those of words alone where there are no vectors."""
    if not dimensions:
        return WORDS
    name = encoder.rpartition("/")[2].partition("@")[0]
    return {"all-MiniLM-L6-v2": MINILM, "static": STATIC}.get(name, OTHER)


def stars(score: float) -> int:
    """1 to 5."""
    return 1 + sum(score >= floor for floor in STARS)


def expected_error(scores: Sequence[float], kept: Sequence[bool], bins: int = 10) -> float:
    """How far scores are from the shares kept: the expected calibration error, 0 to 1.

    Papers are binned by score in steps of one over `bins`; the error is the mean of the distance
    between mean score and share kept, weighted by the bins' sizes (Naeini et al., AAAI 2015).
    """
    found: dict[int, list[tuple[float, bool]]] = {}
    for score, wanted in zip(scores, kept, strict=True):
        found.setdefault(min(int(score * bins), bins - 1), []).append((score, wanted))
    gaps = (
        abs(sum(score for score, _ in each) - sum(wanted for _, wanted in each))
        for each in found.values()
    )
    return round(sum(gaps) / max(len(scores), 1), 4)
