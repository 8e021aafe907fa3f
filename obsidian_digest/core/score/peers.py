"""What the ranking is measured against: counting words, and the plain cosine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.core.ranking.closeness import words_of
from obsidian_digest.core.ranking.value import texts_to_embed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.core.ranking.reader import Reader
    from obsidian_digest.model import Interests, Reading

_STOP = frozenset({"and", "for", "the", "with", "that", "are", "what", "how", "their", "from"})
_WORD = re.compile(r"[^\W\d_]{2,}")
_SHORTEST = 3
"""Letters of a word in ASCII; Chinese words have two."""


def keyword_count(readings: Sequence[Reading], interests: Interests) -> list[float] | None:
    """How often each paper says a word that begins as one of the interests' headings' words does.

    None where the headings hold no such word.
    """
    said = " ".join(interest.name for interest in interests.interests).casefold()
    found = {word for word in _WORD.findall(said) if len(word) >= _SHORTEST or not word.isascii()}
    words = {word.removesuffix("s") for word in found - _STOP}
    if not words:
        return None
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})")
    return [float(len(pattern.findall(each.text.casefold()))) for each in readings]


def plain_cosine(
    readings: Sequence[Reading], reader: Reader, rows: Mapping[str, NDArray[np.float32]]
) -> list[float] | None:
    """Each paper's mean cosine to all that was kept before; else to the interests' texts.

    For the encoder `words`, of TF-IDF rows over the day's papers. None where neither is known.

    Args:
        readings: The day's papers.
        reader: What is known of the reader before the day.
        rows: Unit rows by text; of no width for the encoder `words`.
    """
    texts = [each.reading.text for each in reader.judged if each.value > 0]
    texts = texts or list(texts_to_embed(reader.interests)[: len(reader.interests.interests)])
    if not texts:
        return None
    if not rows[texts[0]].size:
        return _by_words(readings, texts)
    import numpy as np  # noqa: PLC0415 (heavy)

    papers = np.stack([rows[each.text] for each in readings])
    means: list[float] = (papers @ np.stack([rows[text] for text in texts]).mean(axis=0)).tolist()
    return means


def _by_words(readings: Sequence[Reading], texts: Sequence[str]) -> list[float] | None:
    space = words_of(readings)
    if space is None:
        return None
    cosines = (space.matrix @ space.project(texts).T).toarray()
    means: list[float] = cosines.mean(axis=1).tolist()
    return means
