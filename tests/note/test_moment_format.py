from __future__ import annotations

from datetime import date

import pytest

from obsidian_digest.note.moment_format import UnknownNameError, formatted

DAYS = [
    date(2026, 1, 1),
    date(2024, 12, 30),
    date(2026, 8, 3),
    date(2026, 12, 31),
    date(2027, 1, 3),
]


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("", ["2026-01-01", "2024-12-30", "2026-08-03", "2026-12-31", "2027-01-03"]),
        ("gggg-[W]ww", ["2026-W01", "2025-W01", "2026-W32", "2027-W01", "2027-W02"]),
        ("GGGG-[W]WW", ["2026-W01", "2025-W01", "2026-W32", "2026-W53", "2026-W53"]),
        ("Do/DDDo", ["1st/1st", "30th/365th", "3rd/215th", "31st/365th", "3rd/3rd"]),
        ("dd ddd dddd", ["Th Thu Thursday", "Mo Mon Monday", "Mo Mon Monday", "Th Thu Thursday",
                         "Su Sun Sunday"]),
        ("d e E", ["4 4 4", "1 1 1", "1 1 1", "4 4 4", "0 0 7"]),
        ("Qo YYYYY", ["1st 02026", "4th 02024", "3rd 02026", "4th 02026", "1st 02027"]),
        ("ll", ["Jan 1, 2026", "Dec 30, 2024", "Aug 3, 2026", "Dec 31, 2026", "Jan 3, 2027"]),
        ("YYYY/MMMM/[Day] DD", ["2026/January/Day 01", "2024/December/Day 30", "2026/August/Day 03",
                                "2026/December/Day 31", "2027/January/Day 03"]),
    ],
)  # fmt: skip
def test_days_are_named_as_moment_names_them_in_english(form: str, names: list[str]):
    assert [formatted(day, form, "en") for day in DAYS] == names


@pytest.mark.parametrize("form", ["YYYY-MM-DD", "YYYYMMDD", "GGGG/[W]WW/DD", "YYYY.M.D [note]"])
def test_digits_need_no_language(form: str):
    assert formatted(DAYS[0], form) == formatted(DAYS[0], form, "en")


@pytest.mark.parametrize("form", ["MMMM", "dddd", "Do", "L", "LL", "gggg-ww", "e", "MMM D"])
def test_a_name_in_a_language_that_is_not_known_is_refused(form: str):
    with pytest.raises(UnknownNameError, match="language"):
        formatted(DAYS[0], form)


@pytest.mark.parametrize("form", ["YYYY-MM-DD HH:mm", "x", "LT"])
def test_a_time_of_day_is_refused(form: str):
    with pytest.raises(UnknownNameError, match="time of day"):
        formatted(DAYS[0], form, "en")
