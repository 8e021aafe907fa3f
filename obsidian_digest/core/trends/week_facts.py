"""What a week's note tells, found in the vault alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.trends.signals import FIRST_AFTER, Signal, term_signals
from obsidian_digest.core.trends.week_themes import Week, theme_of, week_themes
from obsidian_digest.core.vault.weeks import days_by_week, shown_by_week

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from obsidian_digest.core.ranking.feedback import Opinion
    from obsidian_digest.model import Memory, Move, Reading

SIGNALS = 8
STANDING = 8
"""Papers that stand for the week."""
REMEMBERED = 12
"""Signals look back so many weeks that have a digest."""
LIKED = 0.5
"""What an opinion must be worth for its paper to be a pick of the reader's."""


@dataclass(frozen=True, slots=True)
class WeekFacts:
    """A week of the vault."""

    week: Week
    days: tuple[date, ...]
    """Days that have a digest."""
    signals: tuple[Signal, ...]
    standing: tuple[str, ...]
    """Papers that stand for the week: one of each theme, of the theme with most papers first."""
    picks: tuple[Opinion, ...]
    """The reader's picks, the dearest first."""
    moves: tuple[Move, ...]


def week_facts(
    week: str, memory: Memory, moves: Iterable[Move] = (), opinions: Iterable[Opinion] = ()
) -> WeekFacts | None:
    """What the vault tells of a week; None where no digest of that week stands.

    Later weeks are not looked at, but for the themes that papers have now.
    """
    days = days_by_week(memory).get(week)
    if days is None:
        return None
    told = week_themes(week, memory)
    here = frozenset(told.papers)
    liked = [each for each in opinions if each.id in here and each.value >= LIKED]
    liked.sort(key=lambda each: (-each.value, each.id))
    return WeekFacts(
        week=told,
        days=days,
        signals=_signals(told, memory),
        standing=_standing(told, memory),
        picks=tuple(liked),
        moves=tuple(sorted(moves, key=lambda move: move.paper)),
    )


def _signals(told: Week, memory: Memory) -> tuple[Signal, ...]:
    """Terms, and the themes that come back after weeks."""
    weeks = [papers for week, papers in shown_by_week(memory).items() if week < told.week]
    before = [readings(papers, memory) for papers in weeks[-REMEMBERED:]]
    best = sorted(told.papers, key=_best_first(told.papers, memory))
    terms = term_signals(readings(best, memory), before, related(best, memory), SIGNALS)
    back = [_back(key, papers, weeks, memory) for key, papers in _returning(told)]
    found = [*terms, *(signal for signal in back if signal)]
    return tuple(sorted(found, key=lambda signal: (-signal.score, signal.what))[:SIGNALS])


def _returning(told: Week) -> Iterable[tuple[str, tuple[str, ...]]]:
    return ((each.id, each.papers) for each in told.themes if each.state == "returning")


def _back(
    theme: str, papers: tuple[str, ...], weeks: Sequence[tuple[str, ...]], memory: Memory
) -> Signal | None:
    """A theme that no digest of at least four weeks showed; scored as a term that is new."""
    missed = 0
    for shown in reversed(weeks):
        if any(theme_of(memory, paper) == theme for paper in shown):
            break
        missed += 1
    if missed < FIRST_AFTER:
        return None
    return Signal("back", theme, papers, len(papers), weeks=missed, score=2.0 * len(papers))


def readings(papers: Iterable[str], memory: Memory) -> tuple[Reading, ...]:
    """Texts of those papers that have a note."""
    return tuple(memory.papers[each].reading for each in papers if each in memory.papers)


def related(papers: Iterable[str], memory: Memory) -> Mapping[str, tuple[str, ...]]:
    """What the notes of the papers link to."""
    return {each: memory.papers[each].related for each in papers if each in memory.papers}


def _standing(told: Week, memory: Memory) -> tuple[str, ...]:
    """The best paper of each theme, most papers first; where no theme has any, the best three.

    Best is who has most stars, then who is related to most of the week's papers, then to most.
    """
    by_rank = _best_first(told.papers, memory)
    themes = sorted(told.themes, key=lambda theme: (-len(theme.papers), theme.id))
    best = [min(theme.papers, key=by_rank) for theme in themes if theme.papers][:STANDING]
    noted = [paper for paper in told.papers if paper in memory.papers]
    return tuple(best or sorted(noted, key=by_rank)[:3])


def _best_first(
    papers: Iterable[str], memory: Memory
) -> Callable[[str], tuple[int, int, int, str]]:
    """A sort key for some papers."""
    here = frozenset(papers)

    def key(paper: str) -> tuple[int, int, int, str]:
        known = memory.papers.get(paper)
        if known is None:
            return (1, 0, 0, paper)
        return (-known.stars, -len(here.intersection(known.related)), -len(known.related), paper)

    return key
