"""What two papers share, in words: the telling phrases that stand in both texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.phrase_words import ALONE_TOO_GENERAL, FAINT
from obsidian_digest.core.texts.phrases import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from obsidian_digest.model import Reading

MOST = 3
"""Phrases named for one pair."""
_BY_WORDS = {1: 0.7, 2: 1.2, 3: 1.3, 4: 1.1}
_IN_TITLE = 1.4


class SharedWords:
    """The phrases of some papers, and which of them two papers share."""

    def __init__(self, readings: Iterable[Reading], idf: Mapping[str, float]) -> None:
        self._readings = {reading.id: reading for reading in readings}
        self._idf = idf
        self._spellings: dict[str, dict[str, Counter[str]]] = {}
        self._titles: dict[str, frozenset[str]] = {}

    def why(self, one: str, other: str) -> tuple[str, ...]:
        """Up to three phrases that both papers hold, rarest first, as the papers write them.

        Phrases that fit half of all papers do not count; empty where nothing telling is shared,
        which one common word is not.
        """
        left, right = self._phrases(one), self._phrases(other)
        titled = self._titles[one] | self._titles[other]
        shared = [key for key in left.keys() & right.keys() if self._tells(key, titled)]
        shared.sort(key=lambda key: (-self._worth(key, titled), key))
        kept: list[str] = []
        for key in shared:
            words = set(key.split())
            if not any(words & set(other_key.split()) for other_key in kept):
                kept.append(key)
        spelt = tuple(_plainest(left[key] + right[key]) for key in kept[:MOST])
        return () if len(spelt) == 1 and _is_common_word(spelt[0]) else spelt

    def least(self, one: str, other: str) -> tuple[str, ...]:
        """The rarest word or phrase that both hold at all, for a link that stands already."""
        left, right = self._phrases(one), self._phrases(other)
        titled = self._titles[one] | self._titles[other]
        shared = [key for key in left.keys() & right.keys() if not FAINT.issuperset(key.split())]
        best = min(shared, key=lambda key: (-self._worth(key, titled), key), default=None)
        return () if best is None else (_plainest(left[best] + right[best]),)

    def _phrases(self, paper: str) -> Mapping[str, Counter[str]]:
        if paper not in self._spellings:
            reading = self._readings[paper]
            spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
            for phrase in phrases(reading.text):
                spellings[phrase.key][phrase.spelling] += 1
            self._spellings[paper] = dict(spellings)
            self._titles[paper] = frozenset(phrase.key for phrase in phrases(reading.title))
        return self._spellings[paper]

    def _tells(self, key: str, titled: frozenset[str]) -> bool:
        """Whether a phrase is more than a common word; lone words must stand in a title."""
        words = key.split()
        return (len(words) > 1 or key in titled) and not (
            key in ALONE_TOO_GENERAL or FAINT.issuperset(words)
        )

    def _worth(self, key: str, titled: frozenset[str]) -> float:
        """Mean rarity of the words, in halves so that a day more changes no order, by shape."""
        words = key.split()
        strong = [self._idf.get(word, 1.0) for word in words if word not in FAINT]
        rarity = sum(strong) / len(strong)
        boost = _IN_TITLE if key in titled else 1.0
        return round(rarity * 2) / 2 * _BY_WORDS.get(len(words), 1.0) * boost


def _is_common_word(spelling: str) -> bool:
    """One word without a capital: "writes", not "GRPO" and not "credit assignment"."""
    return spelling.islower() and not set(spelling) & set(" -0123456789")


def _plainest(spellings: Counter[str]) -> str:
    """The commonest spelling, without a title's capitals where the running text has none."""
    return max(
        spellings,
        key=lambda text: (text[1:] == text[1:].lower(), text.islower(), spellings[text], text),
    )
