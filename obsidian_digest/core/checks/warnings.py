"""What gets in a run's way and is no failure, in words: settings, texts nobody can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.notes.daily_line import daily_warnings
from obsidian_digest.core.texts import language
from obsidian_digest.core.vault import property_types

if TYPE_CHECKING:
    from datetime import date

    from obsidian_digest.config import Config
    from obsidian_digest.core.texts.language import Unread
    from obsidian_digest.model import Snapshot


def warnings(
    snapshot: Snapshot, day: date, config: Config, unread: Unread | None = None
) -> tuple[str, ...]:
    """A sentence each: files that cannot be read, types of properties, names of daily notes.

    And, where it is given, what of the reader's texts the encoder cannot read.
    """
    settings = snapshot.settings
    return (
        *settings.troubles,
        *property_types.warnings(settings.property_types),
        *daily_warnings(snapshot.daily, day, config.notes.daily_locale),
        *(language.sentences(unread) if unread else ()),
    )
