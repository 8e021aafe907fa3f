"""The law of a note: compares drafts with the vault and names every change before any is made."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from obsidian_digest.model import Create, Keep, Plan, Update
from obsidian_digest.note import header, region

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from obsidian_digest.core.places import Places
    from obsidian_digest.model import HeaderValue, Kind, NoteDraft, NoteFile, Snapshot

    _Properties = Mapping[str, str | tuple[str, ...]]

_LINK_PROPERTIES = ("related", "digests", "theme")
"""Of paper notes; in all others these are the reader's."""


def plan(
    drafts: Iterable[NoteDraft], snapshot: Snapshot, places: Places, deleted: Collection[str]
) -> Plan:
    """Every change the drafts and the reader's renames ask for, in the order of the drafts.

    `deleted` holds the ids of papers that had a note and have none: they get no new one.
    """
    table = _Table(places, {note.path: note for note in snapshot.notes})
    table.set_aside(snapshot.notes)
    for draft in drafts:
        table.place(draft, deleted)
    table.mend()
    return table.plan()


@dataclass(slots=True)
class _Table:
    """The vault's notes of ours with the changes decided so far."""

    places: Places
    notes: dict[str, NoteFile]
    editable: dict[tuple[Kind, str], NoteFile] = field(default_factory=dict)
    aside: dict[tuple[Kind, str], list[Keep]] = field(default_factory=lambda: defaultdict(list))
    """Notes that nothing is written into, and why."""
    texts: dict[str, str] = field(default_factory=dict)
    """Every note looked at, as it shall read, in the order of writing."""
    kept: list[Keep] = field(default_factory=list)

    def set_aside(self, notes: Iterable[NoteFile]) -> None:
        """Sorts out what cannot be edited safely; all but the reader's own notes are told."""
        by_key: dict[tuple[Kind, str], list[NoteFile]] = defaultdict(list)
        for note in notes:
            by_key[note.kind, note.key].append(note)
        for key, same in by_key.items():
            if len(same) > 1:
                self.aside[key] = [
                    Keep(note.path, "doubled", f"{len(same)} notes") for note in same
                ]
            elif same[0].trouble:
                self.aside[key] = [Keep(same[0].path, same[0].trouble)]
            else:
                self.editable[key] = same[0]
        told = [keep for keeps in self.aside.values() for keep in keeps]
        self.kept += [keep for keep in told if keep.reason != "foreign"]

    def place(self, draft: NoteDraft, deleted: Collection[str]) -> None:
        key = (draft.kind, draft.key)
        if key in self.aside:
            self.kept += self.aside[key]
        elif key in self.editable:
            self._revise(self.editable[key], draft)
        elif draft.birth and draft.kind == "paper" and draft.key in deleted:
            self.kept.append(Keep(draft.path, "deleted"))
        elif draft.birth:
            self.texts[draft.path] = born(draft)

    def _revise(self, note: NoteFile, draft: NoteDraft) -> None:
        text = self._edit_header(note, self._text(note), draft.owned)
        for wanted in draft.regions:
            found = {each.name: each for each in region.find(text)}.get(wanted.name)
            if found is None or _same(found.text, wanted.text):
                continue
            if not region.intact(found, self.places.trusts):
                self.kept.append(Keep(note.path, "edited", wanted.name))
                continue
            text = region.replace(text, found, wanted.text)
        for new in draft.added:
            text = region.append(text, new.name, new.text)
        self.texts[note.path] = text

    def _edit_header(self, note: NoteFile, text: str, owned: Mapping[str, HeaderValue]) -> str:
        if not owned:
            return text
        try:
            return header.edit(text, owned)
        except header.UnreadableHeaderError:
            self.kept.append(Keep(note.path, "unreadable", "header"))
            return text

    def mend(self) -> None:
        """Every intact region and link property follows notes that were renamed or deleted."""
        for note in self.editable.values():
            text = self._text(note)
            for found in reversed(region.find(text)):
                mended = self.places.mend(found.text)
                if mended != found.text and region.intact(found, self.places.trusts):
                    text = region.replace(text, found, mended)
            if note.kind == "paper":
                known = header.read(text) if note.path in self.texts else note.header
                text = self._edit_header(note, text, self._mended_properties(known))
            self.texts[note.path] = text

    def _mended_properties(self, properties: _Properties) -> dict[str, HeaderValue]:
        """Those link properties that do not lead where they should."""
        mended: dict[str, HeaderValue] = {}
        for name in _LINK_PROPERTIES:
            value = properties.get(name)
            if isinstance(value, tuple):
                mended[name] = self.places.mend_links(value)
            elif value:
                mended[name] = next(iter(self.places.mend_links((value,))), None)
        return {key: value for key, value in mended.items() if value != properties[key]}

    def _text(self, note: NoteFile) -> str:
        return self.texts.get(note.path) or note.raw.decode("utf-8")

    def plan(self) -> Plan:
        changes: list[Create | Update] = []
        unchanged = []
        for path, text in self.texts.items():
            note, after = self.notes.get(path), text.encode()
            if note is None:
                changes.append(Create(path, after))
            elif after != note.raw:
                changes.append(Update(path, note.raw, after))
            else:
                unchanged.append(path)
        kept = tuple(dict.fromkeys(self.kept))
        return Plan(tuple(changes), kept, tuple(unchanged))


def _same(found: str, wanted: str) -> bool:
    return found.replace("\r\n", "\n") == wanted.strip("\n")


def born(draft: NoteDraft) -> str:
    """The whole text of a new note."""
    parts = [region.wrap(each.name, each.text) for each in draft.regions]
    if draft.tail:
        parts.append(draft.tail)
    head = header.write({**draft.owned, **draft.seeded})
    return head + "\n" + "\n\n".join(parts) + "\n"
