"""Made-up readers over recorded papers, ranked with any encoder; vectors are made once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from obsidian_digest.core.ranking.rank import Ranking, rank
from obsidian_digest.core.ranking.reader import Judged, Reader
from obsidian_digest.core.ranking.value import Rows, texts_to_embed
from obsidian_digest.edge.encoders import encoder_for
from obsidian_digest.model import Interests, Reading, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_KNOWN: dict[tuple[str, str], NDArray[np.float32]] = {}


@lru_cache(maxsize=4)
def _encoder(name: str):
    return encoder_for(name)


def embedded(encoder: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit rows, shape (len(texts), d); d = 0 for the encoder `words`."""
    if encoder == "words":
        return np.zeros((len(texts), 0), np.float32)
    asked = texts or [""]  # for the width of no rows
    new = [text for text in dict.fromkeys(asked) if (encoder, text) not in _KNOWN]
    if new:
        rows = _encoder(encoder).embed(new, lambda *_: None)
        _KNOWN.update({(encoder, text): row for text, row in zip(new, rows, strict=True)})
    return np.stack([_KNOWN[encoder, text] for text in asked])[: len(texts)]


class Readers:
    """A pool to which readers can be put."""

    def __init__(self, pool: Iterable[Reading], encoder: str) -> None:
        self.pool = tuple(pool)
        self.encoder = encoder

    def vectors(self, readings: Sequence[Reading]) -> Vectors:
        """Rows of these papers."""
        ids = tuple(one.id for one in readings)
        return Vectors(ids, embedded(self.encoder, [one.text for one in readings]))

    def rows(self, reader: Reader, liked: Sequence[Reading] = ()) -> Rows:
        """Vectors of all that ranking looks at."""
        return Rows(
            self.vectors(self.pool),
            embedded(self.encoder, texts_to_embed(reader.interests)),
            embedded(self.encoder, [each.reading.text for each in reader.judged]),
            embedded(self.encoder, [note.text for note in reader.notes]),
            self.vectors(liked) if liked else None,
        )

    def ranking(
        self,
        interests: Interests = Interests(),  # noqa: B008 (frozen)
        *,
        kept: Sequence[Reading] = (),
        unwanted: Sequence[Reading] = (),
        notes: Sequence[Reading] = (),
        liked: Sequence[Reading] = (),
        authors: dict[str, tuple[str, ...]] | None = None,
    ) -> Ranking:
        """The pool as this reader's day."""
        judged = [Judged(one, 1.0) for one in kept] + [Judged(one, -1.0) for one in unwanted]
        reader = Reader(interests, tuple(judged), tuple(notes))
        rows = self.rows(reader, liked)
        return rank(
            self.pool, rows, reader, authors=authors or {}, encoder=self.encoder, liked=liked
        )
