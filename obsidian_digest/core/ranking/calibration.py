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

STARS = (0.12, 0.25, 0.38, 0.55)
"""Scores from which a paper has 2, 3, 4, 5 stars. On 13 and 14 August 2026 (MiniLM) 9 of 16 papers
with five stars were kept and 13 of 47 with three; with opinions 4 of 6 and 13 of 44. Six batches of
which few papers were picked tell little: 9 of 90, 20 of 225. Of 1,400 papers on other things
(physics, mathematics; static) five have three stars."""


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
    parts: tuple[float, float] = (2.0, 1.0)
    """Weights of words and vectors. MiniLM takes 1.5 to 2 to one alike, static 4 to one; both are
    of one spread together."""

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
WORDS = Family(1.7, -4.05)
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
