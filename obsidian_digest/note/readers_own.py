"""Recognises the notes that the reader himself wrote about one paper: linked, never written into.

A note is about a paper if a property holds its id or address, or if its address stands alone on a
line near the top. A daily note, a reading list and a project that mentions a paper are not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.note.names import id_in, paper_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.note.header import Properties

_OF_IDS = frozenset({"arxivid", "arxiv", "eprint"})
_OF_ADDRESSES = frozenset({"url", "source", "doi"})
"""Names of properties without hyphens, underscores and blanks."""
_LINES, _CHARACTERS = 5, 4096
"""How far down a note's top reaches."""

_ADDRESS = (
    r"(?:https?://)?(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf|html)/[^\s<>()\[\]|\"']+"
    r"|(?:(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?10\.48550/arxiv\.[^\s<>()\[\]|\"']+)"
)
_LINK = re.compile(
    rf"!?\[[^\[\]]*\]\(<?(?P<behind>{_ADDRESS})>?[^()]*\)|<?(?P<bare>{_ADDRESS})>?", re.IGNORECASE
)
_DATE_NAME = re.compile(r"[\dWQ\s._-]*")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")
_END_OF_TOP = ("```", "~~~", "<%")
_DECORATION = re.compile(r"\[![^\]\s]*\][+-]?|\[.\](?=\s)|[>*_`#|·•,;()\[\]!<–—-]+")  # noqa: RUF001
_LABELS = frozenset(
    {"abs", "abstract", "arxiv", "doi", "html", "id", "link", "paper", "pdf", "preprint", "url"}
)
_LONGEST_LABEL = 3
"""Words before a colon."""


def paper_of(stem: str, properties: Properties, body: str) -> str | None:
    """The id of the one paper that this note is about; None for any other note.

    Args:
        stem: The note's base name.
        properties: Its header, as far as it can be read.
        body: Its text below the header.
    """
    ids = set(_named(properties))
    if not ids and not _DATE_NAME.fullmatch(stem) and "arxiv" in body[:_CHARACTERS].lower():
        ids = _told_by(list(_top(body)))
    return ids.pop() if len(ids) == 1 else named_after(stem)


def named_after(stem: str) -> str | None:
    """The id that a name in the form of our notes' names ends in."""
    found = paper_id(id_in(stem) or "")
    return found[0] if found else None


def _named(properties: Properties) -> Iterator[str]:
    for name, value in properties.items():
        plain = re.sub(r"[-_\s]", "", name)
        if plain not in _OF_IDS | _OF_ADDRESSES:
            continue
        for each in value if isinstance(value, tuple) else (value,):
            link = _LINK.fullmatch(each.strip())
            found = paper_id(link["behind"] or link["bare"] if link else each)
            if found and (plain in _OF_IDS or "arxiv" in each.lower()):
                yield found[0]


def _top(body: str) -> Iterator[str]:
    """The first lines with text, down to the second heading or to the first block of code."""
    lines = (line.strip() for line in body[:_CHARACTERS].splitlines())
    for number, line in enumerate(line for line in lines if line):
        if number == _LINES or line.startswith(_END_OF_TOP) or (number and line.startswith("#")):
            return
        yield line


def _told_by(top: list[str]) -> set[str]:
    """The ids of the papers that these lines are headed by: more than one makes a list."""
    linked = {line: set(_linked(line)) for line in top if "arxiv" in line.lower()}
    alone = {line for line in linked if _stands_alone(line)}
    told: set[str] = set().union(*(linked[line] for line in alone))
    first = next((line for line in top if not line.startswith("#")), "")
    opening = _LINK.match(first)
    if opening and first not in alone:
        told.update(_linked(opening[0]))
    elif alone and first not in alone:
        told.update(*linked.values())
    return told


def _linked(line: str) -> Iterator[str]:
    for link in _LINK.finditer(line):
        found = paper_id((link["behind"] or link["bare"]).rstrip(".,;:!?"))
        if found:
            yield found[0]


def first_linked(text: str) -> str | None:
    """The id of the first paper that the text links to."""
    return next(_linked(text), None)


def _stands_alone(line: str) -> bool:
    """Whether the line says nothing but where a paper is; a bare list item is a reading list."""
    rest = _DECORATION.sub(" ", _LINK.sub(" ", line)).replace("：", ":")  # noqa: RUF001
    *labels, last = (part.lower().split() for part in rest.split(":"))
    known = all(word in _LABELS or paper_id(word) for word in last)
    labelled = any(labels) or bool(last)
    bare_item = bool(_ITEM.match(line.lstrip("> "))) and not labelled
    return known and not bare_item and all(len(label) <= _LONGEST_LABEL for label in labels)
