"""What `doctor` concludes from the vault and its surroundings: one check a question."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from obsidian_digest.core.checks.findings import Check
from obsidian_digest.core.ranking.interests import parse_interests
from obsidian_digest.core.texts.language import legible, sentences
from obsidian_digest.core.texts.plural import many
from obsidian_digest.core.vault.property_types import warnings
from obsidian_digest.note.header import split
from obsidian_digest.note.names import collision_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from obsidian_digest.config import Folders
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Snapshot

REWRITERS = {
    "obsidian-linter": "Linter",
    "update-time-on-edit": "Update time on edit",
    "update-time": "Update time",
    "frontmatter-modified-date": "Update modified date",
    "frontmatter-date-manager": "Frontmatter date manager",
    "automatic-linker": "Automatic linker",
}
"""Plugins that change notes on their own, by id."""
_COPY = re.compile(
    r" \(Conflicted copy [^/]*\)\.\w+$"  # Obsidian Sync
    r"| \([^/()]*conflicted copy[^/()]*\)\.\w+$"  # Dropbox
    r"|\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?\.\w+$"  # Syncthing
    r"|(?:^|/)conflict-files-obsidian-git\.md$",  # the Git plugin's list of conflicts
    re.IGNORECASE,
)
MOST_NAMED = 3


def nested(outer: str, inner: Sequence[str]) -> Check:
    """Vaults in vaults: Obsidian advises against them, and links do not cross."""
    if outer:
        detail = f"this vault lies inside another one, {outer}"
        return Check("nested", "warning", detail, "Name the one you mean with --vault DIR.")
    if inner:
        detail = f"{many(len(inner), 'other vault')} inside this one: {_some(inner)}"
        hint = "Notes there count as this vault's too; keep vaults beside each other."
        return Check("nested", "warning", detail, hint)
    return Check("nested", "ok", "no vault lies inside another one")


def config_folder(name: str, others: Sequence[str], troubles: Iterable[str]) -> Check:
    """Whether Obsidian's own settings can be read, and are the ones Obsidian uses."""
    unread = list(dict.fromkeys(troubles))
    if unread:
        hint = "Changing a setting in Obsidian writes its file anew."
        return Check("config-folder", "warning", "; ".join(unread), hint)
    if others:
        detail = f"{_some(others)} looks like a config folder of Obsidian, too; {name} is used"
        return Check("config-folder", "warning", detail, "Name another one with --config-dir.")
    return Check("config-folder", "ok", f"Obsidian's settings in {name} can be read")


def property_types(types: Mapping[str, str]) -> Check:
    """Properties that this vault uses for something else: our notes carry other names then."""
    moved = warnings(types)
    if moved:
        return Check("types", "ok", " ".join(moved).removesuffix("."))
    return Check("types", "ok", "no property of ours has another type in this vault")


def excluded(paths: Iterable[str], folders: Folders, filters: Iterable[str]) -> Check:
    """Whether notes of ours are hidden from search, graph and suggestions by a filter."""
    looked_at = [*paths, *(f"{each}/x.md" for each in _named(folders).values() if each)]
    hiding = [each for each in filters if any(_hides(each, path) for path in looked_at)]
    if hiding:
        detail = f"Obsidian's excluded files hide notes of ours: {_some(hiding)}"
        hint = "Search and graph leave them out; see Settings, Files and links, Excluded files."
        return Check("excluded", "warning", detail, hint)
    return Check("excluded", "ok", "no note of ours is among Obsidian's excluded files")


def _hides(given: str, path: str) -> bool:
    if len(given) > 2 and given.startswith("/") and given.endswith("/"):  # noqa: PLR2004
        try:
            return re.search(given[1:-1], path) is not None
        except (re.error, OverflowError):  # an expression that only JavaScript knows
            return False
    return bool(given) and path.casefold().startswith(given.casefold())


def templating(folders: Folders, template_folders: Mapping[str, str]) -> Check:
    """Whether new notes of ours are born where a plugin looks for templates."""
    for plugin, templates in template_folders.items():
        for name, folder in _named(folders).items():
            if f"{folder}/".casefold().startswith(f"{templates}/".casefold()):
                detail = f"folders.{name} ({folder}) lies in the template folder of {plugin}"
                hint = "Name another folder in obsidian-digest.toml: there notes are templates."
                return Check("templating", "warning", detail, hint)
    return Check("templating", "ok", "no folder of ours holds templates of Obsidian or Templater")


def _named(folders: Folders) -> dict[str, str]:
    names = ("papers", "digests", "themes", "weeks")
    return {name: getattr(folders, name) for name in names}


def interests(snapshot: Snapshot, places: Places, name: str, encoder: str = "") -> Check:
    """Whether there is one interests note, and it says something that the encoder can read."""
    path = places.resolve(name)
    if path is None and places.named(name):
        detail = f'more than one note is called "{name}"'
        return Check("interests", "problem", detail, "Rename all but one of them.")
    if path is None or path not in snapshot.texts:
        hint = "Digests show what stands for the day; obsidian-digest init writes the note."
        return Check("interests", "warning", f'there is no note "{name}"', hint)
    found = parse_interests(split(snapshot.texts[path]).body, lambda _: None)
    if not found:
        hint = "Digests show what stands for the day; write a second-level heading for each."
        return Check("interests", "warning", f"{path} holds no interest yet", hint)
    unread = sentences(legible(found, (), encoder)[2])
    if unread:
        return Check("interests", "warning", " ".join(unread))
    counts = [many(len(found.interests), "interest")]
    watched = len(found.watched_authors) + len(found.watched_ids)
    counts += [f"{watched} to watch"] if watched else []
    return Check("interests", "ok", f"{path} holds {', '.join(counts)}")


def map_of_content(places: Places, name: str) -> Check:
    """Whether the note that all of ours link up to exists."""
    ours = places.by_key.get(("moc", "moc"))
    if ours:
        return Check("map", "ok", f"{ours} lists themes and digests")
    if places.named(name):
        detail = f'"{name}" is a note of yours, nothing is written into it'
        return Check("map", "ok", detail)
    hint = "Links up to it lead nowhere; obsidian-digest init writes it."
    return Check("map", "warning", f'there is no note "{name}"', hint)


def rewriters(plugins: Iterable[str]) -> Check:
    """Plugins that change notes by themselves: worth knowing, nothing wrong."""
    found = [REWRITERS[each] for each in plugins if each in REWRITERS]
    if found:
        detail = f"plugins that rewrite notes by themselves: {_some(found)}"
        hint = "A region they change counts as edited, blank lines and list markers aside."
        return Check("plugins", "warning", detail, hint)
    return Check("plugins", "ok", "no plugin is known to rewrite notes by itself")


def copies(paths: Iterable[str]) -> Check:
    """Copies that a sync service made of a conflict."""
    found = [path for path in paths if _COPY.search(path)]
    if found:
        detail = f"{many(len(found), 'copy', 'copies')} of sync conflicts: {_some(found)}"
        hint = "Take over what you need from them and delete them."
        return Check("copies", "warning", detail, hint)
    return Check("copies", "ok", "no copy of a sync conflict")


def clashes(paths: Iterable[str]) -> Check:
    """Files or folders that are one on a Mac or on Windows: names equal but for case or accents."""
    spelt: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            whole = "/".join(parts[:end])
            spelt[collision_key(whole)].add(whole)
    found = [" and ".join(sorted(names)) for names in spelt.values() if len(names) > 1]
    if found:
        detail = f"{many(len(found), 'clash', 'clashes')} of names: {_some(sorted(found))}"
        hint = "On a Mac or on Windows they are one file; rename one of them."
        return Check("names", "warning", detail, hint)
    return Check("names", "ok", "no two names differ only in case or in the form of accents")


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
