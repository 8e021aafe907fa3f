"""The XML that arXiv hands out: papers from search answers and from the feeds of a mailing.

Layouts: https://info.arxiv.org/help/api/user-manual.html (entries named by address) and
https://info.arxiv.org/help/rss_specifications.html (items named `oai:arXiv.org:IDvN`, whose
abstract follows "Abstract:" and whose authors are one text with affiliations in brackets).
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal, overload

from obsidian_digest.model import Paper
from obsidian_digest.note.authors import authors
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NS = {
    "atom": "http://www.w3.org/2005/Atom",
    "arxiv": "http://arxiv.org/schemas/atom",
    "dc": "http://purl.org/dc/elements/1.1/",
}
WEB_PAGE = re.compile(rb"\s*<(!doctype\s+)?html", re.IGNORECASE)
HEAD = re.compile(r"\s*arXiv:\S+\s+Announce Type:\s*(\S+)")
# XML forbids them, arXiv lets them through: one in one abstract would spoil the whole feed.
CONTROLS = bytes(set(range(32)) - {9, 10, 13})


@overload
def read_feed(
    xml: bytes, *, replacements: Literal[False] = False
) -> tuple[tuple[Paper, ...], int]: ...


@overload
def read_feed(
    xml: bytes, *, replacements: Literal[True]
) -> tuple[tuple[tuple[Paper, str], ...], int]: ...


def read_feed(
    xml: bytes, *, replacements: bool = False
) -> tuple[tuple[Paper, ...] | tuple[tuple[Paper, str], ...], int]:
    """The new and cross-listed papers of a feed, in its order, and how many replacements it had.

    With `replacements` these as well, and each paper in a pair with its announce type as the feed
    spells it, empty where it has none (a search's answer). Raises ValueError, saying where and
    what, for anything that is not a whole feed of arXiv's.
    """
    found = _papers(xml)
    news = tuple(paper for paper, kind in found if not kind.startswith("replace"))
    return found if replacements else news, len(found) - len(news)


def _papers(xml: bytes) -> tuple[tuple[Paper, str], ...]:
    from lxml import etree  # noqa: PLC0415 - 40 ms that most commands never need

    if b"\0" not in xml[:4]:  # else UTF-16, as some programs save files
        xml = xml.translate(None, CONTROLS)
    if WEB_PAGE.match(xml):
        raise ValueError("this is a web page, not a feed of papers")
    try:
        root = etree.fromstring(
            xml.lstrip(), etree.XMLParser(resolve_entities=False, no_network=True)
        )
    except etree.XMLSyntaxError as error:
        raise ValueError(
            f"line {error.lineno}: the XML is cut off or damaged ({error.msg})"
        ) from error
    if root.tag == "rss":
        return _each(root.findall("channel/item"), _rss_item)
    if root.tag == f"{{{NS['atom']}}}feed":
        return _each(root.findall("atom:entry", NS), _atom_entry)
    raise ValueError(f"this is XML of another kind ({etree.QName(root).localname})")


def _each(
    entries: list[Any], read: Callable[[Any], tuple[Paper, str]]
) -> tuple[tuple[Paper, str], ...]:
    papers = []
    for number, entry in enumerate(entries, 1):
        try:
            papers.append(read(entry))
        except ValueError as error:
            raise ValueError(f"line {entry.sourceline}: paper {number} {error}") from error
    return tuple(papers)


def _rss_item(item: Any) -> tuple[Paper, str]:
    day = _text(item, "pubDate")
    try:
        announced = parsedate_to_datetime(day).date() if day else None
    except (ValueError, OverflowError):
        raise ValueError(f'has "{day[:40]}" as pubDate') from None
    categories = [_squeeze(category.text) for category in item.findall("category")]
    return _announced_paper(item, "guid", "title", "description", categories, announced)


def _atom_entry(entry: Any) -> tuple[Paper, str]:
    name = _text(entry, "atom:id")
    if "/api/errors#" in name:
        raise ValueError(f"is an error that arXiv sent: {_text(entry, 'atom:summary')}")
    categories = [category.get("term", "") for category in entry.findall("atom:category", NS)]
    published = _instant(entry, "atom:published")
    if name.startswith("oai:"):
        # Midnight Eastern of the mailing's day, written with its offset.
        announced = date.fromisoformat(_text(entry, "atom:published")[:10]) if published else None
        fields = ("atom:id", "atom:title", "atom:summary")
        return _announced_paper(entry, *fields, categories, announced)
    bare, version = _id(name)
    people = entry.findall("atom:author", NS)
    places = (
        _squeeze(a.text) for person in people for a in person.findall("arxiv:affiliation", NS)
    )
    primary = entry.find("arxiv:primary_category", NS)
    paper = Paper(
        id=bare,
        version=version,
        title=_required(entry, "atom:title"),
        abstract=_text(entry, "atom:summary"),
        authors=tuple(_text(person, "atom:name") for person in people),
        categories=_unique(categories),
        primary=primary.get("term", "") if primary is not None else "",
        published=published,
        updated=_instant(entry, "atom:updated"),
        comment=_text(entry, "arxiv:comment"),
        journal_ref=_text(entry, "arxiv:journal_ref"),
        doi=_text(entry, "arxiv:doi"),
        affiliations=_unique(places),
    )
    return paper, ""


def _announced_paper(
    item: Any,
    name: str,
    title: str,
    description: str,
    categories: list[str],
    announced: date | None,
) -> tuple[Paper, str]:
    """A paper of a mailing and its announce type; a replacement's mailing day is long past."""
    bare, version = _id(_text(item, name))
    text = _text(item, description)
    head = HEAD.match(text)
    kind = _text(item, "arxiv:announce_type") or (head[1] if head else "")
    names, places = authors(_text(item, "dc:creator"))
    paper = Paper(
        id=bare,
        version=version,
        title=_required(item, title),
        abstract=text.partition("Abstract:")[2].strip(),
        authors=names,
        categories=_unique(categories),
        primary=categories[0] if categories else "",
        announced=None if kind.startswith("replace") else announced,
        journal_ref=_text(item, "arxiv:journal_reference"),
        doi=_text(item, "arxiv:DOI"),
        affiliations=places,
    )
    return paper, kind


def _id(name: str) -> tuple[str, int]:
    found = paper_id(name)
    if not found:
        raise ValueError(f'is called "{name[:60]}", which is no paper of arXiv\'s')
    return found[0], found[1] or 1


def _instant(entry: Any, path: str) -> datetime | None:
    text = _text(entry, path)
    if not text:
        return None
    try:
        instant = datetime.fromisoformat(text)
        return instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f'has "{text[:40]}" as a date') from None


def _required(entry: Any, path: str) -> str:
    if text := _text(entry, path):
        return text
    raise ValueError("has no title")


def _text(entry: Any, path: str) -> str:
    return _squeeze(entry.findtext(path, "", NS))


def _squeeze(text: str | None) -> str:
    return " ".join((text or "").split())


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
