"""The law of a note: compares drafts with the vault and names every change before any is made."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.law import picture_files
from obsidian_digest.core.law.revision import Revision
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.core.vault.property_types import fitted
from obsidian_digest.model import Create, FileDraft, Keep, Plan, Update
from obsidian_digest.note import copies, header, region
from obsidian_digest.note.links import links

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Kind, NoteDraft, NoteFile, Region, Snapshot

    _Identity = tuple[Kind, str]

_TELLING = ("digest", "week", "moc")
_HEADING = re.compile(r"^## (.+?)\r?$", re.MULTILINE)


def plan(
    drafts: Iterable[NoteDraft | FileDraft],
    snapshot: Snapshot,
    places: Places,
    deleted: Collection[str],
    *,
    mend: bool = True,
) -> Plan:
    """Every change the drafts and the reader's renames ask for, in the order of the drafts.

    `deleted` holds the ids of papers that had a note and have none: they get no new one. Without
    `mend` only what the drafts ask for.
    """
    standing = {note.path: note.raw for note in snapshot.notes}
    table = _Table(places, {**standing, **snapshot.files})
    table.set_aside(snapshot.notes)
    for draft in drafts:
        if isinstance(draft, FileDraft):
            table.lay(draft, snapshot)
        else:
            table.place(draft, deleted)
    if mend:
        table.mend()
    return table.plan()


@dataclass(slots=True)
class _Table:
    """The vault's notes of ours with the changes decided so far."""

    places: Places
    standing: Mapping[str, bytes]
    """What stands at the paths of our notes and files."""
    editable: dict[_Identity, NoteFile] = field(default_factory=dict)
    aside: dict[_Identity, list[Keep]] = field(default_factory=lambda: defaultdict(list))
    """Notes that nothing is written into, and why."""
    texts: dict[str, str] = field(default_factory=dict)
    """Every note and file looked at, as it shall read, in the order of writing."""
    kept: list[Keep] = field(default_factory=list)
    names: frozenset[str] | None = None
    """The answer of `told`, once it was asked."""

    def set_aside(self, notes: Iterable[NoteFile]) -> None:
        """Sorts out what cannot be edited safely; all but the reader's own notes are told."""
        by_key: dict[_Identity, list[NoteFile]] = defaultdict(list)
        for note in copies.settle(notes):
            by_key[note.kind, note.key].append(note)
        for key, same in by_key.items():
            for note in same:
                if note.trouble is None:
                    self.editable[key] = note
                    continue
                keep = Keep(note.path, note.trouble, copies.particulars(note, same))
                self.aside[key].append(keep)
                if note.trouble != "foreign":
                    self.kept.append(keep)

    def place(self, draft: NoteDraft, deleted: Collection[str]) -> None:
        """Finds what becomes of one draft: first match in the order of the law's table."""
        key = (draft.kind, draft.key)
        draft = spelt(draft, self.places)
        if key in self.editable:
            revision = self._revision(self.editable[key])
            revision.take_in(draft)
            self._accept(revision)
        elif key in self.aside:
            self.kept += self.aside[key]
        elif draft.birth and draft.kind == "paper" and draft.key in deleted:
            self.kept.append(Keep(draft.path, "deleted", "its note was deleted"))
        elif draft.birth:
            self.texts[draft.path] = born(typed(draft, self.places.settings.property_types))

    def lay(self, draft: FileDraft, snapshot: Snapshot) -> None:
        """Finds what becomes of a picture or canvas."""
        found = picture_files.planned(draft, snapshot)
        if isinstance(found, Keep):
            self.kept.append(found)
        elif found is not None:
            path, raw = found
            self.texts[path] = raw.decode()

    def mend(self) -> None:
        """Links follow notes that were renamed or deleted, in every note of ours."""
        for note in self.editable.values():
            revision = self._revision(note)
            revision.mend()
            self._accept(revision)

    def _revision(self, note: NoteFile) -> Revision:
        text = self.texts.get(note.path) or note.raw.decode("utf-8")
        return Revision(note, text, self.places, self.told)

    def told(self) -> frozenset[str]:
        """What digests, weeks and the map name: themes whose note was deleted, too."""
        if self.names is None:
            telling = (note for note in self.editable.values() if note.kind in _TELLING)
            self.names = frozenset().union(*(_told(note.raw.decode("utf-8")) for note in telling))
        return self.names

    def _accept(self, revision: Revision) -> None:
        self.texts[revision.note.path] = revision.text
        self.kept += revision.kept

    def plan(self) -> Plan:
        """The changes as a whole, in the order of writing."""
        changes: list[Create | Update] = []
        unchanged = []
        for path, text in self.texts.items():
            before, after = self.standing.get(path), text.encode()
            if before is None:
                changes.append(Create(path, after))
            elif after != before:
                changes.append(Update(path, before, after))
            else:
                unchanged.append(path)
        kept = tuple(dict.fromkeys(self.kept))
        return Plan(tuple(changes), kept, tuple(unchanged))


def _told(text: str) -> set[str]:
    """The names of notes that our regions link to, and what their headings say without a link."""
    regions = "\n".join(each.text for each in region.find(text))
    return {base_name(link.target) for link in links(regions)} | set(_HEADING.findall(regions))


def spelt(draft: NoteDraft, places: Places) -> NoteDraft:
    """The draft with its links in the form that the vault's settings ask for."""

    def regions(given: Iterable[Region]) -> tuple[Region, ...]:
        return tuple(replace(each, text=places.spell(each.text, draft.path)) for each in given)

    return replace(
        draft,
        regions=regions(draft.regions),
        added=regions(draft.added),
        tail=places.spell(draft.tail, draft.path),
    )


def typed(draft: NoteDraft, types: Mapping[str, str]) -> NoteDraft:
    """The draft of a new note with its properties as the vault's `types.json` asks for them."""
    return replace(draft, owned=fitted(draft.owned, types), seeded=fitted(draft.seeded, types))


def born(draft: NoteDraft) -> str:
    """The whole text of a new note."""
    parts = [region.wrap(each.name, each.text) for each in draft.regions]
    if draft.tail:
        parts.append(draft.tail)
    head = header.write({**draft.owned, **draft.seeded})
    return head + "\n" + "\n\n".join(parts) + "\n"
