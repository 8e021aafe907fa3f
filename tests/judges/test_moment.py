"""Dates in names and properties are what Obsidian's date library reads strictly as that day."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.note import header
from obsidian_digest.note.moment_format import UnknownNameError, formatted

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


TOKENS = (  # noqa: SIM905 (a list of tokens reads best as a line)
    "Y YY YYYY YYYYY YYYYYY y yy yyy yyyy yo Q Qo M Mo MM MMM MMMM D Do DD DDD DDDo DDDD d do dd"
    " ddd dddd e E w wo ww W Wo WW gg gggg ggggg GG GGGG GGGGG N NN NNN NNNN NNNNN L LL l ll"
).split()
PIECES = [
    *TOKENS,
    "[Day]",
    "[",
    "]",
    "[]",
    "[[x]]",
    "\\Y",
    "\\",
    "-",
    "/",
    ". ",
    "é",
    "日",
    "w|",
    "n",
    "T",
]


def named(day: date, form: str) -> str | None:
    try:
        return formatted(day, form, "en")
    except UnknownNameError:
        return None


def test_a_daily_note_is_named_as_moment_names_it(judges: Judges):
    chance = random.Random(5)
    formats = [*TOKENS, "YYYY/MMMM/YYYY-MM-DD", "gggg-[W]ww", "[Daily] YYYY.MM.DD"]
    formats += ["".join(chance.choices(PIECES, k=chance.randrange(1, 8))) for _ in range(1500)]
    some = days()[:900]
    every = [(chance.choice(some), form) for form in formats]
    every += [(day, form) for day in some for form in ("gggg ww e", "GGGG WW E", "DDDo")]
    ours = [(day, form, name) for day, form in every if (name := named(day, form)) is not None]
    verdicts = judges.ask("dailyName", [[day.isoformat(), form] for day, form, _ in ours])
    assert [name for *_, name in ours] == verdicts
    assert len(ours) > 0.9 * len(every)  # the others hold a time of day


@pytest.mark.parametrize("wrong", ["2026-02-30", "2026-8-3", "20260803", "2026-08-03T00:00"])
def test_the_judge_is_strict(judges: Judges, wrong: str):
    assert judges.ask("moment", [[wrong, DAY]]) == [None]
