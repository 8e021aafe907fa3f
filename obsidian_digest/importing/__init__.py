"""The line of an import: papers offered, ranked a chunk at a time, and written batch by batch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from obsidian_digest.core.checks.missing import refuse_if_most_are_gone
from obsidian_digest.core.day import report
from obsidian_digest.core.day.choose import ranking
from obsidian_digest.core.day.importing import (
    Best,
    Distinct,
    Found,
    Standing,
    Wish,
    among,
    arranged,
    chunks,
    planned,
    standing,
    stays_deleted,
    to_arrange,
    to_rank,
    united,
)
from obsidian_digest.core.law.after import after
from obsidian_digest.core.ranking.interests import interests_in
from obsidian_digest.core.texts.language import legible, sentences
from obsidian_digest.core.vault.property_types import warnings
from obsidian_digest.errors import DigestError, InputError
from obsidian_digest.model import Create, Update
from obsidian_digest.pipeline import Clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from obsidian_digest.config import Config
    from obsidian_digest.core.day.choose import Material
    from obsidian_digest.core.day.importing import Offer
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.importing.offers import Account, Offers
    from obsidian_digest.model import Keep, Plan, Snapshot, Written
    from obsidian_digest.ports import Embed, Progress, Vault

RANKED_AT_ONCE = 2_000
"""Papers that are measured against each other: they bound the memory, whatever the pool."""
WRITTEN_AT_ONCE = 1_000
"""Papers of one plan, which are grouped and linked together."""


@dataclass(frozen=True, slots=True)
class Request:
    """What an import was asked for."""

    config: Config
    wish: Wish
    writes: bool = True
    accept_deletions: bool = False
    """Go on though most paper notes are gone at once."""


@dataclass(frozen=True, slots=True)
class Doors:
    """The outside, as an import sees it."""

    look: Callable[[], Snapshot]
    vault: Vault
    unfinished: tuple[Written, ...]
    """What a run that was killed last has written."""
    embed_pool: Embed
    """For the many that are ranked; its vectors last until the import comes to its end."""
    embed: Embed
    """For the papers that get a note, which every later run looks at."""
    renderer: Renderer
    progress: Progress


@dataclass(slots=True)
class Imported:
    """What an import found, and did or would do."""

    account: Account
    encoder: str
    unique: Distinct = field(default_factory=Distinct)
    """Papers that were wanted."""
    new: Distinct = field(default_factory=Distinct)
    """Those of them that have no note and may get one."""
    left: Distinct = field(default_factory=Distinct)
    """Those of them that have a note, which stays as it is."""
    chosen: int = 0
    """Papers that were good enough, with a note or without."""
    kept: list[Keep] = field(default_factory=list)
    """Papers whose note was deleted and stays so."""
    by_interests: bool = True
    """False: the reader has written none."""
    papers: list[dict[str, Any]] = field(default_factory=list)
    """Those that get one, as rows of the contract."""
    plans: list[Plan] = field(default_factory=list)
    """What is written, without its bytes once it stands."""
    noted: tuple[str, ...] | None = None
    """Ids of the papers that have a note after it; None: nothing was looked at."""
    warnings: tuple[str, ...] = ()
    embedded: int = 0
    cached: int = 0
    clock: Clock = field(default_factory=Clock)
    failure: DigestError | None = None
    """What ended it before its end; what was written before stands."""


def run_import(request: Request, doors: Doors, offers: Offers) -> Imported:
    """Gives the papers their notes. Raises what ends it before a single paper has come."""
    if not request.config.notes.paper_notes:
        raise InputError(
            "there are no paper notes in this vault",
            hint="Set notes.paper_notes to true, or pass the file to run --from-file.",
        )
    line = _Line(request, doors, offers)
    try:
        line.run()
    except DigestError as error:
        if not offers.account.collected:
            raise
        line.done.failure = error
    return line.done


class _Line:
    """One import under way."""

    def __init__(self, request: Request, doors: Doors, offers: Offers) -> None:
        self._request, self._doors, self._offers = request, doors, offers
        self.done = Imported(offers.account, doors.embed.name)
        self._ahead: Snapshot | None = None
        self._vault = self._look()
        notes = request.config.notes
        snapshot = self._vault.snapshot
        written = interests_in(snapshot, self._vault.places, notes.interests)
        self._interests, _, unread = legible(written, (), doors.embed.name)
        # Without interests there are no stars to choose by, as in a run.
        self.done.by_interests = bool(self._interests.interests)
        stars = request.wish.min_stars if self._interests.interests else 0
        self._wish = replace(request.wish, min_stars=stars)
        self._ranked_before = 0
        settings = snapshot.settings
        told = warnings(settings.property_types)
        self.done.warnings = (*settings.troubles, *told, *sentences(unread))
        self.done.clock.lap("scan")

    def run(self) -> None:
        about = f"{self._doors.embed.name} {self._interests}".encode()
        interests = hashlib.sha256(about).hexdigest()[:16]
        for parcel in self._offers.parcels(self._vault, self._wish, interests):
            for batch in self._batches(parcel):
                self._write(batch)

    def _look(self) -> Standing:
        snapshot = self._ahead or self._doors.look()
        vault = standing(snapshot, self._request.config, self._doors.unfinished)
        if not self._request.accept_deletions:
            refuse_if_most_are_gone(vault.picked, vault.with_note, snapshot.seen)
        return vault

    def _batches(self, offers: Iterable[Offer]) -> Iterator[list[Found]]:
        """The papers chosen, as many at a time as are written at once."""
        best = Best(self._wish, self._wish.top) if self._wish.top else None
        waiting: list[Found] = []
        for chunk in chunks(offers, RANKED_AT_ONCE):
            self.done.clock.lap("fetch")
            found = self._ranked(united(chunk))
            if best is not None:
                best.add(found)
                continue
            waiting += found
            while len(waiting) >= WRITTEN_AT_ONCE:
                yield waiting[:WRITTEN_AT_ONCE]
                del waiting[:WRITTEN_AT_ONCE]
        yield from chunks(best.all() if best else waiting, WRITTEN_AT_ONCE)

    def _ranked(self, offers: Sequence[Offer]) -> list[Found]:
        """Those that are good enough; nothing is ranked where nothing can come of it."""
        for each in offers:
            self.done.unique.add(each.id)
            if each.id in self._vault.noted:
                self.done.left.add(each.id)
            elif self._vault.takes(each.id, self._wish.named):
                self.done.new.add(each.id)
        idle = all(each.id in self._vault.noted for each in offers)
        if idle and (self._wish.top is None or self._offers.account.without_note == 0):
            return []
        material = to_rank(offers, self._vault.memory, self._interests)
        matrix = self._embedded(self._doors.embed_pool, material, self._within(len(offers)))
        rows = ranking(material, matrix, self._doors.embed.name)
        self.done.clock.lap("rank")
        self._ranked_before += len(offers)
        self._doors.progress("rank", self._ranked_before, self._offers.account.wanted)
        if self._offers.account.window is None:
            rows = tuple(among(row, len(rows)) for row in rows)
        return [Found(material.papers.get(row.id), row) for row in rows if self._wish.passes(row)]

    def _within(self, count: int) -> Progress:
        """Progress of one chunk as a part of the whole."""
        before, total = self._ranked_before, self._offers.account.wanted

        def told(_stage: str, done: int, most: int) -> None:
            if most:
                self._doors.progress("rank", before + count * done // most, total)

        return told

    def _embedded(self, embed: Embed, material: Material, progress: Progress) -> Any:
        matrix, embedded, cached = embed(material.texts, progress)
        self.done.embedded += embedded
        self.done.cached += cached
        self.done.clock.lap("embed")
        return matrix

    def _write(self, batch: Sequence[Found]) -> None:
        config, named = self._request.config, self._wish.named
        self.done.chosen += len(batch)
        vault = self._look()
        self.done.clock.lap("scan")
        fresh = [each for each in batch if each.paper and vault.takes(each.row.id, named)]
        gone = vault.deleted - named
        self.done.kept += [
            stays_deleted(config, each.row.id, each.paper) for each in batch if each.row.id in gone
        ]
        if not fresh:
            return
        material = to_arrange(fresh, vault.memory)
        matrix = self._embedded(self._doors.embed, material, self._doors.progress)
        choice = arranged(fresh, material, matrix, vault.memory)
        self.done.clock.lap("rank")
        plan = planned(config, self._doors.renderer, vault, choice, named)
        self.done.clock.lap("plan")
        self._carry_out(plan, vault)
        self.done.papers += report.entries(choice.entries, vault.places, self._doors.renderer.words)
        self.done.noted = tuple(sorted(key for kind, key in vault.places.by_key if kind == "paper"))

    def _carry_out(self, plan: Plan, vault: Standing) -> None:
        notes = self._request.config.notes
        if self._request.writes:
            goes_on = any(each.changes for each in self.done.plans)
            self._doors.vault.write(plan, goes_on=goes_on)
            plan = _without_bytes(plan)
        else:
            self._ahead = after(vault.snapshot, plan, notes.moc, notes.interests)
        self.done.plans.append(plan)
        self.done.clock.lap("write")


def _without_bytes(plan: Plan) -> Plan:
    changes = tuple(
        Create(each.path, b"") if isinstance(each, Create) else Update(each.path, b"", b"")
        for each in plan.changes
    )
    return replace(plan, changes=changes)
