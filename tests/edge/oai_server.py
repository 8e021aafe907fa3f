"""A loopback OAI-PMH service over given rows, as arXiv's own server answers, faults injectable.

`serve_oai(rows, faults)` gives a `Served` like `arxiv_server.serve_papers`; its address is
`served.root + "/oai"`. Paging, tokens and errors follow github.com/arXiv/oaipmh (August 2026): a
page is cut by day of change, and its token is the next question with the number of rows to skip.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote, urlencode
from xml.sax.saxutils import escape

from tests.edge.arxiv_server import Answer, Fault, Served, _running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from obsidian_digest.model import Paper

TODAY = date(2026, 8, 20)
EARLIEST = date(2005, 9, 16)
PHYSICS = {"astro-ph", "cond-mat", "gr-qc", "hep-th", "math-ph", "physics", "quant-ph"}
GMT = "%a, %d %b %Y %H:%M:%S GMT"


@dataclass(frozen=True)
class Row:
    """A record: its paper and the day of its last change."""

    paper: Paper
    changed: date = TODAY
    size: str = "12kb"
    source_type: str = ""
    deleted: bool = False
    metadata: bool = True


@contextmanager
def serve_oai(
    rows: Sequence[Row], faults: Sequence[Fault | None] = (), page: int = 3
) -> Iterator[Served]:
    with _running(lambda query: answer(rows, query, page), faults) as served:
        yield served


def error(code: str, words: str = "The value is invalid or expired.") -> Answer:
    return Answer(_envelope(f"    <error code='{code}'>{escape(words)}</error>\n"))


def answer(rows: Sequence[Row], query: dict[str, str], page: int) -> Answer:
    skip = 0
    if token := query.get("resumptionToken"):
        if set(query) != {"verb", "resumptionToken"}:
            return error("badArgument", "No other paramters allowed with resumptionToken")
        query = {name: values[0] for name, values in parse_qs(unquote(token)).items()}
        if "skip" not in query:
            return EXPIRED
        skip = int(query.pop("skip"))
    wrong = _wrong(query)
    if wrong:
        return error("badArgument", wrong)
    since = date.fromisoformat(query.get("from", str(EARLIEST)))
    listed = sorted(
        (row for row in rows if row.changed >= since and _in_set(row, query.get("set", ""))),
        key=lambda row: (row.changed, row.paper.id),
    )[skip : skip + page + 1]
    if not listed:
        return NOTHING
    shown, more = listed[:page], listed[page:]
    next_token = _token(query, skip, shown, more[0]) if more else "<resumptionToken/>"
    if not more and not token:
        next_token = ""
    body = "".join(map(render, shown)) + next_token
    return Answer(_envelope(f"    <ListRecords>\n{body}\n    </ListRecords>\n"))


def _wrong(query: dict[str, str]) -> str:
    allowed = {"verb", "metadataPrefix", "from", "until", "set"}
    if query.get("verb") != "ListRecords" or query.get("metadataPrefix") != "arXivRaw":
        return "not served here"
    if set(query) - allowed:
        return "Unallowed parameter"
    since = date.fromisoformat(query.get("from", str(EARLIEST)))
    if since > TODAY:
        return "until date must be greater than or equal to from date"
    if since < EARLIEST:
        return "start date too early"
    group, *archive = query.get("set", "cs").split(":")
    expected = "physics" if archive and archive[0] in PHYSICS else (archive or [group])[0]
    return "" if group == expected and "." not in group else "Set does not exist"


def _in_set(row: Row, name: str) -> bool:
    _, _, category = name.partition(":")
    wanted = category.replace(":", ".")
    return any(c == wanted or c.startswith(f"{wanted}.") or not name for c in row.paper.categories)


def _token(query: dict[str, str], skip: int, shown: list[Row], following: Row) -> str:
    last = following.changed
    if last == shown[0].changed:
        skip += len(shown)
    else:
        skip = sum(row.changed == last for row in shown)
        query = query | {"from": str(last)}
    text = quote(urlencode(query | {"skip": str(skip)}))
    return f"<resumptionToken expirationDate='2026-08-21T00:00:00Z'>{text}</resumptionToken>"


def render(row: Row) -> str:
    status = ' status="deleted"' if row.deleted else ""
    sets = "".join(f"<setSpec>{_set(c)}</setSpec>" for c in row.paper.categories)
    metadata = f"<metadata>{_raw(row)}</metadata>" if row.metadata and not row.deleted else ""
    return (
        f"      <record>\n        <header{status}>\n"
        f"        <identifier>oai:arXiv.org:{row.paper.id}</identifier>\n"
        f"        <datestamp>{row.changed}</datestamp>\n        {sets}\n        </header>\n"
        f"        {metadata}\n      </record>\n"
    )


def _set(category: str) -> str:
    archive = category.partition(".")[0]
    group = "physics" if archive in PHYSICS else archive
    return f"{group}:{category.replace('.', ':')}"


def _raw(row: Row) -> str:
    paper = row.paper
    assert paper.published is not None
    updated = paper.updated or paper.published
    versions = "".join(
        f'<version version="v{number}">'
        f"<date>{(updated if number == paper.version else paper.published).strftime(GMT)}</date>"
        f"<size>{row.size}</size>"
        + (f"<source_type>{row.source_type}</source_type>" if row.source_type else "")
        + "</version>"
        for number in range(1, paper.version + 1)
    )
    fields = {
        "title": paper.title,
        "authors": ", ".join(paper.authors),
        "categories": " ".join(paper.categories),
        "comments": paper.comment,
        "journal-ref": paper.journal_ref,
        "doi": paper.doi,
        "license": "http://creativecommons.org/licenses/by/4.0/",
        "abstract": f"  {paper.abstract}\n",
    }
    inside = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in fields.items() if text)
    return (
        '<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">'
        f"<id>{paper.id}</id><submitter>Ada</submitter>{versions}{inside}</arXivRaw>"
    )


def _envelope(inside: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n'
        "    <responseDate>2026-08-20T04:30:00Z</responseDate>\n"
        '    <request verb="ListRecords">http://oaipmh.arxiv.org/oai</request>\n'
        f"{inside}</OAI-PMH>"
    ).encode()


EXPIRED = error("badResumptionToken")
NOTHING = error("noRecordsMatch", "The combination results in an empty list.")
