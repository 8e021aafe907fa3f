"""The doors the pipeline needs, as protocols; edges and test fakes implement them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.model import Harvest, Plan, Query, Snapshot

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, what is done and the total; total 0 means unknown."""


class PaperSource(Protocol):
    """Where papers come from."""

    def harvest(self, query: Query, progress: Progress) -> Harvest:
        """All papers of the query; raises SourceError when no answer can be trusted."""
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


class Vault(Protocol):
    """The reader's vault."""

    def snapshot(self) -> Snapshot:
        """Every note of ours with its bytes, every other file by path."""
        ...

    def write(self, plan: Plan) -> None:
        """Carry the plan out, in order; raises VaultBusyError if a note moved on meanwhile."""
        ...
