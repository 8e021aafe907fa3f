"""Where each note lies or will be born, and how a link to it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.property_types import text_in
from obsidian_digest.model import VaultSettings
from obsidian_digest.note import links
from obsidian_digest.note.names import collision_key, id_in, unique, wikilink
from obsidian_digest.note.text import link_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from obsidian_digest.model import Kind, LinkPath, Snapshot
    from obsidian_digest.note.links import NoteLink


_UNLINKABLE = re.compile(r"[\[\]|#^\\]|%%")
"""In a link these characters mean something else than a part of a name."""


def base_name(path: str) -> str:
    """What a link calls the note at this path, or at the path of a link's target."""
    return path.rsplit("/", 1)[-1].removesuffix(".md")


@dataclass(slots=True)
class Places:
    """The vault's map, with the names that this run has claimed for notes to be born."""

    by_key: dict[tuple[Kind, str], str] = field(default_factory=dict)
    by_path: dict[str, tuple[Kind, str]] = field(default_factory=dict)
    by_title: dict[str, tuple[Kind, str]] = field(default_factory=dict)
    stems: dict[str, list[str]] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    """Names of the reader's notes that we link to (`collision_key`)."""
    settings: VaultSettings = field(default_factory=VaultSettings)

    @classmethod
    def of(cls, snapshot: Snapshot, names: Iterable[str] = ()) -> Places:
        """The map of the vault as it stands."""
        linked = frozenset(collision_key(name) for name in names)
        places = cls(names=linked, settings=snapshot.settings)
        for path in snapshot.paths:
            places._enter(path)
        for note in snapshot.notes:
            identity = (note.kind, note.key)
            places.by_key.setdefault(identity, note.path)
            places.by_path[note.path] = identity
            title = text_in(note.header, "title")
            if note.kind != "paper" and title:
                places.by_title.setdefault(collision_key(title), identity)
        return places

    def _enter(self, path: str) -> None:
        name = path.removesuffix(".md")
        self.paths.setdefault(collision_key(name), path)
        self.stems.setdefault(collision_key(base_name(path)), []).append(path)

    def claim(self, kind: Kind, key: str, folder: str, stem: str) -> str:
        """The note's path: where it lies, or a free name in `folder` that is now taken."""
        if (kind, key) in self.by_key:
            return self.by_key[kind, key]
        free = unique(stem, self.stems)
        path = f"{folder}/{free}.md" if folder else f"{free}.md"
        self._enter(path)
        self.by_key[kind, key] = path
        self.by_path[path] = (kind, key)
        return path

    def reserve(self, path: str) -> None:
        """Takes the name of a file that is about to be made and is no note."""
        if not self.named(base_name(path)):
            self._enter(path)

    def named(self, stem: str) -> bool:
        """Whether any note of this base name exists, however many."""
        return collision_key(stem) in self.stems

    def resolve(self, target: str, source: str = "") -> str | None:
        """The path a link in the note `source` leads to; None if to nothing or to more than one."""
        key = self._key(target, source)
        if links.is_relative(target.strip()):
            return self.paths.get(key)
        near = [key]
        if self.settings.link_path == "relative":
            # There Obsidian itself writes no dot for a note in the same folder.
            beside = collision_key(links.absolute(f"./{target.strip()}", source))
            near.append(beside.removesuffix(".md"))
        for path in near:
            if path in self.paths:
                return self.paths[path]
        found = self.stems.get(key.rsplit("/", 1)[-1], [])
        if "/" in key:
            found = [path for path in found if collision_key(path).endswith(f"/{key}.md")]
        return found[0] if len(found) == 1 else None

    def _key(self, target: str, source: str) -> str:
        return collision_key(links.absolute(target.strip(), source).removesuffix(".md"))

    def target(self, path: str) -> str:
        """How a link names the note: its bare name, or its path where the name is not unique."""
        stem = base_name(path)
        shared = len(self.stems.get(collision_key(stem), [])) > 1
        return path.removesuffix(".md") if shared else stem

    def link(self, kind: Kind, key: str, label: str = "") -> str | None:
        """A wikilink to the note of this identity, shown as plain `label`; None if gone.

        All links are made in this one form; `spell` gives them the vault's own.
        """
        path = self.by_key.get((kind, key))
        return wikilink(self.target(path), label) if path is not None else None

    def own(self, path: str) -> str | None:
        """A bare link to a note of the reader's own; None where none can lead there.

        Nor where it would be taken for a link to a note of ours.
        """
        target = self.target(path)
        if _UNLINKABLE.search(path) or self.identity(path.removesuffix(".md")):
            return None
        return wikilink(target)

    def identity(self, target: str, source: str = "") -> tuple[Kind, str] | None:
        """The note of ours that a link of ours means, also when it was renamed or is gone.

        Of two notes of one name ours is meant: the reader's came later, or we had written a path.
        """
        key = self._key(target, source)
        stem = key.rsplit("/", 1)[-1]
        for path in [self.paths.get(key, ""), *sorted(self.stems.get(stem, []))]:
            if path in self.by_path:
                return self.by_path[path]
        paper = id_in(target)
        return ("paper", paper) if paper else self.by_title.get(stem)

    def trusts(self, target: str, source: str = "") -> bool:
        """Whether a link may stand in a region of ours (`note.region.Trusted`)."""
        unknown = self.identity(target, source) is None
        return not (unknown and self.resolve(target, source)) or self._named(target)

    def _named(self, target: str) -> bool:
        return collision_key(base_name(target)) in self.names

    def spell(self, markdown: str, source: str) -> str:
        """Text of ours for the note `source`, its links in the form the vault asks for.

        Properties do without: there a bare name in a wikilink survives every move of the note.
        """
        if self.settings.link_path == "shortest" and not self.settings.markdown_links:
            return markdown
        return links.rewrite(markdown, lambda link: self._spelt(link, source))

    def _spelt(self, link: NoteLink, source: str) -> str:
        path = self.resolve(link.target, source)
        target = self._shown(path, source) if path else link.target
        form = links.markdown if self.settings.markdown_links else links.wiki
        return form(target, link.sub, link.label)

    def _shown(self, path: str, source: str, link_path: LinkPath | None = None) -> str:
        form = link_path or self.settings.link_path
        whole = path.removesuffix(".md")
        if form == "relative":
            return links.relative(whole, source)
        return whole if form == "absolute" else self.target(path)

    def mend(self, text: str, source: str, link_path: LinkPath | None = None) -> str:
        """Links to renamed notes follow them; links to notes that are gone become their label."""

        def mended(link: NoteLink) -> str | None:
            path = self.by_key.get(self.identity(link.target, source) or ("paper", ""))
            leads = self.resolve(link.target, source)
            if path is None and leads is None and self._named(link.target):
                path = self.resolve(base_name(link.target))
            if path is not None and leads != path:
                form = links.markdown if link.markdown else links.wiki
                return form(self._shown(path, source, link_path), link.sub, link.label)
            if path is None and leads is None and not self._named(link.target):
                return link.label or link_label(base_name(link.target))
            return None

        return links.rewrite(text, mended)

    def mend_links(self, values: Iterable[str], source: str) -> tuple[str, ...]:
        """A property's list, its links mended; links to notes that are gone are dropped."""
        pairs = [(value, self.mend(value, source, "shortest")) for value in values]
        return tuple(new for old, new in pairs if "[[" in new or "[[" not in old)
