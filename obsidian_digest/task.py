"""What a run is asked for, the doors it is given, and what it gives back."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from obsidian_digest.config import Config
    from obsidian_digest.core.announcements.pool import Pool
    from obsidian_digest.core.day.choose import Choice, Limits
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Renderer, Words
    from obsidian_digest.model import Digest, Harvest, KnownDigest, Paper, Plan, Query
    from obsidian_digest.ports import Affiliations, Details, Embed, PaperSource, Progress


def no_details(_ids: Sequence[str], _progress: Progress) -> dict[str, Paper]:
    """Nobody is asked (`ports.Details`)."""
    return {}


def no_affiliations(_papers: Sequence[Paper], _progress: Progress) -> dict[str, tuple[str, ...]]:
    """Nobody is asked (`ports.Affiliations`)."""
    return {}


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
    always_rank: bool = False
    """Rank even where the day takes no more papers (a ranking was asked for)."""
    explain: str = ""
    """Id of a paper that is ranked even if it was shown; then nothing is chosen to be added."""
    accept_deletions: bool = False
    """Go on though most paper notes are gone at once."""


@dataclass(frozen=True, slots=True)
class Doors:
    """The outside, as the pipeline sees it."""

    source: PaperSource
    embed: Embed
    renderer: Renderer
    progress: Progress
    details: Details = no_details
    affiliations: Affiliations = no_affiliations


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
    standing: KnownDigest | None
    """The day's digest as the run found it."""
    digest: Digest | None
    plan: Plan
    places: Places
    words: Words
    """What its reasons are worded with."""
    encoder: str
    embedded: int
    cached: int
    clock: Clock
    noted: tuple[str, ...]
    """Ids of the papers that have a note after this run."""
    warnings: tuple[str, ...]
    """What the reader should know of his vault's settings, one sentence each."""
