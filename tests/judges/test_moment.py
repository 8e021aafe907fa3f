"""Dates in names and properties are what Obsidian's date library reads strictly as that day."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.note import header

if TYPE_CHECKING:
    from tests.judges.node import Judges

pytestmark = pytest.mark.slow

DAY, WEEK = "YYYY-MM-DD", "GGGG-[W]WW"
FIRST = date(1991, 7, 1)
"""The month arXiv began."""


def days() -> list[date]:
    """Ordinary ones, and all those at which years and weeks turn."""
    chance = random.Random(11)
    turning = [date(year, 1, 1) + timedelta(n) for year in range(1992, 2100) for n in range(-4, 5)]
    return [*turning, *(FIRST + timedelta(chance.randrange(40_000)) for _ in range(4000))]


def test_a_date_in_a_property_or_a_name_is_that_day(judges: Judges):
    written = [header.write({"digest_date": day}).split()[2] for day in days()]
    verdicts = judges.ask("moment", [[text, DAY] for text in written])
    for day, text, verdict in zip(days(), written, verdicts, strict=True):
        assert verdict == {"day": day.isoformat(), "again": text}


def test_a_week_as_python_counts_it_begins_on_the_same_monday(judges: Judges):
    written = [f"{day:%G-W%V}" for day in days()]
    verdicts = judges.ask("moment", [[text, WEEK] for text in written])
    for day, text, verdict in zip(days(), written, verdicts, strict=True):
        monday = datetime.strptime(f"{text}-1", "%G-W%V-%u").date()  # noqa: DTZ007 (a day only)
        assert monday <= day < monday + timedelta(7)
        assert verdict == {"day": monday.isoformat(), "again": text}


@pytest.mark.parametrize("wrong", ["2026-02-30", "2026-8-3", "20260803", "2026-08-03T00:00"])
def test_the_judge_is_strict(judges: Judges, wrong: str):
    assert judges.ask("moment", [[wrong, DAY]]) == [None]
