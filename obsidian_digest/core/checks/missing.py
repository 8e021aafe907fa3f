"""Tells a vault that is only half there from a reader who tidied up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.errors import VaultBusyError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from obsidian_digest.model import Memory, Snapshot

FEWEST = 10
"""Fewer notes than this may go at once without a word."""
MOST_OF_SEEN, MOST_OF_PICKED = 0.5, 0.9
"""The part of the notes that may go; more where the last run's state is not there to compare."""
FLAG = "--accept-deletions"


def noted(snapshot: Snapshot) -> frozenset[str]:
    """Ids of all papers that have a note, the reader's own included."""
    return frozenset(note.key for note in snapshot.notes if note.kind == "paper")


def picked(memory: Memory) -> frozenset[str]:
    """Ids of all papers that a digest names; one that has no note was deleted by the reader."""
    return frozenset(each for digest in memory.digests.values() for each in digest.picked)


def refuse_if_most_are_gone(
    picked: AbstractSet[str], noted: AbstractSet[str], seen: AbstractSet[str] | None
) -> None:
    """Raises VaultBusyError where most of the notes a run knew are gone at once.

    A sync that is under way, a folder that is not mounted or a checkout of another branch looks
    like that; links to all those notes would be taken out of the ones that are there.

    Args:
        picked: Ids of all papers that the vault's digests show.
        noted: Ids of all papers that have a note now, the reader's own included.
        seen: Ids that had a note when a run last ended on this machine; None if that is unknown.
            Then papers that a digest shows count as having had one.
    """
    known = picked if seen is None else seen
    gone = len(known - noted)
    most = MOST_OF_PICKED if seen is None else MOST_OF_SEEN
    if gone < FEWEST or gone <= most * len(known):
        return
    raise VaultBusyError(
        f"{gone} of {len(known)} paper notes are gone at once; a sync may be under way",
        hint=f"Nothing was done. Run again when the vault is whole, or with {FLAG} "
        "if you deleted them on purpose.",
    )
