"""Theme notes: what a theme is about, its papers by day, its growth and its neighbours."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.notes.footer import tail, up
from obsidian_digest.core.notes.views import short_name, stars
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.core.vault.render import literal, safe
from obsidian_digest.core.vault.theme_pins import placed_id
from obsidian_digest.core.vault.weeks import week_of
from obsidian_digest.model import NoteDraft, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from markupsafe import Markup

    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import HeaderValue, KnownPaper, KnownTheme, Memory

CENTRAL, NEIGHBOURS, WEEKS = 3, 3, 8
"""So many central papers, neighbouring themes and weeks a theme note shows."""
MANY = 5
"""Papers from which on it is worth saying which of them are central."""
_LEAST_TIES = 2
_TERM_TIES = 2
_BAR = 20


@dataclass(frozen=True, slots=True)
class MemberView:
    """One paper of a theme."""

    link: Markup
    stars: str
    placed: Markup | None
    """Block id by which it is read back that the reader placed it here: `^placed-2608-19197`."""


@dataclass(frozen=True, slots=True)
class DayView:
    """A theme note's papers of one day."""

    name: str
    link: Markup | None
    papers: tuple[MemberView, ...]


@dataclass(frozen=True, slots=True)
class GrowthView:
    """How many papers the digests of one ISO week brought."""

    week: str
    count: int
    bar: str


@dataclass(frozen=True, slots=True)
class ThemeView:
    """A theme note's region."""

    terms: tuple[Markup, ...]
    count: int
    days: tuple[DayView, ...]
    central: tuple[Markup, ...] = ()
    """Links to the papers that most others of the theme are related to."""
    neighbours: tuple[Markup, ...] = ()
    """Links to the themes that most of its related links lead to."""
    growth: tuple[GrowthView, ...] = ()
    """The last weeks that brought any, oldest first; none before there are two."""
    heir: Markup | None = None
    """Link to the theme that it was merged into: by the reader, or by a turn that emptied it."""


def theme_drafts(
    memory: Memory, config: Config, render: Renderer, places: Places
) -> Iterable[NoteDraft]:
    """Every theme's note, from the vault as it will stand after the run. Raises TemplateError."""
    ties = _ties(memory)
    for key in sorted(memory.themes):
        theme = memory.themes[key]
        view = _view(theme, memory, ties[key], render, places)
        path = places.by_key["theme", key]
        owned: dict[str, HeaderValue] = {
            "title": base_name(path),
            "theme_id": key,
            "theme_terms": theme.terms,
            "theme_papers": view.count,
            "up": up(config, places),
        }
        seeded: dict[str, HeaderValue] = {"tags": config.notes.tags}
        region = Region("theme", render("theme", theme=view))
        gained = _merged(theme, places) if theme.emptied else {}
        shared = (region,), tail(config, places)
        yield NoteDraft("theme", key, path, owned, seeded, *shared, gained=gained)


def _merged(theme: KnownTheme, places: Places) -> dict[str, HeaderValue]:
    """What tells later runs where the papers of an emptied theme went; the reader's from then."""
    return {"merged_into": places.link("theme", theme.standing.merged_into or "")}


def placed(arxiv_id: str, theme: str, places: Places) -> NoteDraft:
    """Only the theme of a paper note that stands."""
    path = places.by_key["paper", arxiv_id]
    owned: dict[str, HeaderValue] = {"theme": places.link("theme", theme)}
    return NoteDraft("paper", arxiv_id, path, owned, birth=False)


def _view(
    theme: KnownTheme, memory: Memory, ties: Counter[str], render: Renderer, places: Places
) -> ThemeView:
    papers = [memory.papers[each] for each in theme.standing.members]
    heir = places.link("theme", theme.standing.merged_into or "")
    return ThemeView(
        terms=tuple(literal(term) for term in theme.terms),
        count=len(papers),
        days=tuple(_days(papers, str(render.words("undated")), places)),
        central=tuple(_title(each, places, short=True) for each in central(papers)),
        neighbours=tuple(
            safe(link) for key in nearest(ties) if (link := places.link("theme", key))
        ),
        growth=growth(papers),
        heir=safe(heir) if heir else None,
    )


def central(papers: Sequence[KnownPaper]) -> list[KnownPaper]:
    """The papers that most others of the theme are related to, by the links between their notes.

    Of as many links only the order of magnitude counts (1, 2-3, 4-7, ...), then stars, then age, so
    that one link more or less turns nothing over.
    """
    if len(papers) < MANY:
        return []
    here = {paper.id for paper in papers}
    linked: dict[str, set[str]] = defaultdict(set)
    for paper in papers:
        for other in here.intersection(paper.related) - {paper.id}:
            linked[paper.id].add(other)
            linked[other].add(paper.id)
    ranked = sorted(papers, key=lambda one: (-len(linked[one.id]).bit_length(), -one.stars, one.id))
    return [one for one in ranked[:CENTRAL] if len(linked[one.id]) >= _LEAST_TIES]


def nearest(ties: Counter[str]) -> list[str]:
    """The themes with most ties to one, by order of magnitude and then by id."""
    told = [key for key, count in ties.items() if count >= _LEAST_TIES]
    return sorted(told, key=lambda key: (-ties[key].bit_length(), key))[:NEIGHBOURS]


def growth(papers: Iterable[KnownPaper]) -> tuple[GrowthView, ...]:
    """Papers by the ISO week of the first digest that showed them; nothing before two weeks."""
    counts = Counter(week_of(min(paper.digests)) for paper in papers if paper.digests)
    weeks = sorted(counts)[-WEEKS:]
    if not weeks[1:]:
        return ()
    unit = max(1.0, max(counts[week] for week in weeks) / _BAR)
    return tuple(GrowthView(week, counts[week], _bar(counts[week], unit)) for week in weeks)


def _bar(count: int, unit: float) -> str:
    return "█" * max(1, round(count / unit))


def _ties(memory: Memory) -> dict[str, Counter[str]]:
    """How much ties each theme to others: links between their papers, and terms that both have."""
    ties: dict[str, Counter[str]] = {key: Counter() for key in memory.themes}
    homes = {each: key for key, known in memory.themes.items() for each in known.standing.members}
    pairs = {
        (min(paper.id, other), max(paper.id, other))
        for paper in memory.papers.values()
        for other in paper.related
    }
    for one, other in pairs:
        a, b = homes.get(one), homes.get(other)
        if a and b and a != b:
            ties[a][b] += 1
            ties[b][a] += 1
    for key, known in memory.themes.items():
        said = {term.casefold() for term in known.terms}
        for other in ties[key]:
            shared = {term.casefold() for term in memory.themes[other].terms} & said
            ties[key][other] += _TERM_TIES * len(shared)
    return ties


def _days(papers: Iterable[KnownPaper], undated: str, places: Places) -> Iterable[DayView]:
    by_day: dict[date | None, list[KnownPaper]] = defaultdict(list)
    for paper in papers:
        by_day[max(paper.digests, default=None)].append(paper)
    for day in sorted(by_day, key=lambda day: day.isoformat() if day else "", reverse=True):
        listed = sorted(by_day[day], key=lambda paper: (-paper.stars, paper.id))
        link = places.link("digest", day.isoformat()) if day else None
        views = tuple(_member(paper, places) for paper in listed)
        yield DayView(day.isoformat() if day else undated, safe(link) if link else None, views)


def _member(paper: KnownPaper, places: Places) -> MemberView:
    mark = safe(placed_id(paper.id)) if paper.pinned else None
    return MemberView(_title(paper, places), stars(paper.stars), mark)


def _title(paper: KnownPaper, places: Places, *, short: bool = False) -> Markup:
    title = paper.reading.title
    shown = short_name(title) if short else title
    return safe(places.link("paper", paper.id, shown) or literal(shown))
