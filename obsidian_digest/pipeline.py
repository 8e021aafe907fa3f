"""The straight line from a query to a plan: every step is one function of `core`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.details import detailed, lacking, placed
from obsidian_digest.core.announcements.due import troubled
from obsidian_digest.core.announcements.pool import Pool, came_late, mailing_days, unite
from obsidian_digest.core.checks.missing import noted, picked, refuse_if_most_are_gone
from obsidian_digest.core.checks.warnings import warnings
from obsidian_digest.core.day.choose import Choice, Limits, candidates, choose, gather
from obsidian_digest.core.day.compose import claim, claim_papers, compose, titles
from obsidian_digest.core.day.day_layout import day_spots
from obsidian_digest.core.law.foresight import foresee
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.links.own_links import OwnNotes
from obsidian_digest.core.notes.daily_line import with_daily_line
from obsidian_digest.core.notes.day_map import day_map
from obsidian_digest.core.notes.drafts import Drafts
from obsidian_digest.core.notes.versions import Revisions, announced_anew, revise
from obsidian_digest.core.ranking.reader import reader_of
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.week.turn import Turn, turned
from obsidian_digest.core.week.turn_note import moved_papers, turn_note
from obsidian_digest.errors import SourceStaleError
from obsidian_digest.model import Digest
from obsidian_digest.task import Clock, Doors, Request, Result

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from obsidian_digest.core.ranking.reader import Reader
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
    spots: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where the papers lie on the map of the day; empty: no map."""
    turn: Turn | None = None
    """What the end of a week changes in the vault's themes; None: no digest is written."""
    embedded: int = 0
    cached: int = 0


def run(request: Request, snapshot: Snapshot, doors: Doors) -> Result:
    """Fetch, unite, choose, compose, plan. Writes nothing; raises SourceError."""
    clock = Clock()
    notes = request.config.notes
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    memory = remember(snapshot, places)
    if notes.paper_notes and not request.accept_deletions:
        refuse_if_most_are_gone(picked(memory), noted(snapshot), snapshot.seen)
    reader = reader_of(snapshot, places, memory, request.config, doors.embed.name)
    clock.lap("scan")
    found = _found(request, memory, doors)
    clock.lap("fetch")
    day, pool = found.day, found.pool
    revisions = _revisions(request, found, snapshot, memory, places, doors)
    memory = revisions.memory  # before choosing: a run that takes up a killed one ranks the same
    chosen = Chosen()
    takes_more = _takes_more(found, request) and not troubled(snapshot, day)
    if takes_more or (request.always_rank and (pool.fresh or request.explain)):
        chosen = _chosen(request, found, memory, reader, doors, clock, write=takes_more)
    digest = chosen.digest
    if digest is not None and chosen.turn is not None:
        memory = chosen.turn.memory
        claim_papers(request.config, (), chosen.turn.founded, places)
        claim(request.config, digest, places)
    planned = _planned(request, snapshot, places, memory, chosen, revisions, doors)
    clock.lap("plan")
    return Result(
        day=day,
        harvest=found.harvest,
        pool=pool,
        choice=chosen.choice,
        standing=found.standing,
        digest=digest,
        plan=planned,
        places=places,
        words=doors.renderer.words,
        encoder=doors.embed.name,
        embedded=chosen.embedded,
        cached=chosen.cached,
        clock=clock,
        noted=tuple(sorted(key for kind, key in places.by_key if kind == "paper")),
        warnings=warnings(snapshot, day, request.config, reader.unread),
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
    own = OwnNotes(snapshot.own, choice.readings, places) if choice else None
    week = turn_note(chosen.turn, snapshot, request.config, doors.renderer, places)
    picture = day_map(digest, chosen.spots, places, doors.renderer.words)
    drafts = Drafts(request.config, doors.renderer, places, titles(digest, memory), own, picture)
    deleted = picked(memory) - noted(snapshot)
    # The week's note comes first: a run that takes up a killed one makes the moves that it lists.
    foreseen = partial(foresee, snapshot=snapshot, places=places, deleted=deleted, first=week)
    written = {entry.paper.id for entry in digest.entries} if digest else set()
    composed = compose(
        request.config,
        digest,
        choice,
        memory,
        drafts,
        foreseen,
        revised=(*revisions.drafts(written), *moved_papers(chosen.turn, places)),
        told=revisions.told(digest, snapshot) if digest else (),
    )
    planned = plan((*week, *composed), snapshot, places, deleted)
    locale = request.config.notes.daily_locale
    return with_daily_line(planned, digest, snapshot, memory, places, doors.renderer.words, locale)


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
    reader: Reader,
    doors: Doors,
    clock: Clock,
    *,
    write: bool,
) -> Chosen:
    """The day's papers, and its digest if one is to be written."""
    anew = "" if write else request.explain
    material = gather(found.pool, found.standing, memory, reader, anew)
    matrix, embedded, cached = doors.embed(material.texts, doors.progress)
    clock.lap("embed")
    limits = request.limits if anew else _left(request.limits, found)
    week = turned(found.day, material, matrix, doors.embed.name, memory) if write else None
    memory = week.memory if week else memory
    choice = choose(material, matrix, doors.embed.name, memory, limits)
    digest = _digest(request, found, choice, doors.embed.name) if write else None
    clock.lap("rank")
    if digest is not None:
        digest = _with_details(digest, found, choice, doors)
        clock.lap("fetch")
    drawn = digest is not None and not digest.number and request.config.digest.map
    spots = day_spots(material, matrix, choice) if drawn else {}
    return Chosen(choice, digest, spots, week, embedded, cached)


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


def _takes_more(found: Found, request: Request) -> bool:
    """Whether there is anything to choose; a digest that stands is only ever added to."""
    standing, limits = found.standing, request.limits
    if request.explain and request.explain not in candidates(found.pool, standing):
        return False
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


def _left(limits: Limits, found: Found) -> Limits:
    """How many papers more; those that came late have a share of their own."""
    picked = len(found.standing.picked) if found.standing else 0
    left = max(0, limits.top - picked)
    if found.late:
        share = len(found.pool.fresh) / len(found.pool.papers)
        left = max(left, round(limits.top * share), 1)
    return replace(limits, top=left)


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
        unread=choice.unread,
        before=len(standing.picked) if standing else 0,
        completes=bool(standing and standing.missing),
        number=standing.supplements + 1 if standing else 0,
    )
