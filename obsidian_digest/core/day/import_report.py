"""What an import says of itself: the outcome's word and the sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.plural import many

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

MOST_NAMED = 8
"""So many days are named in a sentence."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What an import came to, in numbers."""

    new: int
    """Papers that have no note and may get one."""
    chosen: int
    """Papers that were good enough, with a note or without."""
    imported: int
    left: int
    """Papers that have a note already."""
    deleted: int
    """Papers whose note the reader deleted."""
    not_found: int
    offline: bool = False
    days: int = 0
    missing: Sequence[date] = ()


def outcome(counted: Counted) -> str:
    """The word for an import that nothing ended before its end."""
    if counted.missing or counted.not_found:
        return "partial"
    if counted.imported:
        return "imported"
    return "nothing-relevant" if counted.new and not counted.chosen else "nothing-new"


def sentence(counted: Counted, *, by_interests: bool, writes: bool) -> str:
    """What was done, and what not, for a person; `writes`: it was done, not only planned."""
    done = "imported" if writes else "would be imported"
    said = [f"{many(counted.imported, 'paper')} {done}"]
    if counted.new > counted.imported:
        said[0] += f" of {counted.new} without a note"
    if counted.left:
        said.append(f"{counted.left} had a note already")
    if counted.deleted:
        said.append(many(counted.deleted, "stays deleted", "stay deleted"))
    if counted.not_found:
        how = "not looked up (--offline)" if counted.offline else "not found"
        said.append(f"{counted.not_found} {how}")
    text = f"{', '.join(said)}."
    if counted.missing:
        named = ", ".join(day.isoformat() for day in counted.missing[:MOST_NAMED])
        more = len(counted.missing) - MOST_NAMED
        rest = f" and {more} more" if more > 0 else ""
        text += (
            f" {len(counted.missing)} of {many(counted.days, 'day')} missing: {named}{rest};"
            " the same command goes on there."
        )
    if counted.new and not by_interests:
        text += " No interests are written yet, so stars say little."
    return text
