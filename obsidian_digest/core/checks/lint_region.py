"""The regions of a note of ours: seals, links, block ids, and nothing in them that acts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.core.checks.findings import Finding
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.note import region
from obsidian_digest.note.links import links
from obsidian_digest.note.names import collision_key, id_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import NoteFile
    from obsidian_digest.note.region import Found

_TEMPLATER = re.compile(r"<%|%>")
_ACTIVE = (
    ("an embed or picture", re.compile(r"!\[\[|!\[[^\[\]]*\]\(")),
    ("code, which Dataview and others run", re.compile(r"`|^\s*~~~")),
    ("a field of Dataview", re.compile("::")),
    ("a comment that hides what follows", re.compile("%%")),
    ("HTML", re.compile(r"<(?!https?://[^\s<>]*>)[A-Za-z/!?]")),
    ("a link that is no web page", re.compile(r"\]\(\s*<?(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:")),
    (
        "an address that starts a program",
        re.compile(r"\b(?i:obsidian|javascript|file|data):(?=\S)"),
    ),
)
"""What acts in Obsidian or its common plugins, where no backslash stands before it."""
_PICTURE = re.compile(r"!\[\[[^\[\]|#^<>`%:]+\.svg\]\]\r?")
"""A line of ours that shows a picture of ours."""
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_ADDRESS = re.compile(r"https?://[^\s<>()]+")
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^(?P<id>[A-Za-z0-9-]+)[ \t\r]*$", re.MULTILINE)


def region_findings(note: NoteFile, text: str, places: Places) -> Iterator[Finding]:
    """What is wrong with our regions; one that was edited is the reader's own text."""
    found = region.find(text)
    for each in found:
        yield from _region(note.path, text, each, places)
    yield from _block_ids(note.path, text, found)


def _region(path: str, text: str, found: Found, places: Places) -> Iterator[Finding]:
    first = 1 + text.count("\n", 0, found.start)
    if found.seal != region.seal(found.text):
        yield Finding(path, first, "edited", f"the region {found.name} was edited")
        return
    inner = text[found.start : found.end].split("\n")[1:-1]
    for number, row in enumerate(inner, first + 1):
        yield from link_findings(path, number, row, places)
        for link in links(row):
            anywhere = region.may_lead_anywhere(found.name, link)
            if not anywhere and not places.trusts(link.target, path):
                detail = f"the region {found.name} links to a note of yours: {link.target}"
                yield Finding(path, number, "edited", detail)
        yield from (Finding(path, number, "active", what) for what in _acting(row))


def link_findings(path: str, number: int, row: str, places: Places) -> Iterator[Finding]:
    """Links in one line of the note at `path` that do not lead to exactly one note.

    A link to a paper whose note was deleted is left out: the next run makes it text.
    """
    for link in links(row):
        target = link.target
        if places.resolve(target, path) is not None:
            continue
        same = places.stems.get(collision_key(base_name(target)), ())
        identity = places.identity(target, path)
        meant = places.by_key.get(identity) if identity else None
        if len(same) > 1:
            detail = f"the link to {target} leads to {len(same)} notes"
            yield Finding(path, number, "ambiguous", detail)
        elif meant:
            detail = f"the link to {target} means {meant}, which bears another name now"
            yield Finding(path, number, "dangling", detail)
        elif not id_in(target):
            yield Finding(path, number, "dangling", f"the link to {target} leads to no note")


def _acting(row: str) -> Iterator[str]:
    if _TEMPLATER.search(row):
        yield "a command of Templater, which runs it wherever it stands"
    if _PICTURE.fullmatch(row):
        return
    # An address is one token for Markdown: what it holds does not act, its scheme is looked at.
    bare = _ADDRESS.sub("https://x", _ESCAPED.sub("\0", row))
    yield from (what for what, pattern in _ACTIVE if pattern.search(bare))


def _block_ids(path: str, text: str, regions: tuple[Found, ...]) -> Iterator[Finding]:
    ours = {
        each["id"].lower()
        for found in regions
        for each in _BLOCK_ID.finditer(text, found.start, found.end)
    }
    seen: set[str] = set()
    for each in _BLOCK_ID.finditer(text):
        name = each["id"].lower()
        if name in ours and name in seen:
            line = 1 + text.count("\n", 0, each.start("id"))
            yield Finding(path, line, "block-id", f"the block id ^{each['id']} stands twice")
        seen.add(name)
