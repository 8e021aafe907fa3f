"""arXiv's search API, the only file that imports `arxiv`: a query's papers, complete or an error.

The package's parser and paging are used, its transport is not: it waits for ever, ignores
Retry-After and takes a web page or half an answer for "no papers". Protocol facts:
https://info.arxiv.org/help/api/user-manual.html.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from obsidian_digest.model import Harvest, Paper, Query, SourceReport, Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import arxiv

    from obsidian_digest.ports import Progress, Web

NAME = "api"
ATOM = "{http://www.w3.org/2005/Atom}"
# XML forbids them, arXiv lets them through: one in one abstract would spoil the whole page.
CONTROLS = bytes(set(range(32)) - {9, 10, 13})
MINUTE = timedelta(minutes=1)
# The API pages to 30,000 hits and asks for narrower questions long before that.
MOST_HITS = 10_000
# 100 ids make an address of 1.4 kB; 500 would be refused by some proxies.
IDS_AT_ONCE = 100


class ArxivApi:
    """The search API at `base_url` (`https://export.arxiv.org/api/query`) as a source of papers."""

    def __init__(self, base_url: str, web: Web, page_size: int = 500) -> None:
        self._base_url = base_url
        self._web = web
        self._page_size = page_size

    def harvest(self, query: Query, progress: Progress) -> Harvest:
        """The newest version of each paper submitted within the query's window, oldest first.

        Zero papers, or fewer than arXiv counted, are asked for once more; what is still missing
        then stands in the report, never in silence. Raises SourceError when arXiv gives no answer
        that can be trusted, ValueError when the query has no window.
        """
        if query.window is None:
            raise ValueError("the search API needs a window of submission times")
        found: dict[str, Paper] = {}
        missing = self._collect(query.categories, query.window, found, progress)
        if missing or not found:
            missing = self._collect(query.categories, query.window, found, progress)
        papers = sorted(
            (paper for paper in found.values() if _answers(paper, query, query.window)),
            key=lambda paper: (str(paper.published), paper.id),
        )
        return Harvest(tuple(papers), (_report(len(papers), len(found), missing),))

    def papers_by_id(
        self, ids: Sequence[str], progress: Progress | None = None
    ) -> tuple[Paper, ...]:
        """The papers of these ids (with or without version), in their order, unknown ids left out.

        Raises SourceError; one malformed id makes arXiv refuse the whole request, naming it.
        """
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Paper] = {}
        for _ in range(2):  # an id that seems unknown is asked for once more
            missing = [i for i in wanted if _bare(i)[0] not in found]
            for start in range(0, len(missing), IDS_AT_ONCE):
                chunk = missing[start : start + IDS_AT_ONCE]
                client, _seen = self._client(gaps=True)
                _keep(found, map(_paper, client.results(_by_id(chunk))))
                if progress is not None:
                    progress("fetch", len(found), len(wanted))
        bare = dict.fromkeys(_bare(i)[0] for i in wanted)
        return tuple(found[i] for i in bare if i in found)

    def _collect(
        self,
        categories: Sequence[str],
        window: Window,
        found: dict[str, Paper],
        progress: Progress,
    ) -> int:
        """Put the window's papers into `found`; how many arXiv counted but did not give."""
        client, seen = self._client()
        given: dict[str, Paper] = {}
        for result in client.results(_by_window(categories, window)):
            if seen.total > MOST_HITS and window.end - window.start > 2 * MINUTE:
                middle = window.start + (window.end - window.start) / 2
                halves = (Window(window.start, middle), Window(middle, window.end))
                return sum(self._collect(categories, half, found, progress) for half in halves)
            _keep(given, (_paper(result),))
            progress("fetch", len(found) + len(given), len(found) + max(seen.total, len(given)))
        _keep(found, given.values())
        return max(0, seen.total - len(given))

    def _client(self, *, gaps: bool = False) -> tuple[arxiv.Client, _Seen]:
        """A client of the package that reads through our web; `gaps`: a page may be empty."""
        import arxiv  # noqa: PLC0415 - 180 ms that most commands never need

        seen, web = _Seen(), self._web

        class PoliteClient(arxiv.Client):  # type: ignore[misc] # the package is untyped to us
            query_url_format = self._base_url + "?{}"

            def _parse_feed(self, url: str, first_page: bool = True, _try_index: int = 0) -> Any:  # noqa: ARG002
                feed = web.get(url, lambda answer: _feed(answer, gaps=gaps))
                seen.total = feed.header.total_results
                return feed

        return PoliteClient(page_size=self._page_size), seen


class _Seen:
    """The number of hits that the last page announced: the package keeps it to itself."""

    total = 0


def _feed(answer: bytes, *, gaps: bool) -> Any:
    """The parsed page; ValueError unless every entry of it is whole."""
    from arxiv import _feed as parser  # noqa: PLC0415 - private, hence the pin below 5
    from lxml import etree  # noqa: PLC0415 - comes with arxiv

    answer = answer.translate(None, CONTROLS)
    strict = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(answer, strict)
    except etree.XMLSyntaxError as error:
        raise ValueError(_what_it_is(answer)) from error
    if root.tag != f"{ATOM}feed":
        raise ValueError(_what_it_is(answer))
    entries = root.findall(f"{ATOM}entry")
    for entry in entries:
        if "/api/errors#" in (entry.findtext(f"{ATOM}id") or ""):
            raise ValueError(" ".join((entry.findtext(f"{ATOM}summary") or "error").split()))
    feed = parser.parse(answer)
    if len(feed.results) != len(entries):
        raise ValueError(f"{len(entries) - len(feed.results)} of {len(entries)} entries are broken")
    if not entries and not gaps and feed.header.total_results > feed.header.start_index:
        raise ValueError(f"an empty page, though it counts {feed.header.total_results}")
    return feed


def _what_it_is(answer: bytes) -> str:
    start = answer[:500].lstrip().lower()
    if not start:
        return "it is empty"
    if start.startswith((b"<!doctype html", b"<html")):
        return "it is a web page, not a list of papers"
    return "it is cut off or damaged" if start.startswith(b"<") else "it is not a list of papers"


def _by_window(categories: Sequence[str], window: Window) -> arxiv.Search:
    import arxiv  # noqa: PLC0415 - see ArxivApi._client

    anywhere = " OR ".join(f"cat:{category}" for category in categories)
    # The filter takes whole minutes and includes its ends; what is too much is left out afterwards.
    ends = f"{window.start:%Y%m%d%H%M} TO {window.end + timedelta(seconds=59):%Y%m%d%H%M}"
    return arxiv.Search(
        query=f"({anywhere}) AND submittedDate:[{ends}]",
        max_results=None,
        # Ascending: papers that arrive while we page come last instead of shifting every page.
        sort_by=arxiv.SortCriterion.SubmittedDate,
        sort_order=arxiv.SortOrder.Ascending,
    )


def _by_id(ids: list[str]) -> arxiv.Search:
    import arxiv  # noqa: PLC0415 - see ArxivApi._client

    return arxiv.Search(id_list=ids, max_results=len(ids))


def _answers(paper: Paper, query: Query, window: Window) -> bool:
    in_window = paper.published is not None and window.start <= paper.published < window.end
    return in_window and (query.cross_lists or paper.primary in query.categories)


def _keep(found: dict[str, Paper], papers: Iterable[Paper]) -> None:
    for paper in papers:
        if paper.id not in found or found[paper.id].version < paper.version:
            found[paper.id] = paper


def _report(papers: int, found: int, missing: int) -> SourceReport:
    if missing:
        detail = f"arXiv counted {found + missing} papers and gave {found}, asked twice"
        return SourceReport(NAME, "truncated", papers, detail)
    if not found:
        detail = "arXiv returned nothing for this window, asked twice"
    elif found > papers:
        detail = f"left out as outside the question: {found - papers}"
    else:
        detail = ""
    return SourceReport(NAME, "ok" if papers else "empty", papers, detail)


def _paper(result: arxiv.Result) -> Paper:
    bare, version = _bare(result.entry_id.rpartition("/abs/")[2])
    institutions = (_line(a) for author in result.authors for a in author.affiliation)
    return Paper(
        id=bare,
        version=version,
        title=_line(result.title),
        abstract=_line(result.summary),
        authors=tuple(_line(author.name) for author in result.authors),
        categories=tuple(dict.fromkeys(result.categories)),
        primary=result.primary_category,
        published=result.published,
        updated=result.updated,
        comment=_line(result.comment),
        journal_ref=_line(result.journal_ref),
        doi=_line(result.doi),
        affiliations=tuple(dict.fromkeys(filter(None, institutions))),
    )


def _bare(arxiv_id: str) -> tuple[str, int]:
    found = re.fullmatch(r"(.+?)v([1-9]\d*)", arxiv_id)
    return (found[1], int(found[2])) if found else (arxiv_id, 1)


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
