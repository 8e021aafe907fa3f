"""Where the reader's hand shows: what he wrote, linked, moved and deleted, paper by paper."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.places import base_name
from obsidian_digest.note import header
from obsidian_digest.note.links import is_relative, rewrite
from obsidian_digest.note.names import collision_key, id_in, paper_id

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import date

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Memory, NoteFile, OwnNote, Snapshot

_INDEX = 60
"""More papers are no project's reading: whoever links so many keeps a list of all he has."""
_INDEX_SHARE, _INDEX_FROM = 0.4, 10
"""Nor are two fifths of a vault's papers, once that is ten: in a young vault two may be half."""

_ENOUGH_OF_A_DAY = 3
"""With fewer notes a day does not tell where its notes lie by themselves."""
_PUT_AWAY = frozenset({"archive", "archives", "archived", "trash", "归档", "存档", "回收站"})
"""Folders that say that a note is kept, not that it is liked."""

_REGION = re.compile(
    r"^%% digest:begin (?P<name>[a-z0-9-]+) .*?^%% digest:end (?P=name) %%",
    re.DOTALL | re.MULTILINE,
)
"""In a note whose markers are known to be in order."""
_NOTES = re.compile(r"^## Notes[ \t]*$", re.MULTILINE)
_NO_WORDS = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?:dataview|dataviewjs|bases?|tasks|query|button)\b"
    r".*?(?:^ {0,3}(?P=fence)|\Z)"
    r"|%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)|^ {0,3}#{1,6}(?:[ \t][^\n]*)?$|\[.\](?=\s)",
    re.MULTILINE | re.DOTALL,
)
"""What templates lay down before anybody writes: queries, comments, headings, empty boxes."""


def wrote(note: NoteFile, standing: Collection[str]) -> bool:
    """Whether a paper note holds words of the reader's below its header and beside our regions.

    Headings, comments and queries are no words, nor are links to the notes that are `standing` in
    every vault (the map, the home). Where no region can be told, only what follows `## Notes`
    counts: the rest may be ours, its markers lost.
    """
    text = note.raw.decode("utf-8", errors="replace").replace("\r\n", "\n")
    body = header.split(text).body
    if note.regions:
        body = _REGION.sub("", body)
    else:
        heading = _NOTES.search(body)
        body = body[heading.end() :] if heading else ""
    known = {collision_key(name) for name in standing if name}
    words = _NO_WORDS.sub(
        "", rewrite(body, lambda link: "" if _stem(link.target) in known else None)
    )
    return any(character.isalnum() for character in words)


def _stem(target: str) -> str:
    return collision_key(base_name(target.strip()))


def linked(snapshot: Snapshot, places: Places, papers: Collection[str]) -> frozenset[str]:
    """Those of the papers that a note of the reader's own links to or is about.

    A note that links to a great part of all papers is an index and says nothing of any of them.
    """
    noted = sum(note.kind == "paper" for note in snapshot.notes)
    seen: dict[str, str | None] = {}
    found: set[str | None] = set()
    for note in snapshot.own:
        targets = (_paper(target, note, places, seen) for target in note.links)
        meant = {paper for paper in targets if paper in papers}
        share = len(meant) / noted if noted and len(meant) >= _INDEX_FROM else 0.0
        if len(meant) <= _INDEX and share <= _INDEX_SHARE:
            found |= meant
    return frozenset(paper for paper in papers if paper in found)


def _paper(target: str, note: OwnNote, places: Places, seen: dict[str, str | None]) -> str | None:
    """The id of the paper that a link means; `seen` spares looking up the same name again."""
    by_place = is_relative(target) or places.settings.link_path == "relative"
    if by_place or target not in seen:
        seen[target] = _meant(target, note.path, places)
    return seen[target]


def _meant(target: str, source: str, places: Places) -> str | None:
    if named := paper_id(target):
        return named[0]
    path = places.resolve(target, source)
    if path is None:  # its note is gone, or two bear the name
        return id_in(target)
    kind, key = places.by_path.get(path, (None, ""))
    return key if kind == "paper" else None


def deleted(memory: Memory, noted: Collection[str]) -> frozenset[str]:
    """Papers that a digest shows and that have no note.

    A digest none of whose papers has one was made without notes, or its day was cleared away as a
    whole: that says nothing of any one paper.
    """
    gone: set[str] = set()
    for digest in memory.digests.values():
        missing = [paper for paper in digest.picked if paper not in noted]
        if len(missing) < len(digest.picked):
            gone.update(missing)
    return frozenset(gone)


def moved(notes: Mapping[str, NoteFile], days: Mapping[str, date], home: str) -> frozenset[str]:
    """Papers whose notes lie elsewhere than those of their day: somebody took them out.

    A day's notes are born together, so the folder where at least half of them lie is where they
    lie by themselves, whatever the config said then and whichever folder was renamed since; where
    there is none, the reader files every note, and that says nothing of any one. Papers without a
    day are one group; a day of one or two notes is judged by all of the vault's. `home` is the
    folder of new notes: nothing in there was moved.
    """
    groups: dict[date | None, list[str]] = defaultdict(list)
    folders = {}
    for paper, note in notes.items():
        if note.trouble != "foreign":
            folders[paper] = collision_key(note.path.rpartition("/")[0])
            groups[days.get(paper)].append(paper)
    born = collision_key(home)
    common = _usual(folders.values(), born)
    found: set[str] = set()
    for group in groups.values():
        enough = len(group) >= _ENOUGH_OF_A_DAY
        usual = _usual([folders[paper] for paper in group], born) if enough else common
        if usual is not None:
            found.update(p for p in group if folders[p] not in (usual, born))
    return frozenset(paper for paper in found if not _PUT_AWAY & _words(folders[paper]))


def _usual(folders: Collection[str], born: str) -> str | None:
    """The folder in which at least half of the notes lie, the one of new notes first."""
    counts = Counter(folders)
    if not counts:
        return None
    best = min(counts, key=lambda folder: (-counts[folder], folder != born, folder))
    return best if 2 * counts[best] >= len(folders) else None


def _words(folder: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", folder))
