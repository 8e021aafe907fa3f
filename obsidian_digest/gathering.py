"""Asks one source after the other until every category of a batch has an answer to be trusted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from obsidian_digest.core.calendar import batch_window
from obsidian_digest.core.trust import confirmed, judged
from obsidian_digest.errors import InputError, SourceError, SourceStaleError
from obsidian_digest.model import Announced, Harvest, Row, SourceReport, Window
from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    from obsidian_digest.model import Paper, Query, SourceOutcome
    from obsidian_digest.ports import AnnouncementSource, BatchStore, PaperSource, Progress

PATIENCE = {"throttled": 1, "unreachable": 2}
"""After so many such answers a service is not asked for the other categories."""
HELD = timedelta(days=14)
"""Moderators hold papers back for days: so far back a search looks for ones not seen yet."""
_WORST: tuple[SourceOutcome, ...] = (
    "throttled", "unreachable", "corrupt", "truncated", "stale", "skipped", "empty", "ok",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a batch may be read, the best first."""

    lists: Mapping[str, AnnouncementSource]
    """Announcements by category, by name."""
    searches: Mapping[str, PaperSource]
    """Papers by the time of their submission, by name."""


class Gathering:
    """A batch from whatever source can be trusted, remembered for the next run (`PaperSource`)."""

    def __init__(self, sources: Sources, store: BatchStore) -> None:
        self._sources = sources
        self._store = store

    def harvest(self, query: Query, progress: Progress) -> Harvest:
        """The batch that the query names, or what was submitted within its window.

        Raises SourceError where not one category has an answer to be trusted.
        """
        if not query.batches and query.window is None:
            return Harvest((), (SourceReport("arXiv", "skipped", detail="nothing is due"),))
        if not query.batches:
            return self._searched(query, progress)
        found: list[Harvest] = []
        known = query.newest_known
        for day in query.batches:
            found.append(self._batch(replace(query, newest_known=known), day, progress))
            known = max((known, *(paper.id for paper in found[-1].papers)), key=_by_age)
        return _united(found)

    def _batch(self, query: Query, day: date, progress: Progress) -> Harvest:
        saved = self._store.answers(day)
        given_by = {category: source for category, (source, _) in saved.items()}
        answers = {category: answer for category, (_, answer) in saved.items()}
        batch = _Batch(query, day, answers, given_by, frozenset(self._sources.searches))
        for name, source in self._sources.lists.items():
            self._ask(batch, name, source, progress)
        for name, search in self._sources.searches.items():
            if batch.missing:
                self._search(batch, name, search, progress)
        if len(batch.missing) == len(query.categories):
            raise _nothing_trusted(batch)
        return batch.harvest(self._store.seen(day, day - HELD))

    def _ask(
        self, batch: _Batch, name: str, source: AnnouncementSource, progress: Progress
    ) -> None:
        failed: Counter[str] = Counter()
        for category in batch.missing:
            answer = judged(source.announced(category, batch.day), batch.query.newest_known)
            batch.take(name, answer)
            progress("fetch", len(batch.trusted), len(batch.query.categories))
            if category in batch.trusted:
                self._store.keep(batch.day, name, batch.trusted[category])
            failed[answer.outcome] += 1
            if failed[answer.outcome] == PATIENCE.get(answer.outcome):
                return

    def _search(self, batch: _Batch, name: str, search: PaperSource, progress: Progress) -> None:
        """The missing categories by the time of submission, which cannot see what came late."""
        window = batch_window(batch.day)
        if window is None:
            return
        missing = batch.missing
        seen = self._store.seen(batch.day, batch.day - HELD)
        asked = replace(
            batch.query,
            categories=missing,
            batches=(),
            window=Window(window.start - (HELD if seen else timedelta()), window.end),
        )
        try:
            found = search.harvest(asked, progress)
        except SourceError as error:
            batch.reports.append(SourceReport(name, error.source_outcome, detail=str(error)))
            return
        papers = [paper for paper in found.papers if paper.id not in seen]
        batch.reports += [replace(row, papers=len(papers)) for row in found.sources]
        if not papers:
            return
        for category in missing:
            rows = tuple(
                _row(paper, category, batch.day) for paper in papers if _in(paper, category)
            )
            batch.trusted[category] = Announced(category, batch.day, rows, "ok", None, "")
            batch.given_by[category] = name
            self._store.keep(batch.day, name, batch.trusted[category])

    def _searched(self, query: Query, progress: Progress) -> Harvest:
        failures: list[SourceError] = []
        for search in self._sources.searches.values():
            try:
                found = search.harvest(query, progress)
            except SourceError as error:
                failures.append(error)
            else:
                told = tuple(_told(error) for error in failures)
                return replace(found, sources=(*told, *found.sources))
        if failures:
            failures[0].reports = tuple(_told(error) for error in failures)
            raise failures[0]
        raise _no_search() if self._sources.lists else _nobody_asked("these days")


@dataclass(slots=True)
class _Batch:
    """One batch as far as it is known."""

    query: Query
    day: date
    trusted: dict[str, Announced]
    """By category."""
    given_by: dict[str, str]
    """Which source gave it."""
    searches: frozenset[str]
    """Names of those sources that know only the time of submission."""
    answers: dict[str, list[Announced]] = field(default_factory=dict)
    reports: list[SourceReport] = field(default_factory=list)

    def __post_init__(self) -> None:
        wanted = set(self.query.categories)
        self.trusted = {key: each for key, each in self.trusted.items() if key in wanted}
        if self.trusted:
            papers = len({row.paper.id for each in self.trusted.values() for row in each.rows})
            self.reports.append(SourceReport("saved", "ok", papers, "from an earlier run"))

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(each for each in self.query.categories if each not in self.trusted)

    def take(self, name: str, answer: Announced) -> None:
        """Notes the answer, in the report too, and believes it if that is enough."""
        answers = self.answers.setdefault(answer.category, [])
        answers.append(answer)
        believed = confirmed(answers, self.day)
        if believed:
            self.trusted[answer.category] = believed
            self.given_by[answer.category] = name
        ok = answer.outcome == "ok"
        papers = sum(row.kind in ("new", "cross") for row in answer.rows) if ok else 0
        detail = "" if ok else answer.detail
        _add(self.reports, SourceReport(name, answer.outcome, papers, detail))

    def harvest(self, seen: frozenset[str]) -> Harvest:
        """The batch's papers in the order of categories, cross-lists once for each category."""
        rows = [row for each in self.query.categories for row in self._rows(each)]
        wanted = {"new", "cross"} if self.query.cross_lists else {"new"}
        papers = tuple(replace(row.paper, announced=self.day) for row in rows if row.kind in wanted)
        revised = tuple(row.paper for row in rows if row.kind.startswith("replace"))
        origins = self._origins(wanted)
        return Harvest(papers, tuple(self.reports), self.missing, seen, origins, revised)

    def _origins(self, wanted: Collection[str]) -> tuple[SourceReport, ...]:
        """Announcements and searches with the papers they gave, and what went wrong if any did."""
        given: dict[str, set[str]] = {}
        for category, answer in self.trusted.items():
            kind = "search" if self.given_by.get(category) in self.searches else "announcement"
            ids = {row.paper.id for row in answer.rows if row.kind in wanted}
            given.setdefault(kind, set()).update(ids)
        told = [SourceReport(kind, "ok", len(given[kind])) for kind in sorted(given)]
        wrong = [row for row in self.reports if row.outcome not in ("ok", "empty", "skipped")]
        return (*told, *(wrong if self.missing else ()))

    def _rows(self, category: str) -> Iterable[Row]:
        return self.trusted[category].rows if category in self.trusted else ()


def _by_age(arxiv_id: str) -> tuple[int, ...]:
    """Newest last; an empty id first."""
    if not arxiv_id:
        return (-1_000_000,)
    month, number, _ = sort_key(arxiv_id)
    return (-month, -number)


def _united(found: Sequence[Harvest]) -> Harvest:
    """Several batches as one, each source once."""
    if len(found) == 1:
        return found[0]
    reports: list[SourceReport] = []
    origins: list[SourceReport] = []
    for each in found:
        for row in each.sources:
            _add(reports, row)
        for row in each.origins:
            _add(origins, row)
    missing = dict.fromkeys(name for each in found for name in each.missing)
    return Harvest(
        tuple(paper for each in found for paper in each.papers),
        tuple(reports),
        tuple(missing),
        found[0].seen,
        tuple(origins),
        tuple(paper for each in found for paper in each.revised),
    )


def _add(reports: list[SourceReport], row: SourceReport) -> None:
    """Puts a row to the others; of one source there is one, with the worst that it said."""
    before = next((each for each in reports if each.name == row.name), None)
    if before is None:
        reports.append(row)
        return
    worst = min(before.outcome, row.outcome, key=_WORST.index)
    details = "; ".join(dict.fromkeys(filter(None, (before.detail, row.detail))))
    reports[reports.index(before)] = SourceReport(
        row.name, worst, before.papers + row.papers, details
    )


def _in(paper: Paper, category: str) -> bool:
    return any(each == category or each.startswith(f"{category}.") for each in paper.categories)


def _row(paper: Paper, category: str, day: date) -> Row:
    mine = paper.primary == category or paper.primary.startswith(f"{category}.")
    return Row(replace(paper, announced=day), "new" if mine else "cross")


def _told(error: SourceError) -> SourceReport:
    return SourceReport(error.source, error.source_outcome, detail=str(error))


def _nothing_trusted(batch: _Batch) -> SourceError:
    if not batch.reports:
        return _nobody_asked(f"the announcement of {batch.day.isoformat()}")
    outcomes = {row.outcome for row in batch.reports}
    said = "; ".join(f"{row.name}: {row.detail or row.outcome}" for row in batch.reports)
    hint = "Nothing was written or lost. Run again in some hours."
    what = f"no source could be trusted for the announcement of {batch.day.isoformat()}: {said}"
    stale = outcomes <= {"stale", "empty", "skipped"}
    error = (SourceStaleError if stale else SourceError)(what, hint=hint)
    error.reports = tuple(batch.reports)
    return error


def _nobody_asked(what: str) -> SourceError:
    return SourceError(
        f"nothing is saved of {what}, and --offline forbids to ask for it",
        hint="Name a file with --from-file, or run without --offline.",
    )


def _no_search() -> InputError:
    return InputError(
        "this source shows announcements, not spans of time",
        hint="Ask with --source api or --source oai, or leave --from, --to and --days out.",
    )
