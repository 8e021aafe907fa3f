"""What is to be noticed in a day: themes that are new or grew, terms that its papers share."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import reading_of
from obsidian_digest.core.trends.signals import LEAST, Signal, SignalKind, term_signals
from obsidian_digest.core.trends.week_facts import REMEMBERED, readings
from obsidian_digest.core.trends.week_themes import grew, theme_of
from obsidian_digest.core.vault.weeks import shown_by_week

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.model import Digest, Memory, Theme

MOST = 4
USUAL = 20
"""So many digests before say what a usual day is."""
LEAST_DAYS = 3
"""With fewer nothing is called new or grown."""


def day_signals(digest: Digest, memory: Memory) -> tuple[Signal, ...]:
    """Up to four signals of a new digest, the best first; none for a supplement.

    A theme is new that no digest before showed, and grew by the rule of `week_themes.grew` against
    its share of the papers of up to twenty digests before; both need three papers. Terms by the
    rules of `signals.term_signals`, against the weeks before.
    """
    if digest.number:
        return ()
    earlier = replace(
        memory, digests={day: one for day, one in memory.digests.items() if day < digest.day}
    )
    weeks = [readings(papers, earlier) for papers in shown_by_week(earlier).values()]
    now = [reading_of(entry.paper) for entry in digest.entries]
    links = {
        entry.paper.id: tuple(link.other(entry.paper.id) for link in entry.related)
        for entry in digest.entries
    }
    terms = term_signals(now, weeks[-REMEMBERED:], links, MOST)
    found = [*terms, *_themes(digest, earlier)]
    return tuple(sorted(found, key=lambda signal: (-signal.score, signal.what))[:MOST])


def _themes(digest: Digest, earlier: Memory) -> Iterator[Signal]:
    days = sorted(earlier.digests)[-USUAL:]
    if len(days) < LEAST_DAYS:
        return
    shown = [theme_of(earlier, paper) for day in days for paper in earlier.digests[day].picked]
    ever = {theme_of(earlier, paper) for each in earlier.digests.values() for paper in each.picked}
    for theme in digest.themes:
        if theme.id and len(theme.members) >= LEAST:
            before = shown.count(theme.id)
            if theme.id not in ever:
                yield _signal(theme, digest, 0.0, len(shown))
            elif before:
                expected = round(before / len(shown) * len(digest.entries), 1)
                if grew(len(theme.members), expected, before):
                    yield _signal(theme, digest, expected, len(shown))


def _signal(theme: Theme, digest: Digest, expected: float, shown: int) -> Signal:
    """Scored as terms are: papers times the log of how much more there are than expected."""
    now = len(theme.members)
    usual = expected or len(digest.entries) * 0.5 / (shown + 1)
    score = round(now * math.log(now / usual), 6)
    kind: SignalKind = "grew" if expected else "new"
    of = len(digest.entries)
    return Signal(kind, theme.id, theme.members, of, expected, shown, score=score)
