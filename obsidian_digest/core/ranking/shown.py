"""What a digest shows of a paper, read back: a paper that has no note can still be learned from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.places import base_name
from obsidian_digest.model import Reading
from obsidian_digest.note.links import links
from obsidian_digest.note.names import id_in
from obsidian_digest.note.text import reading

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from obsidian_digest.model import Snapshot

_HEADING = re.compile(r"#{1,6}[ \t]+(?:\d{1,4}\.[ \t]+)?(?P<title>.*)")
_BULLET = re.compile(r"[-*+][ \t]+(?P<text>.*)")
_ANCHOR = re.compile(r" \^arxiv-(?P<id>[A-Za-z0-9-]+)\s*$")
_SENTENCE = re.compile(r".*[.!?。！？…][\"'”’)\]*_]*", re.DOTALL)  # noqa: RUF001 (Chinese)
_SHORTEST = 40
"""Characters: a shorter line is the end of a list of authors (`Jr.`)."""


def readings_shown(snapshot: Snapshot, ids: Collection[str]) -> dict[str, Reading]:
    """Title and summary of those of the papers that a digest shows, as the newest one says them.

    The summary is left empty where none can be told from the lines around it.
    """
    found: dict[str, Reading] = {}
    digests = [note for note in snapshot.notes if note.kind == "digest"]
    for note in sorted(digests, key=lambda note: note.key, reverse=True):
        text = note.raw.decode("utf-8", errors="replace")
        for paper, title, bullets in _entries(text):
            if paper in ids and title:
                found.setdefault(paper, Reading(paper, title, _summary(bullets)))
    return found


def _entries(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Id, title and bullets of each paper that has an anchor at its end."""
    title = ""
    bullets: list[str] = []
    for line in text.splitlines():
        heading, bullet, anchor = _HEADING.match(line), _BULLET.match(line), _ANCHOR.search(line)
        if heading:
            title, bullets = _title(heading["title"]), []
        elif anchor:
            if paper := id_in(anchor["id"]):
                yield paper, title, bullets
            title, bullets = "", []
        elif bullet:
            bullets.append(bullet["text"].rstrip())


def _title(markdown: str) -> str:
    link = next(links(markdown), None)
    if link is None:
        return reading(markdown.strip())
    return reading(link.label or base_name(link.target))


def _summary(bullets: list[str]) -> str:
    """The first line below the stars that is a sentence: neither names nor links."""
    for line in bullets[1:]:
        if len(line) >= _SHORTEST and "[[" not in line and _SENTENCE.fullmatch(line):
            return reading(line)
    return ""
