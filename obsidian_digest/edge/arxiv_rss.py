"""arXiv's feeds of the day: what a category's feed says was announced, and if it answers for a day.

One request a category: announce types are relative to the categories asked for, and an answer
holds 2,000 items at most, of which the new papers are cut first. Layout and limits:
https://info.arxiv.org/help/rss_specifications.html and https://github.com/arXiv/arxiv-feed.

A feed is dated midnight US Eastern of the day on which it was made, whatever it holds: after 20:00
it has been seen with the next day's papers under the old date, and with yesterday's under a new one
(ZJU-REAL/Polaris #304, #414). So "ok" is the feed's own claim, to be held against the papers' ids.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol
from zoneinfo import ZoneInfo

from obsidian_digest.errors import SourceError
from obsidian_digest.model import Announced, Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from obsidian_digest.model import AnnounceKind, Paper, SourceOutcome
    from obsidian_digest.ports import Web


NS = {"atom": "http://www.w3.org/2005/Atom"}
KINDS: dict[str, AnnounceKind] = {
    "new": "new",
    "cross": "cross",
    "replace": "replace",
    "replace-cross": "replace-cross",
}
WEB_PAGE = re.compile(rb"\s*<(!doctype\s+)?html", re.IGNORECASE)
# XML forbids them, arXiv lets them through: one in one abstract would spoil the whole feed.
CONTROLS = bytes(set(range(32)) - {9, 10, 13})
EASTERN = ZoneInfo("America/New_York")
MOST_ITEMS = 2000


class ReadFeed(Protocol):
    """What reads the XML of a feed: `edge.paper_feed.read_feed`."""

    def __call__(
        self, xml: bytes, *, replacements: Literal[True]
    ) -> tuple[tuple[tuple[Paper, str], ...], int]:
        """All papers of the feed with their announce types; how many are replacements."""
        ...


class ArxivRss:
    """The feeds below `base_url` (`https://rss.arxiv.org/rss`, or `/atom`)."""

    def __init__(self, base_url: str, web: Web, read_feed: ReadFeed) -> None:
        self._base_url = base_url
        self._web = web
        self._read_feed = read_feed

    def announced(self, category: str, batch: date) -> Announced:
        """What the category's feed says about the batch dated `batch`; a failure is an outcome.

        Only `ok` and `empty` answer for the batch. A feed holds one day, from midnight Eastern to
        midnight: it is stale for four hours after an announcement; Friday's is gone on Saturday.
        """
        try:
            feed = self._web.get(f"{self._base_url}/{category}", self._read)
        except SourceError as error:
            return Announced(category, None, (), error.source_outcome, None, error.what)
        return _judged(category, batch, feed)

    def _read(self, xml: bytes) -> _Feed:
        root = _root(xml)
        day = _day(root, rss=root.tag == "rss")
        items, _ = self._read_feed(xml, replacements=True)
        rows = tuple(
            Row(paper if kind.startswith("replace") else replace(paper, announced=day), KINDS[kind])
            for paper, kind in items
            if kind in KINDS
        )
        kinds = {kind for _, kind in items}
        if "" in kinds:
            raise ValueError("an item has no announce type")
        if items and not rows:
            raise ValueError(f"its items are of unknown kinds ({', '.join(sorted(kinds))})")
        skipped = [name.text for name in root.findall("channel/skipDays/day")]
        return _Feed(day, rows, len(items), f"{day:%A}" in skipped)


@dataclass(frozen=True, slots=True)
class _Feed:
    day: date
    rows: tuple[Row, ...]
    items: int
    skip_day: bool
    """The feed itself names this weekday as one without announcements."""


def _root(xml: bytes) -> Any:
    """The feed's root; ValueError for anything else, entities and arXiv's own errors included."""
    from lxml import etree  # noqa: PLC0415 - 40 ms that most commands never need

    xml = xml.translate(None, CONTROLS)
    if not xml.strip():
        raise ValueError("it is empty")
    if WEB_PAGE.match(xml):
        raise ValueError("it is a web page, not a feed")
    strict = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root: Any = etree.fromstring(xml.lstrip(), strict)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"it is cut off or damaged ({error.msg})") from error
    if root.getroottree().docinfo.doctype:
        raise ValueError("it is no feed of arXiv's: it declares a document type")
    if root.tag not in {"rss", f"{{{NS['atom']}}}feed"}:
        raise ValueError(f"it is XML of another kind ({etree.QName(root).localname})")
    title = root.findtext("channel/title") or root.findtext("atom:title", "", NS)
    if title.startswith("Feed error"):
        reason = root.findtext("channel/description") or root.findtext("atom:subtitle", "", NS)
        raise ValueError(f"it is an error: {' '.join(reason.split())}")
    return root


def _day(root: Any, *, rss: bool) -> date:
    """The Eastern day on which the feed was made; ValueError if its dates do not agree."""
    read: Callable[[str], datetime]
    if rss:
        read, dates = parsedate_to_datetime, root.xpath("channel/pubDate|channel/item/pubDate")
    else:
        path = "atom:updated|atom:entry/atom:published"
        read, dates = datetime.fromisoformat, root.xpath(path, namespaces=NS)
    days = set()
    for said in {element.text or "" for element in dates}:
        try:
            instant = read(said.strip())
            days.add(instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(EASTERN).date())
        except (ValueError, OverflowError):
            raise ValueError(f'it has "{said[:40]}" as a date') from None
    if len(days) != 1:
        raise ValueError(f"it is of {len(days)} different days" if days else "it has no date")
    return days.pop()


def _judged(category: str, batch: date, feed: _Feed) -> Announced:
    name = f"arXiv's feed for {category}"
    shown = _words(feed.day) if feed.items else f"an empty {_words(feed.day)}"
    outcome: SourceOutcome
    if feed.day < batch:
        outcome, detail = "stale", f"{name} still shows {shown}"
    elif feed.day > batch:
        outcome, detail = "skipped", f"{name} shows {shown}, no longer {_words(batch)}"
    elif not feed.items:
        why = ", a day without announcements" if feed.skip_day else ""
        outcome, detail = "empty", f"{name} is empty for {_words(batch)}{why}"
    elif feed.items >= MOST_ITEMS:
        what = f"holds {feed.items:,} items, the most that arXiv puts in: new papers may be missing"
        outcome, detail = "truncated", f"{name} {what}"
    else:
        outcome, detail = "ok", _counted(feed)
    return Announced(category, feed.day, feed.rows, outcome, None, detail)


def _counted(feed: _Feed) -> str:
    kinds = Counter(row.kind for row in feed.rows)
    replaced = kinds["replace"] + kinds["replace-cross"]
    unknown = feed.items - len(feed.rows)
    other = f", of an unknown kind {unknown} (left out)" if unknown else ""
    return f"new {kinds['new']}, cross-listed {kinds['cross']}, replaced {replaced}{other}"


def _words(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"
