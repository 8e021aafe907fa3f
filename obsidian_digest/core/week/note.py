"""The note of a week and its picture, drafted from what the vault tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.law.picture_files import embed
from obsidian_digest.core.notes.footer import tail, up
from obsidian_digest.core.notes.signal_lines import SignalLines
from obsidian_digest.core.notes.trend_picture import Trend, trend
from obsidian_digest.core.notes.views import stars
from obsidian_digest.core.trends.week_facts import week_facts
from obsidian_digest.core.trends.week_themes import STATES, theme_of
from obsidian_digest.core.vault.render import safe
from obsidian_digest.core.vault.week_moves import move_line
from obsidian_digest.core.vault.weeks import monday, sunday
from obsidian_digest.model import FileDraft, HeaderValue, NoteDraft, Region
from obsidian_digest.note.text import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markupsafe import Markup

    from obsidian_digest.config import Config
    from obsidian_digest.core.ranking.feedback import Opinion
    from obsidian_digest.core.trends.week_facts import WeekFacts
    from obsidian_digest.core.trends.week_themes import ThemeWeek
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import Memory, Move

ROWS = 15
"""Themes in the table."""
_BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """A theme in the table."""

    link: Markup
    now: int
    last: int
    mean: Markup
    trend: Markup
    state: Markup


@dataclass(frozen=True, slots=True)
class WeekView:
    """What the template of a week sees: every text in it is safe Markdown."""

    head: Markup
    digests: tuple[Markup, ...]
    compared: int
    """Weeks before that figures are compared with; 0 in the first week."""
    picture: Markup | None
    changes: tuple[Markup, ...]
    """One line a state: the themes that grow, are new, return, fade, with figures."""
    themes: tuple[ThemeRow, ...]
    more_themes: int
    alone: int
    """Papers of the week in no theme."""
    signals: tuple[Markup, ...]
    standing: tuple[Markup, ...]
    picks: tuple[Markup, ...]
    moves: tuple[Markup, ...]


def week_name(config: Config, week: str) -> str:
    """The note's base name at birth."""
    return config.names.week.format(week=week)


def week_drafts(
    week: str,
    memory: Memory,
    config: Config,
    renderer: Renderer,
    places: Places,
    moves: Iterable[Move] = (),
    opinions: Iterable[Opinion] = (),
) -> tuple[NoteDraft | FileDraft, ...]:
    """The picture and the note of a week; nothing where no digest of that week stands.

    Claims the note's name, so it is to be called before other notes link to it.

    Args:
        week: The ISO week, `2026-W34`; later weeks do not count.
        memory: The vault as it will stand.
        config: The vault's settings.
        renderer: Its templates and words.
        places: Where its notes lie.
        moves: What the week's turn moved.
        opinions: What the reader thinks of papers (`core.ranking.feedback`).
    """
    facts = week_facts(week, memory, moves, opinions)
    if facts is None:
        return ()
    return draw_up(facts, memory, config, renderer, places)


def draw_up(
    facts: WeekFacts, memory: Memory, config: Config, renderer: Renderer, places: Places
) -> tuple[NoteDraft | FileDraft, ...]:
    """The same from facts that are known."""
    week, name = facts.week.week, week_name(config, facts.week.week)
    born = ("week", week) not in places.by_key
    path = places.claim("week", week, config.folders.weeks, name)
    picture = _picture(facts, config, renderer, born=born)
    shown = embed(picture.path, places, birth=born) if picture else None
    writer = _Writer(facts, memory, renderer, places)
    owned: dict[str, HeaderValue] = {
        "title": name,
        "digest_week": week,
        "week_start": monday(week),
        "week_papers": len(facts.week.papers),
        "up": up(config, places),
    }
    note = NoteDraft(
        "week",
        week,
        path,
        owned,
        {"tags": config.notes.tags},
        (Region("week", renderer("week", w=writer.view(shown))),),
        tail(config, places),
    )
    return (picture, note) if picture else (note,)


def _picture(
    facts: WeekFacts, config: Config, renderer: Renderer, *, born: bool
) -> FileDraft | None:
    """The trend beside the note; none where no theme is to be shown."""
    if not facts.week.themes:
        return None
    caption = renderer.words.plain("week_picture", n=len(facts.week.window))
    themes = sorted(facts.week.themes, key=lambda each: (-len(each.papers), -each.mean, each.id))
    drawn = trend(facts.week.window, [Trend(each.name, each.counts) for each in themes], caption)
    name = week_name(config, facts.week.week)
    return FileDraft(f"{config.folders.weeks}/{name} trend.svg".lstrip("/"), drawn, birth=born)


class _Writer:
    """Puts a week into words."""

    def __init__(
        self, facts: WeekFacts, memory: Memory, renderer: Renderer, places: Places
    ) -> None:
        self._facts = facts
        self._memory = memory
        self._words = renderer.words
        self._places = places
        titles = {key: paper.reading.title for key, paper in memory.papers.items()}
        names = {key: theme.standing.name for key, theme in memory.themes.items()}
        self._lines = SignalLines(renderer.words, places, titles, names)

    def view(self, picture: str | None) -> WeekView:
        """The whole note."""
        facts, told = self._facts, self._facts.week
        links = (self._places.link("digest", day.isoformat()) for day in facts.days)
        return WeekView(
            head=self._words(
                "week_head",
                first=monday(told.week),
                last=sunday(told.week),
                papers=self._words("papers", n=len(told.papers)),
                digests=self._words("week_digests", n=len(facts.days)),
            ),
            digests=tuple(safe(link) for link in links if link),
            compared=len(told.compared),
            picture=safe(picture) if picture else None,
            changes=tuple(self._changes()),
            themes=tuple(map(self._row, told.themes[:ROWS])),
            more_themes=max(0, len(told.themes) - ROWS),
            alone=len(told.papers) - sum(len(theme.papers) for theme in told.themes),
            signals=tuple(map(self._lines.line, facts.signals)),
            standing=tuple(map(self._standing, facts.standing)),
            picks=tuple(map(self._pick, facts.picks)),
            moves=(*self._merged(), *map(self._move, facts.moves)),
        )

    def _merged(self) -> Iterator[Markup]:
        """One line for each theme that the moves left without papers."""
        for key in sorted({move.before for move in self._facts.moves}):
            known = self._memory.themes.get(key)
            heir = known.standing.merged_into if known else None
            if known and heir and not known.standing.members:
                theme, into = self._lines.theme(key), self._lines.theme(heir)
                yield self._words("week_merged", theme=theme, heir=into)

    def _move(self, move: Move) -> Markup:
        return move_line(move, self._lines.short(move.paper), self._places)

    def _changes(self) -> Iterator[Markup]:
        for state in STATES[:-1]:
            themes = [each for each in self._facts.week.themes if each.state == state]
            if themes:
                names = tuple(self._figures(each) for each in themes)
                yield self._words(f"week_{state}", names=names)

    def _figures(self, theme: ThemeWeek) -> Markup:
        key = "week_count" if theme.state in {"new", "returning"} else "week_expected"
        link = self._lines.theme(theme.id)
        return self._words(
            key, theme=link, n=len(theme.papers), expected=safe(f"{theme.expected:g}")
        )

    def _row(self, theme: ThemeWeek) -> ThemeRow:
        link = self._places.link("theme", theme.id)
        return ThemeRow(
            link=safe(link or escape(theme.name, in_table=True)),
            now=len(theme.papers),
            last=theme.last,
            mean=safe(f"{theme.mean:g}"),
            trend=safe(sparkline(theme.counts)),
            state=self._words(f"state_{theme.state}"),
        )

    def _standing(self, paper: str) -> Markup:
        known = self._memory.papers.get(paper)
        shown = stars(known.stars) if known else ""
        theme = theme_of(self._memory, paper)
        parts = [f"{shown} {self._lines.paper(paper, whole=True)}".strip()]
        return safe(" · ".join([*parts, *([str(self._lines.theme(theme))] if theme else [])]))

    def _pick(self, opinion: Opinion) -> Markup:
        signs = (str(self._words(f"sign_{sign}")) for sign in opinion.signs)
        return safe(" · ".join([str(self._lines.paper(opinion.id, whole=True)), *signs]))


def sparkline(counts: Sequence[int]) -> str:
    """Counts as blocks of eight heights, the largest the highest; none is the lowest."""
    largest = max(counts, default=0)
    steps = len(_BLOCKS) - 1
    return "".join(_BLOCKS[-(-count * steps // largest) if largest else 0] for count in counts)
