"""Dates as moment 2.30 formats them, which is how Obsidian names daily notes."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

DEFAULT = "YYYY-MM-DD"
ENGLISH = "en"
_TOKEN = re.compile(
    r"(\[[^\[]*\])|(\\)?([Hh]mm(ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[o|w]?|W[o|W]?|Qo?"
    r"|N{1,5}|YYYYYY|YYYYY|YYYY|YY|y{2,4}|yo?|gg(ggg?)?|GG(GGG?)?|e|E|a|A|hh?|HH?|kk?|mm?|ss?"
    r"|S{1,9}|x|X|zz?|ZZ?|.)"
)
_LONG_TOKEN = re.compile(r"(\[[^\[]*\])|(\\)?(LTS|LT|LL?L?L?|l{1,4})")
_LONG = {
    "L": "MM/DD/YYYY",
    "LL": "MMMM D, YYYY",
    "LLL": "MMMM D, YYYY h:mm A",
    "LLLL": "dddd, MMMM D, YYYY h:mm A",
    "l": "M/D/YYYY",
    "ll": "MMM D, YYYY",
    "lll": "MMM D, YYYY h:mm A",
    "llll": "ddd, MMM D, YYYY h:mm A",
    "LT": "h:mm A",
    "LTS": "h:mm:ss A",
}
"""The short forms of English."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_TIME = re.compile(r"[Hh]mm(ss)?|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|zz?|ZZ?|a|A")
_FEW, _TEENS = {1: "st", 2: "nd", 3: "rd"}, range(11, 14)


class UnknownNameError(ValueError):
    """The format holds something that cannot be known: a language's word, a time of day."""


def formatted(day: date, form: str, locale: str = "") -> str:
    """The day as moment writes it in this format; an empty format is `YYYY-MM-DD`.

    Raises UnknownNameError where a token depends on the app's language and `locale` is not `en`,
    and for times of day, which say when a note was made.
    """
    return "".join(_text(found, day, locale) for found in _tokens(form or DEFAULT, locale))


def _tokens(form: str, locale: str) -> list[str]:
    """The format's tokens and literal pieces, its long forms written out."""

    def long(found: re.Match[str]) -> str:
        if found[0] not in _LONG:
            return found[0]
        _need_english(found[0], locale)
        return _LONG[found[0]]

    for _ in range(6):
        if not any(found[0] in _LONG for found in _LONG_TOKEN.finditer(form)):
            break
        form = _LONG_TOKEN.sub(long, form)
    return [found[0] for found in _TOKEN.finditer(form)]


def _text(token: str, day: date, locale: str) -> str:
    if token in _PLAIN:
        return _PLAIN[token](day)
    if token in _OF_ENGLISH:
        _need_english(token, locale)
        return _OF_ENGLISH[token](day)
    if _TIME.fullmatch(token):
        raise UnknownNameError(f"{token} is a time of day")
    if re.match(r"\[.", token):
        return re.sub(r"^\[|\]$", "", token)
    return token.replace("\\", "")


def _need_english(token: str, locale: str) -> None:
    if locale != ENGLISH:
        raise UnknownNameError(f"{token} depends on the app's language, which no file of it tells")


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in _TEENS else _FEW.get(number % 10, "th")
    return f"{number}{ending}"


def _day_of_year(day: date) -> int:
    return day.timetuple().tm_yday


def _sunday_first(day: date) -> int:
    return day.isoweekday() % 7


def _english_week(day: date) -> tuple[int, int]:
    """Year and week where weeks begin on Sundays and the one with 1 January is the first."""
    saturday = day + timedelta(6 - _sunday_first(day))
    year = saturday.year
    first = saturday.replace(month=1, day=1)
    sunday = first - timedelta(_sunday_first(first))
    return year, (day - sunday).days // 7 + 1


def _iso(day: date) -> tuple[int, int]:
    year, week, _ = day.isocalendar()
    return year, week


_PLAIN: dict[str, Callable[[date], str]] = {
    "Y": lambda day: f"{day.year:04}",
    "YY": lambda day: f"{day.year % 100:02}",
    "YYYY": lambda day: f"{day.year:04}",
    "YYYYY": lambda day: f"{day.year:05}",
    "YYYYYY": lambda day: f"+{day.year:06}",
    "y": lambda day: f"{day.year}",
    "yy": lambda day: f"{day.year:02}",
    "yyy": lambda day: f"{day.year:03}",
    "yyyy": lambda day: f"{day.year:04}",
    "Q": lambda day: f"{(day.month + 2) // 3}",
    "M": lambda day: f"{day.month}",
    "MM": lambda day: f"{day.month:02}",
    "D": lambda day: f"{day.day}",
    "DD": lambda day: f"{day.day:02}",
    "DDD": lambda day: f"{_day_of_year(day)}",
    "DDDD": lambda day: f"{_day_of_year(day):03}",
    "d": lambda day: f"{_sunday_first(day)}",
    "E": lambda day: f"{day.isoweekday()}",
    "W": lambda day: f"{_iso(day)[1]}",
    "WW": lambda day: f"{_iso(day)[1]:02}",
    "GG": lambda day: f"{_iso(day)[0] % 100:02}",
    "GGGG": lambda day: f"{_iso(day)[0]:04}",
    "GGGGG": lambda day: f"{_iso(day)[0]:05}",
}
"""The same in every language, as far as its digits are ours."""
_OF_ENGLISH: dict[str, Callable[[date], str]] = {
    "MMM": lambda day: _MONTHS[day.month - 1][:3],
    "MMMM": lambda day: _MONTHS[day.month - 1],
    "dd": lambda day: _DAYS[_sunday_first(day)][:2],
    "ddd": lambda day: _DAYS[_sunday_first(day)][:3],
    "dddd": lambda day: _DAYS[_sunday_first(day)],
    "Qo": lambda day: _ordinal((day.month + 2) // 3),
    "Mo": lambda day: _ordinal(day.month),
    "Do": lambda day: _ordinal(day.day),
    "DDDo": lambda day: _ordinal(_day_of_year(day)),
    "do": lambda day: _ordinal(_sunday_first(day)),
    "Wo": lambda day: _ordinal(_iso(day)[1]),
    "wo": lambda day: _ordinal(_english_week(day)[1]),
    "yo": lambda day: _ordinal(day.year),
    "e": lambda day: f"{_sunday_first(day)}",
    "w": lambda day: f"{_english_week(day)[1]}",
    "ww": lambda day: f"{_english_week(day)[1]:02}",
    "gg": lambda day: f"{_english_week(day)[0] % 100:02}",
    "gggg": lambda day: f"{_english_week(day)[0]:04}",
    "ggggg": lambda day: f"{_english_week(day)[0]:05}",
    **dict.fromkeys(("N", "NN", "NNN", "NNNNN"), lambda _: "AD"),
    "NNNN": lambda _: "Anno Domini",
}
"""Names, endings of numbers, and what a week is."""
