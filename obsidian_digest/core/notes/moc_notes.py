"""The map of content: what it lists, so that every note of ours can be reached from somewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.notes.views import ListedView
from obsidian_digest.core.vault.render import safe
from obsidian_digest.model import NoteDraft, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import Kind, KnownTheme, Memory

BASE = "arXiv papers.base"
"""The table of all papers, which `init --base` lays down."""
THEMES, WEEKS, DIGESTS = 40, 8, 14
"""So many have a line of their own."""
ALONE = 500
"""So many papers that nothing else links to are named."""


@dataclass(frozen=True, slots=True)
class MocView:
    """The map's region."""

    base: Markup | None
    themes: tuple[ListedView, ...]
    weeks: tuple[ListedView, ...]
    older_weeks: tuple[Markup, ...]
    """Links, all in one line."""
    digests: tuple[ListedView, ...]
    older_digests: tuple[Markup, ...]
    """Those that no paper's note links to, all in one line."""
    alone: tuple[ListedView, ...]
    """Papers that no theme, digest or other paper links to."""


def moc_drafts(memory: Memory, places: Places, render: Renderer) -> Iterable[NoteDraft]:
    """The region of the map of content; nothing where the vault has no such note of ours."""
    path = places.by_key.get(("moc", "moc"))
    if path is not None:
        region = Region("moc", moc_text(memory, places, render))
        yield NoteDraft("moc", "moc", path, regions=(region,), birth=False)


def moc_text(memory: Memory, places: Places, render: Renderer) -> str:
    """What the map's region says. Raises TemplateError."""
    view = _view(memory, places)
    return render("moc", m=view, themes=view.themes, digests=view.digests)


def _view(memory: Memory, places: Places) -> MocView:
    weeks = sorted(memory.weeks, reverse=True)
    days = [day.isoformat() for day in sorted(memory.digests, reverse=True)]
    picked = {day.isoformat(): len(each.picked) for day, each in memory.digests.items()}
    linked = {day.isoformat() for paper in memory.papers.values() for day in paper.digests}
    return MocView(
        base=safe(f"[[{BASE}]]") if places.named(BASE) else None,
        themes=tuple(_theme(places, each) for each in _themes(memory)),
        weeks=tuple(_item(places, "week", week) for week in weeks[:WEEKS]),
        older_weeks=_links(places, "week", weeks[WEEKS:]),
        digests=tuple(_item(places, "digest", day, picked[day]) for day in days[:DIGESTS]),
        older_digests=_links(
            places, "digest", [day for day in days[DIGESTS:] if day not in linked]
        ),
        alone=tuple(_alone(memory, places)),
    )


def _themes(memory: Memory) -> list[KnownTheme]:
    """The largest; of the rest those without papers, to which no paper's note links."""

    def largest_first(theme: KnownTheme) -> tuple[int, str]:
        return (-len(theme.standing.members), theme.standing.name)

    themes = sorted(memory.themes.values(), key=largest_first)
    return themes[:THEMES] + [each for each in themes[THEMES:] if not each.standing.members]


def _alone(memory: Memory, places: Places) -> Iterable[ListedView]:
    linked = {other for paper in memory.papers.values() for other in paper.related}
    linked |= {each for digest in memory.digests.values() for each in digest.picked}
    linked |= {each for theme in memory.themes.values() for each in theme.standing.members}
    for key in sorted(memory.papers.keys() - linked, reverse=True)[:ALONE]:
        link = places.link("paper", key, memory.papers[key].reading.title)
        if link:
            yield ListedView(safe(link))


def _theme(places: Places, known: KnownTheme) -> ListedView:
    theme = known.standing
    heir = None if theme.members else places.link("theme", theme.merged_into or "")
    shown = _item(places, "theme", theme.id, len(theme.members))
    return replace(shown, heir=safe(heir)) if heir else shown


def _item(places: Places, kind: Kind, key: str, count: int = 0) -> ListedView:
    return ListedView(safe(places.link(kind, key) or ""), count=count)


def _links(places: Places, kind: Kind, keys: Sequence[str]) -> tuple[Markup, ...]:
    return tuple(safe(link) for key in keys if (link := places.link(kind, key)))
