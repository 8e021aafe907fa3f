"""Which papers hold which phrases: their own noun phrases and the terms of the field."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.field_terms import (
    FieldTerm,
    ShortForms,
    field_short_forms,
    field_terms,
    short_forms,
    terms_at,
    word_runs,
)
from obsidian_digest.core.texts.phrases import acronyms, phrase_key, phrases, singular

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from obsidian_digest.model import Reading

IN_TITLE = 1.0
"""What it counts that a paper's title holds a phrase as it is; the rest is measured by it."""
IN_ABSTRACT = 0.6
WORDS_IN_TITLE = 0.7
"""All words of a phrase stand in the title, apart: `safe tool use of agents`, `agent safety`."""
WORDS_IN_TEXT = 0.2
_TITLE_TIMES = 3
_BENCH = ("bench", "benchmarking")
"""Names of benchmarks end so: `AgentBench`."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseIndex:
    """Which papers hold which phrases, and how they spell them."""

    in_title: Mapping[str, frozenset[str]]
    """Keys of the phrases of each paper's title, by paper id."""
    anywhere: Mapping[str, frozenset[str]]
    """Keys of the phrases of each paper's title and abstract, by paper id."""
    papers: Mapping[str, frozenset[str]]
    """The papers that hold a phrase, by key."""
    titled: Mapping[str, frozenset[str]]
    """The papers whose title holds a phrase, by key."""
    spellings: Mapping[str, Mapping[str, Counter[str]]]
    """How often a paper uses each spelling, its title three times: paper id, key, spelling."""
    long_forms: Mapping[str, str]
    """The long form as papers write it, by key of the short one: `rl`, `reinforcement learning`."""
    terms: Mapping[str, FieldTerm]
    """The field's terms, by key."""
    title_words: Mapping[str, frozenset[str]]
    """The papers whose title holds a word or a short form, by key."""
    text_words: Mapping[str, frozenset[str]]
    """The papers that hold a word or a short form, by key."""
    forms: ShortForms
    _known: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """The key of a theme's name."""
        return self.forms.key(name)

    def plain_words(self, key: str) -> frozenset[str]:
        """The words of a phrase, those of long forms in place of short ones."""
        return frozenset(
            singular(word)
            for part in key.split()
            for word in self.long_forms.get(part, part).replace("-", " ").split()
        )

    def support(self, key: str) -> Mapping[str, float]:
        """How much each paper is about the phrase, 0 to 1; papers with 0 are left out."""
        if key not in self._known:
            words = self.plain_words(key)
            loose = " " in key
            found = dict.fromkeys(_all_hold(words, self.text_words) if loose else (), WORDS_IN_TEXT)
            found |= dict.fromkeys(
                _all_hold(words, self.title_words) if loose else (), WORDS_IN_TITLE
            )
            found |= dict.fromkeys(self.papers.get(key, ()), IN_ABSTRACT)
            found |= dict.fromkeys(self.titled.get(key, ()), IN_TITLE)
            self._known[key] = found
        return self._known[key]


def _all_hold(words: Iterable[str], holders: Mapping[str, frozenset[str]]) -> frozenset[str]:
    first, *others = sorted((holders.get(word, frozenset()) for word in words), key=len)
    return first.intersection(*others)


def index_phrases(readings: Sequence[Reading]) -> PhraseIndex:
    """The phrases of these papers; long forms count as the short forms that stand for them.

    Short forms are the field's usual ones and those that at least two of the papers define.
    """
    defined = acronyms((reading.text for reading in readings), least=2)
    forms = _Forms(_with_field_forms(defined))
    in_title: dict[str, frozenset[str]] = {}
    anywhere: dict[str, frozenset[str]] = {}
    spellings: dict[str, dict[str, Counter[str]]] = {}
    title_words: dict[str, frozenset[str]] = {}
    text_words: dict[str, frozenset[str]] = {}
    for reading in readings:
        used: dict[str, Counter[str]] = defaultdict(Counter)
        for phrase in phrases(reading.title, forms.by_key):
            used[phrase.key][phrase.spelling] += _TITLE_TIMES
        of_title, title_words[reading.id] = forms.read(reading.title)
        in_title[reading.id] = of_title | used.keys()
        for phrase in phrases(reading.abstract, forms.by_key):
            used[phrase.key][phrase.spelling] += 1
        of_abstract, words = forms.read(reading.abstract)
        text_words[reading.id] = title_words[reading.id] | words
        anywhere[reading.id] = of_abstract | in_title[reading.id] | used.keys()
        spellings[reading.id] = dict(used)
    return PhraseIndex(
        in_title,
        anywhere,
        _turned(anywhere),
        _turned(in_title),
        spellings,
        forms.long_forms,
        field_terms(),
        _turned(title_words),
        _turned(text_words),
        forms.shortener,
    )


def _with_field_forms(defined: Mapping[str, str]) -> list[tuple[str, str]]:
    """The field's short forms and those of the day that touch none of its terms."""
    usual = field_short_forms()
    known = {phrase_key(short) for _, short in usual}
    new = [
        (long, short)
        for long, short in defined.items()
        if phrase_key(short) not in known and phrase_key(long) not in field_terms()
    ]
    return [*usual, *new]


class _Forms:
    """The short forms at hand, and what a text holds when they are read."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.shortener: ShortForms = short_forms(pairs)
        self.by_key = {" ".join(long): short for long, short in self.shortener.by_long.items()}
        self.long_forms: dict[str, str] = {}
        for long, short in pairs:
            self.long_forms.setdefault(phrase_key(short), long)
        self._inside = {
            short: self._parts(phrase_key(long)) for short, long in self.long_forms.items()
        }

    def _parts(self, long: str) -> frozenset[str]:
        """The words of a long form, and the short forms of parts of it: `rl` in `marl`."""
        words = long.split()
        inner = {
            short
            for start in range(len(words))
            for end in range(start + 2, len(words) + 1)
            if (short := self.shortener.by_long.get(tuple(words[start:end])))
        }
        return frozenset(inner | set(words))

    def read(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """Keys of the field's terms in a text, and its words with what short forms stand for."""
        held: set[str] = set()
        words: set[str] = set()
        for run in word_runs(text):
            short = self.shortener.shorten(run)
            words.update(run, short)
            for start in range(len(short)):
                held.update(terms_at(short, start))
        for word in words & self._inside.keys():
            words |= self._inside[word]
        if any(word.endswith(_BENCH) for word in words):
            words.add("benchmark")
        return frozenset(held), frozenset(words)


def _turned(held: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """The papers by what they hold."""
    papers: defaultdict[str, set[str]] = defaultdict(set)
    for paper, keys in held.items():
        for key in keys:
            papers[key].add(paper)
    return {key: frozenset(found) for key, found in papers.items()}
