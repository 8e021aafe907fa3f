"""How themes fare: a week's papers of each against the weeks before, by rules that are stated."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from obsidian_digest.core.vault.weeks import calendar, shown_by_week

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from obsidian_digest.model import Memory

State = Literal["new", "growing", "returning", "fading", "steady"]
STATES: tuple[State, ...] = ("growing", "new", "returning", "fading", "steady")
"""In the order in which a note tells of them."""
COMPARED = 4
"""So many weeks before, those without a digest left out, say what is usual."""
WINDOW = 8
"""The compared weeks lie in so many weeks of the calendar, this one included."""
MARGIN = 1.5
"""By so many standard deviations of a Poisson count a theme must leave what was expected."""
LEAST = 3
"""A theme with fewer papers in the week does not grow."""
LEAST_BACK = 2


@dataclass(frozen=True, slots=True)
class ThemeWeek:
    """One theme in one week."""

    id: str
    name: str
    papers: tuple[str, ...]
    """Those of the week, in the order shown."""
    counts: tuple[int, ...]
    """Papers in each of the weeks of `Week.window`, this one last."""
    last: int
    """Papers in the newest of the weeks compared."""
    mean: float
    """Papers a week in the weeks compared, to one place."""
    expected: float
    """The theme's share of the compared weeks' papers, times this week's papers, to one place."""
    state: State


@dataclass(frozen=True, slots=True)
class Week:
    """A week of the vault: its papers and how its themes fare."""

    week: str
    papers: tuple[str, ...]
    """Papers its digests show first, in that order, with a note or without."""
    compared: tuple[str, ...]
    """The weeks before that it is measured against, oldest first; none in the first week."""
    window: tuple[str, ...]
    """The last `WINDOW` weeks of the calendar, oldest first, from the vault's first digest on."""
    themes: tuple[ThemeWeek, ...]
    """By state, then by papers; themes with nothing to tell are left out."""


def theme_of(memory: Memory, paper: str) -> str:
    """The theme a paper counts to, one that was merged as the one it went into; empty if none."""
    known = memory.papers.get(paper)
    theme, passed = known.theme if known else "", set[str]()
    while theme in memory.themes and theme not in passed:
        passed.add(theme)
        theme = memory.themes[theme].standing.merged_into or theme
    return theme if theme in memory.themes else ""


def week_themes(week: str, memory: Memory) -> Week:
    """The week as the vault tells it. Later weeks are not looked at."""
    shown = {each: papers for each, papers in shown_by_week(memory).items() if each <= week}
    window = tuple(each for each in calendar(week, WINDOW) if each >= min(shown, default=week))
    compared = tuple(each for each in window[:-1] if each in shown)[-COMPARED:]
    by_week = {each: _by_theme(papers, memory) for each, papers in shown.items()}
    totals = {each: len(papers) for each, papers in shown.items()}
    known = {theme for counted in by_week.values() for theme in counted} - {""}
    rows = [_theme(key, memory, week, window, compared, by_week, totals) for key in sorted(known)]
    told = [row for row in rows if row.papers or row.state == "fading"]
    told.sort(key=lambda row: (STATES.index(row.state), -len(row.papers), -row.mean, row.id))
    return Week(week, shown.get(week, ()), compared, window, tuple(told))


def _by_theme(papers: Sequence[str], memory: Memory) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for paper in papers:
        found.setdefault(theme_of(memory, paper), []).append(paper)
    return {theme: tuple(members) for theme, members in found.items()}


def _theme(
    key: str,
    memory: Memory,
    week: str,
    window: Sequence[str],
    compared: Sequence[str],
    by_week: Mapping[str, Mapping[str, tuple[str, ...]]],
    totals: Mapping[str, int],
) -> ThemeWeek:
    count = Counter({each: len(found[key]) for each, found in by_week.items() if key in found})
    before = sum(count[each] for each in compared)
    papers = by_week.get(week, {}).get(key, ())
    total = sum(totals[each] for each in compared)
    expected = round(before / total * totals.get(week, 0), 1) if total else 0.0
    since = min(count)
    return ThemeWeek(
        id=key,
        name=memory.themes[key].standing.name,
        papers=papers,
        counts=tuple(count[each] for each in window),
        last=count[compared[-1]] if compared else 0,
        mean=round(before / len(compared), 1) if compared else 0.0,
        expected=expected,
        state=_state(len(papers), before, expected, first=since == week) if compared else "steady",
    )


def _state(now: int, before: int, expected: float, *, first: bool) -> State:
    """How a theme fares, from its papers now and in the weeks compared.

    New: no earlier digest shows a paper of it. Returning: none in the weeks compared, but earlier,
    and now at least two. Growing and fading: more, at least three, or fewer papers than expected by
    1.5 standard deviations of the difference; a count's variance is what was expected of it.
    """
    if first:
        return "new"
    if not before:
        return "returning" if now >= LEAST_BACK else "steady"
    if now >= LEAST and grew(now, expected, before):
        return "growing"
    if expected > now and expected - now >= MARGIN * math.sqrt(expected + expected**2 / before):
        return "fading"
    return "steady"


def grew(now: int, expected: float, before: int) -> bool:
    """Whether a count is more than chance makes of what was expected; that is taken as 1 at least.

    The expectation comes from `before` papers, and so has a variance of its own.
    """
    usual = max(expected, 1.0)
    return now - usual >= MARGIN * math.sqrt(usual + usual**2 / before)
