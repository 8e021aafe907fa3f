"""arXiv's OAI-PMH service: every record that changed since a day, complete or an error.

The protocol: http://www.openarchives.org/OAI/2.0/openarchivesprotocol.htm; arXiv's sets and pace:
https://info.arxiv.org/help/oa/index.html and the server's own code, github.com/arXiv/oaipmh.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from obsidian_digest.edge.arxiv_oai.records import Page, Record, read_oai, read_page
from obsidian_digest.errors import SourceError
from obsidian_digest.model import Harvest, Paper, Query, SourceReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from obsidian_digest.model import SourceOutcome
    from obsidian_digest.ports import Progress, Web

__all__ = ["ArxivOai", "OaiError", "read_oai", "sets_for"]

NAME = "oai"
# Of the formats only this one tells the first version's date: `created` in "arXiv" is the newest's.
FORMAT = "arXivRaw"
EARLIEST = date(2005, 9, 16)
"""The oldest day of change; the server refuses an earlier one."""
DAY = timedelta(days=1)
_PHYSICS = (
    "astro-ph cond-mat gr-qc hep-ex hep-lat hep-ph hep-th math-ph nlin nucl-ex nucl-th physics"
    " quant-ph"
)
PHYSICS = frozenset(_PHYSICS.split())
"""Archives of the group `physics`; every other archive is a group of its own."""
MOST_OWN_SETS = 2
"""From a third category of an archive on, the archive's set costs fewer pages than theirs."""
NOTHING, EXPIRED = "noRecordsMatch", "badResumptionToken"


class OaiError(SourceError):
    """The service refused the question, or its list broke off."""

    source = NAME

    def __init__(self, what: str, where: str, hint: str, source_outcome: SourceOutcome) -> None:
        super().__init__(what, where, f"Nothing was lost; {hint}")
        self.source_outcome = source_outcome


class ArxivOai:
    """The service at `base_url` (`https://oaipmh.arxiv.org/oai`) as a source of papers."""

    def __init__(self, base_url: str, web: Web) -> None:
        self._base_url = base_url
        self._web = web

    def harvest(self, query: Query, progress: Progress) -> Harvest:
        """The newest version of each paper submitted within the query's window, oldest first.

        Asks for all that changed since the window's first day, as a record moves on with each
        change. Raises SourceError when no answer can be trusted, ValueError without a window.
        """
        window = query.window
        if window is None:
            raise ValueError("OAI-PMH needs a window of submission times")
        wanted = _Wanted(query.categories, cross_lists=query.cross_lists)

        def fits(paper: Paper) -> bool:
            submitted = paper.published
            return submitted is not None and window.start <= submitted < window.end

        found = self._changed(window.start.date(), wanted, fits, progress)
        papers = tuple(sorted(found, key=lambda paper: (str(paper.published), paper.id)))
        silent = [c for c in query.categories if not any(_holds(p.categories, c) for p in papers)]
        detail = f"nothing for {', '.join(silent)}" if silent else ""
        report = SourceReport(NAME, "ok" if papers else "empty", len(papers), detail)
        return Harvest(papers, (report,))

    def changed_since(
        self, day: date, categories: Sequence[str], progress: Progress
    ) -> tuple[Paper, ...]:
        """Papers whose record changed on this day (UTC) or later, whenever they were submitted.

        New, revised, cross-listed, corrected and withdrawn ones alike, by id, in their newest
        version; a withdrawn one says so in its comment. Raises SourceError.
        """
        wanted = _Wanted(categories, cross_lists=True)
        found = self._changed(day, wanted, lambda _: True, progress)
        return tuple(sorted(found, key=lambda paper: paper.id))

    def _changed(
        self, day: date, wanted: _Wanted, fits: Callable[[Paper], bool], progress: Progress
    ) -> Iterable[Paper]:
        found: dict[str, Paper] = {}
        try:
            for oai_set in sets_for(wanted.categories):
                for record in self._records(oai_set, max(day, EARLIEST)):
                    paper = record.paper
                    if paper is None:
                        found.pop(record.id, None)
                    elif wanted(paper) and fits(paper) and not _known(found, paper):
                        found[paper.id] = paper
                        progress("fetch", len(found), 0)
        except SourceError as error:
            error.source = NAME
            raise
        return found.values()

    def _records(self, oai_set: str, day: date) -> Iterator[Record]:
        """The set's records from `day` on, page by page, doubles possible."""
        page, newest, began_anew = self._first_page(oai_set, day), day, None
        tokens: set[str] = set()
        while page.records:
            yield from (record for record in page.records if record.changed >= day)
            newest = max(newest, *(record.changed for record in page.records))
            if not page.token:
                return
            if page.token in tokens:
                raise self._broke_off(newest)
            tokens.add(page.token)
            page = self._page({"resumptionToken": page.token})
            if page.error:
                # A token lives until midnight UTC; the list goes on from the last day seen.
                if newest != began_anew:
                    page, tokens = self._first_page(oai_set, newest), set()
                    began_anew = newest
                if not page.records:
                    raise self._broke_off(newest)

    def _first_page(self, oai_set: str, day: date) -> Page:
        question = {"metadataPrefix": FORMAT, "set": oai_set}
        page = self._page(question | {"from": str(day)})
        if page.error == EXPIRED:  # there was no token
            raise self._broke_off(day)
        if page.error == NOTHING and day > EARLIEST:
            # arXiv's cache keeps this answer until midnight UTC, past an announcement in between;
            # another day makes another address.
            page = self._page(question | {"from": str(day - DAY)})
        return page

    def _page(self, question: dict[str, str]) -> Page:
        url = f"{self._base_url}?{urlencode({'verb': 'ListRecords'} | question)}"
        page = self._web.get(url, read_page)
        if page.error and page.error not in (NOTHING, EXPIRED):
            what = f"arXiv did not accept the request ({page.error}: {page.words})"
            raise OaiError(what, self._base_url, "check the categories and days.", "unreachable")
        return page

    def _broke_off(self, day: date) -> OaiError:
        what = f"arXiv's list of changes does not get past {day}"
        return OaiError(what, self._base_url, "try again in an hour.", "corrupt")


@dataclass(frozen=True, slots=True)
class _Wanted:
    categories: Sequence[str]
    cross_lists: bool

    def __call__(self, paper: Paper) -> bool:
        lists = paper.categories if self.cross_lists else (paper.primary,)
        return any(_holds(lists, category) for category in self.categories)


def _holds(categories: Iterable[str], wanted: str) -> bool:
    """Whether the wanted category is among them, or one of the wanted archive."""
    return any(c == wanted or c.startswith(f"{wanted}.") for c in categories)


def _known(found: dict[str, Paper], paper: Paper) -> bool:
    return paper.id in found and found[paper.id].version > paper.version


def sets_for(categories: Iterable[str]) -> tuple[str, ...]:
    """The sets that hold these categories, as the server spells them: `cs:cs:AI`, `physics:hep-th`.

    They may hold more than was asked for.
    """
    by_archive: dict[str, list[str]] = {}
    for category in dict.fromkeys(categories):
        archive, _, part = category.partition(".")
        by_archive.setdefault(archive, []).append(part)
    sets: list[str] = []
    for archive, parts in by_archive.items():
        whole = f"physics:{archive}" if archive in PHYSICS else f"{archive}:{archive}"
        narrow = "" not in parts and len(parts) <= MOST_OWN_SETS
        sets += [f"{whole}:{part}" for part in parts] if narrow else [whole]
    return tuple(sets)
