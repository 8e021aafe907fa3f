"""Why a paper stands where it stands: reasons read off the numbers that ranked it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from obsidian_digest.core.phrase_words import BREAKERS
from obsidian_digest.core.phrases import phrase_key, phrases
from obsidian_digest.core.theme_phrases import GENERIC
from obsidian_digest.model import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy.sparse import csr_matrix

    from obsidian_digest.core.closeness import Closeness
    from obsidian_digest.core.words import WordSpace
    from obsidian_digest.model import Interests, Reading

MOST_WORDS = 3
LEAST_PART = 0.05
"""A word that makes up less of the match does not decide it."""
RARE = 0.1
"""A word that stands alone is in no more of the day's papers than this share, or in three."""
_FEW = 3
_NO_NOUNS = frozenset({"away", "choose", "close", "far", "happen", "inside", "outside", "tell"})
"""Words of interests that `phrases` takes for nouns."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What ranking found out about one paper."""

    interests: Interests
    closeness: Closeness
    space: WordSpace | None
    texts: csr_matrix | None
    """Interests, then dislikes: the columns of `closeness`, as rows of `space` if there is one."""
    best: int | None
    """None: no interest is closer than to the day's usual paper."""
    example: Reading | None
    """The liked paper that decided, if one did."""
    also: tuple[int, ...]
    disliked: tuple[int, ...]
    """Places of the dislikes that pushed it down."""


def reasons(reading: Reading, place: int, found: Found) -> tuple[Reason, ...]:
    """The reasons, weightiest first. `place` is the paper's row in the matrices."""
    names = [interest.name for interest in found.interests.interests]
    told: list[Reason] = []
    if found.best is not None:
        told += _for_interest(reading, place, found, found.best, names)
    for at in found.disliked:
        dislike = ("dislike", found.interests.dislikes[at])
        words = deciding_words(reading, place, found, len(names) + at)
        if words:
            told.append(Reason("reason_disliked_words", (dislike, ("words", words))))
        else:
            told.append(Reason("reason_disliked", (dislike,)))
    return tuple(told)


def _for_interest(
    reading: Reading, place: int, found: Found, best: int, names: list[str]
) -> Iterator[Reason]:
    interest = ("interest", names[best])
    example = found.example
    if example is not None:
        values = (("title", example.title), ("id", example.id), interest)
        yield Reason("reason_example", values)
    words = deciding_words(reading, place, found, best)
    farther = _farther(place, found.closeness, best)
    if words:
        yield Reason("reason_words", (interest, ("words", words)))
    elif example is None and not farther and found.closeness.overlaps[place, best] > 0:
        yield Reason("reason_interest", (interest,))
    if farther:
        yield Reason("reason_content", (interest, ("percent", farther)))
    if found.also:
        others = tuple(names[at] for at in found.also)
        yield Reason("reason_also", (("interests", others),))


def _farther(place: int, close: Closeness, column: int) -> int:
    """Percent of the day's papers that are farther away by their vectors.

    0 where the vectors weigh less than the words: then they are no reason.
    """
    if close.vectors[place, column] <= max(close.words[place, column], 0.0):
        return 0
    cosines = close.cosines[:, column]
    return int(100 * (cosines < cosines[place]).mean())


def deciding_words(reading: Reading, place: int, found: Found, column: int) -> tuple[str, ...]:
    """Up to three telling phrases, as the paper spells them, that most of the overlap comes from.

    A pair of words counts with the weight of both; no two of the phrases share a word.
    """
    if found.space is None or found.texts is None:
        return ()
    kept: list[str] = []
    said: set[str] = set()
    for term in _weighed(place, found.space, found.texts[column]):
        spelt = _spelt(term, reading.text)
        stems = {word.removesuffix("ing").removesuffix("e") for word in phrase_key(spelt).split()}
        if spelt and _tells(spelt) and said.isdisjoint(stems):
            kept.append(spelt)
            said |= stems
        if len(kept) == MOST_WORDS:
            break
    return tuple(kept)


def _weighed(place: int, space: WordSpace, text: csr_matrix) -> list[str]:
    """Terms that the paper and the text (a row) share, weightiest first; no common single words."""
    product = space.matrix[place].multiply(text).tocoo()
    parts = {
        space.vocabulary[term]: float(part)
        for term, part in zip(product.col, product.data, strict=True)
    }
    worth = {
        term: part + sum(parts.get(word, 0.0) for word in term.split() if word != term)
        for term, part in parts.items()
        if " " in term or space.holders(term) <= max(_FEW, RARE * len(space.ids))
    }
    least = LEAST_PART * sum(parts.values())
    return sorted(
        (term for term, share in worth.items() if share >= least),
        key=lambda term: (-round(worth[term], 6), term),
    )


def _spelt(term: str, text: str) -> str:
    """The term as it stands in the text, in lower case if it does so anywhere; else nothing.

    Word pairs skip stop words, and words are cut at hyphens: a pair that never stands together is
    left out, and so is a part of a compound.
    """
    pattern = r"[\s-]+".join(map(re.escape, term.split()))
    found = re.findall(rf"(?<![\w-]){pattern}(?![\w-])", text, re.IGNORECASE)
    lower = [form for form in found if form == form.lower()]
    return " ".join((lower or found or [""])[0].split())


@lru_cache(maxsize=10_000)
def _tells(spelt: str) -> bool:
    """Whether it is a noun phrase or a compound, and more than words that fit every paper."""
    key = phrase_key(spelt)
    if key in _NO_NOUNS or GENERIC.issuperset(key.split()):
        return False
    compound = "-" in spelt and spelt.lower() not in BREAKERS
    return compound or any(phrase.key == key for phrase in phrases(spelt))
