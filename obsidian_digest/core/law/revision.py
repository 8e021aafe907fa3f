"""One note of ours changed where the law allows it: the rest of it is the reader's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.places import base_name
from obsidian_digest.core.vault.property_types import fitted, ours_in, text_in, to_edit
from obsidian_digest.core.vault.theme_pins import named_theme
from obsidian_digest.model import Keep
from obsidian_digest.note import header, region
from obsidian_digest.note.links import links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import HeaderValue, KeepReason, NoteDraft, NoteFile, Region
    from obsidian_digest.note.region import Found

LINK_PROPERTIES = ("related", "digests", "theme")
"""Of paper notes; in all others these are the reader's."""


@dataclass(slots=True)
class Revision:
    """A note as it shall read, and what was left alone in it."""

    note: NoteFile
    text: str
    places: Places
    told: Callable[[], frozenset[str]] = frozenset
    """Gives what our notes name: what themes were called that had a note once. Rarely asked."""
    kept: list[Keep] = field(default_factory=list)

    def take_in(self, draft: NoteDraft) -> None:
        """The draft's properties and regions, as far as the reader left them to us."""
        if draft.owned:
            types = self.places.settings.property_types
            known = header.read(self.text)
            changes, removed = to_edit(known, draft.owned, types)
            if self._is_his_theme(known):
                changes.pop(ours_in(known, "theme", types) or "", None)
            self._in_header(header.edit, changes)
            for name in removed:
                self._keep("deleted", f"property {name}")
        self._in_header(header.add, fitted(draft.gained, self.places.settings.property_types))
        for wanted in draft.regions:
            self._put(wanted)
        for new in draft.added:
            self._add(new)

    def _put(self, wanted: Region) -> None:
        found = {each.name: each for each in region.find(self.text)}.get(wanted.name)
        if found is None:
            self._keep("deleted", f"region {wanted.name}")
        elif found.text.replace("\r\n", "\n") != wanted.text.strip("\n"):
            self._replace(found, wanted.text)

    def _replace(self, found: Found, text: str) -> None:
        if region.intact(found, lambda target: self.places.trusts(target, self.note.path)):
            self.text = region.replace(self.text, found, text)
        else:
            self._keep("edited", f"region {found.name}")

    def _add(self, new: Region) -> None:
        if region.find(self.text):
            self.text = region.append(self.text, new.name, new.text)
        else:
            self._keep("deleted", f"region {new.name}")

    def mend(self) -> None:
        """Every intact region and link property follows notes that were renamed or deleted."""
        for found in reversed(region.find(self.text)):
            mended = self.places.mend(found.text, self.note.path)
            if mended != found.text:
                self._replace(found, mended)
        if self.note.kind == "paper":
            untouched = self.text.encode() == self.note.raw
            known = self.note.header if untouched else header.read(self.text)
            self._in_header(header.edit, dict(self._mended(known)))

    def _mended(
        self, known: Mapping[str, str | tuple[str, ...]]
    ) -> Iterable[tuple[str, HeaderValue]]:
        """Those link properties that do not lead where they should."""
        for name in LINK_PROPERTIES:
            found = ours_in(known, name, self.places.settings.property_types)
            value = known[found] if found else ""
            if name == "theme" and self._is_his_theme(known):
                self._keep("edited", f"property theme: no theme's note is called {value}")
                continue
            values = value if isinstance(value, tuple) else (value,)
            mended = self.places.mend_links(values, self.note.path)
            if found and value and mended != values:
                yield found, mended if isinstance(value, tuple) else next(iter(mended), None)

    def _is_his_theme(self, known: Mapping[str, str | tuple[str, ...]]) -> bool:
        """Whether the paper's theme is a name of the reader's own that no note of a theme had."""
        value = text_in(known, "theme")
        if self.note.kind != "paper" or not value:
            return False
        names = {base_name(link.target) for link in links(value)} or {value}
        unknown = named_theme(value, self.note.path, self.places) is None
        return unknown and self.told().isdisjoint(names)

    def _in_header(
        self,
        change: Callable[[str, Mapping[str, HeaderValue]], str],
        properties: Mapping[str, HeaderValue],
    ) -> None:
        if not properties:
            return
        try:
            self.text = change(self.text, properties)
        except header.UnreadableHeaderError as error:
            self._keep("unreadable", str(error))

    def _keep(self, reason: KeepReason, detail: str) -> None:
        self.kept.append(Keep(self.note.path, reason, detail))
