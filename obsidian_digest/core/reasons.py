"""Why a paper stands where it stands: short sentences read off the numbers that ranked it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.core.closeness import Closeness
    from obsidian_digest.core.words import WordSpace
    from obsidian_digest.model import Interests, Reading

MOST_WORDS = 4
LEAST_PART = 0.05
"""A word that makes up less of the match does not decide it."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What ranking found out about one paper."""

    interests: Interests
    texts: tuple[str, ...]
    """Interests, then dislikes: the columns of `closeness`."""
    closeness: Closeness
    space: WordSpace | None
    best: int | None
    """None: no interest is closer than to the day's usual paper."""
    example: Reading | None
    """The liked paper that decided, if one did."""
    also: tuple[int, ...]
    disliked: tuple[int, ...]
    """Places of the dislikes that pushed it down."""


def reasons(reading: Reading, place: int, found: Found) -> tuple[str, ...]:
    """Plain-text sentences, the weightiest first. `place` is the paper's row in the matrices."""
    names = [interest.name for interest in found.interests.interests]
    sentences: list[str] = []
    if found.best is not None:
        sentences += _for_interest(reading, place, found, found.best, names)
    for at in found.disliked:
        words = deciding_words(reading, place, found, len(names) + at)
        because = f" in {', '.join(words)}" if words else ""
        sentences.append(f'Pushed down: "{found.interests.dislikes[at]}"{because}.')
    return tuple(sentences)


def _for_interest(
    reading: Reading, place: int, found: Found, best: int, names: list[str]
) -> Iterator[str]:
    name = names[best]
    if found.example is not None:
        yield f'Close to "{found.example.title}" ({found.example.id}), liked under "{name}".'
    words = deciding_words(reading, place, found, best)
    if words:
        yield f'Matches "{name}" in {", ".join(words)}.'
    if content := _by_content(place, found.closeness, best, name):
        yield content
    if found.also:
        others = ", ".join(f'"{names[at]}"' for at in found.also)
        yield f"Matches also {others}."


def _by_content(place: int, close: Closeness, column: int, name: str) -> str:
    """Said where the vectors weigh at least as much as the words."""
    if close.vectors[place, column] <= max(close.words[place, column], 0.0):
        return ""
    cosines = close.cosines[:, column]
    farther = int(100 * (cosines < cosines[place]).mean())
    if not farther:
        return ""
    return f'Closer in content to "{name}" than {farther} % of the day\'s papers.'


def deciding_words(reading: Reading, place: int, found: Found, column: int) -> tuple[str, ...]:
    """Words and word pairs, as the paper spells them, that most of the overlap comes from."""
    if found.space is None:
        return ()
    text = found.texts[column]
    product = found.space.matrix[place].multiply(found.space.project([text])).tocoo()
    total = float(product.data.sum())
    weighed = sorted(
        (-float(part), found.space.vocabulary[term])
        for term, part in zip(product.col, product.data, strict=True)
        if part >= LEAST_PART * total
    )
    spelt = [term for _, terms in weighed for term in _spelt(terms, reading.text)]
    whole = [term for term in spelt if not any(_within(term, other) for other in spelt)]
    different = {term.casefold().removesuffix("s"): term for term in reversed(whole)}
    return tuple(term for term in dict.fromkeys(whole) if term in different.values())[:MOST_WORDS]


def _spelt(term: str, text: str) -> Iterator[str]:
    """The term as it stands in the text, in lower case if it does so anywhere.

    Word pairs skip stop words; a pair that never stands together in the text is left out.
    """
    pattern = r"[\s-]+".join(map(re.escape, term.split()))
    found = re.findall(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)
    if found:
        lower = [form for form in found if form == form.lower()]
        yield " ".join((lower or found)[0].split())


def _within(term: str, other: str) -> bool:
    inner, outer = (re.split(r"[\s-]+", each.casefold()) for each in (term, other))
    return len(inner) < len(outer) and all(word in outer for word in inner)
