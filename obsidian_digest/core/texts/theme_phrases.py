"""The phrases by which a theme could be called, and how well each fits its papers."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.phrase_index import IN_ABSTRACT
from obsidian_digest.core.texts.phrase_words import ALONE_TOO_GENERAL, FAINT
from obsidian_digest.core.texts.phrases import is_acronym

if TYPE_CHECKING:
    from collections.abc import Mapping

    from obsidian_digest.core.texts.phrase_index import PhraseIndex

MAX_LENGTH = 60
"""Characters of a name: it becomes the base name of a note."""
TOO_COMMON = 1 / 3
"""A phrase in more of the papers at hand than this tells no theme from another."""
GENERIC = FAINT - {"autonomous", "benchmark", "multi", "real", "reasoning", "scientific", "world"}
"""Words of which alone no telling name is made: `LLM agents`, `AI systems`."""
_AROUND = 0.25
_PALE, _PALE_BUT_RARE, _RARE = 0.3, 0.6, 0.2
_LONELY, _LONELIER, _FEW = 0.35, 0.2, 3
_OWN, _OWN_OF_MOST = 0.45, 0.9
_WIDE = 1.5
"""More than 1: sections are named by the general thing that most of their papers are about."""
_OF_WORDS, _PALE_WORDS = 0.45, 0.02
"""How much of a phrase's worth is that of its words: `Security Vulnerabilities` is told by all
that the abstracts say of security; and that of phrases made of words that suit everything."""
_PAIRED = 0.25
_PAIRED_FAINT = (FAINT - {"benchmark", "evaluation", "survey", "application"}) | {"use"}
"""`Tool-Use LLM Agents` is not about `LLM Use`."""
_SMOOTH = 0.03
_BY_LENGTH = {1: 0.2, 2: 1.0, 3: 1.05, 4: 0.9}
_MORE_WORDS = 0.7
_KNOWN = 0.2
"""What ten times as many titles of the field are worth: `Video Understanding` before
`Video Reasoning`."""
_BROAD = 0.6
_BROAD_WORTH = 0.4
_ACRONYM_WORTH = 0.5
_FIELDS = {"agent": "Agent", "robot": "Robot", "llm": "LLM", "ai": "AI", "quantum": "Quantum"}
_SMALL_WORDS = frozenset({"and", "for", "of", "in", "with", "to", "the", "on"})


@dataclass(frozen=True, slots=True)
class Group:
    """A theme's papers and, to make out what a handful has in common, others around it."""

    members: tuple[str, ...]
    around: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase that a theme could be called by."""

    key: str
    spelling: str
    score: float
    about: frozenset[str]
    """The theme's papers that hold the phrase, or all of its words in the title."""
    support: Mapping[str, float]
    """How much each paper is about it, 0 to 1."""


def candidates(group: Group, index: PhraseIndex) -> list[Candidate]:
    """Phrases of the group, best first, those that suit everything or one paper only last."""
    held: Counter[str] = Counter()
    titled: Counter[str] = Counter()
    for paper in (*group.members, *group.around):
        held.update(index.anywhere[paper])
        titled.update(index.in_title[paper])
    size, words = len(group.members), _Words(group, index)
    found = [
        _candidate(key, words)
        for key in _paired(group, index) - held.keys()
        if tells(key, group, index)
    ]
    for key, times in held.items():
        if not tells(key, group, index):
            continue
        known = key in index.terms
        if (known and (titled[key] or times >= min(size, 3))) or (
            not known and titled[key] >= max(2, size / 4)
        ):
            found.append(_candidate(key, words))
    return sorted(
        (one for one in found if one.score > 0 and one.about),
        key=lambda one: (_is_pale(one, index) or len(one.about) == 1 < size, -one.score, one.key),
    )


def _is_pale(one: Candidate, index: PhraseIndex) -> bool:
    """Whether it says nothing that half of a day's papers do not say: `LLM agents`."""
    return GENERIC.issuperset(index.plain_words(one.key))


def tells(key: str, group: Group, index: PhraseIndex) -> bool:
    """Whether a phrase is neither a word that suits everything nor in every third paper."""
    most = max(TOO_COMMON * len(index.anywhere), len(group.members))
    return key not in ALONE_TOO_GENERAL and len(index.papers.get(key, ())) <= most


def _paired(group: Group, index: PhraseIndex) -> set[str]:
    """Terms such as `agent safety` whose words stand apart in many titles: `safety of agents`."""
    members = set(group.members)
    least = max(2, len(members) * _PAIRED)
    words = {word for word, papers in index.title_words.items() if len(papers & members) >= least}
    return {
        f"{field} {word}" for field in words & _FIELDS.keys() for word in words - _PAIRED_FAINT
    } & index.terms.keys()


class _Words:
    """What the words of phrases tell of a group, each counted once."""

    def __init__(self, group: Group, index: PhraseIndex) -> None:
        self.group = group
        self.index = index
        self._worth: dict[str, float] = {}

    def of(self, key: str) -> float:
        """The mean over the words of a phrase that do not suit everything."""
        words = sorted(self.index.plain_words(key) - GENERIC)
        for word in words:
            if word not in self._worth:
                self._worth[word] = _word_worth(word, self.group, self.index)
        told = sum(self._worth[word] for word in words) / max(1, len(words))
        return max(told, _PALE_WORDS)


def _candidate(key: str, words: _Words) -> Candidate:
    """The phrase with its worth: coverage x log of how much rarer it is outside x its shape.

    A paper around the theme counts a quarter as much as one of the theme. Mixed (geometric mean)
    with the worth of the phrase's words.
    """
    group, index = words.group, words.index
    support = index.support(key)
    inside = sum(support.get(paper, 0.0) for paper in group.members)
    near = sum(support.get(paper, 0.0) for paper in group.around)
    size, wide = len(group.members), len(group.around)
    coverage = (inside + _AROUND * near) / (size + _AROUND * wide)
    rest = max(1, len(index.anywhere) - size - wide)
    outside = max(0.0, sum(support.values()) - inside - near) / rest
    about = frozenset(one for one in group.members if support.get(one, 0.0) >= IN_ABSTRACT)
    broad = len(about) >= max(min(size, _FEW), _BROAD * size)
    spelling = spelt(key, group, index)
    if broad or "-" in spelling:
        spelling = _with_field(spelling, key, group, index)
    score = telling(coverage, outside) * _shape(key, spelling, index, broad=broad)
    score = score ** (1 - _OF_WORDS) * words.of(key) ** _OF_WORDS
    if len(about) == 1 < size:
        score *= _LONELY if size <= _FEW else _LONELIER
    return Candidate(key, spelling, round(score, 9), about, support)


def _word_worth(word: str, group: Group, index: PhraseIndex) -> float:
    """Class TF-IDF of one word: what many papers of the theme and few others say."""
    members = set(group.members)
    texts = index.text_words.get(word, frozenset())
    titles = index.title_words.get(word, frozenset())
    said = len(texts & members) * IN_ABSTRACT + len(titles & members) * (1 - IN_ABSTRACT)
    elsewhere = len(texts) * IN_ABSTRACT + len(titles) * (1 - IN_ABSTRACT) - said
    coverage = said / len(members)
    return telling(coverage, elsewhere / max(1, len(index.anywhere) - len(members)))


def telling(coverage: float, outside: float) -> float:
    """Coverage (to the power of `_WIDE`) x log of how much rarer it is outside."""
    contrast = math.log((coverage + _SMOOTH) / (outside + _SMOOTH))
    return float(coverage**_WIDE * max(contrast, 0.0))


def _with_field(spelling: str, key: str, group: Group, index: PhraseIndex) -> str:
    """A lone word gets the field that most titles name before it: `Agent Self-Evolution`."""
    if " " in spelling or key in index.long_forms or is_acronym(spelling):
        return spelling
    members, words = set(group.members), index.plain_words(key)
    for word, field in _FIELDS.items():
        titled = len(index.title_words.get(word, frozenset()) & members)
        if word not in words and 2 * titled >= max(len(members), 3):
            return f"{field} {spelling}"
    return spelling


def _shape(key: str, spelling: str, index: PhraseIndex, *, broad: bool) -> float:
    """How good a name the phrase is by itself: its length, its use in titles of the field."""
    length = max(len(index.plain_words(key)), len(spelling.replace("-", " ").split()))
    worth = _BY_LENGTH.get(length, _MORE_WORDS)
    if is_acronym(spelling):
        worth = _ACRONYM_WORTH
    elif broad and " " not in key:
        worth = max(worth, _BROAD_WORTH)
    term = index.terms.get(key)
    if term:
        worth *= 0.8 + _KNOWN * math.log10(term.titles)
    else:
        worth *= _OWN_OF_MOST if broad else _OWN
    if GENERIC.issuperset(index.plain_words(key)):
        holders = index.text_words.get(key.rsplit(" ", 1)[-1], ())
        worth *= _PALE if len(holders) > _RARE * len(index.anywhere) else _PALE_BUT_RARE
    return worth


def spelt(key: str, group: Group, index: PhraseIndex) -> str:
    """The phrase in title case, as the field spells it or else as the theme's papers do most."""
    if key in index.terms:
        return index.terms[key].spelling
    counted: Counter[str] = Counter()
    for paper in (*group.members, *group.around):
        for spelling, times in index.spellings[paper].get(key, {}).items():
            counted[title_case(spelling)] += times
    if not counted:
        return title_case(key)
    best = max(counted.values())
    plural = [text for text in counted if text.endswith("s") and 2 * counted[text] >= best]
    return max(plural or counted, key=lambda text: (counted[text], text))[:MAX_LENGTH].strip()


def title_case(text: str) -> str:
    """The text with capitals as in a title; words that have capitals inside stay: `LLMs`."""
    words = [
        "-".join(_capital(part, first=not place) for place, part in enumerate(word.split("-")))
        for word in text.split()
    ]
    return " ".join([*words[:1], *(_capital(word, first=False) for word in words[1:])])


def _capital(word: str, *, first: bool) -> str:
    if not first and word.lower() in _SMALL_WORDS:
        return word.lower()
    return word[:1].upper() + word[1:]
