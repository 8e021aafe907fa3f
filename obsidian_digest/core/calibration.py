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

STARS = (0.18, 0.41, 0.52, 0.61)
"""Scores from which a paper has 2, 3, 4, 5 stars: some 35 papers with three and more and a
handful with five on a day of 720 that suits the interests; of the 400 papers on other things none
has three with MiniLM, at most one with static and with words."""


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

    def score(self, value: float) -> float:
        """The chance that a reader would pick the paper, 0 to 1, to 4 digits."""
        strength = self.slope * math.log1p(max(value, 0.0)) + self.intercept
        return round(1.0 / (1.0 + math.exp(-strength)), 4)


MINILM = Family(1.55, -4.3, vectors=(0.05, 0.1))
STATIC = Family(1.6, -4.45, vectors=(0.25, 0.065))
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
