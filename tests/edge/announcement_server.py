"""A loopback arXiv that announces: feeds, listing pages and searches over given mailings.

`with serve_mailings(mailings(papers), now) as arxiv` answers as arXiv would at the instant
`arxiv.now`, which a test may move on, at the addresses `arxiv.rss`, `arxiv.site` and `arxiv.url`:
a feed changes at midnight Eastern and is empty on days without a mailing, a list shows the newest
mailing, a catch-up page any that is out. Layouts: arXiv/arxiv-feed and arXiv/arxiv-browse (MIT).

Trouble is kept by path (`/rss/cs.AI`, `/list/cs.AI/new`, `/catchup/cs.AI/2026-08-20`):
`faults` spoil the first answers there, as in `arxiv_server`; `as_of` lets a cache answer as it
would have at another instant; `holds` puts another day's papers under the right date. Every row of
a listing is turned into Unicode by arXiv itself, not here: TeX stays as it is.
"""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from obsidian_digest.core.announcements.calendar import EASTERN, announced_at
from tests.edge.arxiv_server import XML, Answer, Asked, Fault, Served, search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from obsidian_digest.model import Paper

HTML = (("Content-Type", "text/html; charset=utf-8"),)
MOST_ITEMS, OLDEST = 2000, timedelta(days=91)
NEVER = datetime(1, 1, 1, tzinfo=UTC)
KINDS = ("new", "cross", "replace", "replace-cross")
SECTIONS = {
    "new": "New submissions",
    "cross": "Cross submissions",
    "rep": "Replacement submissions",
}


@dataclass(frozen=True)
class Mailing:
    """All that arXiv announces with one date."""

    day: date
    new: tuple[Paper, ...] = ()
    crossed: tuple[Paper, ...] = ()
    """Older papers that are cross-listed anew, in all their categories but the primary one."""
    replaced: tuple[Paper, ...] = ()

    def rows(self, category: str) -> list[tuple[Paper, str]]:
        """What a category's or archive's list shows, in its order; no replacements above v5."""

        def mine(name: str) -> bool:
            return name == category or name.startswith(f"{category}.")

        found = [(p, "new" if mine(p.primary) else "cross") for p in self.new]
        found += [(p, "cross") for p in self.crossed if not mine(p.primary)]
        found += [
            (p, "replace" if mine(p.primary) else "replace-cross")
            for p in self.replaced
            if p.version < 6
        ]
        here = [(p, kind) for p, kind in found if any(map(mine, p.categories))]
        return sorted(here, key=lambda row: (KINDS.index(row[1]), row[0].id))


def mailings(papers: Iterable[Paper]) -> tuple[Mailing, ...]:
    """The mailings of papers by their `announced`; an id of another month is cross-listed anew."""
    days: dict[date, list[Paper]] = {}
    for paper in papers:
        assert paper.announced is not None
        days.setdefault(paper.announced, []).append(paper)
    made = []
    for day, all_ in sorted(days.items()):
        new = tuple(paper for paper in all_ if paper.id.startswith(f"{day:%y%m}."))
        made.append(Mailing(day, new, tuple(paper for paper in all_ if paper not in new)))
    return tuple(made)


@dataclass
class Announcing(Served):
    """The running server."""

    mailings: tuple[Mailing, ...] = ()
    now: datetime = NEVER
    page_size: int = MOST_ITEMS
    faults: dict[str, list[Fault | None]] = field(default_factory=dict)
    as_of: dict[str, datetime] = field(default_factory=dict)
    holds: dict[str, date] = field(default_factory=dict)
    early_feeds: bool = False
    """Feeds hold the new papers at 20:00, under the old date: seen in August 2026."""

    @property
    def rss(self) -> str:
        return f"{self.root}/rss"

    @property
    def site(self) -> str:
        return self.root

    def answer(self, path: str, query: dict[str, str]) -> Answer:
        """What arXiv would say, apart from faults."""
        now = self.as_of.get(path, self.now)
        out = [mailing for mailing in self.mailings if announced_at(mailing.day) <= now]
        match path.strip("/").split("/"):
            case ["rss", category]:
                today = now.astimezone(EASTERN).date()
                late = out[-1].day if self.early_feeds and out else today
                held = self.holds.get(path, max(late, today))
                return rss_feed(category, today, self._rows(category, held, out))
            case ["list", category, "new"]:
                day = out[-1].day if out else date(2026, 1, 1)
                rows = self._rows(category, self.holds.get(path, day), out)
                size = min(self.page_size, int(query.get("show", MOST_ITEMS)))
                page = list_page(category, day, rows, int(query.get("skip", "0")), size)
                return Answer(page, headers=HTML)
            case ["catchup", category, asked]:
                return self._catchup(category, date.fromisoformat(asked), query, now, out)
            case ["api", "query"]:
                papers: dict[str, Paper] = {}
                for paper in (p for m in out for p in (*m.new, *m.crossed, *m.replaced)):
                    if paper.id not in papers or paper.version >= papers[paper.id].version:
                        papers[paper.id] = paper
                return search(list(papers.values()), query)
        return Answer(b"<html><body>404 Not Found</body></html>", 404, HTML)

    def _rows(self, category: str, day: date, out: list[Mailing]) -> list[tuple[Paper, str]]:
        return [row for mailing in out if mailing.day == day for row in mailing.rows(category)]

    def _catchup(
        self, category: str, day: date, query: dict[str, str], now: datetime, out: list[Mailing]
    ) -> Answer:
        assert set(query) <= {"abs", "page"}
        today = now.astimezone(EASTERN).date()
        if not today - OLDEST <= day <= self.now.astimezone(EASTERN).date():
            return Answer(b"<html><body>Invalid date</body></html>", 400, HTML)
        held = self.holds.get(f"/catchup/{category}/{day}", day)
        rows = self._rows(category, held, out)
        later = next((mailing.day for mailing in out if mailing.day > day), None)
        skip = (int(query.get("page", "1")) - 1) * self.page_size
        abstracts = query.get("abs") == "True"
        page = catchup_page(category, day, rows, later, skip, self.page_size, abstracts=abstracts)
        return Answer(page, headers=HTML)


@contextmanager
def serve_mailings(
    given: Sequence[Mailing],
    now: datetime,
    faults: Mapping[str, Sequence[Fault | None]] | None = None,
    page_size: int = MOST_ITEMS,
) -> Iterator[Announcing]:
    """arXiv at the instant `now`; lists come in pages of `page_size`."""
    by_path = {path: list(some) for path, some in (faults or {}).items()}
    served = Announcing("", [], 0, tuple(given), now, page_size, by_path)
    closing, lock, still_open = threading.Event(), threading.Lock(), [0]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            split = urlsplit(self.path)
            path = unquote(split.path)
            query = {k: v[0] for k, v in parse_qs(split.query, keep_blank_values=True).items()}
            with lock:
                served.log.append(Asked(time.monotonic(), path, query, dict(self.headers)))
                still_open[0] += 1
                served.busiest = max(served.busiest, still_open[0])
                waiting = served.faults.get(path, [])
                fault = waiting.pop(0) if waiting else None
            try:
                if isinstance(fault, Answer):
                    self._send(fault)
                else:
                    answer = served.answer(path, query)
                    self._send(fault(answer) if fault else answer)
            finally:
                with lock:
                    still_open[0] -= 1

        def _send(self, answer: Answer) -> None:
            self.close_connection = True
            if answer.hang:
                closing.wait(30)
                return
            self.send_response(answer.status)
            headers = {"Content-Type": XML, **dict(answer.headers)}
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[: answer.cut])
            if answer.cut is not None:
                self.wfile.flush()
                reset = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.root = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def rss_feed(category: str, day: date, rows: Sequence[tuple[Paper, str]]) -> Answer:
    """The feed made on `day`; of too many rows the first, which are the new ones, are cut."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=EASTERN)
    dated = format_datetime(midnight)
    items = "".join(_item(paper, kind, dated) for paper, kind in rows[-MOST_ITEMS:])
    link = f"http://rss.arxiv.org/rss/{category}"
    return Answer(
        (
            "<?xml version='1.0' encoding='UTF-8'?>\n"
            '<rss xmlns:arxiv="http://arxiv.org/schemas/atom" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/" '
            'xmlns:atom="http://www.w3.org/2005/Atom" '
            'xmlns:content="http://purl.org/rss/1.0/modules/content/" version="2.0">\n'
            f"  <channel>\n    <title>{category} updates on arXiv.org</title>\n"
            f"    <link>{link}</link>\n"
            f"    <description>{category} updates on the arXiv.org e-print archive.</description>\n"
            f'    <atom:link href="{link}" rel="self" type="application/rss+xml"/>\n'
            "    <docs>http://www.rssboard.org/rss-specification</docs>\n"
            "    <language>en-us</language>\n"
            f"    <lastBuildDate>{format_datetime(midnight.astimezone(UTC))}</lastBuildDate>\n"
            "    <managingEditor>rss-help@arxiv.org</managingEditor>\n"
            f"    <pubDate>{dated}</pubDate>\n"
            "    <skipDays>\n      <day>Saturday</day>\n      <day>Sunday</day>\n    </skipDays>\n"
            f"{items}  </channel>\n</rss>\n"
        ).encode()
    )


def _item(paper: Paper, kind: str, dated: str) -> str:
    name = f"{paper.id}v{paper.version}"
    # A Paper does not keep who is where: the first author gets all affiliations.
    places = f" ({', '.join(paper.affiliations)})" if paper.affiliations else ""
    described = f"arXiv:{name} Announce Type: {kind} \nAbstract: {escape(paper.abstract)}"
    creator = ", ".join((f"{paper.authors[0]}{places}", *paper.authors[1:]))
    lines = [
        f"<title>{escape(paper.title)}</title>",
        f"<link>https://arxiv.org/abs/{paper.id}</link>",
        f"<description>{described}</description>",
        f'<guid isPermaLink="false">oai:arXiv.org:{name}</guid>',
        *(f"<category>{category}</category>" for category in paper.categories),
        f"<pubDate>{dated}</pubDate>",
        f"<arxiv:announce_type>{kind}</arxiv:announce_type>",
        "<dc:rights>http://arxiv.org/licenses/nonexclusive-distrib/1.0/</dc:rights>",
        *([f"<arxiv:DOI>{escape(paper.doi)}</arxiv:DOI>"] if paper.doi else []),
        *(
            [f"<arxiv:journal_reference>{escape(paper.journal_ref)}</arxiv:journal_reference>"]
            if paper.journal_ref
            else []
        ),
        f"<dc:creator>{escape(creator)}</dc:creator>",
    ]
    return "    <item>\n" + "".join(f"      {line}\n" for line in lines) + "    </item>\n"


def list_page(
    category: str, day: date, rows: Sequence[tuple[Paper, str]], skip: int, size: int
) -> bytes:
    """`/list/CATEGORY/new`: entries `skip` to `skip + size`."""
    headline = f"Showing new listings for {day:%A}, {day.day} {day:%B} {day.year}"
    total = f"<div class='paging'>Total of {len(rows)} entries\n</div>" if rows else ""
    body = f"<h1>Subject {category}</h1>\n<h3>{headline}</h3>\n{total}\n"
    shown = _entries(rows, skip, size, abstracts=True)
    return _page(body + (shown or "<p>No updates today.</p>\n") + total)


def catchup_page(
    category: str,
    day: date,
    rows: Sequence[tuple[Paper, str]],
    later: date | None,
    skip: int,
    size: int,
    *,
    abstracts: bool,
) -> bytes:
    """`/catchup/CATEGORY/DAY`; `later` is the next day that has been announced."""
    dated = f"{day:%a, %d %b %Y}"
    following = f"/catchup/{category}/{later}?abs={abstracts}&amp;page=1"
    link = f'<a href="{following}">Continue to the next day</a>' if later else ""
    total = f"<div>{link}\nTotal of {len(rows)} entries for {dated}\n</div>"
    shown = _entries(rows, skip, size, abstracts=abstracts)
    none = (
        f"<div>No further updates for {dated}</div>"
        if skip
        else f"<p>No updates for {dated}. There was either no announcement for this day, or no "
        "updates within the requested subject.</p>"
    )
    headline = f"<h1>Catchup results for Subject {category} on {dated}</h1>"
    return _page(f"{headline}\n{total}\n{shown or none}\n{total}\n")


def _page(body: str) -> bytes:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><title></title></head>\n<body>\n'
        f"<div id='content-inner'>\n<div id='dlpage'>\n{body}</div>\n</div>\n</body>\n</html>\n"
    ).encode()


def _entries(rows: Sequence[tuple[Paper, str]], skip: int, size: int, *, abstracts: bool) -> str:
    """The sections that a page of a list shows, each with its count."""
    text, shown = "", list(enumerate(rows))[skip : skip + size]
    for name, heading in SECTIONS.items():
        here = [(n, row) for n, row in shown if row[1].startswith(name)]
        places = [n for n, row in enumerate(rows) if row[1].startswith(name)]
        if here:
            begun, ended = here[0][0] > places[0], here[-1][0] == places[-1]
            showing = ("continued, " if begun else "") + "showing "
            showing += "last " if begun and ended else "" if begun or ended else "first "
            counted = f"({showing}{len(here)} of {len(places)} entries)"
            entries = "".join(_entry(n + 1, *row, abstracts=abstracts) for n, row in here)
            text += f"<dl id='articles'>\n<h3>{heading} {counted}</h3>\n{entries}</dl>\n"
    return text


def _entry(number: int, paper: Paper, kind: str, *, abstracts: bool) -> str:
    marks = {"cross": f"(cross-list from {paper.primary})", "new": ""}
    form = f"https://arxiv.org/html/{paper.id}v{paper.version}"
    search_for = "https://arxiv.org/search/?searchtype=author&amp;query="
    authors = [f'<a href="{search_for}A">{escape(name)}</a>' for name in paper.authors]
    authors[0] += "".join(f" ({escape(place)})" for place in paper.affiliations)
    others = "".join(f"; Subject ({c})" for c in sorted(set(paper.categories) - {paper.primary}))
    fields = {
        "comments mathjax": ("Comments", _urlized(paper.comment)),
        "journal-ref": ("Journal-ref", escape(paper.journal_ref)),
        "subjects": (
            "Subjects",
            f'<span class="primary-subject">Subject ({paper.primary})</span>{others}',
        ),
    }
    meta = "".join(
        f"<div class='list-{name}'><span class='descriptor'>{label}:</span>\n{text}\n</div>\n"
        for name, (label, text) in fields.items()
        if text
    )
    abstract = f"<p class='mathjax'>\n{_urlized(paper.abstract)}\n</p>\n" if abstracts else ""
    return (
        f"<dt>\n<a name='item{number}'>[{number}]</a>\n"
        f'<a href ="/abs/{paper.id}" title="Abstract" id="{paper.id}">\narXiv:{paper.id}\n</a>\n'
        f'{marks.get(kind, "(replaced)")}\n[<a href="/pdf/{paper.id}">pdf</a>, '
        f"<a href=\"{form}\">html</a>]\n</dt>\n<dd>\n<div class='meta'>\n"
        "<div class='list-title mathjax'><span class='descriptor'>Title:</span>\n"
        f"{escape(paper.title)}\n</div>\n<div class='list-authors'>{', '.join(authors)}</div>\n"
        f"{meta}{abstract}</div>\n</dd>\n"
    )


def _urlized(text: str) -> str:
    """arXiv hides the addresses in a text behind the words "this https URL"."""
    link = r'<a href="\g<0>" rel="external noopener nofollow">this \1 URL</a>'
    return re.sub(r"(https?)://[^\s&<>]*[\w/]", link, escape(text))
