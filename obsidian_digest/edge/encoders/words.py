"""The encoder of last resort: no vectors, so that words alone decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.ports import Progress


class WordsEncoder:
    """Gives rows of no dimension; always at hand."""

    name = "words"

    def check(self) -> None:
        """Nothing can be missing."""

    def embed(self, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
        """A matrix of shape (len(texts), 0)."""
        import numpy as np  # noqa: PLC0415 (0.2 s)

        progress("embed", len(texts), len(texts))
        return np.zeros((len(texts), 0), dtype=np.float32)
