"""Readings of the recorded mailings, for tests on real papers."""

from __future__ import annotations

import json
import lzma
from functools import lru_cache
from pathlib import Path

import numpy as np

from obsidian_digest.model import Reading, Vectors


@lru_cache(maxsize=1)
def two_mailings() -> tuple[Reading, ...]:
    """The 720 papers of the mailings of 19 and 20 August 2026."""
    path = Path(__file__).parents[1] / "recordings" / "papers" / "two-mailings.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return tuple(Reading(row["id"], _plain(row["title"]), _plain(row["abstract"])) for row in rows)


def about(*words: str, most: int = 1000) -> tuple[Reading, ...]:
    """The first recorded papers whose title holds one of the words."""
    found = [one for one in two_mailings() if any(word in one.title.lower() for word in words)]
    return tuple(found[:most])


def words_only(readings: tuple[Reading, ...]) -> Vectors:
    """What the encoder `words` gives: rows of no length."""
    ids = tuple(reading.id for reading in readings)
    return Vectors(ids, np.zeros((len(ids), 0), dtype=np.float32))


def unit_vectors(readings: tuple[Reading, ...], rows: list[list[float]]) -> Vectors:
    matrix = np.array(rows, dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return Vectors(tuple(reading.id for reading in readings), matrix)


def _plain(text: str) -> str:
    return " ".join(text.split())
