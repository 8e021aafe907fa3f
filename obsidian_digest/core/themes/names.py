"""What a theme is called: the noun phrases that its papers share and the others lack."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count, islice
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.facets import AREAS, facets
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

COVERS_ALONE = 0.9
"""A phrase that this share of a theme's papers is about needs no second one beside it."""
_AND = " & "
_TERMS = 6
_TRIED = 12
_SECOND_BEST = 0.02
_GAIN = 0.03
_AREA_ADDS = 0.5
"""An area is worth naming beside what its papers say of it, for all that they are the same ones."""
_GOOD_LENGTH = 3
_SAME = {"visual": "vision", "clinical": "medical", "math": "mathematical", "robotic": "robot"}
"""Words that say the same as others of which no ending makes them."""
_FIELD = frozenset({"agent", "ai", "artificial", "data", "intelligence", "language"}) | frozenset(
    {"large", "learning", "llm", "system", "task", "training"}
)
"""Words that both phrases of a name can hold."""
_LITTLE = frozenset({"and", "by", "for", "from", "in", "of", "on", "the", "to", "with"})
"""Words of the reader's own names that say nothing: `RL for LLMs`."""
_FULLER, _FULLER_SAID = 0.3, 0.25
SMALL = 5
"""The name of a theme of fewer papers must be true of most of them."""


@dataclass(frozen=True, slots=True)
class Name:
    """A theme's name and the terms that tell it from the others."""

    name: str
    terms: tuple[str, ...]
    """What the name does not say; none where the papers share nothing else."""
    told: frozenset[str]
    """The papers that the name is true of."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A theme while no name is settled."""

    group: Group
    ranked: Sequence[Candidate]
    own: Candidate | None
    """The phrase that at least half of its papers are about: no sibling is called by it."""


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
    used = {
        _gist(index.plain_words(index.key(part))) for one in taken_names for part in one.split(_AND)
    }
    order = sorted(range(len(groups)), key=lambda at: (-len(groups[at]), sorted(groups[at])))
    drafts: dict[int, _Draft] = {}
    for place in order:
        group = Group(tuple(groups[place]), tuple(around[place]) if around else ())
        ranked = candidates(group, index)
        own = _first(ranked, group, index, used)
        if own and 2 * len(own.about) < len(group.members):
            own = None
        if own:
            used.add(_gist(index.plain_words(own.key)))
        drafts[place] = _Draft(group, ranked, own)
    names: dict[int, Name] = {}
    for place in order:
        draft = drafts[place]
        tries = chain(_names(draft, index, used), _of_titles(draft.group, index))
        name, keys = next(one for one in tries if one[0].casefold() not in taken)
        taken.add(name.casefold())
        used |= {_gist(index.plain_words(key)) for key in keys}
        told = frozenset().union(*(index.papers.get(key, frozenset()) for key in keys))
        names[place] = Name(
            name, _terms(draft.ranked, keys, index), told & frozenset(draft.group.members)
        )
    return tuple(names[place] for place in range(len(groups)))


def _first(
    ranked: Sequence[Candidate], group: Group, index: PhraseIndex, used: set[frozenset[str]]
) -> Candidate | None:
    """The best phrase that says what no sibling's name says, if there is one."""
    fresh = _fresh(ranked, index, used)
    if len(group.members) < SMALL:
        most = [one for one in fresh if 2 * len(one.about) > len(group.members)]
        fresh = most or fresh
    return _fuller(fresh[0], fresh, group, index) if fresh else None


def _fresh(
    ranked: Iterable[Candidate], index: PhraseIndex, used: set[frozenset[str]]
) -> list[Candidate]:
    fresh = (one for one in ranked if _gist(index.plain_words(one.key)) not in used)
    return list(islice(fresh, _TRIED))


def _names(
    draft: _Draft, index: PhraseIndex, used: set[frozenset[str]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names to try, best first, those that say the same as a sibling's name last."""
    group, ranked = draft.group, draft.ranked
    if first := draft.own or _first(ranked, group, index, used):
        others = [
            one
            for one in _fresh(ranked, index, used)
            if " " in one.spelling and one.key in index.terms
        ]
        beside = _fresh(facets(group, ranked, index), index, used)
        if second := _second(first, (*others, *beside), group, index):
            joined = _joined(first, second)
            if len(joined) <= MAX_LENGTH:
                yield joined, (first.key, second.key)
        yield first.spelling, (first.key,)
    for one in (*_fresh(ranked, index, used), *ranked):
        yield one.spelling, (one.key,)


def _joined(first: Candidate, second: Candidate) -> str:
    """Both with what they share said once: `GUI & Mobile Agents`, `LLM Safety & Attacks`.

    Long forms stay whole: `Reinforcement Learning & Robot Learning`.
    """
    one, two = first.spelling.split(), second.spelling.split()
    if len(one) > 1 and len(two) > 1:
        if one[0] == two[0]:
            two = two[1:]
        elif one[-1] == two[-1] and " " in first.key:
            one = one[:-1]
    return _AND.join((" ".join(one), " ".join(two)))


def _gist(words: Collection[str]) -> frozenset[str]:
    """What a phrase says: `coding agents` as `code agents`, `RL for LLMs` as `LLM RL`."""
    plain = set(words) - _LITTLE or words
    return _stems(set(plain) - GENERIC or plain)


def _stems(words: Collection[str]) -> frozenset[str]:
    return frozenset(_SAME.get(word, word.removesuffix("ing").removesuffix("e")) for word in words)


def _fuller(
    one: Candidate, others: Sequence[Candidate], group: Group, index: PhraseIndex
) -> Candidate:
    """A longer phrase around this one, where a good part of its papers use it: `GUI agents`.

    Fewer are enough where what it adds is what most titles of the theme say.
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
    first: Candidate, others: Iterable[Candidate], group: Group, index: PhraseIndex
) -> Candidate | None:
    """The phrase that says most about the papers that the first one leaves out, if any does."""
    size = len(group.members)
    if len(first.about) >= COVERS_ALONE * size:
        return None
    words = _stems(index.plain_words(first.key) - _FIELD)
    best, most = None, 0.0
    for one in others:
        also = index.plain_words(one.key)
        if (
            len(one.about) < min(2, size)
            or GENERIC.issuperset(also)
            or words & _stems(also)
            or one.score < _SECOND_BEST * first.score
        ):
            continue
        adds = sum(
            max(0.0, one.support.get(each, 0.0) - first.support.get(each, 0.0))
            for each in group.members
        )
        share = adds / sum(one.support.get(each, 0.0) for each in group.members)
        worth = round(one.score * max(share, _AREA_ADDS if one.key in AREAS else 0.0), 9)
        if adds >= _GAIN * size and worth > most:
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
