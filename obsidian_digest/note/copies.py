"""Two notes with one identity: which of them is ours, which are copies of it.

Programs that sync a vault lay a copy beside a note that changed on two machines. The original
stays ours; a copy is never written. Names as in the manuals of Obsidian Sync, Syncthing, Dropbox,
Nextcloud and Seafile; iCloud, Finder, Explorer, OneDrive and Google Drive add a suffix that notes
bear for other reasons too, so it counts only beside the note it was added to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.note.kinds import IDENTITY, known_by_name_only, why
from obsidian_digest.note.names import collision_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from obsidian_digest.model import Kind, NoteFile

_SURE = re.compile(
    r"""(?: \ \((?:[^()]*\ )?conflicted\ copy(?:\ [^()]*)?\)(?:\ \d+)?
    | \ \(sfconflict\ [^()]*\)
    | \.sync-conflict-\d{8}-\d{6}-[a-z0-9]{7} )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_BESIDE_ORIGINAL = re.compile(
    r"(?: \d{1,2}|(?: -)? copy(?: \(?\d+\)?)?| ?\(.+\)|-[\w.-]+)\Z", re.IGNORECASE
)


def settle(notes: Iterable[NoteFile]) -> tuple[NoteFile, ...]:
    """The notes, the one that each identity means before all others that bear it.

    Copies get the trouble `conflict`; where more than one may be the original, each is `doubled`.
    The reader's own notes about a paper, and those that are ours by name only, are left out where
    a proper one stands. Settling twice changes nothing.
    """
    groups: dict[tuple[Kind, str], list[NoteFile]] = defaultdict(list)
    for note in notes:
        groups[note.kind, note.key].append(note)
    first, behind = [], []
    for group in groups.values():
        originals, copies = _sorted(group)
        first += originals
        behind += copies
    return tuple(first + behind)


def _sorted(group: Sequence[NoteFile]) -> tuple[list[NoteFile], list[NoteFile]]:
    ours = [note for note in group if note.trouble != "foreign"]
    if not ours:
        return [group[0]], []
    proper = [note for note in ours if not known_by_name_only(note)] or ours
    copies = [note for note in proper if _is_copy(note, proper)]
    originals = [note for note in proper if note not in copies]
    if len(originals) > 1:
        originals = [replace(note, trouble="doubled") for note in originals]
    return originals, [replace(note, trouble="conflict") for note in copies]


def particulars(note: NoteFile, same: Sequence[NoteFile]) -> str:
    """Why the note is left alone, for the reader; `same` are all notes of its identity, settled."""
    others = [each.path for each in same if each.path != note.path and each.trouble != "conflict"]
    if note.trouble == "doubled":
        name = IDENTITY.get(note.kind, "region")
        return f"the same {name} as {' and '.join(others)}"
    if note.trouble == "conflict" and _is_copy(note, same):
        of = f"of {others[0]}" if others else "whose original is gone"
        return f"a copy {of}, as sync programs make"
    return why(note)


def _is_copy(note: NoteFile, same: Iterable[NoteFile]) -> bool:
    stem = _stem(note)
    if _SURE.search(stem):
        return True
    return any(
        stem.startswith(name) and _BESIDE_ORIGINAL.match(stem, len(name))
        for name in (_stem(each) for each in same if each is not note)
        if name != stem
    )


def _stem(note: NoteFile) -> str:
    return collision_key(note.path.rsplit("/", 1)[-1].removesuffix(".md"))
