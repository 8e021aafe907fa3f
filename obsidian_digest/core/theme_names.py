"""What a theme is called: the noun phrases that its papers share and the others lack."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from obsidian_digest.core.phrase_index import index_phrases
from obsidian_digest.core.theme_phrases import (
    GENERIC,
    MAX_LENGTH,
    Candidate,
    Group,
    candidates,
    spelt,
    tells,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from obsidian_digest.core.phrase_index import PhraseIndex
    from obsidian_digest.model import Reading

COVERS_ALONE = 0.5
"""A phrase that this share of a theme's papers is about needs no second one beside it."""
_TERMS = 6
_TRIED = 12
_SECOND_BEST = 0.3
_SECOND_PART = 0.15
_GAIN = 0.12
_GOOD_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A theme's name and the terms that tell it from the others."""

    name: str
    terms: tuple[str, ...]
    """What the name does not say; none where the papers share nothing else."""


def name_themes(
    groups: Sequence[Sequence[str]],
    readings: Sequence[Reading],
    taken_names: Collection[str] = (),
    around: Sequence[Sequence[str]] = (),
) -> tuple[Name, ...]:
    """Names for groups of papers, told apart from each other, from `taken_names` and the pool.

    Groups hold ids of `readings`, best first; `around` holds, for each group, other papers near to
    it, which count a little. A name is plain letters, digits, spaces, hyphens and &, at most 60
    characters, unique without regard to case.
    """
    if not groups:
        return ()
    index = index_phrases(sorted(readings, key=lambda reading: reading.id))
    taken = {name.casefold() for name in taken_names}
    used = {_gist(index.plain_words(index.key(name))) for name in taken_names}
    names: dict[int, Name] = {}
    for place in sorted(range(len(groups)), key=lambda at: (-len(groups[at]), sorted(groups[at]))):
        near = tuple(around[place]) if around else ()
        group = Group(tuple(groups[place]), near)
        ranked = candidates(group, index)
        tries = chain(_names(group, ranked, index, used), _of_titles(group, index))
        name, keys = next(one for one in tries if one[0].casefold() not in taken)
        taken.add(name.casefold())
        used |= {_gist(index.plain_words(key)) for key in keys}
        names[place] = Name(name, _terms(ranked, keys, index))
    return tuple(names[place] for place in range(len(groups)))


def _names(
    group: Group, ranked: Sequence[Candidate], index: PhraseIndex, used: set[frozenset[str]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names to try, best first, those that say the same as a sibling's name last."""
    fresh = [one for one in ranked if _gist(index.plain_words(one.key)) not in used][:_TRIED]
    for short in fresh:
        first = _fuller(short, fresh)
        second = _second(first, fresh, group, index)
        if second:
            joined = f"{first.spelling} and {second.spelling}"
            if len(joined) <= MAX_LENGTH:
                yield joined, (first.key, second.key)
        yield first.spelling, (first.key,)
    for one in ranked:
        yield one.spelling, (one.key,)


def _gist(words: frozenset[str]) -> frozenset[str]:
    """What a phrase says, so that `coding agents` and `code agents` say the same."""
    telling = words - GENERIC or words
    return frozenset(word.removesuffix("ing").removesuffix("e") for word in telling)


def _fuller(one: Candidate, others: Sequence[Candidate]) -> Candidate:
    """A longer phrase around this one, where most of its papers use it: `GUI agents`."""
    longer = (
        other
        for other in others
        if f" {one.key} " in f" {other.key} " and len(other.about) > max(1, len(one.about) / 2)
    )
    return max(
        longer,
        key=lambda other: (" " in other.key, other.score, other.key),
        default=one,
    )


def _second(
    first: Candidate, others: Sequence[Candidate], group: Group, index: PhraseIndex
) -> Candidate | None:
    """A phrase for the papers that the first one leaves out, about as good as it."""
    size = len(group.members)
    if len(first.about) >= COVERS_ALONE * size:
        return None
    words = index.plain_words(first.key)
    for one in others:
        telling = (
            " " in one.spelling
            and one.key in index.terms
            and not GENERIC.issuperset(index.plain_words(one.key))
        )
        if (
            not telling
            or words & index.plain_words(one.key)
            or one.score < _SECOND_BEST * first.score
        ):
            continue
        wide = len(one.about) >= _SECOND_PART * size
        if wide and len(one.about - first.about) >= max(2, _GAIN * size):
            return one
    return None


def _terms(
    ranked: Sequence[Candidate], named: Iterable[str], index: PhraseIndex
) -> tuple[str, ...]:
    """Up to six telling phrases; none says what another or the name says, or a part of it."""
    said = [_gist(index.plain_words(key)) for key in named]
    kept: list[str] = []
    for one in ranked:
        words = index.plain_words(one.key)
        gist = _gist(words)
        if not (words <= GENERIC or any(gist <= other or other <= gist for other in said)):
            said.append(gist)
            kept.append(one.spelling)
        if len(kept) == _TERMS:
            break
    return tuple(kept)


def _of_titles(group: Group, index: PhraseIndex) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names for papers that share no phrase: what their titles are about, then numbers."""
    first = ""
    for held in (index.in_title, index.anywhere):
        for paper in group.members:
            telling = [key for key in held[paper] if tells(key, group, index)]
            for key in sorted(telling, key=lambda key: _plainness(key, index)):
                spelling = spelt(key, Group((paper,), ()), index)
                first = first or spelling
                yield spelling, (key,)
    for number in count(2):
        yield f"{first or 'Theme'} {number}", ()


def _plainness(key: str, index: PhraseIndex) -> tuple[bool, bool, int, str]:
    """Sorts phrases of one title: telling ones of the field first, three words best."""
    words = index.plain_words(key)
    return (
        GENERIC.issuperset(words),
        key not in index.terms,
        abs(len(words) - _GOOD_LENGTH),
        key,
    )
