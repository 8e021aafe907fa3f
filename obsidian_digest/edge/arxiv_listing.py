"""arXiv's listing pages: what a category's page says was announced, by its own count.

`/list/CATEGORY/new` shows the newest announcement and says of which day; `/catchup/CATEGORY/DAY`
shows one of the last 90 days. Both count their entries and send at most 2,000 in an answer.
Layout: https://github.com/arXiv/arxiv-browse, browse/templates/list and catchup.html.

A page tells less than a feed: no DOI, at most about 100 authors, TeX accents and Greek letters
already turned into Unicode, the other categories in alphabetical order, and the version only where
the paper has an HTML form.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from obsidian_digest.errors import SourceError
from obsidian_digest.model import Announced, Paper, Row
from obsidian_digest.note.authors import authors
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from obsidian_digest.model import AnnounceKind, SourceOutcome
    from obsidian_digest.ports import Web


CATCHUP_DAYS = timedelta(days=90)
MOST_ENTRIES = 2000
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAY = re.compile(r"(?:Showing new listings for|Catchup results for .* on) \w+, (\d+) (\w+) (\d{4})")
TOTAL = re.compile(r"Total of ([\d,]+) entries")
NOTHING = re.compile(r"No (?:further )?updates (?:today|for )")
FOLLOWED = "Continue to the next day"
SECTION = re.compile(
    r"(New|Cross|Replace)[\w -]*\((?:continued, )?showing (?:first |last )?([\d,]+) of ([\d,]+) "
    r"entries ?\)",
    re.IGNORECASE,
)
SUBJECT = re.compile(r".*\(([a-z-]+(?:\.[A-Za-z-]+)?)\)\s*")
HIDDEN_LINK = re.compile(r"this \w+ URL")


class ArxivListing:
    """The listing pages below `base_url` (`https://arxiv.org`).

    `newest` is the newest batch that is public by the calendar: it and later ones are asked from
    `/list`, earlier ones from `/catchup`. `/catchup` is never asked for a batch that may not be
    public: its empty page would stay in arXiv's caches for a week.
    """

    def __init__(self, base_url: str, web: Web, newest: date) -> None:
        self._base_url = base_url
        self._web = web
        self._newest = newest

    def announced(self, category: str, batch: date) -> Announced:
        """What the category's page says about the batch dated `batch`; a failure is an outcome.

        Only `ok` and `empty` answer for the batch.
        """
        if batch < self._newest - CATCHUP_DAYS:
            detail = "arXiv's pages go back 90 days"
            return Announced(category, None, (), "skipped", None, detail)
        try:
            page = self._whole(category, batch)
            return _judged(category, batch, page, past=batch < self._newest)
        except SourceError as error:
            return Announced(category, None, (), error.source_outcome, None, error.what)
        except ValueError as error:
            detail = f"arXiv's answer cannot be used: {error}"
            return Announced(category, None, (), "corrupt", None, detail)

    def _whole(self, category: str, batch: date) -> _Page:
        """All entries of the listing, of as many pages as it has."""
        first = self._page(category, batch, 0)
        rows = list(first.rows)
        number = 1
        while len(rows) < first.total:
            page = self._page(category, batch, number, skip=len(rows))
            if (page.day, page.total) != (first.day, first.total):
                raise ValueError("the list changed between two of its pages")
            rows += page.rows
            number += 1
        twice = [name for name, times in Counter(row.paper.id for row in rows).items() if times > 1]
        if twice or len(rows) > first.total:
            what = f"{twice[0]} twice" if twice else "more papers than it counts"
            raise ValueError(f"it lists {what}")
        return replace(first, rows=tuple(rows))

    def _page(self, category: str, batch: date, number: int, skip: int = 0) -> _Page:
        if batch >= self._newest:
            rest = f"?skip={skip}&show={MOST_ENTRIES}" if skip else ""
            url = f"{self._base_url}/list/{category}/new{rest}"
        else:
            rest = f"&page={number + 1}" if number else ""
            url = f"{self._base_url}/catchup/{category}/{batch.isoformat()}?abs=True{rest}"
        return self._web.get(url, lambda html: _read(html, category))


@dataclass(frozen=True, slots=True)
class _Page:
    day: date
    rows: tuple[Row, ...]
    total: int
    """Entries of the whole listing, by its own word."""
    followed: bool
    """A later day had been announced when this page was made."""


def _read(html: bytes, category: str) -> _Page:
    """One answer; ValueError unless it is a whole page that holds what it counts."""
    page = _parsed(html)
    said = " ".join("".join(page.xpath("//h1//text()|//h3//text()")).split())
    found = DAY.search(said)
    if not found or found[2][:3].lower() not in MONTHS:
        raise ValueError("it is a web page of another kind: it names no day")
    day = date(int(found[3]), MONTHS.index(found[2][:3].lower()) + 1, int(found[1]))
    rows, total = _sections(page, category, day)
    outside = " ".join(page.xpath("//text()[not(ancestor::dd)]"))
    if stated := TOTAL.search(outside):
        total = _number(stated[1])
    if not rows and (total or not NOTHING.search(outside)):
        counted = f"counts {total}" if total else "does not say that there are none"
        raise ValueError(f"it lists no papers, though it {counted}")
    if rows and not any(row.paper.abstract for row in rows):
        raise ValueError("it has no abstracts")
    return _Page(day, tuple(rows), total, FOLLOWED in outside)


def _parsed(html: bytes) -> Any:
    """The page, ready to be read as text: marks gone, addresses in place of "this https URL"."""
    from lxml import etree  # noqa: PLC0415 - 40 ms that most commands never need
    from lxml.html import HTMLParser, document_fromstring  # noqa: PLC0415

    if not html.strip():
        raise ValueError("it is empty")
    # A browser forgives a page that breaks off; a list of papers must not.
    if b"</html>" not in html[-1000:].lower():
        raise ValueError("it is cut off, or no web page")
    try:
        parser = HTMLParser(encoding="utf-8", no_network=True)
        page: Any = document_fromstring(html, parser)
    except etree.LxmlError as error:
        raise ValueError(f"it is damaged ({error})") from error
    for mark in page.xpath("//span[@class='descriptor']"):
        mark.drop_tree()
    for link in page.iter("a"):
        if HIDDEN_LINK.fullmatch(link.text or ""):
            link.text = link.get("href")
    return page


def _sections(page: Any, category: str, day: date) -> tuple[list[Row], int]:
    """The page's rows, and how many papers its sections count over all pages of the list."""
    rows: list[Row] = []
    counted, seen = Counter[str](), Counter[str]()
    section, total, name = "", 0, None
    for element in page.iter("h3", "dt", "dd"):
        if element.tag == "h3":
            if heading := SECTION.search(_text(element)):
                section = heading[1].lower()
                counted[section] += _number(heading[2])
                total += _number(heading[3])
        elif element.tag == "dt" and name is None and section:
            name = element
        elif element.tag == "dd" and name is not None:
            rows.append(_row(name, element, section, category, day))
            seen[section] += 1
            name = None
        else:
            raise ValueError(f"line {element.sourceline}: an entry is not whole")
    if name is not None or seen != counted:
        more = " and begins another" if name is not None else ""
        raise ValueError(f"it lists {seen.total()} papers where it counts {counted.total()}{more}")
    return rows, total


def _row(name: Any, entry: Any, section: str, category: str, day: date) -> Row:
    links = name.xpath(".//a[contains(@href, '/abs/')]/@href")
    found = paper_id(links[0].rpartition("/abs/")[2]) if links else None
    title = _field(entry, "list-title")
    subjects = [SUBJECT.fullmatch(part) for part in _field(entry, "list-subjects").split(";")]
    if not found or not title or not subjects[0]:
        raise ValueError(f"line {name.sourceline}: an entry has no id, title or subject")
    # The page links to papers without their version, only to their HTML form with it.
    forms = name.xpath(".//a[contains(@href, '/html/')]/@href")
    form = paper_id(forms[0]) if forms else None
    names, affiliations = _authors(entry)
    abstracts = entry.xpath(".//p")
    primary = subjects[0][1]
    here = primary == category or primary.startswith(f"{category}.")
    kind: AnnounceKind = "new" if section == "new" else "cross"
    if section == "replace":
        kind = "replace" if here else "replace-cross"
    paper = Paper(
        id=found[0],
        version=(form[1] if form else None) or 1,
        title=title,
        abstract=_text(abstracts[0]) if abstracts else "",
        authors=names,
        categories=tuple(dict.fromkeys(subject[1] for subject in subjects if subject)),
        primary=primary,
        announced=None if section == "replace" else day,
        comment=_field(entry, "list-comments"),
        journal_ref=_field(entry, "list-journal-ref"),
        affiliations=affiliations,
    )
    return Row(paper, kind)


def _authors(entry: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names, each of them a link to a search, and the affiliations in the brackets between."""
    links = ".//div[contains(@class, 'list-authors')]//a[contains(@href, 'searchtype=author')]"
    names = tuple(map(_text, entry.xpath(links)))
    return names, authors(_field(entry, "list-authors"))[1] if names else ()


def _field(entry: Any, name: str) -> str:
    found = entry.xpath(f".//div[contains(@class, '{name}')]")
    return _text(found[0]) if found else ""


def _text(element: Any) -> str:
    return " ".join(element.text_content().split())


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _judged(category: str, batch: date, page: _Page, *, past: bool) -> Announced:
    name = f"arXiv's list for {category}"
    outcome: SourceOutcome
    if page.day < batch:
        outcome, detail = "stale", f"{name} still shows {_words(page.day)}"
    elif page.day > batch:
        outcome, detail = "skipped", f"{name} shows {_words(page.day)}, no longer {_words(batch)}"
    elif not page.rows and past and not page.followed:
        # The newest batch has been announced since: this page is an old one out of a cache.
        outcome, detail = "stale", f"{name} was made before {_words(batch)} was announced"
    elif not page.rows:
        outcome, detail = "empty", f"{name} is empty for {_words(batch)}"
    else:
        kinds = Counter(row.kind for row in page.rows)
        replaced = kinds["replace"] + kinds["replace-cross"]
        detail = f"new {kinds['new']}, cross-listed {kinds['cross']}, replaced {replaced}"
        outcome = "ok"
    return Announced(category, page.day, page.rows, outcome, page.total, detail)


def _words(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"
