"""The doors the pipeline needs, as protocols; edges and test fakes implement them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.model import Announced, Harvest, Paper, Plan, Query, Written

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
"""Called with a stage's name, what is done and the total; total 0 means unknown."""


class Web(Protocol):
    """What gets an answer politely: `edge.polite_web.PoliteWeb`."""

    def get(self, url: str, read: Callable[[bytes], T]) -> T:
        """What `read` makes of the answer; asks again when `read` raises ValueError."""
        ...


class AnnouncementSource(Protocol):
    """Where one category's announcement is shown."""

    def announced(self, category: str, batch: date) -> Announced:
        """What it says about the batch dated `batch`; a failure is an outcome, never an error."""
        ...


Details = Callable[[Sequence[str], Progress], "Mapping[str, Paper]"]
"""Papers by id, as the search API has them; what is not found or cannot be asked is left out."""
Affiliations = Callable[[Sequence["Paper"], Progress], Mapping[str, tuple[str, ...]]]
"""Affiliations of papers that came without, by id."""


class BatchStore(Protocol):
    """What earlier runs fetched, so that no batch is asked for twice."""

    def answers(self, batch: date) -> dict[str, tuple[str, Announced]]:
        """What is remembered of this batch, and who said it, by category."""
        ...

    def keep(self, batch: date, source: str, answer: Announced) -> None:
        """Remembers an answer, in the place of the category's last one."""
        ...

    def seen(self, before: date, since: date) -> frozenset[str]:
        """Ids of the papers in the batches from `since` up to, not including, `before`."""
        ...


class PaperSource(Protocol):
    """Where papers come from."""

    def harvest(self, query: Query, progress: Progress) -> Harvest:
        """All papers of the query; raises SourceError when no answer can be trusted."""
        ...


class PastRun(Protocol):
    """An earlier run as the vault's journal tells it."""

    @property
    def written(self) -> tuple[Written, ...]:
        """What it wrote, in that order."""
        ...


class Vault(Protocol):
    """The reader's vault: `edge.vault.VaultFolder`."""

    def write(self, plan: Plan, *, goes_on: bool = False) -> None:
        """Carries out a plan; one that `goes_on` is undone together with the one before it."""
        ...

    def last_runs(self) -> Sequence[PastRun]:
        """The runs that one undo takes back, the newest first."""
        ...

    def standing(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """What stands at those of the paths that exist; None for what cannot be read."""
        ...


class Encoder(Protocol):
    """Texts to vectors. Making one is cheap; heavy libraries load in `embed`."""

    @property
    def name(self) -> str:
        """Name in notes, JSON and cache keys; another model has another name."""
        ...

    def check(self) -> None:
        """Raise EncoderError, in milliseconds, when the model or its package is missing."""
        ...

    def embed(self, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
        """Unit rows, shape (len(texts), d); d is 0 for `words`."""
        ...


class Embed(Protocol):
    """An encoder with a memory: only texts it never saw are embedded."""

    @property
    def name(self) -> str:
        """The encoder's name."""
        ...

    def __call__(
        self, texts: Sequence[str], progress: Progress
    ) -> tuple[NDArray[np.float32], int, int]:
        """Unit rows in the order of `texts`; how many were embedded now, how many were known."""
        ...


class VectorCache(Protocol):
    """Vectors of earlier runs, keyed by encoder and text hash."""

    def load(self, encoder: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The rows known, by key."""
        ...

    def save(self, encoder: str, rows: Mapping[str, NDArray[np.float32]]) -> None:
        """Remember rows; a failure to write costs time, never the run."""
        ...
