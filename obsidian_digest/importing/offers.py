"""Where an import's papers come from: saved files and ids, or arXiv's search, day by day."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from obsidian_digest.core.day.importing import chunks, whole_days
from obsidian_digest.core.texts.plural import many
from obsidian_digest.errors import InputError, SourceError
from obsidian_digest.model import Reading, SourceReport, Window
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import date

    from obsidian_digest.core.day.importing import Offer, Standing, Wish
    from obsidian_digest.model import Paper, Query
    from obsidian_digest.ports import PaperSource, Progress

    LookUp = Callable[[Sequence[str], Progress], tuple[Paper, ...]]
    """Ids to the papers that arXiv knows of: `edge.arxiv_api.ArxivApi.papers_by_id`."""

MOST_UNASKED = 1_000
"""More notes than this are written only for a reader who said how many or how good."""
ASKED_AT_ONCE = 100
"""Ids of one request: so many are at most asked for again after a run was killed."""
STEP = 1_000
RARE = 5.0
"""Where a day brings fewer papers than this on average, one without any is no surprise."""


@dataclass(slots=True)
class Account:
    """What became of asking for papers."""

    collected: int = 0
    """Papers as they came, doubles and those that nobody wanted included."""
    wanted: int = 0
    """Those that somebody wanted, as far as that is known beforehand."""
    without_note: int | None = None
    """Those of them that have no note; None: not known beforehand."""
    sources: list[SourceReport] = field(default_factory=list)
    not_found: list[str] = field(default_factory=list)
    """Ids that arXiv does not know, or was not asked for."""
    offline: bool = False
    """Nobody may be asked."""
    window: Window | None = None
    """The span asked for day by day; None: the papers are not those of days."""
    days: int = 0
    missing: list[date] = field(default_factory=list)
    """Days that are not known as a whole."""


class Offers(Protocol):
    """Papers for an import."""

    @property
    def account(self) -> Account:
        """What became of it, as far as it went."""
        ...

    def parcels(self, vault: Standing, wish: Wish, interests: str) -> Iterator[Iterable[Offer]]:
        """The papers, in parcels that are chosen from and written one after the other.

        A parcel counts as written when the next is asked for. `interests` are told apart by it.
        Raises InputError and SourceError.
        """
        ...


class SavedFile(Protocol):
    """A file of papers that can be read twice: `edge.paper_file.PaperFile`."""

    def __iter__(self) -> Iterator[Paper]: ...

    def names(self) -> tuple[str, ...]:
        """Ids of the papers it names without title and abstract."""
        ...

    def report(self, papers: int) -> SourceReport:
        """How it fared, having given so many papers."""
        ...


class FromFiles:
    """What was named on the command line: ids and files, the former first (`Offers`)."""

    def __init__(
        self,
        ids: Sequence[str],
        files: Sequence[SavedFile],
        look_up: LookUp | None,
        progress: Progress,
    ) -> None:
        """`look_up` is None where nobody may be asked."""
        self._ids, self._files = ids, files
        self._look_up, self._progress = look_up, progress
        self.account = Account(offline=look_up is None)

    def parcels(self, vault: Standing, wish: Wish, interests: str) -> Iterator[Iterable[Offer]]:
        """One parcel, once all files are known to be whole."""
        del interests
        names = (name for file in self._files for name in file.names())
        ids: dict[str, str] = {}
        for name in chain(self._ids, names):
            ids.setdefault(_bare(name), name)
        self._survey(ids, vault, wish)
        yield self._offers(ids.values(), vault, wish)

    def _survey(self, ids: Collection[str], vault: Standing, wish: Wish) -> None:
        read, wanted, without = 0, len(ids), sum(each not in vault.noted for each in ids)
        for read, paper in enumerate(chain.from_iterable(self._files), 1):
            if wish.wants(paper):
                wanted += 1
                without += paper.id not in vault.noted
            if read % STEP == 0:
                self._progress("read", read, 0)
        self._progress("read", read, read)
        self.account.wanted, self.account.without_note = wanted, without
        if without > MOST_UNASKED and wish.top is None and wish.min_stars <= 1:
            raise InputError(
                f"{without} papers would get a note each",
                hint="Nothing was written. Choose with --min-stars, --category, --from and --to, or"
                f" --top N; --top {without} takes them all.",
            )

    def _offers(self, ids: Iterable[str], vault: Standing, wish: Wish) -> Iterator[Offer]:
        yield from self._looked_up(ids, vault, wish)
        for file in self._files:
            given = 0
            for paper in file:
                self.account.collected += 1
                if wish.wants(paper):
                    given += 1
                    yield paper
            self.account.sources.append(file.report(given))

    def _looked_up(self, ids: Iterable[str], vault: Standing, wish: Wish) -> Iterator[Offer]:
        """The papers of these ids; of those that need no look-up, what the vault knows."""
        wanted = []
        for name in ids:
            bare = _bare(name)
            if vault.takes(bare, wish.named):
                wanted.append(name)
                continue
            self.account.collected += 1
            known = vault.memory.papers.get(bare)
            yield known.reading if known else Reading(bare, bare, "")
        found = 0
        for some in chunks(wanted, ASKED_AT_ONCE):
            papers = self._look_up(some, self._progress) if self._look_up else ()
            found += len(papers)
            self.account.collected += len(papers)
            ids_found = {paper.id for paper in papers}
            self.account.not_found += [each for each in some if _bare(each) not in ids_found]
            yield from (paper for paper in papers if wish.wants(paper))
        if wanted and self._look_up:
            detail = f"{found} of {many(len(wanted), 'id')} found"
            self.account.sources.append(
                SourceReport("api", "ok" if found else "empty", found, detail)
            )


class DayStore(Protocol):
    """Which days are done: `edge.import_days.DaysDone`."""

    def done(self, question: str) -> frozenset[date]:
        """The days that are done for this question."""
        ...

    def mark(self, question: str, day: date) -> None:
        """Remembers that a day is done."""
        ...

    def forget(self, question: str) -> None:
        """The import came to its end."""
        ...


class FromDays:
    """A span of submission, one day a question, one day a parcel (`Offers`)."""

    def __init__(
        self, search: PaperSource, query: Query, window: Window, store: DayStore, progress: Progress
    ) -> None:
        self._search, self._query, self._store = search, query, store
        self._days = whole_days(window)
        self._progress = progress
        self._empty: list[date] = []
        self.account = Account(window=window, days=len(self._days))

    def parcels(self, vault: Standing, wish: Wish, interests: str) -> Iterator[Iterable[Offer]]:
        """Each day that is not done yet; an incomplete answer is used, but its day is not done."""
        del vault
        query = self._query
        limits = (query.categories, query.cross_lists, wish.top, wish.min_stars)
        question = f"{limits} {interests}"
        done = self._store.done(question)
        days = [each for each in self._days if each.start.date() not in done]
        self.account.missing = [each.start.date() for each in days]
        try:
            for count, window in enumerate(days):
                self._progress("days", count, len(days))
                papers, trusted = self._asked(window)
                yield papers
                if trusted:
                    self._settle(question, window.start.date())
            self._believe(question, len(days))
        except SourceError as error:
            self._report(error)
            raise
        self._report()

    def _asked(self, window: Window) -> tuple[tuple[Paper, ...], bool]:
        harvest = self._search.harvest(replace(self._query, window=window), self._progress)
        self.account.collected += len(harvest.papers)
        outcomes = {each.outcome for each in harvest.sources}
        if not harvest.papers:
            self._empty.append(window.start.date())
        return harvest.papers, outcomes == {"ok"} and bool(harvest.papers)

    def _settle(self, question: str, day: date) -> None:
        self.account.missing.remove(day)
        self._store.mark(question, day)

    def _believe(self, question: str, asked: int) -> None:
        """Days without papers, where few come at all or an earlier run was told the same."""
        usual = 0 < self.account.collected < RARE * asked
        doubt = f"{question} empty"
        told_before = self._store.done(doubt)
        for day in self._empty:
            if usual or day in told_before:
                self._settle(question, day)
            else:
                self._store.mark(doubt, day)
        if not self.account.missing:
            self._store.forget(doubt)
            self._store.forget(question)

    def _report(self, error: SourceError | None = None) -> None:
        account = self.account
        outcome = error.source_outcome if error else "empty" if account.missing else "ok"
        done = account.days - len(account.missing)
        detail = f"{done} of {many(account.days, 'day')} known as a whole"
        self.account.sources.append(SourceReport("api", outcome, account.collected, detail))


def _bare(name: str) -> str:
    found = paper_id(name)
    return found[0] if found else name
