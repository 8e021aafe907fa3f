"""The XML of OAI-PMH: pages of records to papers, in the four formats that arXiv gives.

The formats: https://info.arxiv.org/help/oa/index.html and the templates in github.com/arXiv/oaipmh.
Names of elements are compared without their namespaces: old answers spell those differently.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from obsidian_digest.model import Paper
from obsidian_digest.note.authors import authors
from obsidian_digest.note.latex import plain
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Iterable

SAVED = re.compile(rb"<(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|ListIdentifiers|record)\b")
WEB_PAGE = re.compile(rb"<(!doctype\s+)?html", re.IGNORECASE)
# XML forbids them: one in one abstract would spoil a page of 2,500 records.
CONTROLS = bytes(set(range(32)) - {9, 10, 13})
WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    """One record; without a paper where arXiv deleted it or gave its header only."""

    id: str
    changed: date
    paper: Paper | None = None
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One answer: records and the next page's token, or an error that came in HTTP 200."""

    records: tuple[Record, ...] = ()
    token: str = ""
    error: str = ""
    words: str = ""


def read_page(answer: bytes) -> Page:
    """One answer of the service; ValueError unless it is whole and every record is readable."""
    root = _root(answer)
    if _name(root) != "OAI-PMH":
        raise ValueError("it is no answer of OAI-PMH")
    if (error := root.find("{*}error")) is not None:
        return Page(error=error.get("code", "error"), words=_squeeze(error.text)[:200])
    records = tuple(map(_record, root.iterfind("{*}ListRecords/{*}record")))
    if not records:
        raise ValueError("it holds neither records nor a reason")
    for record in records:
        if record.paper is None and not record.deleted:
            raise ValueError(f"the record of {record.id} has no metadata")
    return Page(records, _text(root, "{*}ListRecords/{*}resumptionToken"))


def read_oai(xml: bytes) -> tuple[tuple[Paper, ...], tuple[str, ...], str] | None:
    """A saved answer's papers, the ids it only names, and words on what it lacks.

    Takes whole answers and bare records; None for XML of another kind. Raises ValueError, naming
    line or paper, where it cannot be read.
    """
    if not SAVED.search(xml, 0, 4096):
        return None
    root = _root(xml)
    if (error := root.find("{*}error")) is not None and error.get("code") != "noRecordsMatch":
        code, words = error.get("code"), _squeeze(error.text)
        raise ValueError(f"line {error.sourceline}: an error that arXiv sent ({code}): {words}")
    # Until March 2025 the service lay at /oai2, and `created` was the first version's day.
    created_first = "oai2" in _text(root, "{*}request")
    found = [_record(element, created_first=created_first) for element in root.iter("{*}record")]
    papers = tuple(record.paper for record in found if record.paper)
    headers = map(_header, root.iterfind("{*}ListIdentifiers/{*}header"))
    ids = tuple(record.id for record in headers if not record.deleted)
    bare = len(found) - len(papers)
    lacks = [f"records without metadata left out: {bare}"] if bare else []
    if any(_squeeze(token.text) for token in root.iter("{*}resumptionToken")):
        lacks.append("one page of several")
    return papers, ids, ", ".join(lacks)


def _root(xml: bytes) -> Any:
    from lxml import etree  # noqa: PLC0415 - 40 ms that most commands never need

    xml = xml.translate(None, CONTROLS).lstrip()
    if not xml:
        raise ValueError("it is empty")
    if WEB_PAGE.match(xml):
        raise ValueError("it is a web page, not a list of records")
    try:
        return etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        what = f"line {error.lineno}: the XML is cut off or damaged ({error.msg})"
        raise ValueError(what) from error


def _record(element: Any, *, created_first: bool = False) -> Record:
    header, metadata = element.find("{*}header"), element.find("{*}metadata/*")
    try:
        record = _header(header)
        if record.deleted or metadata is None:
            return record
        paper = _metadata(metadata, header, created_first=created_first)
    except ValueError as error:
        name = _text(element, "{*}header/{*}identifier")[:60]
        raise ValueError(f'line {element.sourceline}: the record "{name}" {error}') from error
    return Record(paper.id, record.changed, paper)


def _metadata(metadata: Any, header: Any, *, created_first: bool) -> Paper:
    kind = _name(metadata)
    if kind in ("arXivRaw", "arXivOld"):
        return _raw(metadata)
    if kind == "arXiv":
        return _arxiv(metadata, created_first=created_first)
    if kind == "dc":
        return _dublin_core(metadata, header)
    raise ValueError(f"is in a format that is not understood ({kind})")


def _header(header: Any) -> Record:
    if header is None:
        raise ValueError("has no header")
    name, changed = _text(header, "{*}identifier"), _text(header, "{*}datestamp")
    found = paper_id(name)
    try:
        day = date.fromisoformat(changed[:10])
    except ValueError:
        raise ValueError(f'has "{changed[:40]}" as datestamp, which is no date') from None
    return Record(found[0] if found else name, day, deleted=header.get("status") == "deleted")


def _raw(meta: Any) -> Paper:
    """arXivRaw, with all versions; arXivOld is the same without them."""
    names, places = authors(_text(meta, "{*}authors"))
    versions = sorted(map(_version, meta.iterfind("{*}version")), key=lambda version: version[0])
    number, updated, gone = versions[-1] if versions else (1, None, False)
    first = versions[0] if versions and versions[0][0] == 1 else None
    comment = _text(meta, "{*}comments")
    if gone and not WITHDRAWN.search(comment):
        # arXiv's listings put the word beside the version; elsewhere a paper has no place for it.
        comment = f"{comment} (withdrawn)".strip()
    return _paper(
        meta,
        version=number,
        authors=names,
        affiliations=places,
        published=first[1] if first else None,
        updated=updated,
        comment=comment,
    )


def _version(element: Any) -> tuple[int, datetime, bool]:
    """Number, submission, and whether it withdraws the paper: no source, or source type I."""
    number = element.get("version", "").removeprefix("v")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", number, re.ASCII):
        raise ValueError(f'has the version "{number[:40]}", which is no number from 1')
    text = _text(element, "{*}date")
    try:
        submitted = parsedate_to_datetime(text)
        submitted = submitted.replace(tzinfo=submitted.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f'has "{text[:40]}" as a version\'s date') from None
    gone = "I" in _text(element, "{*}source_type") or _text(element, "{*}size") == "0kb"
    return int(number), submitted, gone


def _arxiv(meta: Any, *, created_first: bool) -> Paper:
    people = meta.findall("{*}authors/{*}author")
    parts = ("{*}forenames", "{*}keyname", "{*}suffix")
    names = (plain(" ".join(_text(person, part) for part in parts)) for person in people)
    places = (plain(_squeeze(a.text)) for p in people for a in p.iterfind("{*}affiliation"))
    created, updated = _day(_text(meta, "{*}created")), _day(_text(meta, "{*}updated"))
    return _paper(
        meta,
        # A collaboration's colon is an author of its own here.
        authors=tuple(name for name in names if any(map(str.isalpha, name))),
        affiliations=_unique(places),
        published=created if created_first else None,
        updated=(updated or created) if created_first else created,
        comment=_text(meta, "{*}comments"),
    )


def _paper(meta: Any, **fields: Any) -> Paper:
    """What arXiv's own formats write alike."""
    categories = _unique(_text(meta, "{*}categories").split())
    return Paper(
        id=_id(_text(meta, "{*}id")),
        title=_title(_text(meta, "{*}title")),
        abstract=_text(meta, "{*}abstract"),
        categories=categories,
        primary=categories[0] if categories else "",
        journal_ref=_text(meta, "{*}journal-ref"),
        doi=_text(meta, "{*}doi"),
        **fields,
    )


def _dublin_core(meta: Any, header: Any) -> Paper:
    """oai_dc: addresses, DOI and journal share one element, abstract and comment another."""
    names = _texts(meta, "identifier")
    dois = [name.removeprefix("doi:") for name in names if name.startswith("doi:")]
    addresses = [name for name in names if paper_id(name)]
    journals = [n for n in names if n not in addresses and not n.startswith("doi:")]
    abstract, *comments = _texts(meta, "description") or [""]
    # Its subjects are names in words; the categories stand in the header.
    categories = _sets(header)
    days = [day for day in map(_day, _texts(meta, "date")) if day]
    creators = (creator.partition(", ") for creator in _texts(meta, "creator"))
    people = (plain(f"{first} {last}") for last, _, first in creators)
    return Paper(
        id=_id(addresses[0] if addresses else _text(header, "{*}identifier")),
        title=_title(" ".join(_texts(meta, "title"))),
        abstract=abstract,
        authors=tuple(name for name in people if any(map(str.isalpha, name))),
        categories=categories,
        primary=categories[0] if categories else "",
        published=min(days, default=None),
        updated=max(days, default=None),
        comment=" ".join(comment.removeprefix("Comment: ") for comment in comments),
        journal_ref="; ".join(journals),
        doi=" ".join(dois),
    )


def _sets(header: Any) -> tuple[str, ...]:
    """The categories among the header's sets: `math:math:DG`, `physics:hep-th`."""
    sets = (_squeeze(name.text).split(":")[1:] for name in header.iterfind("{*}setSpec"))
    return _unique(map(".".join, sets))


def _id(name: str) -> str:
    if found := paper_id(name):
        return found[0]
    raise ValueError(f'has the id "{name[:60]}", which is none of arXiv\'s')


def _title(title: str) -> str:
    if title:
        return title
    raise ValueError("has no title")


def _day(text: str) -> datetime | None:
    """A day as the instant it begins in UTC; None where the text is no day."""
    try:
        return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
    except ValueError:
        return None


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _texts(element: Any, name: str) -> list[str]:
    return [text for child in element.iterfind(f"{{*}}{name}") if (text := _squeeze(child.text))]


def _text(element: Any, path: str) -> str:
    return _squeeze(element.findtext(path, ""))


def _squeeze(text: str | None) -> str:
    return " ".join((text or "").split())


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
