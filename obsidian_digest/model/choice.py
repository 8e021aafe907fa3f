"""What is made of a day's papers: readings, ranking, themes, links, the digest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.model.links import Naming
    from obsidian_digest.model.papers import Paper, SourceReport, Window


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper's words as plain text: what encoders and word counts see.

    Equal whether it was made from arXiv's answer or read back from the note we wrote, so that a
    vault whose working state is gone ranks, groups and links to the same bytes.
    """

    id: str
    title: str
    abstract: str
    category: str = ""
    """The primary one; no part of the text. Empty where it is not known."""

    @property
    def text(self) -> str:
        """Title and abstract as one text, the input of encoders."""
        return f"{self.title}. {self.abstract}" if self.abstract else self.title


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Unit rows in the order of `ids`; shape (len(ids), d). d is 0 for the encoder `words`."""

    ids: tuple[str, ...]
    matrix: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Interest:
    """One second-level heading of the interests note."""

    name: str
    text: str
    examples: tuple[str, ...] = ()
    """arXiv ids linked under the heading: papers the reader likes."""
    read_as: str | None = None
    """What the encoder can read of name and text (`core.language`); None: all."""


@dataclass(frozen=True, slots=True)
class Interests:
    """The whole interests note."""

    interests: tuple[Interest, ...] = ()
    dislikes: tuple[str, ...] = ()
    watched_authors: tuple[str, ...] = ()
    watched_ids: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.interests or self.watched_authors or self.watched_ids)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a paper stands where it stands, to be worded in the reader's language."""

    key: str
    """The sentence, as the tables of words name it."""
    values: tuple[tuple[str, str | int | tuple[str, ...]], ...] = ()
    """What fills its places, by name; plain text."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One paper with its place in the day."""

    id: str
    score: float
    """Calibrated, 0 to 1, rounded to 4 digits."""
    stars: int
    """1 to 5."""
    interest: str | None
    reasons: tuple[Reason, ...] = ()
    """The weightiest first."""
    watched: bool = False
    """Always shown: a watched author or id."""


@dataclass(frozen=True, slots=True)
class StandingTheme:
    """A theme the vault already has, as its note and the papers that name it tell."""

    id: str
    name: str
    members: tuple[str, ...]
    """Ids of the vault's papers that belong to it."""
    merged_into: str | None = None


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme and those of the papers at hand that belong to it."""

    id: str
    name: str
    members: tuple[str, ...]
    """Ids of the papers at hand, best first."""
    terms: tuple[str, ...] = ()
    new: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """A paper that a week's turn puts from one theme into another."""

    paper: str
    before: str
    """Theme id."""
    after: str
    """Theme id; empty: it stands alone."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two related papers: undirected, `a < b`."""

    a: str
    b: str
    weight: float
    why: tuple[str, ...] = ()
    """What they share, in words."""
    named: Naming | None = None
    """The one mentions by name what the other defines."""

    def other(self, end: str) -> str:
        """The paper at the other end."""
        return self.b if self.a == end else self.a


@dataclass(frozen=True, slots=True)
class KnownPaper:
    """A paper that has a note in the vault, as its note tells."""

    id: str
    reading: Reading
    stars: int
    theme: str
    """Theme id, empty if none."""
    digests: tuple[date, ...]
    related: tuple[str, ...]
    """Ids of the papers it links to."""
    pinned: bool = False
    """The reader set its theme."""


@dataclass(frozen=True, slots=True)
class KnownDigest:
    """A digest of the vault, as its note tells."""

    day: date
    picked: tuple[str, ...]
    """Ids in the order shown."""
    batches: tuple[date, ...]
    pool: str
    """Fingerprint of the ids it chose from."""
    top: int
    min_stars: int
    supplements: int
    missing: tuple[str, ...] = ()
    """Categories that no source could be trusted for when it was written."""
    newest: str = ""
    """The highest new-style id of its pool."""


@dataclass(frozen=True, slots=True)
class KnownTheme:
    """A theme of the vault, as its note and the papers that name it tell."""

    standing: StandingTheme
    terms: tuple[str, ...]
    emptied: bool = False
    """A week's turn of this run moved all its papers and merged it into where most of them went."""


@dataclass(frozen=True, slots=True)
class KnownWeek:
    """A week note of the vault."""

    week: str
    """ISO week, `2026-W34`."""
    moves: tuple[Move, ...] = ()
    """What the week's turn moved, as the note lists it."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What was written before, read from the vault itself: the state folder does not travel."""

    papers: Mapping[str, KnownPaper] = field(default_factory=dict)
    digests: Mapping[date, KnownDigest] = field(default_factory=dict)
    themes: Mapping[str, KnownTheme] = field(default_factory=dict)
    weeks: Mapping[str, KnownWeek] = field(default_factory=dict)
    """By ISO week."""
    foreign: frozenset[str] = frozenset()
    """Papers that the reader has a note of his own about: linked, never written into."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper as a digest shows it."""

    paper: Paper
    ranked: Ranked
    related: tuple[Link, ...] = ()
    theme: str = ""
    """Theme id, empty for a paper that stands alone."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A day's papers, chosen, grouped and linked."""

    day: date
    batches: tuple[date, ...]
    window: Window | None
    newest: str
    """The highest new-style id of the pool."""
    collected: int
    """Rows as they came."""
    unique: int
    new: int
    pool: str
    top: int
    min_stars: int
    sources: tuple[SourceReport, ...]
    missing: tuple[str, ...]
    """Categories that no source could be trusted for."""
    encoder: str
    themes: tuple[Theme, ...]
    entries: tuple[Entry, ...]
    """All selected papers, best first."""
    near_misses: tuple[Entry, ...]
    by_interests: bool = True
    """False: the reader has written none, so these papers stand for the day."""
    unread: tuple[str, ...] = ()
    """Names of interests that the encoder cannot read, or only their English words."""
    before: int = 0
    """Papers that the day's digest showed already; more than 0 in a supplement."""
    completes: bool = False
    """The day's digest stands and was incomplete."""
    number: int = 0
    """0: the day's digest; 1, 2, …: a supplement of it."""

    @property
    def picked(self) -> int:
        """All papers that the day's digest shows after this."""
        return self.before + len(self.entries)
