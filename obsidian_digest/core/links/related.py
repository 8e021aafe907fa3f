"""Which papers point to each other: the new to the vault's, few, and hardly ever changed again."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.links.named_things import NamedThings
from obsidian_digest.core.links.shared_words import SharedWords
from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.model import Link

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from obsidian_digest.core.texts.similarity import Similarity
    from obsidian_digest.model import Naming, Reading, Vectors

FLOOR_PER_DOUBLING = 0.8
"""The floor is this times log2 of the number of papers: the best of many by chance grows so.

On three hand-made lists of 132 to 368 papers it leaves links to 85 % of the papers, of which 60 to
67 % stay in one section (chance: 4 to 16 %).
"""
MARGIN = 1.0
"""By how much a new paper must be nearer to an old one than what it would push out."""
SMALL_VAULT = 100
LEAST_OVERLAP = (0.06, 0.03)
"""Plain TF-IDF cosine of two related papers, in a small vault and in a larger one.

A handful of unrelated papers has a nearest pair, too; this tells that it is not near.
"""


@dataclass(frozen=True, slots=True)
class _Limits:
    new: frozenset[str]
    cap: int
    max_old_changed: int
    things: NamedThings


@dataclass(frozen=True, slots=True)
class Related:
    """The links that shall stand, and the words to tell any of them."""

    links: tuple[Link, ...]
    """Without words: telling all of a large vault takes longer than finding them."""
    texts: SharedWords
    things: NamedThings

    def told(self, link: Link) -> Link:
        """The same link with what both papers share, and what one says of the other by name."""
        why = self.texts.why(link.a, link.b) or self.texts.least(link.a, link.b)
        return replace(link, why=why, named=self.things.between(link.a, link.b))


def related(
    readings: Sequence[Reading],
    vectors: Vectors,
    new_ids: Collection[str],
    standing_links: Mapping[str, Sequence[str]],
    *,
    cap: int = 5,
    max_old_changed: int = 15,
    beyond: Iterable[Reading] = (),
) -> Related:
    """All links that shall stand between these papers: the standing ones and those of `new_ids`.

    A new paper links to at most `cap` others: first to those that define what it mentions by name
    or mention what it defines, then to the nearest above a floor, where both texts share telling
    words. A standing link goes only if a paper of it left, or if an end that is full is nearer to a
    new paper by `MARGIN`. At most `max_old_changed` papers that are not new gain or lose a link.
    Called with its own result it returns the same. Weights run from 0 to 1, 0.5 at the floor.
    `beyond` are papers that are not measured and whose links may have to be told.
    """
    if not readings:
        return Related((), SharedWords(beyond, {}), NamedThings((), lambda *_: 0.0, 1.0))
    similarity = mixed_similarity(readings, vectors)
    texts = SharedWords((*readings, *beyond), similarity.idf)
    things = _things(readings, similarity)
    floor = _floor(similarity)
    new = frozenset(new_ids) & set(similarity.ids)
    limits = _Limits(new, cap, max_old_changed, things)
    near = _standing(similarity, standing_links)
    candidates = [
        *_named(similarity, things.touching(sorted(new))),
        *_candidates(similarity, new, floor),
    ]
    while _pass(near, candidates, texts, limits):
        pass
    links = tuple(
        Link(a, b, _weight(near[a][b], floor))
        for a in sorted(near)
        for b in sorted(near[a])
        if a < b
    )
    return Related(links, texts, things)


def _things(readings: Iterable[Reading], similarity: Similarity) -> NamedThings:
    at = {paper: place for place, paper in enumerate(similarity.ids)}

    def overlap(one: str, other: str) -> float:
        return similarity.overlap(at[one], at[other])

    return NamedThings(readings, overlap, _least(similarity))


def _least(similarity: Similarity) -> float:
    return LEAST_OVERLAP[len(similarity.ids) >= SMALL_VAULT]


def _floor(similarity: Similarity) -> float:
    return similarity.scale * FLOOR_PER_DOUBLING * math.log2(max(len(similarity.ids), 12))


def _weight(near: float, floor: float) -> float:
    return round(1 / (1 + math.exp((floor - near) / floor)), 4)


def _standing(
    similarity: Similarity, standing_links: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Each paper's standing neighbours that are still here, with their similarity."""
    at = {paper: place for place, paper in enumerate(similarity.ids)}
    ends = sorted(
        {
            (min(one, other), max(one, other))
            for one, others in standing_links.items()
            for other in others
            if one in at and other in at and one != other
        }
    )
    near: dict[str, dict[str, float]] = defaultdict(dict)
    values = similarity.pairs([at[a] for a, _ in ends], [at[b] for _, b in ends]) if ends else ()
    for (a, b), value in zip(ends, values, strict=True):
        near[a][b] = near[b][a] = round(float(value), 4)
    return near


def _named(similarity: Similarity, namings: Iterable[Naming]) -> list[tuple[float, str, str]]:
    """Pairs of which one mentions by name what the other defines, bare mentions last."""
    at = {paper: place for place, paper in enumerate(similarity.ids)}
    ranked = []
    for naming in namings:
        a, b = sorted((naming.by, naming.of))
        value = round(float(similarity.pairs([at[a]], [at[b]])[0]), 4)
        ranked.append((naming.says == "mentions", -value, a, b))
    return [(-less, a, b) for _, less, a, b in sorted(ranked)]


def _candidates(
    similarity: Similarity, new: Iterable[str], floor: float
) -> list[tuple[float, str, str]]:
    """Pairs of a new paper and any other that are near enough, nearest first."""
    at = {paper: place for place, paper in enumerate(similarity.ids)}
    places = [at[paper] for paper in sorted(new)]
    least = _least(similarity)
    found: set[tuple[float, str, str]] = set()
    for place, row in zip(places, similarity.rows(places), strict=True):
        for other in (row >= floor).nonzero()[0].tolist():
            if other != place and similarity.overlap(place, other) >= least:
                a, b = sorted((similarity.ids[place], similarity.ids[other]))
                found.add((round(float(similarity.pairs([at[a]], [at[b]])[0]), 4), a, b))
    return sorted(found, key=lambda pair: (-pair[0], pair[1], pair[2]))


def _pass(
    near: dict[str, dict[str, float]],
    candidates: Sequence[tuple[float, str, str]],
    texts: SharedWords,
    limits: _Limits,
) -> bool:
    """Add the candidates that fit, nearest first; whether any did.

    Repeated until none does, which is what makes the result stand when it is asked for again.
    """
    added = False
    for value, a, b in candidates:
        pushed = None if b in near[a] else _pushed_out(near, (value, a, b), limits)
        if pushed is None or not (limits.things.between(a, b) or texts.why(a, b)):
            continue
        for one, other, _ in pushed:
            del near[one][other], near[other][one]
        near[a][b] = near[b][a] = value
        if _old_changed(near, limits) <= limits.max_old_changed:
            added = True
            continue
        del near[a][b], near[b][a]
        for one, other, was in pushed:
            near[one][other] = near[other][one] = was
    return added


def _pushed_out(
    near: Mapping[str, Mapping[str, float]], pair: tuple[float, str, str], limits: _Limits
) -> list[tuple[str, str, float]] | None:
    """The links that must go to make room for the pair; None where there is no room.

    A new paper took its nearest first, so when it is full it is settled; an old one gives up its
    weakest link to another old one that it does not name, if the pair is stronger by `MARGIN`.
    """
    value, *ends = pair
    pushed = []
    for end in ends:
        if len(near[end]) < limits.cap:
            continue
        old = [
            (was, other)
            for other, was in near[end].items()
            if other not in limits.new and not limits.things.between(end, other)
        ]
        if end in limits.new or not old or value <= min(old)[0] + MARGIN:
            return None
        weakest, other = min(old)
        pushed.append((end, other, weakest))
    return pushed


def _old_changed(near: Mapping[str, Mapping[str, float]], limits: _Limits) -> int:
    """How many old papers have changed at most, told from the links alone.

    Each that has a link to a new paper, and for each such link of one that is full, the paper that
    it may have pushed out. What was there before is not asked, so a second call counts the same.
    """
    gained = Counter(
        paper for new in limits.new for paper in near.get(new, ()) if paper not in limits.new
    )
    full = {paper for paper in gained if len(near[paper]) >= limits.cap}
    return len(gained) + sum(gained[paper] for paper in full)
