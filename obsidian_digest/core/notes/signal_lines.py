"""Signals in words, each with links to the papers that it was counted in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.notes.views import short_name
from obsidian_digest.core.vault.render import Words, literal, safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from obsidian_digest.core.trends.signals import Signal
    from obsidian_digest.core.vault.places import Places

SHOWN = 6
"""So many papers of a signal are named."""


class SignalLines:
    """Words signals in one language, with the vault's own links."""

    def __init__(
        self, words: Words, places: Places, titles: Mapping[str, str], themes: Mapping[str, str]
    ) -> None:
        """`titles` are plain titles of papers, `themes` names of themes, by id."""
        self._words = words
        self._places = places
        self._titles = titles
        self._themes = themes

    def line(self, signal: Signal) -> Markup:
        """One signal."""
        theme = signal.kind in {"grew", "new", "back"}
        return self._words(
            f"signal_{signal.kind}",
            what=self.theme(signal.what) if theme else signal.what,
            n=len(signal.papers),
            of=signal.of,
            before=safe(f"{signal.before:g}"),
            of_before=signal.of_before,
            weeks=signal.weeks,
            papers=self._papers(signal.papers),
        )

    def _papers(self, papers: tuple[str, ...]) -> Markup:
        shown = self._words("each", names=tuple(self.paper(each) for each in papers[:SHOWN]))
        more = len(papers) - SHOWN
        return self._words("and_more", names=shown, n=more) if more > 0 else shown

    def paper(self, arxiv_id: str, *, whole: bool = False) -> Markup:
        """A link to a paper's note, or its title where it has none."""
        title = self._titles.get(arxiv_id, arxiv_id)
        shown = title if whole else short_name(title)
        link = self._places.link("paper", arxiv_id, shown)
        return safe(link) if link else literal(shown)

    def short(self, arxiv_id: str) -> str:
        """What people call a paper."""
        return short_name(self._titles.get(arxiv_id, arxiv_id))

    def theme(self, key: str) -> Markup:
        """A link to a theme's note, or its name where it has none."""
        link = self._places.link("theme", key)
        return safe(link) if link else literal(self._themes.get(key, key))
