"""The straight line from a query to a plan: every step is one function of `core`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from obsidian_digest.core.choose import Choice, Limits, choose, gather
from obsidian_digest.core.compose import claim, compose, titles
from obsidian_digest.core.details import detailed, lacking, placed
from obsidian_digest.core.drafts import Drafts
from obsidian_digest.core.foresight import foresee
from obsidian_digest.core.interests import interests_in
from obsidian_digest.core.memory import remember
from obsidian_digest.core.missing import refuse_if_most_are_gone
from obsidian_digest.core.places import Places
from obsidian_digest.core.plan import plan
from obsidian_digest.core.pool import Pool, came_late, mailing_days, unite
from obsidian_digest.core.property_types import warnings
from obsidian_digest.core.versions import Revisions, announced_anew, revise
from obsidian_digest.errors import SourceStaleError
from obsidian_digest.model import Digest, Interests
from obsidian_digest.task import Clock, Doors, Request, Result

if TYPE_CHECKING:
    from datetime import date

    from obsidian_digest.model import Harvest, KnownDigest, Memory, Plan, Snapshot

__all__ = ["Clock", "Doors", "Request", "Result", "run"]


ASKED_AHEAD = 80
"""So many of the best papers are asked for in detail; with the shown ones that is one request."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the sources gave for a day, and what of it the vault shows already."""

    harvest: Harvest
    pool: Pool
    day: date
    standing: KnownDigest | None
    late: bool
    """The day's digest stands, and categories that it lacked are there now."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was made of it; nothing where the day takes no more papers."""

    choice: Choice | None = None
    digest: Digest | None = None
    embedded: int = 0
    cached: int = 0


def run(request: Request, snapshot: Snapshot, doors: Doors) -> Result:
    """Fetch, unite, choose, compose, plan. Writes nothing; raises SourceError."""
    clock = Clock()
    notes = request.config.notes
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    memory = remember(snapshot, places)
    if notes.paper_notes and not request.accept_deletions:
        _refuse_deletions(snapshot, memory)
    interests = interests_in(snapshot, places, notes.interests)
    clock.lap("scan")
    found = _found(request, memory, doors)
    clock.lap("fetch")
    day, pool = found.day, found.pool
    revisions = _revisions(request, found, snapshot, memory, places, doors)
    memory = revisions.memory  # before choosing: a run that takes up a killed one ranks the same
    chosen = Chosen()
    takes_more = _takes_more(found, request.limits) and not _troubled(snapshot, day)
    if takes_more or (request.always_rank and pool.fresh):
        chosen = _chosen(request, found, memory, interests, doors, clock, write=takes_more)
    digest = chosen.digest
    if digest is not None:
        claim(request.config, digest, places)
    planned = _planned(request, snapshot, places, memory, chosen, revisions, doors)
    clock.lap("plan")
    return Result(
        day=day,
        harvest=found.harvest,
        pool=pool,
        choice=chosen.choice,
        digest=digest,
        plan=planned,
        places=places,
        words=doors.renderer.words,
        encoder=doors.embed.name,
        embedded=chosen.embedded,
        cached=chosen.cached,
        clock=clock,
        noted=tuple(sorted(key for kind, key in places.by_key if kind == "paper")),
        warnings=(*snapshot.settings.troubles, *warnings(snapshot.settings.property_types)),
    )


def _planned(
    request: Request,
    snapshot: Snapshot,
    places: Places,
    memory: Memory,
    chosen: Chosen,
    revisions: Revisions,
    doors: Doors,
) -> Plan:
    """Every change the day asks for."""
    digest, choice = chosen.digest, chosen.choice
    drafts = Drafts(request.config, doors.renderer, places, titles(digest, memory))
    deleted = _deleted(snapshot, memory)
    foreseen = partial(foresee, snapshot=snapshot, places=places, deleted=deleted)
    written = {entry.paper.id for entry in digest.entries} if digest else set()
    composed = compose(
        request.config,
        digest,
        choice,
        memory,
        drafts,
        foreseen,
        revised=revisions.drafts(written),
        told=revisions.told(digest, snapshot) if digest else (),
    )
    return plan(composed, snapshot, places, deleted)


def _found(request: Request, memory: Memory, doors: Doors) -> Found:
    """What the sources give. Raises SourceError."""
    harvest = doors.source.harvest(request.query, doors.progress)
    _refuse_nothing(request, harvest)
    day = request.day or max(mailing_days(harvest.papers, request.today), default=request.today)
    pool = unite(harvest.papers, memory, day, harvest.seen)
    standing = memory.digests.get(day)
    lacked = standing.missing if standing and request.query.batches else ()
    late = frozenset(lacked) - {*harvest.missing}
    return Found(harvest, came_late(pool, late), day, standing, bool(late))


def _refuse_nothing(request: Request, harvest: Harvest) -> None:
    """A batch that was announced and holds nothing is a source that lags, not a quiet day."""
    if request.query.batches and not harvest.papers and harvest.sources[0].outcome == "empty":
        days = ", ".join(day.isoformat() for day in request.query.batches)
        raise SourceStaleError(
            f"arXiv answered with no paper for the announcement of {days}",
            hint="Nothing was written or lost. The search index may lag; run again in some hours.",
        )


def _chosen(
    request: Request,
    found: Found,
    memory: Memory,
    interests: Interests,
    doors: Doors,
    clock: Clock,
    *,
    write: bool,
) -> Chosen:
    """The day's papers, and its digest if one is to be written."""
    material = gather(found.pool, found.standing, memory, interests)
    matrix, embedded, cached = doors.embed(material.texts, doors.progress)
    clock.lap("embed")
    limits = _left(request.limits, found)
    choice = choose(material, matrix, doors.embed.name, memory, limits)
    digest = _digest(request, found, choice, doors.embed.name) if write else None
    clock.lap("rank")
    if digest is not None:
        digest = _with_details(digest, found, choice, doors)
        clock.lap("fetch")
    return Chosen(choice, digest, embedded, cached)


def _revisions(
    request: Request,
    found: Found,
    snapshot: Snapshot,
    memory: Memory,
    places: Places,
    doors: Doors,
) -> Revisions:
    """What the batch says of papers that have a note already."""
    if not request.config.notes.paper_notes:
        return Revisions(memory=memory)
    anew = announced_anew(found.harvest, snapshot, found.day)
    anew = detailed(anew, doors.details(lacking(anew), doors.progress))
    return revise(anew, found.day, snapshot, memory, doors.renderer, places)


def _with_details(digest: Digest, found: Found, choice: Choice, doors: Doors) -> Digest:
    """The digest's papers with what their announcement left out.

    The next best are asked for in the same breath: a supplement then needs no request.
    """
    papers = tuple(entry.paper for entry in digest.entries)
    by_id = {paper.id: paper for paper in found.pool.fresh}
    best = [by_id[row.id] for row in choice.ranked[:ASKED_AHEAD]]
    told = doors.details(lacking((*papers, *best)), doors.progress)
    papers = detailed(papers, told)
    papers = placed(papers, doors.affiliations(papers, doors.progress))
    pairs = zip(digest.entries, papers, strict=True)
    return replace(digest, entries=tuple(replace(entry, paper=paper) for entry, paper in pairs))


def _takes_more(found: Found, limits: Limits) -> bool:
    """Whether there is anything to choose; a digest that stands is only ever added to."""
    standing = found.standing
    if found.late:
        return True
    if not found.pool.fresh:
        return False
    if standing is None:
        return True
    if len(standing.picked) >= limits.top:
        return False
    asked = limits.top <= standing.top and limits.min_stars >= standing.min_stars
    return not (asked and found.pool.fingerprint == standing.pool)


def _troubled(snapshot: Snapshot, day: date) -> bool:
    key = ("digest", day.isoformat())
    first = next((note for note in snapshot.notes if (note.kind, note.key) == key), None)
    return first is not None and first.trouble is not None


def _left(limits: Limits, found: Found) -> Limits:
    """How many papers more; those that came late have a share of their own."""
    picked = len(found.standing.picked) if found.standing else 0
    left = max(0, limits.top - picked)
    if found.late:
        share = len(found.pool.fresh) / len(found.pool.papers)
        left = max(left, round(limits.top * share), 1)
    return Limits(left, limits.min_stars, limits.near_misses)


def _deleted(snapshot: Snapshot, memory: Memory) -> frozenset[str]:
    """Papers that a digest names and that have no note: the reader deleted it."""
    return _picked(memory) - _noted(snapshot)


def _refuse_deletions(snapshot: Snapshot, memory: Memory) -> None:
    refuse_if_most_are_gone(_picked(memory), _noted(snapshot), snapshot.seen)


def _noted(snapshot: Snapshot) -> frozenset[str]:
    return frozenset(note.key for note in snapshot.notes if note.kind == "paper")


def _picked(memory: Memory) -> frozenset[str]:
    return frozenset(each for digest in memory.digests.values() for each in digest.picked)


def _digest(request: Request, found: Found, choice: Choice, encoder: str) -> Digest | None:
    standing, pool, harvest = found.standing, found.pool, found.harvest
    if standing is not None and not choice.entries and not found.late:
        return None
    return Digest(
        day=found.day,
        batches=request.query.batches or mailing_days(pool.papers, request.today),
        window=request.query.window or pool.window,
        newest=pool.newest,
        collected=len(harvest.papers),
        unique=len(pool.papers),
        new=len(choice.ranked),
        pool=pool.fingerprint,
        top=request.limits.top,
        min_stars=request.limits.min_stars,
        sources=harvest.origins or harvest.sources,
        missing=harvest.missing,
        encoder=encoder,
        themes=choice.themes,
        entries=choice.entries,
        near_misses=choice.near_misses,
        by_interests=choice.by_interests,
        before=len(standing.picked) if standing else 0,
        completes=bool(standing and standing.missing),
        number=standing.supplements + 1 if standing else 0,
    )
