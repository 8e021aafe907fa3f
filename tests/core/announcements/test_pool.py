"""The pool is the same in whatever order its papers come, and no slip dates it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import permutations

from obsidian_digest.core.announcements.pool import mailing_days, unite
from obsidian_digest.model import Memory, Paper

TODAY = date(2026, 8, 20)
PAPER = Paper("2608.00777", "One", "", (), ("cs.AI",), "cs.AI")


def test_the_highest_version_counts():
    second = replace(PAPER, version=2, title="A later title")
    for papers in permutations([PAPER, second, PAPER]):
        assert unite(papers, Memory(), TODAY).papers == (second,)


def test_of_two_tellings_of_one_version_the_same_one_counts_in_any_order():
    told = [
        PAPER,
        replace(PAPER, title="Two"),
        replace(PAPER, announced=TODAY),
        replace(PAPER, published=datetime(2026, 8, 19, tzinfo=UTC)),
    ]
    assert len({unite(papers, Memory(), TODAY).papers for papers in permutations(told)}) == 1


def test_a_mailing_after_tomorrow_is_a_slip_and_dates_nothing():
    days = [None, TODAY, date(2099, 1, 1), date(2026, 8, 19), date.max, date(2026, 8, 21), TODAY]
    papers = [replace(PAPER, announced=day) for day in days]
    assert mailing_days(papers, TODAY) == (date(2026, 8, 19), TODAY, date(2026, 8, 21))
    assert mailing_days([replace(PAPER, announced=date(2026, 8, 22))], TODAY) == ()
