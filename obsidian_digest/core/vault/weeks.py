"""ISO weeks: which one a day is in, and which papers the digests of each week show."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from obsidian_digest.model import Memory

_WEEK = re.compile(r"(?P<year>[0-9]{4})-?W(?P<week>[0-9]{2})", re.IGNORECASE)
DAYS = 7


def week_of(day: date) -> str:
    """The ISO week of a day; around the new year it is named after the year of its Thursday."""
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def monday(week: str) -> date:
    """The first day of a week such as `2026-W34`. Raises ValueError where there is no such week."""
    found = _WEEK.fullmatch(week)
    if not found:
        raise ValueError(f'"{week}" is no ISO week')
    return date.fromisocalendar(int(found["year"]), int(found["week"]), 1)


def is_week(text: str) -> bool:
    """Whether a text names a week as notes do: `2026-W34`."""
    try:
        return week_of(monday(text)) == text
    except ValueError:
        return False


def sunday(week: str) -> date:
    """The last day of a week."""
    return monday(week) + timedelta(DAYS - 1)


def weeks_between(earlier: str, later: str) -> int:
    """How many weeks `later` comes after `earlier`, by the calendar."""
    return (monday(later) - monday(earlier)).days // DAYS


def calendar(until: str, most: int) -> tuple[str, ...]:
    """The weeks up to and including `until`, oldest first."""
    last = monday(until)
    return tuple(week_of(last - timedelta(DAYS * back)) for back in reversed(range(most)))


def days_by_week(memory: Memory) -> Mapping[str, tuple[date, ...]]:
    """The days that have a digest, in order, by week; weeks in order."""
    found: dict[str, list[date]] = defaultdict(list)
    for day in sorted(memory.digests):
        found[week_of(day)].append(day)
    return {week: tuple(days) for week, days in found.items()}


def shown_by_week(memory: Memory) -> Mapping[str, tuple[str, ...]]:
    """Papers by the week whose digests show them first, in the order shown; weeks in order."""
    seen: set[str] = set()
    found: dict[str, tuple[str, ...]] = {}
    for week, days in days_by_week(memory).items():
        picked = dict.fromkeys(key for day in days for key in memory.digests[day].picked)
        found[week] = tuple(key for key in picked if key not in seen)
        seen |= picked.keys()
    return found
