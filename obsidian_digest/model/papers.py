"""What arXiv announces: papers, and what became of asking for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import date, datetime

SourceOutcome = Literal[
    "ok", "stale", "empty", "throttled", "unreachable", "corrupt", "truncated", "skipped"
]
AnnounceKind = Literal["new", "cross", "replace", "replace-cross"]


@dataclass(frozen=True, slots=True)
class Paper:
    """One arXiv paper as a source gave it: text still holds LaTeX, white space is collapsed."""

    id: str
    """Bare identifier without version: `2608.19197`, `quant-ph/0201082`."""
    title: str
    abstract: str
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    primary: str
    version: int = 1
    published: datetime | None = None
    """Submission of the first version, in UTC; None where the source does not say."""
    updated: datetime | None = None
    """Submission of this version, in UTC."""
    announced: date | None = None
    """Day of the mailing that announced it (arXiv's own calendar), where known."""
    comment: str = ""
    journal_ref: str = ""
    doi: str = ""
    affiliations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open span of submission times in UTC: `start <= published < end`."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Query:
    """What a source is asked for."""

    categories: tuple[str, ...]
    cross_lists: bool = True
    window: Window | None = None
    """None: all that the source holds (a saved file)."""
    batches: tuple[date, ...] = ()
    """The announcements that are meant, oldest first; none: all submitted within the window."""
    newest_known: str = ""
    """The highest id of the vault's earlier batches: a batch without a higher one is an old one."""


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What became of one source: the `sources` row of the JSON contract."""

    name: str
    outcome: SourceOutcome
    papers: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Harvest:
    """All that the sources gave: rows as they came (doubles included) and how each source fared."""

    papers: tuple[Paper, ...]
    sources: tuple[SourceReport, ...]
    missing: tuple[str, ...] = ()
    """Categories of the batch that no source could be trusted for."""
    seen: frozenset[str] = frozenset()
    """Ids of papers that earlier batches announced: not new, whether they were shown or not."""
    origins: tuple[SourceReport, ...] = ()
    """What the digest says of where its papers come from; empty: what `sources` says.

    Equal for a batch fetched whole, in parts, days later or by another run.
    """
    revised: tuple[Paper, ...] = ()
    """Papers of earlier days of which the batch announces a new version."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of an announcement; a replacement's paper has no `announced`: that day is past."""

    paper: Paper
    kind: AnnounceKind


@dataclass(frozen=True, slots=True)
class Announced:
    """What one source says about one category's announcement."""

    category: str
    day: date | None
    """The batch shown, by the source's own word; None: no answer that can be read."""
    rows: tuple[Row, ...]
    outcome: SourceOutcome
    """About the batch asked for: `stale` shows an earlier one, `skipped` is past it, `empty` says
    that it has no papers, `truncated` may lack new ones."""
    expected: int | None
    """Papers of the batch shown, by the source's own count; None: it does not count."""
    detail: str
