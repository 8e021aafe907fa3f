"""The law of a file that is no note: a picture or a canvas is ours until the reader changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.vault.places import base_name
from obsidian_digest.model import Keep
from obsidian_digest.note.names import collision_key
from obsidian_digest.note.sealed_file import sealed, untouched

if TYPE_CHECKING:
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import FileDraft, Snapshot


def planned(draft: FileDraft, snapshot: Snapshot) -> Keep | tuple[str, bytes] | None:
    """Where one file lies or will lie, and what it shall hold.

    It is found by its name, wherever it was moved. One that the reader changed, or of whose name
    he has a file of his own, is left alone. None: it is gone and not to be born, so it stays away.
    """
    after = sealed(draft.text).encode()
    path = _standing(draft.path, snapshot)
    if path is None:
        return (draft.path, after) if draft.birth else None
    before = snapshot.files.get(path)
    if before is None:
        return Keep(path, "foreign", "a file of yours, or one that cannot be read, has this name")
    if before.replace(b"\r\n", b"\n") == after:
        return path, before
    return (path, after) if untouched(before) else Keep(path, "edited", "the file")


def _standing(path: str, snapshot: Snapshot) -> str | None:
    """Where the file lies: of several of its name ours comes first, then the one at its place."""
    name = collision_key(base_name(path))
    same = [each for each in snapshot.paths if collision_key(base_name(each)) == name]
    same.sort(key=lambda each: (each not in snapshot.files, each != path, each))
    return same[0] if same else None


def embed(path: str, places: Places, *, birth: bool) -> str | None:
    """How a note shows the file at this path: `![[name.svg]]`; None where there is none to show.

    With `birth` the file is about to be made, and its name is taken from now on.
    """
    if birth:
        places.reserve(path)
    return f"![[{base_name(path)}]]" if places.named(base_name(path)) else None
