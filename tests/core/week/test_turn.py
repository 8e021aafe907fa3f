"""A week's turn on a made-up vault: what becomes of a theme whose papers all move."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np

from obsidian_digest.core.vault.theme_pins import regrouped
from obsidian_digest.core.week.turn import turn
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    KnownWeek,
    Memory,
    Move,
    Reading,
    StandingTheme,
    Vectors,
)

WEEK = "2026-W34"
NONE = Vectors((), np.zeros((0, 0), dtype=np.float32))
A1, A2, A3, B1, C1 = "2608.00001", "2608.00002", "2608.00003", "2608.00004", "2608.00005"
HOMES = {A1: "a", A2: "a", A3: "a", B1: "b", C1: "c"}


def vault(moves: tuple[Move, ...], **merged: str) -> Memory:
    """Three themes, and a week note that lists these moves; `merged` by the reader."""
    papers = {
        key: KnownPaper(key, Reading(key, key, ""), 3, theme, (date(2026, 8, 20),), ())
        for key, theme in HOMES.items()
    }
    themes = {
        key: KnownTheme(StandingTheme(key, f"Theme {key}", (), merged.get(key)), ())
        for key in "abc"
    }
    digest = KnownDigest(date(2026, 8, 20), tuple(HOMES), (), "", 20, 0, 0)
    memory = Memory(papers=papers, themes=themes, digests={digest.day: digest})
    return replace(regrouped(memory), weeks={WEEK: KnownWeek(WEEK, moves)})


def turned(*moves: Move, **merged: str) -> dict[str, tuple[str | None, bool]]:
    """For each theme where it is merged into, and whether the turn says that it emptied it."""
    after = turn(WEEK, {}, NONE, vault(moves, **merged)).memory.themes
    return {key: (one.standing.merged_into, one.emptied) for key, one in after.items()}


def test_a_theme_that_a_turn_empties_is_merged_into_the_one_that_took_most_of_its_papers():
    found = turned(Move(A1, "a", "c"), Move(A2, "a", "b"), Move(A3, "a", "c"))
    assert found == {"a": ("c", True), "b": (None, False), "c": (None, False)}


def test_of_two_that_took_as_many_the_first_is_the_heir():
    found = turned(Move(B1, "b", "c"), Move(A1, "a", "c"), Move(A2, "a", "c"), Move(A3, "a", "c"))
    assert found["b"] == found["a"] == ("c", True)
    tied = turned(Move(A1, "a", "c"), Move(A2, "a", "b"), Move(A3, "a", "t"))
    assert tied["a"] == ("b", True)


def test_a_theme_that_keeps_a_paper_or_gets_one_lives():
    left = turned(Move(A1, "a", "c"), Move(A2, "a", "c"))
    swapped = turned(Move(B1, "b", "c"), Move(C1, "c", "b"))
    assert {*left.values(), *swapped.values()} == {(None, False)}


def test_what_the_reader_merged_is_not_said_to_be_emptied():
    found = turned(Move(A1, "a", "c"), Move(A2, "a", "c"), Move(A3, "a", "c"), a="b")
    assert found["a"] == ("b", False)


def test_a_theme_into_which_the_reader_merged_another_that_holds_papers_lives():
    found = turned(Move(B1, "b", "c"), a="b")
    assert found["b"] == (None, False)
