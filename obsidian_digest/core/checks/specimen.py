"""An invented paper and its day, to see whether a vault's own templates hold up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from obsidian_digest.core.day.compose import claim, titles
from obsidian_digest.core.notes.drafts import Drafts
from obsidian_digest.core.ranking.feedback import Opinion
from obsidian_digest.core.score.days import PastDay
from obsidian_digest.core.score.figures import order_of
from obsidian_digest.core.score.note import score_drafts
from obsidian_digest.core.score.replay import METHODS, Score, ScoredDay
from obsidian_digest.core.trends.signals import Signal
from obsidian_digest.core.trends.week_facts import WeekFacts
from obsidian_digest.core.trends.week_themes import STATES, ThemeWeek, Week
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.week.note import draw_up
from obsidian_digest.errors import TemplateError
from obsidian_digest.model import (
    Digest,
    Entry,
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Link,
    Memory,
    Move,
    Paper,
    Ranked,
    Reading,
    Reason,
    SourceReport,
    StandingTheme,
    Theme,
    Window,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.render import Renderer

_DAY = date(2026, 8, 20)
_FIRST, _SECOND = "2608.00001", "2608.00002"
_THEME = Theme("t-00000000", "Sample Theme", (_FIRST, _SECOND), ("sample term",))
"""A full specimen: every field that a template may show is there."""


def template_troubles(config: Config, renderer: Renderer) -> tuple[str, ...]:
    """What goes wrong when the templates show an invented day, in words; empty if nothing does."""
    digest = _digest()
    places = Places()
    claim(config, digest, places)
    places.claim("moc", "moc", "", config.notes.moc)
    drafts = Drafts(config, renderer, places, titles(digest, Memory()))
    entry, link = digest.entries[0], digest.entries[0].related[0]
    memory = _memory(digest)
    tries: tuple[Callable[[], object], ...] = (
        lambda: drafts.paper(entry, (_DAY,)),
        lambda: drafts.related(_FIRST, (link,)),
        lambda: drafts.digest(digest, signals=_week().signals),
        lambda: drafts.digest(replace(digest, number=1)),
        lambda: tuple(drafts.themes(memory)),
        lambda: tuple(drafts.moc(memory)),
        lambda: draw_up(_week(), memory, config, renderer, places),
        lambda: score_drafts(_score(digest), digest.encoder, config, renderer, places),
    )
    return tuple(dict.fromkeys(_troubles(tries)))


def _troubles(tries: tuple[Callable[[], object], ...]) -> Iterator[str]:
    for one in tries:
        try:
            one()
        except TemplateError as error:
            yield f"{error.where}: {error.what}" if error.where else error.what


def _paper(arxiv_id: str) -> Paper:
    at = datetime(2026, 8, 19, tzinfo=UTC)
    return Paper(
        id=arxiv_id,
        title="A Sample: Paper",
        abstract="We present a sample. Code is at https://github.com/sample/sample.",
        authors=("Ada Lovelace", "Alan Turing"),
        categories=("cs.AI", "cs.CL"),
        primary="cs.AI",
        version=2,
        published=at,
        updated=at,
        announced=_DAY,
        comment="9 pages",
        journal_ref="Sample 1 (2026)",
        doi="10.1000/1",
        affiliations=("Sample University",),
    )


def _digest() -> Digest:
    link = Link(_FIRST, _SECOND, 0.5, ("sample",))
    reason = Reason("reason_interest", (("interest", "Samples"),))
    entries = tuple(
        Entry(_paper(each), Ranked(each, 0.5, 3, "Samples", (reason,)), (link,), _THEME.id)
        for each in _THEME.members
    )
    return Digest(
        day=_DAY,
        batches=(_DAY,),
        window=Window(datetime(2026, 8, 18, tzinfo=UTC), datetime(2026, 8, 19, tzinfo=UTC)),
        newest=_SECOND,
        collected=2,
        unique=2,
        new=2,
        pool="2-00000000",
        top=20,
        min_stars=3,
        sources=(SourceReport("search", "ok", 2),),
        missing=("cs.CL",),
        encoder="words",
        themes=(_THEME,),
        entries=entries,
        near_misses=entries[:1],
        by_interests=False,
    )


def _memory(digest: Digest) -> Memory:
    papers = {
        each: KnownPaper(each, Reading(each, "A Sample", ""), 3, _THEME.id, (_DAY,), ())
        for each in _THEME.members
    }
    known = KnownDigest(_DAY, _THEME.members, digest.batches, digest.pool, 20, 3, 0)
    standing = StandingTheme(_THEME.id, _THEME.name, _THEME.members)
    return Memory(papers, {_DAY: known}, {_THEME.id: KnownTheme(standing, _THEME.terms)})


def _week() -> WeekFacts:
    theme = ThemeWeek(_THEME.id, _THEME.name, _THEME.members, (1, 2), 1, 1.0, 1.0, "growing")
    themes = tuple(replace(theme, state=state) for state in STATES * 4)
    return WeekFacts(
        week=Week("2026-W34", _THEME.members, ("2026-W33",), ("2026-W33", "2026-W34"), themes),
        days=(_DAY,),
        signals=(Signal("burst", "sample", _THEME.members, 2),),
        standing=(_FIRST,),
        picks=(Opinion(_FIRST, 1.0, _DAY, ("rated",)),),
        moves=(Move(_FIRST, "", _THEME.id),),
    )


def _score(digest: Digest) -> Score:
    readings = tuple(Reading(each, "A Sample", "") for each in _THEME.members)
    shown = PastDay(_DAY, readings, {}, frozenset({_FIRST}), "shown")
    rows = tuple((entry.ranked, entry.paper.id == _FIRST) for entry in digest.entries)
    orders = {method: order_of([1.0, 0.0], shown.wanted) for method in METHODS}
    days = (shown, replace(shown, source="saved"))
    return Score(tuple(ScoredDay(each, 1, orders, frozenset(METHODS), rows) for each in days))
