"""A loopback arXiv: answers searches over given papers, or with scripted answers and faults.

`serve_papers(papers, faults)` is the search API over these papers; the n-th fault, if not None,
takes the place of the n-th answer (an `Answer`) or spoils it (a function of the honest answer).
`serve(answers)` gives exactly these answers, then HTTP 500. Both give a `Served` with the address
and a log of requests: `with serve_papers(papers) as arxiv: PoliteWeb(...).get(arxiv.url, ...)`.
"""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from obsidian_digest.model import Paper

XML = "application/atom+xml; charset=utf-8"
LIMIT_OF_ANSWER, LIMIT_OF_QUERY = 2000, 30_000


@dataclass(frozen=True)
class Answer:
    """One answer; `cut` ends the connection after so many bytes, `hang` never says a word."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = None
    hang: bool = False


Fault = Answer | Callable[[Answer], Answer]


@dataclass(frozen=True)
class Asked:
    """One request as it came: `at` is monotonic seconds."""

    at: float
    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass
class Served:
    """The running server."""

    root: str
    log: list[Asked] = field(default_factory=list)
    busiest: int = 0
    """The most requests that were open at once."""

    @property
    def url(self) -> str:
        return f"{self.root}/api/query"

    @property
    def gaps(self) -> list[float]:
        """Seconds between the starts of neighbouring requests."""
        starts = [asked.at for asked in self.log]
        return [b - a for a, b in pairwise(starts)]


def throttled(retry_after: int | str | None = None, status: int = 429) -> Answer:
    headers = () if retry_after is None else (("Retry-After", str(retry_after)),)
    return Answer(b"Rate exceeded.", status, headers)


def failed(status: int) -> Answer:
    return Answer(b"<html><body>error</body></html>", status)


def web_page(text: str = "arXiv is down for maintenance") -> Answer:
    body = f"<!DOCTYPE html><html><body><p>{text}</p></body></html>".encode()
    return Answer(body, headers=(("Content-Type", "text/html"),))


def cut_xml(answer: Answer) -> Answer:
    """Half of the answer, with a Content-Length that fits: only the XML shows that it is cut."""
    return replace(answer, body=answer.body[: len(answer.body) // 2])


def cut_connection(answer: Answer) -> Answer:
    return replace(answer, cut=len(answer.body) // 2)


def without_entries(answer: Answer) -> Answer:
    """The page arXiv is known to send now and then: hits are counted, none is listed."""
    return replace(
        answer, body=re.sub(rb"  <entry>.*</entry>\n", b"", answer.body, flags=re.DOTALL)
    )


def error_feed(text: str) -> Answer:
    anchor = f"https://arxiv.org/api/errors#{text.replace(' ', '_')}"
    entry = (
        f"  <entry>\n    <id>{anchor}</id>\n    <title>Error</title>\n"
        f"    <updated>2026-04-12T22:59:06Z</updated>\n    <summary>{escape(text)}</summary>\n"
        "    <author>\n      <name>arXiv api core</name>\n    </author>\n  </entry>\n"
    )
    return Answer(_feed("arXiv Search Results", 1, 0, 1, entry), 400)


EMPTY_BODY = Answer()
HANG = Answer(hang=True)


@contextmanager
def serve(answers: Sequence[Fault]) -> Iterator[Served]:
    """Exactly these answers, in order."""
    over = Answer(b"the script is over", 500)
    with _running(lambda _query: over, answers) as served:
        yield served


@contextmanager
def serve_papers(papers: Sequence[Paper], faults: Sequence[Fault | None] = ()) -> Iterator[Served]:
    """The search API over these papers."""
    with _running(lambda query: search(papers, query), faults) as served:
        yield served


@contextmanager
def _running(
    honest: Callable[[dict[str, str]], Answer], faults: Sequence[Fault | None]
) -> Iterator[Served]:
    served, closing, lock = Served(""), threading.Event(), threading.Lock()
    still_open = [0]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            split = urlsplit(self.path)
            query = {k: v[0] for k, v in parse_qs(split.query, keep_blank_values=True).items()}
            with lock:
                turn = len(served.log)
                served.log.append(Asked(time.monotonic(), split.path, query, dict(self.headers)))
                still_open[0] += 1
                served.busiest = max(served.busiest, still_open[0])
            fault = faults[turn] if turn < len(faults) else None
            answer = fault if isinstance(fault, Answer) else honest(query)
            if fault is not None and not isinstance(fault, Answer):
                answer = fault(answer)
            try:
                self._send(answer)
            finally:
                with lock:
                    still_open[0] -= 1

        def _send(self, answer: Answer) -> None:
            self.close_connection = True
            if answer.hang:
                closing.wait(30)
                return
            self.send_response(answer.status)
            for name, value in (("Content-Type", XML), *answer.headers):
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[: answer.cut])
            if answer.cut is not None:
                self.wfile.flush()
                # A reset instead of an orderly end.
                self.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                )

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


def search(papers: Sequence[Paper], query: dict[str, str]) -> Answer:
    """What arXiv's search API answers to these query parameters."""
    start, most = int(query.get("start", "0")), int(query.get("max_results", "10"))
    if most > LIMIT_OF_ANSWER or start + most > LIMIT_OF_QUERY:
        return error_feed("max_results must be at most 2000 and start at most 30000")
    asked, ids = (
        query.get("search_query", ""),
        [i for i in query.get("id_list", "").split(",") if i],
    )
    malformed = [i for i in ids if not re.fullmatch(r"(\d{4}\.\d{4,5}|[a-z-]+/\d{7})(v\d+)?", i)]
    if malformed:
        return error_feed(f"incorrect id format for {malformed[0]}")
    hits = [paper for paper in papers if _matches(paper, asked, ids)]
    if query.get("sortBy") in {"submittedDate", "lastUpdatedDate"}:
        field_of = "published" if query["sortBy"] == "submittedDate" else "updated"
        hits.sort(
            key=lambda paper: (getattr(paper, field_of), paper.id),
            reverse=query.get("sortOrder") != "ascending",
        )
    title = f"search_query={asked}&id_list={','.join(ids)}&start={start}&max_results={most}"
    entries = "".join(render(paper) for paper in hits[start : start + most])
    return Answer(_feed(f"arXiv Query: {title}", len(hits), start, most, entries))


def _matches(paper: Paper, asked: str, ids: list[str]) -> bool:
    if ids:
        return paper.id in {re.sub(r"v\d+$", "", i) for i in ids}
    categories = re.findall(r"cat:([\w.-]+)", asked)
    span = re.search(r"submittedDate:\[(\d{12}) TO (\d{12})\]", asked)
    left = re.sub(r"cat:[\w.-]+|submittedDate:\[[^]]*\]|\bAND\b|\bOR\b|[() ]", "", asked)
    assert not left, f"this arXiv does not understand {left!r} in {asked!r}"
    assert paper.published is not None
    # Whole minutes, both ends included.
    minute = f"{paper.published:%Y%m%d%H%M}"
    in_span = span is None or span[1] <= minute <= span[2]
    return in_span and (not categories or bool(set(categories) & set(paper.categories)))


def _feed(title: str, total: int, start: int, most: int, entries: str) -> bytes:
    now = datetime(2026, 8, 20, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">\n'
        "  <id>https://arxiv.org/api/loopback</id>\n"
        f"  <title>{escape(title)}</title>\n"
        f"  <updated>{now}</updated>\n"
        f"  <opensearch:itemsPerPage>{most}</opensearch:itemsPerPage>\n"
        f"  <opensearch:totalResults>{total}</opensearch:totalResults>\n"
        f"  <opensearch:startIndex>{start}</opensearch:startIndex>\n"
        f"{entries}</feed>\n"
    ).encode()


def render(paper: Paper) -> str:
    """One entry in the layout that arXiv sends since November 2025."""
    name, scheme = f"{paper.id}v{paper.version}", "http://arxiv.org/schemas/atom"
    pdf = 'rel="related" type="application/pdf" title="pdf"'
    updated = paper.updated or paper.published
    assert paper.published is not None
    assert updated is not None
    lines = [
        f"<id>http://arxiv.org/abs/{name}</id>",
        f"<title>{escape(paper.title)}</title>",
        f"<updated>{updated:%Y-%m-%dT%H:%M:%SZ}</updated>",
        f'<link href="https://arxiv.org/abs/{name}" rel="alternate" type="text/html"/>',
        f'<link href="https://arxiv.org/pdf/{name}" {pdf}/>',
        f"<summary>{escape(paper.abstract)}</summary>",
        *(f'<category term="{c}" scheme="{scheme}"/>' for c in paper.categories),
        f"<published>{paper.published:%Y-%m-%dT%H:%M:%SZ}</published>",
        *([f"<arxiv:comment>{escape(paper.comment)}</arxiv:comment>"] if paper.comment else []),
        f'<arxiv:primary_category term="{paper.primary}"/>',
        *(
            [f"<arxiv:journal_ref>{escape(paper.journal_ref)}</arxiv:journal_ref>"]
            if paper.journal_ref
            else []
        ),
    ]
    for position, author in enumerate(paper.authors):
        # A Paper does not keep who is where: the first author gets all affiliations.
        places = paper.affiliations if position == 0 else ()
        inside = [f"<name>{escape(author)}</name>"]
        inside += [f"<arxiv:affiliation>{escape(place)}</arxiv:affiliation>" for place in places]
        lines += ["<author>", *(f"  {line}" for line in inside), "</author>"]
    if paper.doi:
        lines.append(f"<arxiv:doi>{escape(paper.doi)}</arxiv:doi>")
        lines.append(f'<link rel="related" href="https://doi.org/{paper.doi}" title="doi"/>')
    return "  <entry>\n" + "".join(f"    {line}\n" for line in lines) + "  </entry>\n"
