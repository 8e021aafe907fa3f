"""Asks one source after the other until every category of a batch has an answer to be trusted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.calendar import batch_window, batches_after
from obsidian_digest.core.announcements.harvests import add, told, united, whole
from obsidian_digest.core.announcements.trust import confirmed, judged
from obsidian_digest.errors import InputError, SourceError, SourceStaleError
from obsidian_digest.model import Announced, Harvest, Row, SourceReport, Window
from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from obsidian_digest.model import Paper, Query, SourceOutcome
    from obsidian_digest.ports import AnnouncementSource, BatchStore, PaperSource, Progress

PATIENCE = {"throttled": 1, "unreachable": 2, "skipped": 1}
"""After so many such answers a service is not asked for the batch's other categories."""
DOUBTED: SourceOutcome = "stale"
"""How it is saved that one source had nothing: no answer, but its word counts later."""
HELD = timedelta(days=14)
"""Moderators hold papers back for days: so far back a search looks for ones not seen yet."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a batch may be read, the best first."""

    lists: Mapping[str, AnnouncementSource]
    """Announcements by category, by name."""
    searches: Mapping[str, PaperSource]
    """Papers by the time of their submission, by name."""
    newest: date = date.min
    """The newest batch that is public."""


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
        return united(found)

    def _batch(self, query: Query, day: date, progress: Progress) -> Harvest:
        past = day < self._sources.newest
        batch = _Batch(query, day, past, frozenset(self._sources.searches))
        batch.recall(self._store.answers(day))
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
            self._keep(batch, name, answer)
            failed[answer.outcome] += 1
            if failed[answer.outcome] == PATIENCE.get(answer.outcome):
                return

    def _search(self, batch: _Batch, name: str, search: PaperSource, progress: Progress) -> None:
        """The missing categories by the time of submission.

        An answer without a paper of the batch's own window is none: the index lags, and what it
        has of earlier windows was held by moderators or is cross-listed anew.
        """
        window = batch_window(batch.day)
        if window is None:
            return
        missing = batch.missing
        since = min(window.start, self._whole_since(batch))
        asked = replace(
            batch.query, categories=missing, batches=(), window=Window(since, window.end)
        )
        try:
            found = whole(search.harvest(asked, progress))
        except SourceError as error:
            batch.reports.append(replace(told(error), name=name))
            return
        seen = self._store.seen(batch.day, batch.day - HELD)
        papers = [paper for paper in found.papers if paper.id not in seen]
        ok = any(paper.published and paper.published >= window.start for paper in papers)
        count = len(papers) if ok else 0
        late = "" if ok or not papers else "it has no paper of this announcement yet"
        batch.reports += [
            replace(row, outcome="ok" if ok else "empty", papers=count, detail=late or row.detail)
            for row in found.sources
        ]
        for category in missing if ok or batch.past else ():
            rows = tuple(_row(paper, category, batch.day) for paper in papers)
            rows = tuple(row for row in rows if ok and _in(row.paper, category))
            answer = Announced(category, batch.day, rows, "ok" if ok else "empty", None, "")
            batch.weigh(name, answer)
            self._keep(batch, name, answer)

    def _whole_since(self, batch: _Batch) -> datetime:
        """From when on all announced papers of the missing categories are saved.

        What was submitted since then and is not among them has not been announced before.
        """
        since = datetime.max.replace(tzinfo=UTC)
        for day in reversed(batches_after(batch.day - HELD, batch.day - timedelta(1))):
            window, saved = batch_window(day), self._store.answers(day)
            known = {key for key, (_, answer) in saved.items() if answer.outcome != DOUBTED}
            if window is None or not known.issuperset(batch.missing):
                break
            since = window.start
        return since

    def _keep(self, batch: _Batch, name: str, answer: Announced) -> None:
        """Remembers what is trusted, and for later that a source had nothing."""
        if answer.category in batch.trusted:
            self._store.keep(batch.day, name, batch.trusted[answer.category])
        elif answer.outcome == "empty":
            self._store.keep(batch.day, name, replace(answer, outcome=DOUBTED))

    def _searched(self, query: Query, progress: Progress) -> Harvest:
        failures: list[SourceError] = []
        empty: list[Harvest] = []
        for search in self._sources.searches.values():
            try:
                found = whole(search.harvest(query, progress))
            except SourceError as error:
                failures.append(error)
                continue
            if found.papers:
                empties = tuple(row for each in empty for row in each.sources)
                return replace(found, sources=(*empties, *map(told, failures), *found.sources))
            empty.append(found)
        if empty and all(each.source_outcome != "truncated" for each in failures):
            return replace(united(empty), sources=(*united(empty).sources, *map(told, failures)))
        if failures:
            failures[0].reports = tuple(told(error) for error in failures)
            raise failures[0]
        raise _no_search() if self._sources.lists else _nobody_asked("these days")


@dataclass(slots=True)
class _Batch:
    """One batch as far as it is known."""

    query: Query
    day: date
    past: bool
    """A later one is public, so that this one is not still to come."""
    searches: frozenset[str]
    """Names of those sources that know only the time of submission."""
    trusted: dict[str, Announced] = field(default_factory=dict)
    """By category."""
    given_by: dict[str, str] = field(default_factory=dict)
    """Which source gave it."""
    answers: dict[str, list[Announced]] = field(default_factory=dict)
    reports: list[SourceReport] = field(default_factory=list)

    def recall(self, saved: Mapping[str, tuple[str, Announced]]) -> None:
        """Takes over what earlier runs trusted.

        That a category is empty only where another is not: arXiv may have announced since. Of a
        past batch it is one source's word.
        """
        wanted = {key: saved[key] for key in self.query.categories if key in saved}
        announced = any(answer.rows for _, answer in saved.values())
        for category, (source, answer) in wanted.items():
            if answer.rows or (announced and answer.outcome != DOUBTED):
                self.trusted[category], self.given_by[category] = answer, source
            elif self.past:
                self.answers[category] = [replace(answer, outcome="empty")]
        if self.trusted:
            papers = len({row.paper.id for each in self.trusted.values() for row in each.rows})
            self.reports.append(SourceReport("saved", "ok", papers, "from an earlier run"))
        elif self.answers:
            detail = "an earlier run was told that there is nothing"
            self.reports.append(SourceReport("saved", "skipped", detail=detail))

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(each for each in self.query.categories if each not in self.trusted)

    def take(self, name: str, answer: Announced) -> None:
        """Weighs the answer and tells of it in the report."""
        self.weigh(name, answer)
        ok = answer.outcome == "ok"
        papers = sum(row.kind in ("new", "cross") for row in answer.rows) if ok else 0
        detail = "" if ok else answer.detail
        add(self.reports, SourceReport(name, answer.outcome, papers, detail))

    def weigh(self, name: str, answer: Announced) -> None:
        """Believes the answer if that, with what was said before, is enough."""
        answers = self.answers.setdefault(answer.category, [])
        answers.append(answer)
        believed = confirmed(answers, self.day)
        if believed:
            self.trusted[answer.category] = believed
            self.given_by[answer.category] = name

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
        good = [SourceReport(kind, "ok", len(given[kind])) for kind in sorted(given)]
        wrong = [row for row in self.reports if row.outcome not in ("ok", "empty", "skipped")]
        return (*good, *(wrong if self.missing else ()))

    def _rows(self, category: str) -> Iterable[Row]:
        return self.trusted[category].rows if category in self.trusted else ()


def _by_age(arxiv_id: str) -> tuple[int, ...]:
    """Newest last; an empty id first."""
    if not arxiv_id:
        return (-1_000_000,)
    month, number, _ = sort_key(arxiv_id)
    return (-month, -number)


def _in(paper: Paper, category: str) -> bool:
    return any(each == category or each.startswith(f"{category}.") for each in paper.categories)


def _row(paper: Paper, category: str, day: date) -> Row:
    mine = paper.primary == category or paper.primary.startswith(f"{category}.")
    return Row(replace(paper, announced=day), "new" if mine else "cross")


def _nothing_trusted(batch: _Batch) -> SourceError:
    if not batch.reports:
        return _nobody_asked(f"the announcement of {batch.day.isoformat()}")
    outcomes = {row.outcome for row in batch.reports}
    said = "; ".join(f"{row.name}: {row.detail or row.outcome}" for row in batch.reports)
    past = outcomes == {"skipped"}
    when = "Name another source with --source." if past else "Run again in some hours."
    hint = f"Nothing was written or lost. {when}"
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
