"""What a theme is called: the noun phrases that its papers share and the others lack."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.phrase_index import index_phrases
from obsidian_digest.core.texts.theme_phrases import (
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

    from obsidian_digest.core.texts.phrase_index import PhraseIndex
    from obsidian_digest.model import Reading

COVERS_ALONE = 0.75
"""A phrase that this share of a theme's papers is about needs no second one beside it."""
_TERMS = 6
_TRIED = 12
_SECOND_BEST = 0.02
_GAIN = 0.03
_GOOD_LENGTH = 3
_SAME = {"visual": "vision", "clinical": "medical", "math": "mathematical", "robotic": "robot"}
"""Words that say the same as others of which no ending makes them."""
_FULLER, _FULLER_SAID = 0.5, 0.25


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
        first = _fuller(short, fresh, group, index)
        second = _second(first, fresh, group, index)
        if second:
            joined = f"{first.spelling} & {second.spelling}"
            if len(joined) <= MAX_LENGTH:
                yield joined, (first.key, second.key)
        yield first.spelling, (first.key,)
    for one in ranked:
        yield one.spelling, (one.key,)


def _gist(words: frozenset[str]) -> frozenset[str]:
    """What a phrase says, so that `coding agents` and `code agents` say the same."""
    telling = words - GENERIC or words
    return frozenset(
        _SAME.get(word, word.removesuffix("ing").removesuffix("e")) for word in telling
    )


def _fuller(
    one: Candidate, others: Sequence[Candidate], group: Group, index: PhraseIndex
) -> Candidate:
    """A longer phrase around this one, where most of its papers use it: `GUI agents`.

    Half as many are enough where what it adds is what most titles of the theme say.
    """
    members, words = set(group.members), index.plain_words(one.key)

    def share(other: Candidate) -> float:
        added = index.plain_words(other.key) - words
        said = (len(index.title_words.get(word, frozenset()) & members) for word in added)
        return _FULLER_SAID if 2 * min(said, default=0) >= len(members) else _FULLER

    longer = (
        other
        for other in others
        if f" {one.key} " in f" {other.key} "
        and len(other.about) > max(1, share(other) * len(one.about))
    )
    return max(longer, key=lambda other: (" " in other.key, other.score, other.key), default=one)


def _second(
    first: Candidate, others: Sequence[Candidate], group: Group, index: PhraseIndex
) -> Candidate | None:
    """The phrase that says most about the papers that the first one leaves out, if any does."""
    size = len(group.members)
    if len(first.about) >= COVERS_ALONE * size:
        return None
    words = _gist(index.plain_words(first.key))
    held = index.support(first.key)
    best, most = None, 0.0
    for one in others:
        also = index.plain_words(one.key)
        if (
            " " not in one.spelling
            or one.key not in index.terms
            or len(one.about) < min(2, size)
            or GENERIC.issuperset(also)
            or words & _gist(also)
            or one.score < _SECOND_BEST * first.score
        ):
            continue
        support = index.support(one.key)
        adds = [max(0.0, support.get(each, 0.0) - held.get(each, 0.0)) for each in group.members]
        total = sum(support.get(each, 0.0) for each in group.members)
        worth = round(one.score * sum(adds) / total, 9)
        if sum(adds) >= _GAIN * size and worth > most:
            best, most = one, worth
    return best


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
