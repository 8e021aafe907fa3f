"""The phrases that titles of the field use as names of things, and its usual short forms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.phrases import phrase_key, singular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_WORDS = 4
"""Words of a term, hyphens parting them and a short form being one."""
_LONGEST_FORM = 5
_HEADS = 3
"""Terms that a word must end to be a thing that many others are kinds of."""
_PART = re.compile(r"[^,;:.!?()\[\]{}\"|/\u2013\u2014]+")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|[^\sA-Za-z'-]+")


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """One phrase that titles use as a name."""

    spelling: str
    """As most titles write it, in title case: `Multi-Agent Systems`."""
    titles: int
    """How many titles hold it, of about 120,000."""


@dataclass(frozen=True, slots=True, eq=False)
class ShortForms:
    """Long forms by which their short forms go: `reinforcement learning` is `rl`."""

    by_long: Mapping[tuple[str, ...], str]
    first_words: frozenset[str]
    """Of the long forms."""

    def shorten(self, words: Sequence[str]) -> list[str]:
        """The words with each long form as one, the longest first."""
        short: list[str] = []
        place = 0
        while place < len(words):
            size, word = self.at(words, place)
            short.append(word)
            place += size
        return short

    def key(self, text: str) -> str:
        """The key of a phrase: lower case, singular, hyphens as spaces, long forms shortened."""
        return " ".join(self.shorten(phrase_key(text).split()))

    def at(self, words: Sequence[str], place: int) -> tuple[int, str]:
        """How many words from `place` on are one long form, and its short one; else 1, the word."""
        if words[place] not in self.first_words:
            return 1, words[place]
        for size in range(min(_LONGEST_FORM, len(words) - place), 1, -1):
            found = self.by_long.get(tuple(words[place : place + size]))
            if found:
                return size, found
        return 1, words[place]


def short_forms(pairs: Iterable[tuple[str, str]]) -> ShortForms:
    """Short forms from pairs such as `("reinforcement learning", "RL")`; the first one wins."""
    by_long: dict[tuple[str, ...], str] = {}
    for long, short in pairs:
        by_long.setdefault(tuple(phrase_key(long).split()), singular(short))
    return ShortForms(by_long, frozenset(words[0] for words in by_long if words))


@lru_cache(maxsize=1)
def field_short_forms() -> tuple[tuple[str, str], ...]:
    """The field's usual short forms, each after its long one in lower case."""
    rows = (line.split("\t") for line in _lines("short_forms.txt"))
    return tuple((long, short) for short, long in rows)


@lru_cache(maxsize=1)
def field_terms() -> Mapping[str, FieldTerm]:
    """The field's terms by key; long forms in keys go by the field's own short forms."""
    forms = short_forms(field_short_forms())
    rows = (line.split("\t") for line in _lines("terms.txt"))
    return {forms.key(spelling): FieldTerm(spelling, int(titles)) for spelling, titles in rows}


@lru_cache(maxsize=1)
def field_heads() -> Mapping[str, str]:
    """Words that end at least three terms, by key, as most titles spell them: `skill`, `Skills`."""
    spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)
    times: Counter[str] = Counter()
    for key, term in field_terms().items():
        last = re.split(r"[ -]", term.spelling)[-1]
        if " " in key and phrase_key(last) == key.rsplit(" ", 1)[-1]:
            spelt[phrase_key(last)][last] += term.titles
            times[phrase_key(last)] += 1
    return {
        word: max(spelt[word], key=lambda text: (spelt[word][text], text))
        for word, terms in times.items()
        if terms >= _HEADS
    }


def terms_at(words: Sequence[str], place: int) -> Iterator[str]:
    """Keys of the field's terms that begin at `place` of some words' keys, shortest first."""
    terms, openings = field_terms(), _openings()
    key = ""
    for word in words[place : place + MAX_WORDS]:
        key = f"{key} {word}" if key else word
        if key in terms:
            yield key
        if key not in openings:
            return


@lru_cache(maxsize=1)
def _openings() -> frozenset[str]:
    """What longer terms begin with."""
    words = [key.split(" ") for key in field_terms()]
    return frozenset(" ".join(term[:size]) for term in words for size in range(1, len(term)))


def _lines(name: str) -> Iterator[str]:
    text = files("obsidian_digest.core.texts").joinpath("field", name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def word_runs(text: str) -> Iterator[list[str]]:
    """The words of a text as keys, in runs that no punctuation breaks; hyphens part words."""
    for part in _PART.findall(text):
        run = [singular(word) for word in _WORD.findall(part)]
        if run:
            yield run
