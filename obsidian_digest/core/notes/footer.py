"""How notes of ours link up: the map of content, and the reader's home where he has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.places import Places

NOTES_HEADING = "## Notes"
"""The reader's part of a note: it stands below the last region."""


def up(config: Config, places: Places) -> str:
    """A link to the map of content, under the name the reader gave it."""
    name = config.notes.moc
    renamed = None if places.named(name) else places.link("moc", "moc")
    return renamed or f"[[{name}]]"


def tail(config: Config, places: Places) -> str:
    """Heading and footer: outside the regions, so that a renamed Home breaks no seal."""
    home = config.notes.home
    links = [up(config, places), *([f"[[{home}]]"] if places.resolve(home) else [])]
    return f"{NOTES_HEADING}\n\n{' · '.join(links)}"
