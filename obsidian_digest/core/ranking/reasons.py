"""Why a paper stands where it stands: reasons read off the numbers that ranked it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from obsidian_digest.core.ranking.value import BITES
from obsidian_digest.core.texts.phrase_words import BREAKERS
from obsidian_digest.core.texts.phrases import phrase_key, phrases
from obsidian_digest.core.texts.theme_phrases import GENERIC
from obsidian_digest.model import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scipy.sparse import csr_matrix

    from obsidian_digest.core.ranking.closeness import Closeness
    from obsidian_digest.core.ranking.value import Values
    from obsidian_digest.core.texts.words import WordSpace
    from obsidian_digest.model import Reading

MOST_WORDS = 3
LEAST_PART = 0.05
"""A word that makes up less of the match does not decide it."""
LEAST_SHARE = 0.75
"""Part of a paper's value, in the scale of the interests, from which what was learned is told."""
RARE = 0.1
"""A word that stands alone is in no more of the day's papers than this share, or in three."""
_FEW = 3
_NO_NOUNS = frozenset({"away", "choose", "close", "far", "happen", "inside", "outside", "tell"})
"""Words of interests that `phrases` takes for nouns."""


def best_column(found: Values, place: int) -> int | None:
    """The column of `totals` that is highest; None without interests and own notes."""
    return int(found.totals[place].argmax()) if found.totals.shape[1] else None


def best_interest(found: Values, place: int) -> int | None:
    """The column of `totals` that is highest, if it is above the day's usual paper."""
    best = best_column(found, place)
    return best if best is not None and found.totals[place, best] > 0 else None


def reasons(found: Values, place: int) -> tuple[Reason, ...]:
    """Why the paper at this place stands where it stands, the weightiest first."""
    interests = found.reader.interests
    best = best_interest(found, place)
    told: list[Reason] = []
    if best is not None:
        if best < len(interests.interests):
            told += _for_interest(found, place, best)
        else:
            told.append(_for_note(found, place))
    liked = list(_for_taste(found, place))
    weighs_more = found.learned(place) > float(found.by_interests[place]) * found.shrink
    told = [*liked, *told] if weighs_more else [*told, *liked]
    for at in found.penalties[place].nonzero()[0].tolist():
        dislike = ("dislike", interests.dislikes[at])
        words = _interest_words(found, place, len(interests.interests) + at)
        if words:
            told.append(Reason("reason_disliked_words", (dislike, ("words", words))))
        else:
            told.append(Reason("reason_disliked", (dislike,)))
    return tuple(told)


def _for_note(found: Values, place: int) -> Reason:
    """Close to a note of the reader's own."""
    assert found.nearest_note is not None
    note = found.reader.notes[int(found.nearest_note[place])]
    return Reason("reason_note", (("note", note.title), ("path", note.id)))


def _for_taste(found: Values, place: int) -> Iterator[Reason]:
    """What the learned model goes by: a judged paper close by, words of those that were kept."""
    taste, share = found.taste, found.learned(place)
    if taste is None or abs(share) < LEAST_SHARE:
        return
    near = taste.nearest(place, liked=share > 0)
    if near is not None:
        judged = taste.judged[near].reading
        key = "reason_kept" if share > 0 else "reason_unwanted"
        yield Reason(key, (("title", judged.title), ("id", judged.id)))
    worth = taste.words.maximum(0)
    words = deciding_words(found.readings[place], place, taste.space, worth) if share > 0 else ()
    if words:
        yield Reason("reason_kept_words", (("words", words),))


def _for_interest(found: Values, place: int, best: int) -> Iterator[Reason]:
    names = [interest.name for interest in found.reader.interests.interests]
    interest = ("interest", names[best])
    example = found.matches[best].decider(place)
    if example is not None:
        values = (("title", example.title), ("id", example.id), interest)
        yield Reason("reason_example", values)
    if found.reader.interests.interests[best].read_as == "":
        return
    words = _interest_words(found, place, best)
    farther = _farther(place, found.close, best)
    if words:
        yield Reason("reason_words", (interest, ("words", words)))
    elif example is None and not farther and found.close.overlaps[place, best] > 0:
        yield Reason("reason_interest", (interest,))
    if farther:
        yield Reason("reason_content", (interest, ("percent", farther)))
    others = _also(found.totals[place, : len(names)].tolist(), best)
    if others:
        also = tuple(names[at] for at in others)
        yield Reason("reason_also", (("interests", also),))


def _also(totals: Sequence[float], best: int) -> list[int]:
    """Other interests that match nearly as well as the best one."""
    bar = max(BITES, 0.5 * totals[best])
    return [place for place, total in enumerate(totals) if place != best and total >= bar]


def _farther(place: int, close: Closeness, column: int) -> int:
    """Percent of the day's papers that are farther away by their vectors.

    0 where the vectors weigh less than the words: then they are no reason.
    """
    if close.vectors[place, column] <= max(close.words[place, column], 0.0):
        return 0
    cosines = close.cosines[:, column]
    return int(100 * (cosines < cosines[place]).mean())


def _interest_words(found: Values, place: int, column: int) -> tuple[str, ...]:
    """The deciding words of the text at this column of `close`."""
    if found.space is None or found.projected is None:
        return ()
    return deciding_words(found.readings[place], place, found.space, found.projected[column])


def deciding_words(
    reading: Reading, place: int, space: WordSpace, text: csr_matrix
) -> tuple[str, ...]:
    """Up to three telling phrases, as the paper spells them, that most of the overlap comes from.

    A pair of words counts with the weight of both; no two of the phrases share a word. `text` is a
    row over the vocabulary of `space`.
    """
    kept: list[str] = []
    said: set[str] = set()
    for term in _weighed(place, space, text):
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
