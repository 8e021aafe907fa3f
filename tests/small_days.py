"""Two small days of related papers: quick to rank, and the second touches notes of the first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.vaults import Ran, call, new_vault, recorded

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-08-19", "2026-08-20"
PAPERS = 6


@dataclass(frozen=True)
class SmallDays:
    """A vault with its files of papers."""

    vault: Path
    first: tuple[str, ...]
    """Words of a run over the first day."""
    second: tuple[str, ...]

    def run(self, words: tuple[str, ...], *more: str) -> Ran:
        """Such a run; it must succeed."""
        ran = call(self.vault, *words, *more)
        assert ran.code == 0, ran.err
        return ran


def small_days(root: Path, papers: int = PAPERS) -> SmallDays:
    """A fresh vault that ranks by words; with 8 papers a day the second day's join its themes."""
    vault = new_vault(root, encoder="words")
    return SmallDays(vault, _words(root, FIRST, papers), _words(root, SECOND, papers))


def _words(root: Path, day: str, most: int) -> tuple[str, ...]:
    papers = [(line, json.loads(line)) for line in recorded()]
    rows = [
        line
        for line, paper in papers
        if paper["announced"] == day and "memory" in paper["title"].lower()
    ]
    file = root / f"{day}.jsonl"
    file.write_text("".join(rows[:most]), "utf-8")
    return ("run", "--from-file", str(file), "--min-stars", "0")
