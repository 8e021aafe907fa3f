"""The straight line from a query to a plan: every step is one function of `core`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from obsidian_digest.core.choose import Choice, Limits, choose, gather
from obsidian_digest.core.compose import claim, compose, titles
from obsidian_digest.core.drafts import Drafts
from obsidian_digest.core.interests import parse_interests
from obsidian_digest.core.memory import remember
from obsidian_digest.core.places import Places
from obsidian_digest.core.plan import plan
from obsidian_digest.core.pool import Pool, mailing_days, unite
from obsidian_digest.errors import InputError, SourceStaleError
from obsidian_digest.model import Digest, Interests
from obsidian_digest.note.header import split

if TYPE_CHECKING:
    from datetime import date

    from obsidian_digest.config import Config
    from obsidian_digest.core.render import Renderer, Words
    from obsidian_digest.model import Harvest, KnownDigest, Memory, Plan, Query, Snapshot
    from obsidian_digest.ports import Embed, PaperSource, Progress


@dataclass(frozen=True, slots=True)
class Request:
    """What one run was asked for."""

    config: Config
    query: Query
    day: date | None
    """The digest's day; None: the newest mailing of the pool."""
    today: date
    """The day where neither the request nor the pool names one."""
    limits: Limits
    batches: tuple[date, ...] = ()
    """The batches the query covers; empty: as the pool tells."""
    always_rank: bool = False
    """Rank even where the day takes no more papers (a ranking was asked for)."""


@dataclass(frozen=True, slots=True)
class Doors:
    """The outside, as the pipeline sees it."""

    source: PaperSource
    embed: Embed
    renderer: Renderer
    progress: Progress


@dataclass(slots=True)
class Clock:
    """Seconds of each stage, for the report."""

    seconds: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, stage: str) -> None:
        """Ends a stage."""
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._last
        self._last = now


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found and what it would write."""

    day: date
    harvest: Harvest
    pool: Pool
    choice: Choice | None
    """None: the day takes no more papers."""
    digest: Digest | None
    plan: Plan
    places: Places
    words: Words
    """What its reasons are worded with."""
    encoder: str
    embedded: int
    cached: int
    clock: Clock


def run(request: Request, snapshot: Snapshot, doors: Doors) -> Result:
    """Fetch, unite, choose, compose, plan. Writes nothing; raises SourceError."""
    clock = Clock()
    notes = request.config.notes
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    memory = remember(snapshot, places)
    interests = _interests(snapshot, places, request.config)
    clock.lap("scan")
    harvest = doors.source.harvest(request.query, doors.progress)
    clock.lap("fetch")
    _refuse_nothing(request, harvest)
    mailings = mailing_days(harvest.papers, request.today)
    day = request.day or max(mailings, default=request.today)
    pool = unite(harvest.papers, memory, day)
    standing = memory.digests.get(day)
    choice = digest = None
    embedded = cached = 0
    takes_more = _takes_more(pool, standing, request.limits) and not _troubled(snapshot, day)
    if takes_more or (request.always_rank and pool.fresh):
        material = gather(pool, standing, memory, interests)
        matrix, embedded, cached = doors.embed(material.texts, doors.progress)
        clock.lap("embed")
        limits = _left(request.limits, standing)
        choice = choose(material, matrix, doors.embed.name, memory, limits)
        if takes_more:
            digest = _digest(request, harvest, pool, choice, standing, day, doors.embed.name)
        clock.lap("rank")
    if digest is not None:
        claim(request.config, digest, places)
    drafts = Drafts(request.config, doors.renderer, places, titles(digest, memory))
    composed = compose(request.config, digest, choice, memory, drafts)
    planned = plan(composed, snapshot, places, _deleted(snapshot, memory))
    clock.lap("plan")
    return Result(
        day=day,
        harvest=harvest,
        pool=pool,
        choice=choice,
        digest=digest,
        plan=planned,
        places=places,
        words=doors.renderer.words,
        encoder=doors.embed.name,
        embedded=embedded,
        cached=cached,
        clock=clock,
    )


def _refuse_nothing(request: Request, harvest: Harvest) -> None:
    """A batch that was announced and holds nothing is a source that lags, not a quiet day."""
    if request.batches and not harvest.papers and harvest.sources[0].outcome == "empty":
        days = ", ".join(day.isoformat() for day in request.batches)
        raise SourceStaleError(
            f"arXiv answered with no paper for the announcement of {days}",
            hint="Nothing was written or lost. The search index may lag; run again in some hours.",
        )


def _interests(snapshot: Snapshot, places: Places, config: Config) -> Interests:
    name = config.notes.interests
    path = places.resolve(name)
    if path is None and places.named(name):
        raise InputError(
            f'more than one note is called "{name}"',
            hint="Rename all but one, or set notes.interests to another name.",
        )
    if path is None or path not in snapshot.texts:
        return Interests()

    def paper_of(target: str) -> str | None:
        identity = places.identity(target)
        return identity[1] if identity and identity[0] == "paper" else None

    return parse_interests(split(snapshot.texts[path]).body, paper_of)


def _takes_more(pool: Pool, standing: KnownDigest | None, limits: Limits) -> bool:
    """Whether there is anything to choose; a digest that stands is only ever added to."""
    if not pool.fresh:
        return False
    if standing is None:
        return True
    if len(standing.picked) >= limits.top:
        return False
    asked = limits.top <= standing.top and limits.min_stars >= standing.min_stars
    return not (asked and pool.fingerprint == standing.pool)


def _troubled(snapshot: Snapshot, day: date) -> bool:
    key = day.isoformat()
    return any(note.trouble for note in snapshot.notes if note.kind == "digest" and note.key == key)


def _left(limits: Limits, standing: KnownDigest | None) -> Limits:
    picked = len(standing.picked) if standing else 0
    return Limits(limits.top - picked, limits.min_stars, limits.near_misses)


def _deleted(snapshot: Snapshot, memory: Memory) -> frozenset[str]:
    """Papers that a digest names and that have no note: the reader deleted it."""
    noted = {note.key for note in snapshot.notes if note.kind == "paper"}
    picked = {each for digest in memory.digests.values() for each in digest.picked}
    return frozenset(picked - noted)


def _digest(
    request: Request,
    harvest: Harvest,
    pool: Pool,
    choice: Choice,
    standing: KnownDigest | None,
    day: date,
    encoder: str,
) -> Digest | None:
    if standing is not None and not choice.entries:
        return None
    return Digest(
        day=day,
        batches=request.batches or mailing_days(pool.papers, request.today),
        window=request.query.window or pool.window,
        newest=pool.newest,
        collected=len(harvest.papers),
        unique=len(pool.papers),
        new=len(choice.ranked),
        pool=pool.fingerprint,
        top=request.limits.top,
        min_stars=request.limits.min_stars,
        sources=harvest.sources,
        encoder=encoder,
        themes=choice.themes,
        entries=choice.entries,
        near_misses=choice.near_misses,
        by_interests=choice.by_interests,
        before=len(standing.picked) if standing else 0,
        number=standing.supplements + 1 if standing else 0,
    )
