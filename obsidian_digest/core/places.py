"""Where each note lies or will be born, and how a link to it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from obsidian_digest.note.names import collision_key, id_in, unique, wikilink

if TYPE_CHECKING:
    from collections.abc import Iterable

    from obsidian_digest.model import Kind, Snapshot

_LINK = re.compile(
    r"\[\[(?P<target>[^\[\]|#\n]+?)(?P<sub>#[^\[\]|\n]*)?(?:\\?\|(?P<label>[^\[\]\n]*))?\]\]"
)


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

    @classmethod
    def of(cls, snapshot: Snapshot, names: Iterable[str] = ()) -> Places:
        """The map of the vault as it stands."""
        places = cls(names=frozenset(collision_key(name) for name in names))
        for path in snapshot.paths:
            places._enter(path)
        for note in snapshot.notes:
            identity = (note.kind, note.key)
            places.by_key.setdefault(identity, note.path)
            places.by_path[note.path] = identity
            title = note.header.get("title")
            if note.kind != "paper" and isinstance(title, str) and title:
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

    def named(self, stem: str) -> bool:
        """Whether any note of this base name exists, however many."""
        return collision_key(stem) in self.stems

    def resolve(self, target: str) -> str | None:
        """The path a wikilink leads to; None if to nothing or to more than one note."""
        key = collision_key(target.strip().removesuffix(".md"))
        if key in self.paths:
            return self.paths[key]
        found = self.stems.get(key.rsplit("/", 1)[-1], [])
        if "/" in key:
            found = [path for path in found if collision_key(path).endswith(f"/{key}.md")]
        return found[0] if len(found) == 1 else None

    def target(self, path: str) -> str:
        """How a link names the note: its bare name, or its path where the name is not unique."""
        stem = base_name(path)
        shared = len(self.stems.get(collision_key(stem), [])) > 1
        return path.removesuffix(".md") if shared else stem

    def link(self, kind: Kind, key: str, label: str = "") -> str | None:
        """A wikilink to the note of this identity, shown as plain `label`; None if gone."""
        path = self.by_key.get((kind, key))
        return wikilink(self.target(path), label) if path is not None else None

    def identity(self, target: str) -> tuple[Kind, str] | None:
        """The note of ours that a link of ours means, also when it was renamed or is gone.

        Of two notes of one name ours is meant: the reader's came later, or we had written a path.
        """
        key = collision_key(target.strip().removesuffix(".md"))
        stem = key.rsplit("/", 1)[-1]
        for path in [self.paths.get(key, ""), *sorted(self.stems.get(stem, []))]:
            if path in self.by_path:
                return self.by_path[path]
        paper = id_in(target)
        return ("paper", paper) if paper else self.by_title.get(stem)

    def trusts(self, target: str) -> bool:
        """Whether a link may stand in a region of ours (`note.region.Trusted`)."""
        known = self.identity(target) is not None or self.resolve(target) is None
        return known or collision_key(base_name(target)) in self.names

    def mend(self, text: str) -> str:
        """Links to renamed notes follow them; links to notes that are gone become their label."""

        def mended(found: re.Match[str]) -> str:
            target = found["target"]
            path = self.by_key.get(self.identity(target) or ("paper", ""))
            if path is not None and self.resolve(target) != path:
                return found[0].replace(f"[[{target}", f"[[{self.target(path)}", 1)
            named = collision_key(base_name(target)) in self.names
            if path is None and self.resolve(target) is None and not named:
                return found["label"] or base_name(target)
            return found[0]

        return _LINK.sub(mended, text)

    def mend_links(self, links: Iterable[str]) -> tuple[str, ...]:
        """A property's list, its links mended; links to notes that are gone are dropped."""
        pairs = [(link, self.mend(link)) for link in links]
        return tuple(new for old, new in pairs if "[[" in new or "[[" not in old)
