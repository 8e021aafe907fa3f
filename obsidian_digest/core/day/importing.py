"""What an import makes of papers: which are wanted, which are best, what is written of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from obsidian_digest.core.announcements.pool import Pool, reading_of, title_of, unite
from obsidian_digest.core.day.choose import Choice, Material, arrange, gather
from obsidian_digest.core.day.compose import claim_papers, compose_import
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.links.own_links import OwnNotes
from obsidian_digest.core.notes.drafts import Drafts
from obsidian_digest.core.ranking.closeness import CROWD
from obsidian_digest.core.ranking.reader import Reader
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import (
    Interests,
    Keep,
    Memory,
    Paper,
    Ranked,
    Reading,
    Reason,
    Window,
)
from obsidian_digest.note.names import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import Plan, Snapshot, Written

    Offer = Paper | Reading
    """A paper that may get a note; only its words where it has one already."""

T = TypeVar("T")

FOUNDERS = 5
"""So many papers at least found a theme: a theme note for two of a reading list is noise."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which of the papers offered shall get a note."""

    named: frozenset[str] = frozenset()
    """Ids given one by one: wanted whatever else is said, also where their note was deleted."""
    categories: tuple[str, ...] = ()
    """Empty: all."""
    cross_lists: bool = True
    first: date | None = None
    last: date | None = None
    top: int | None = None
    min_stars: int = 0

    def wants(self, paper: Paper) -> bool:
        """Whether it may be chosen; a paper without any date lies in every span."""
        return paper.id in self.named or (self._listed(paper) and self._in_time(paper))

    def passes(self, row: Ranked) -> bool:
        """Whether it is good enough."""
        return row.id in self.named or row.watched or row.stars >= self.min_stars

    def _listed(self, paper: Paper) -> bool:
        lists = paper.categories if self.cross_lists else (paper.primary,)
        return not self.categories or any(
            one == each or one.startswith(f"{each}.") for each in self.categories for one in lists
        )

    def _in_time(self, paper: Paper) -> bool:
        day = paper.published.date() if paper.published else paper.announced
        return day is None or (self.first or day) <= day <= (self.last or day)


@dataclass(frozen=True, slots=True)
class Found:
    """A paper and its place among those that were offered with it."""

    paper: Paper | None
    """None: it has a note, so that only its words were there to rank."""
    row: Ranked


class Best:
    """The best of any number of papers, in the memory of twice as many."""

    def __init__(self, wish: Wish, top: int) -> None:
        self._named = wish.named
        self._top = top
        self._found: dict[str, Found] = {}

    def add(self, found: Iterable[Found]) -> None:
        """Considers these too; of a paper that comes again the newer version counts."""
        for each in found:
            known = self._found.get(each.row.id)
            if known is None or _version(each) > _version(known):
                self._found[each.row.id] = each
        if len(self._found) > 2 * self._top:
            self._found = {each.row.id: each for each in self.all()}

    def all(self) -> list[Found]:
        """Best first: all that were named, then as many others as there is room for."""
        named = [each for each in self._found.values() if each.row.id in self._named]
        others = [each for each in self._found.values() if each.row.id not in self._named]
        room = max(0, self._top - len(named))
        return best_first(named) + best_first(others)[:room]


def best_first(found: Iterable[Found]) -> list[Found]:
    """Watched papers, then by score, ties by id."""
    return sorted(found, key=lambda each: (not each.row.watched, -each.row.score, each.row.id))


def _version(found: Found) -> int:
    return found.paper.version if found.paper else 0


@dataclass(frozen=True, slots=True)
class Standing:
    """The vault as an import sees it."""

    snapshot: Snapshot
    places: Places
    memory: Memory
    with_note: frozenset[str]
    """Papers that have a note, the reader's own notes among them."""
    noted: frozenset[str]
    """Those of them whose note stays as it is."""
    picked: frozenset[str]
    """Papers that a digest shows."""

    @property
    def deleted(self) -> frozenset[str]:
        """Papers that a digest shows and that have no note any more."""
        return self.picked - self.with_note

    def takes(self, arxiv_id: str, named: frozenset[str]) -> bool:
        """Whether the paper may get a note."""
        gone = arxiv_id in self.picked and arxiv_id not in self.with_note
        return arxiv_id not in self.noted and (arxiv_id in named or not gone)


def standing(snapshot: Snapshot, config: Config, unfinished: Iterable[Written] = ()) -> Standing:
    """The vault; notes that a killed run made and nobody touched since count as not made yet.

    So the papers that were to be linked with each other still are, once the import goes on.
    """
    names = config.notes
    places = Places.of(snapshot, (names.moc, names.home, names.interests))
    memory = remember(snapshot, places)
    papers = [note for note in snapshot.notes if note.kind == "paper"]
    made = {each.path: each.after for each in unfinished if each.before is None}
    cut_short = {
        note.key for note in papers if made.get(note.path) == hashlib.sha256(note.raw).hexdigest()
    }
    noted = {note.key for note in papers}
    picked = {key for digest in memory.digests.values() for key in digest.picked}
    return Standing(
        snapshot,
        places,
        memory,
        with_note=frozenset(noted),
        noted=frozenset(noted - cut_short),
        picked=frozenset(picked),
    )


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items, so many at a time."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def united(offers: Iterable[Offer]) -> list[Offer]:
    """Each paper once, by id; its highest version, its words alone only where nothing else is."""
    offers = list(offers)
    papers = unite((each for each in offers if isinstance(each, Paper)), Memory(), date.min).papers
    by_id: dict[str, Offer] = {each.id: each for each in offers if isinstance(each, Reading)}
    by_id |= {paper.id: paper for paper in papers}
    return [by_id[key] for key in sorted(by_id)]


def to_rank(offers: Iterable[Offer], memory: Memory, interests: Interests) -> Material:
    """What ranking looks at: these papers, the interests, and examples of them from the vault.

    Not what the reader judged: an import that is taken up again must rank as the one that broke
    off, and its own notes may have become linked since.
    """
    readings, papers = {}, {}
    for each in offers:
        if isinstance(each, Paper):
            papers[each.id] = each
        readings[each.id] = reading_of(each) if isinstance(each, Paper) else each
    liked = {key for interest in interests.interests for key in interest.examples}
    older = sorted((liked & memory.papers.keys()) - readings.keys())
    texts = {key: memory.papers[key].reading for key in older}
    return Material(papers, readings, texts, Reader(interests))


def among(row: Ranked, papers: int) -> Ranked:
    """The row of a paper that was compared with so many others, not with those of its day.

    How it stands among a few says nothing and is left out.
    """
    told = tuple(_among(reason, papers) for reason in row.reasons)
    left = tuple(reason for reason in told if reason is not None)
    if not left and row.interest and told:
        left = (Reason("reason_interest", (("interest", row.interest),)),)
    return replace(row, reasons=left)


def _among(reason: Reason, papers: int) -> Reason | None:
    if reason.key not in ("reason_content", "reason_stands"):
        return reason
    if papers < CROWD:
        return None
    return Reason(f"{reason.key}_among", (*reason.values, ("papers", papers)))


def to_arrange(found: Iterable[Found], memory: Memory) -> Material:
    """What grouping and linking look at: the papers that get a note, and the vault's."""
    papers = tuple(each.paper for each in found if each.paper)
    return gather(Pool(papers, papers), None, memory, Reader())


def arranged(
    found: Sequence[Found], material: Material, matrix: NDArray[np.float32], memory: Memory
) -> Choice:
    """The papers with their links, in standing themes and in new ones of at least `FOUNDERS`."""
    rows = tuple(each.row for each in best_first(found))
    choice = arrange(material, matrix, memory, rows, rows)
    small = {each.id for each in choice.themes if each.new and len(each.members) < FOUNDERS}
    themes = tuple(each for each in choice.themes if each.id and each.id not in small)
    entries = tuple(
        replace(each, theme="" if each.theme in small else each.theme) for each in choice.entries
    )
    return replace(choice, entries=entries, themes=themes)


def planned(
    config: Config, renderer: Renderer, vault: Standing, choice: Choice, named: frozenset[str]
) -> Plan:
    """Every change that gives the papers their notes."""
    claim_papers(config, choice.entries, choice.themes, vault.places)
    titles = {key: paper.reading.title for key, paper in vault.memory.papers.items()}
    titles |= {entry.paper.id: title_of(entry.paper) for entry in choice.entries}
    own = OwnNotes(vault.snapshot.own, choice.readings, vault.places)
    drafts = Drafts(config, renderer, vault.places, titles, own)
    composed = compose_import(choice, vault.memory, drafts)
    return plan(composed, vault.snapshot, vault.places, vault.deleted - named)


def stays_deleted(config: Config, arxiv_id: str, paper: Paper | None = None) -> Keep:
    """What is said of a paper whose note the reader deleted."""
    stem = file_stem(title_of(paper) if paper else "", arxiv_id, config.names.paper)
    hint = f"its note was deleted; import {arxiv_id} by its id to have it again"
    return Keep(f"{config.folders.papers}/{stem}.md".lstrip("/"), "deleted", hint)


@dataclass(slots=True)
class Distinct:
    """How many different papers there were, in eight bytes for each that came."""

    _marks: bytearray = field(default_factory=bytearray)

    def add(self, arxiv_id: str) -> None:
        """Counts a paper, unless it was counted before."""
        self._marks += hashlib.blake2b(arxiv_id.encode(), digest_size=8).digest()

    @property
    def count(self) -> int:
        """So many."""
        import numpy as np  # noqa: PLC0415 (heavy)

        return len(np.unique(np.frombuffer(self._marks, dtype=np.uint64)))


def whole_days(window: Window) -> list[Window]:
    """The span day by day, UTC; its first and last day may be parts of one."""
    days = []
    start = window.start
    while start < window.end:
        midnight = datetime.combine(start.date() + timedelta(days=1), time(), UTC)
        days.append(Window(start, min(midnight, window.end)))
        start = midnight
    return days
