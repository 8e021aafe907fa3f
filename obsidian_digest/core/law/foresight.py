"""The vault as a run will leave it: what themes and the map of content are drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.law.after import after
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.vault.memory import remember

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import FileDraft, Memory, NoteDraft, Snapshot


def foresee(
    drafts: Iterable[NoteDraft],
    snapshot: Snapshot,
    places: Places,
    deleted: Collection[str],
    first: Iterable[NoteDraft | FileDraft] = (),
) -> Memory:
    """What the vault will tell once these drafts of papers and digests are written, after `first`.

    A note that is left alone, or from which the reader took a property, tells what it told before:
    the next run reads the same, and so has nothing to write.
    """
    planned = plan((*first, *drafts), snapshot, places, deleted, mend=False)
    return remember(after(snapshot, planned), places)
