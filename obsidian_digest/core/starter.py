"""The notes that `init` lays down: the interests note and the map of content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.note import region

if TYPE_CHECKING:
    from collections.abc import Mapping


def interests_note(templates: Mapping[str, str], language: str) -> str:
    """An interests note that explains itself and holds no interest yet."""
    return templates.get(f"interests.{language}.md") or templates["interests.en.md"]


def moc_note(region_text: str) -> str:
    """A map of content whose one region is kept up to date; the rest is the reader's."""
    return region.wrap("moc", region_text) + "\n"
