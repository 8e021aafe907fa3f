"""Sealed regions: the parts of a note that are ours, and how we see that someone edited them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from obsidian_digest.note.links import NoteLink, links, without_targets
from obsidian_digest.note.text import link_label

FORMAT = 1
"""Version of the markers and of what a note of each kind holds at birth."""

Trusted = Callable[[str], bool]
"""Whether a link's target may stand in a region of ours: a note of ours, or one that is gone."""

BESIDE = frozenset({"paper", "related"})
"""The regions that name notes of the reader's own, by bare links; those to papers have a label."""

# Both begin with `%%`: that lets `re` skip from one to the next.
_MARKER = re.compile(
    r"%%(?<![^\n\ufeff]%%) digest:(?:begin (?P<begin>[a-z0-9-]+) v\d+ seal=(?P<seal>[0-9a-f]{8})"
    r"|end (?P<end>[a-z0-9-]+)) %%[ \t]*(?=\r?$)",
    re.MULTILINE,
)
_MARKER_LIKE = re.compile(r"%%\s*digest:(?:begin|end)\b")
_BEFORE_ONE = "\ufeff \t>"
_IN_EACH = "digest:"
"""Without it a text has no marker: that is told a hundred times as fast."""


class BrokenMarkersError(ValueError):
    """Markers are nested, doubled, unclosed or misspelt; nothing may be written."""


@dataclass(frozen=True, slots=True)
class Found:
    """A region as it stands in a text; `start:end` spans both markers."""

    name: str
    text: str
    seal: str
    start: int
    end: int


def find(text: str) -> tuple[Found, ...]:
    """All regions in order. Raises BrokenMarkersError rather than guess."""
    if _IN_EACH not in text:
        return ()
    markers = list(_MARKER.finditer(text))
    if len(markers) != sum(1 for _ in _like_markers(text)):
        raise BrokenMarkersError("a marker line was changed")
    found = []
    for begin, end in zip(markers[::2], markers[1::2], strict=False):
        if not begin["begin"] or begin["begin"] != end["end"]:
            raise BrokenMarkersError("markers are nested, unclosed or out of order")
        inner = text[begin.end() : end.start()].strip("\r\n")
        found.append(Found(begin["begin"], inner, begin["seal"], begin.start(), end.end()))
    if len(markers) % 2:
        raise BrokenMarkersError("a region is not closed")
    if len({region.name for region in found}) != len(found):
        raise BrokenMarkersError("a region stands twice")
    return tuple(found)


def marked(text: str) -> bool:
    """Whether a line looks like a marker: in a region it would break the note."""
    return _IN_EACH in text and any(_like_markers(text))


def _like_markers(text: str) -> Iterator[re.Match[str]]:
    """What a person would take for a marker: nothing but signs of a quote stands before it."""
    for found in _MARKER_LIKE.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        if not text[line : found.start()].strip(_BEFORE_ONE):
            yield found


def wrap(name: str, text: str) -> str:
    """The region with its markers, ready to stand in a note with LF line ends."""
    sealed = seal(text)
    body = f"\n\n{text}\n\n" if text else "\n\n"
    return f"%% digest:begin {name} v{FORMAT} seal={sealed} %%{body}%% digest:end {name} %%"


def seal(text: str) -> str:
    """Eight hex digits over what a person would call the text.

    Line ends, trailing blanks, runs of blank lines and the style of list markers do not count, so
    that git and the Linter plugin are no editors. Nor does where a wikilink leads: Obsidian
    rewrites links when a note is renamed (`intact` looks at the targets instead).
    """
    lines = [re.sub(r"^(\s*)[*+](?=\s)", r"\1-", line).rstrip() for line in text.splitlines()]
    normal = re.sub(r"\n{2,}", "\n", "\n".join(lines)).strip()
    return hashlib.sha256(without_targets(normal).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def intact(region: Found, trusted: Trusted) -> bool:
    """Whether the region still says what we wrote, with no link that someone turned elsewhere."""
    return region.seal == seal(region.text) and all(
        may_lead_anywhere(region.name, link) or trusted(link.target) for link in links(region.text)
    )


def may_lead_anywhere(name: str, link: NoteLink) -> bool:
    """Whether a link in the region of this name may be to a note of the reader's own.

    In a paper's note those stand whose link shows nothing but the name of the note it leads to.
    """
    shown = link_label(link.target.rsplit("/", 1)[-1]) if link.markdown else ""
    return name in BESIDE and link.label == shown


def replace(text: str, region: Found, new: str) -> str:
    """The note with this region's text replaced; every byte outside it stays."""
    wrapped = _with_line_ends_of(text[: region.end], wrap(region.name, new))
    return text[: region.start] + wrapped + text[region.end :]


def append(text: str, name: str, new: str) -> str:
    """The note with one more region below its last; unchanged if it stands, or none is left."""
    regions = find(text)
    if not regions or name in {found.name for found in regions}:
        return text
    end = regions[-1].end
    wrapped = _with_line_ends_of(text[:end], "\n\n" + wrap(name, new))
    return text[:end] + wrapped + text[end:]


def _with_line_ends_of(before: str, wrapped: str) -> str:
    if "\r\n" not in before:
        return wrapped
    return wrapped.replace("\r\n", "\n").replace("\n", "\r\n")
