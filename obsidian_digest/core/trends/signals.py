"""What several papers say at once: terms that burst, come for the first time, or tie papers up.

Every signal is counted in the papers at hand and names them; none is made up.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from obsidian_digest.core.texts.field_terms import word_runs
from obsidian_digest.core.texts.phrase_index import index_phrases
from obsidian_digest.core.texts.phrase_words import ALONE_TOO_GENERAL, FAINT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from obsidian_digest.core.texts.phrase_index import PhraseIndex
    from obsidian_digest.model import Reading

SignalKind = Literal["burst", "first", "together", "grew", "new", "back"]

LEAST = 3
"""Papers that must hold a term for it to burst, or be related for it to tie them up."""
LEAST_FIRST = 2
FIRST_AFTER = 4
"""A term is told as the first in so many weeks, at the least."""
COMPARABLE = 20
"""With fewer papers before nothing bursts."""
Z = 2.0
TIMES = 3.0
"""A term bursts where its share of the papers is at least so many times what it was."""
RARE = 0.1
"""A term that ties papers up stands in no more than so much of all papers, or in `LEAST`."""
_SAME = 0.6
"""Of two terms whose papers overlap so far one is told."""
_LONE_WORD = 0.6
_FAINT = FAINT | {"deep", "machine", "network", "neural"}


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing to notice."""

    kind: SignalKind
    what: str
    """A term as the papers spell it; for `grew`, `new` and `back` the id of a theme."""
    papers: tuple[str, ...]
    """In the order given."""
    of: int
    """Papers that were looked at."""
    before: float = 0
    """Earlier papers that hold it; of a theme, how many papers were expected."""
    of_before: int = 0
    """Earlier papers that were looked at."""
    weeks: int = 0
    """Weeks in a row before in which it did not stand; only those that have a digest count."""
    score: float = 0.0


def term_signals(
    now: Sequence[Reading],
    before: Sequence[Sequence[Reading]],
    links: Mapping[str, Collection[str]],
    most: int,
) -> tuple[Signal, ...]:
    """Up to `most` signals of the papers `now`, the best first.

    A term bursts that stands in at least three of them, where the log-odds against the earlier
    papers lie two standard errors above zero (+0.5 to each count: Haldane 1956, Anscombe 1956) and
    its share is three times what it was. It is a first that stands in two of them and in none of
    the four or more weeks before. It ties papers up that stands in three of them, in no more than a
    tenth of all, and whose papers are linked to each other as related. One title must hold it.

    Args:
        now: The papers looked at, best first.
        before: Earlier papers, week by week, oldest first.
        links: For papers of `now`, the papers they are related to.
        most: The most signals wanted.
    """
    index = index_phrases(now)
    ids = tuple(reading.id for reading in now)
    weeks = [[_keyed(reading, index) for reading in week] for week in before]
    texts = _Texts(index, {each.id: _keyed(each, index) for each in now}, weeks, links)
    shared = {key for key, holders in index.papers.items() if len(holders) >= LEAST_FIRST}
    found = [(key, signal) for key in sorted(shared) if (signal := texts.signal(key, ids))]
    found.sort(key=lambda pair: (-pair[1].score, pair[0]))
    return _apart(found, most)


def _keyed(reading: Reading, index: PhraseIndex) -> str:
    """The words of a paper as keys, in which the key of a phrase stands between blanks.

    Each run of words stands there as it is, and with its long forms shortened where it has any.
    """
    runs = []
    for run in word_runs(reading.text):
        short = index.forms.shorten(run)
        runs += [" ".join(run), *([" ".join(short)] if short != run else [])]
    return f" {' | '.join(runs)} "


@dataclass(frozen=True, slots=True)
class _Texts:
    """The papers at hand, their terms and links."""

    index: PhraseIndex
    """Of the papers now."""
    now: Mapping[str, str]
    weeks: Sequence[Sequence[str]]
    links: Mapping[str, Collection[str]]

    def signal(self, key: str, ids: Iterable[str]) -> Signal | None:
        """The signal that a term gives, if any."""
        if not self._tells(key):
            return None
        papers = tuple(paper for paper in ids if f" {key} " in self.now[paper])
        if len(papers) < LEAST_FIRST:
            return None
        held = [sum(f" {key} " in text for text in week) for week in self.weeks]
        return (
            self._first(key, papers, held)
            or self._burst(key, papers, sum(held))
            or self._together(key, papers, sum(held))
        )

    def _tells(self, key: str) -> bool:
        """Whether a phrase is in a title and more than one word, or a term of the field."""
        if key in ALONE_TOO_GENERAL or _FAINT.issuperset(self.index.plain_words(key)):
            return False
        if not self.index.titled.get(key):
            return False
        return " " in key or key in self.index.terms or key in self.index.long_forms

    def _first(self, key: str, papers: tuple[str, ...], held: Sequence[int]) -> Signal | None:
        missed = next((n for n, count in enumerate(reversed(held)) if count), len(held))
        if missed < FIRST_AFTER:
            return None
        return self._made("first", key, papers, sum(held), weeks=missed)

    def _burst(self, key: str, papers: tuple[str, ...], old: int) -> Signal | None:
        now, size, total = len(papers), len(self.now), self._earlier
        if now < LEAST or total < COMPARABLE or now / size < TIMES * old / total:
            return None
        odds = math.log((now + 0.5) / (size - now + 0.5))
        odds_before = math.log((old + 0.5) / (total - old + 0.5))
        error = math.sqrt(1 / (now + 0.5) + 1 / (old + 0.5))
        return self._made("burst", key, papers, old) if odds - odds_before >= Z * error else None

    def _together(self, key: str, papers: tuple[str, ...], old: int) -> Signal | None:
        everywhere, total = len(papers) + old, len(self.now) + self._earlier
        if everywhere > max(LEAST, RARE * total):
            return None
        tied = _tied(papers, self.links)
        if len(tied) < LEAST:
            return None
        return self._made("together", key, tied, old, share=everywhere / total)

    @property
    def _earlier(self) -> int:
        return sum(map(len, self.weeks))

    def _made(
        self,
        kind: SignalKind,
        key: str,
        papers: tuple[str, ...],
        old: int,
        *,
        share: float | None = None,
        weeks: int = 0,
    ) -> Signal:
        """The score is papers times the log of how much more there are than one expects.

        That is the log-likelihood ratio of a Poisson count (Dunning 1993) but for its small terms.
        `share` is what one expects: by default the earlier papers' own.
        """
        usual = share or (old + 0.5) / (self._earlier + 1)
        ratio = len(papers) / len(self.now) / usual if kind != "together" else 1 / usual
        shape = 1.0 if " " in key or key in self.index.long_forms else _LONE_WORD
        score = round(len(papers) * math.log(max(ratio, 1.0)) * shape, 6)
        said = _said(key, papers, self.index)
        return Signal(kind, said, papers, len(self.now), old, self._earlier, weeks, score)


def _said(key: str, papers: Iterable[str], index: PhraseIndex) -> str:
    """The term as most of these papers spell it; as the field does where none writes it out.

    A title's capitals go where the running text of any has none.
    """
    counted: Counter[str] = Counter()
    for paper in papers:
        counted.update(index.spellings[paper].get(key, {}))
    if not counted:
        return index.terms[key].spelling if key in index.terms else key
    return max(
        counted,
        key=lambda text: (text[1:] == text[1:].lower(), text.islower(), counted[text], text),
    )


def _tied(papers: Sequence[str], links: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The largest part of the papers that hangs together by links, in the order given."""
    near = {
        one: {two for two in papers if two in links.get(one, ()) or one in links.get(two, ())}
        for one in papers
    }
    best: set[str] = set()
    for start in papers:
        reached, ends = {start}, [start]
        while ends:
            fresh = near[ends.pop()] - reached
            reached |= fresh
            ends += sorted(fresh)
        best = max(best, reached, key=len)
    return tuple(paper for paper in papers if paper in best)


def _apart(found: Iterable[tuple[str, Signal]], most: int) -> tuple[Signal, ...]:
    """The best signals, without those that say much the same of the same papers."""
    kept: list[tuple[str, Signal]] = []
    for key, signal in found:
        if len(kept) < most and not any(_alike(key, signal, *other) for other in kept):
            kept.append((key, signal))
    return tuple(signal for _, signal in kept)


def _alike(key: str, signal: Signal, other_key: str, other: Signal) -> bool:
    common = len(set(signal.papers) & set(other.papers))
    overlap = common / min(len(signal.papers), len(other.papers))
    related = not set(key.split()).isdisjoint(other_key.split())
    return overlap >= (1 / 2 if related else _SAME)
