"""The front matter of a paper's web page, as LaTeXML marks it up.

`div.ltx_authors` holds a `span.ltx_creator` for each author block of the source, which is one
person, or all of them. Within it stand a `span.ltx_personname`, which some templates fill with
everything, and contacts by role; some classes leave the institutions in notes, in or beside it.
https://math.nist.gov/~BMiller/LaTeXML/manual/schema/module/LaTeXML-structure.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["contact", "name", "note"]

LONGEST_FRONT = 600_000
"""Bytes of a page that are looked at; a list of 3,000 authors fits in."""
_MARK, _BREAK = "\0", "\n"
_CONTACTS = frozenset(
    f"ltx_role_{role}"
    for role in (
        "affiliation", "altaffiliation", "address", "institution", "institute", "institutetext",
        "affiliationtext",
    )
)  # fmt: skip
_NOTES = frozenset({"ltx_role_thanks", "ltx_role_footnote", "ltx_role_footnotetext"})
_LEFT_OUT = frozenset(
    {
        "ltx_contact", "ltx_contact_name", "ltx_note", "ltx_note_mark", "ltx_note_type", "ltx_tag",
        "ltx_orcid", "ltx_author_notes", "ltx_ERROR", "ltx_font_typewriter", "ltx_personname",
    }
)  # fmt: skip
"""Labels, marks and what is looked at by itself; typewriter is for e-mail and web addresses."""
_PARTS = {
    "contact": ".//span[contains(@class, 'ltx_affiliation_institution')]",
    "name": "self::*",
    "note": ".//span[contains(@class, 'ltx_note_content')]",
}
"""Where in an element it says what matters, if it has such parts (the ACM's class does)."""
_SILENT = frozenset({"svg", "img", "button", "annotation", "annotation-xml", "script", "style"})
_BLOCKS = frozenset({"p", "div", "tr", "td", "li", "table"})
_BLOCK_CLASSES = frozenset({"ltx_p", "ltx_td", "ltx_tr", "ltx_tabular"})
_POWER = re.compile(r"\s*(?:\\hskip[^{]*)?(?:\{\})?\^")
"""A power of nothing, `{}^{1}`, is a mark."""
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text without a line break or a mark in it."""

    text: str
    marked: bool
    """It follows a raised mark: a number, a letter, a sign."""


@dataclass(frozen=True, slots=True)
class Block:
    """What stands in one element of the front matter."""

    kind: Kind
    author: int
    """Which author block it belongs to; blocks that belong to none have numbers of their own."""
    pieces: tuple[Piece, ...]


def front_matter(html: bytes) -> tuple[Block, ...] | None:
    """All that may tell an institution, in the page's order; None if LaTeXML did not make it.

    Raises ValueError for a page that is cut off.
    """
    if b"</html>" not in html[-2000:].lower():
        raise ValueError("it is cut off, or no web page")
    if b"ltx_" not in html:
        return None
    start = max(html.find(b"<article"), 0)
    end = html.find(b'class="ltx_section', start)
    stop = min(start + LONGEST_FRONT, end if end > 0 else len(html))
    try:
        return tuple(_blocks(_parsed(html[start:stop])))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _parsed(html: bytes) -> Any:
    from lxml import etree  # noqa: PLC0415 - 40 ms that most commands never need
    from lxml.html import HTMLParser, document_fromstring  # noqa: PLC0415

    parser = HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
    try:
        return document_fromstring(b"<div>" + html, parser)
    except etree.LxmlError as error:
        raise ValueError(f"it is damaged ({error})") from error


def _blocks(root: Any) -> Iterator[Block]:
    creators: dict[Any, int] = {}
    for element in root.iter("span", "div"):
        classes = _classes(element)
        kind = _kind(classes)
        if kind is None:
            continue
        creator = next(
            (each for each in element.iterancestors() if "ltx_creator" in _classes(each)), element
        )
        number = creators.setdefault(creator, len(creators))
        parts = element.xpath(_PARTS[kind]) or [element]
        pieces = [piece for part in parts for piece in _pieces("".join(_flow(part)))]
        if pieces:
            yield Block(kind, number, tuple(pieces))


def _kind(classes: frozenset[str]) -> Kind | None:
    if classes & _CONTACTS:
        return "contact"
    if "ltx_personname" in classes:
        return "name"
    return "note" if classes & _NOTES or "ltx_author_notes" in classes else None


def _pieces(flow: str) -> Iterator[Piece]:
    separator = _BREAK
    for part in re.split(f"([{_MARK}{_BREAK}])", flow):
        if part in (_MARK, _BREAK):
            separator = part
        elif part.strip():
            yield Piece(" ".join(part.split()), separator == _MARK)


def _flow(element: Any) -> Iterator[str]:
    """The element's text, with a sign for each mark and each line's end."""
    yield _line(element.text)
    for child in element:
        yield from _child(child)
        yield _line(child.tail)


def _child(child: Any) -> Iterator[str]:
    classes = _classes(child)
    if child.tag in _SILENT or classes & _LEFT_OUT:
        return
    text = "".join(_flow(child))
    if child.tag == "sup":
        yield text if _ORDINAL.match(text.strip()) else _MARK
    elif child.tag == "math":
        yield _MARK if _POWER.match(child.get("alttext", "")) else text
    elif child.tag == "br":
        yield _BREAK
    elif child.tag in _BLOCKS or classes & _BLOCK_CLASSES:
        yield f"{_BREAK}{text}{_BREAK}"
    else:
        yield text


def _line(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "").replace(_MARK, "")


def _classes(element: Any) -> frozenset[str]:
    return frozenset((element.get("class") or "").split())
