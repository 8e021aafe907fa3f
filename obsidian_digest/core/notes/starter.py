"""What `init` lays down: the interests note, the map of content, the table of all papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.errors import VaultError
from obsidian_digest.model import Update
from obsidian_digest.note import region
from obsidian_digest.note.append import UnsafeEndError, appended
from obsidian_digest.note.names import collision_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from obsidian_digest.core.vault.places import Places


def interests_note(templates: Mapping[str, str], language: str) -> str:
    """An interests note that explains itself and holds no interest yet."""
    return templates.get(f"interests.{language}.md") or templates["interests.en.md"]


def moc_note(region_text: str) -> str:
    """A map of content whose one region is kept up to date; the rest is the reader's."""
    return region.wrap("moc", region_text) + "\n"


def readers_moc(places: Places, name: str) -> str | None:
    """Where the reader's own map of content lies; None if it holds our region, or there is none.

    Raises VaultError where more than one note has that name.
    """
    if ("moc", "moc") in places.by_key:
        return None
    found = places.stems.get(collision_key(name), [])
    if len(found) > 1:
        what = f"{len(found)} notes have this name: {', '.join(sorted(found))}"
        raise VaultError(what, name, "Name another map of content in [notes] moc.")
    return found[0] if found else None


def with_our_region(path: str, raw: bytes | None, region_text: str) -> Update:
    """The reader's own map of content with our region at its end. Raises VaultError.

    `raw` is None where it cannot be read.
    """
    if raw is None:
        raise VaultError("cannot be read", path, "Nothing was written.")
    try:
        return Update(path, raw, appended(raw, "moc", region_text))
    except UnsafeEndError as error:
        hint = "Nothing was written. Mend that, then call init --moc again."
        raise VaultError(f"cannot be added to: {error}", path, hint) from error
