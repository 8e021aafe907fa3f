"""Memories of several weeks, put together from counts or from recorded papers."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.weeks import monday
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Memory,
    Reading,
    StandingTheme,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date


def memory_of(weeks: Mapping[str, Mapping[str, int]], **merged: str) -> Memory:
    """So many papers of each theme, week by week; one digest a week, on its Monday."""
    numbers = count(1)
    papers: dict[str, KnownPaper] = {}
    digests: dict[date, KnownDigest] = {}
    for week, themes in weeks.items():
        day = monday(week)
        shown = []
        for theme, most in themes.items():
            for _ in range(most):
                key = f"2608.{next(numbers):05d}"
                shown.append(key)
                reading = Reading(key, f"Paper {key}", "")
                papers[key] = KnownPaper(key, reading, 3, theme, (day,), ())
        digests[day] = KnownDigest(day, tuple(shown), (day,), "", 20, 3, 0)
    names = {theme for themes in weeks.values() for theme in themes} - {""}
    themes = {
        key: KnownTheme(
            StandingTheme(
                key,
                f"Theme {key}",
                tuple(sorted(each for each, paper in papers.items() if paper.theme == key)),
                merged.get(key),
            ),
            (),
        )
        for key in sorted(names)
    }
    return Memory(papers, digests, themes)
