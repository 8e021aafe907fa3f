"""Noun phrases of titles and abstracts, found without a grammar: by stop lists and endings."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.phrase_words import (
    BREAKERS,
    GERUNDS,
    HEADLESS,
    NAMES_OF_MODELS,
    NOUNS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_WORDS = 4
_LONGEST_FORM = 5
_SHORTEST_PLURAL = 4
_NO_PLURAL = frozenset({"bias", "atlas", "canvas", "alias", "series", "species", "news", "lens"})
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|\S")
_SHORT_FORM = re.compile(r"\(([A-Z][A-Za-z]{0,5}[A-Z])s?\)")
_BEFORE_IT = re.compile(r"(?:[A-Za-z][a-z-]{1,40}\s+){1,6}$")
_MOST_BEFORE_IT = 6 * (41 + 1)
"""Characters of six words, each with a blank: to look no farther back saves nine tenths."""
_ADJECTIVE = re.compile(
    r"(?:al|ic|ive|ous|ble|ful|less|ish|ed|ly|est|ary|oid|like|wise|based|aware|driven|free|level)$"
)

_ATTRIBUTE = re.compile(
    r"(?:[a-z]+-to-|(?:multi|single|many|large|small|long|short|zero|few|one|cross|real|open|closed|low"
    r"|high|on|off|in|out|non|inter|intra|sub|super|state|full|semi|whole|per|end|first|second|third"
    r"|two|three|domain|task|general|special)-)",
    re.IGNORECASE,
)
"""Hyphenated words that want a noun after them: `multi-agent`, `text-to-image`, `long-horizon`."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One noun phrase as it stands in a text."""

    key: str
    """What makes two spellings the same phrase: lower case, singular, hyphens as spaces."""
    spelling: str
    """As the paper wrote it."""


@lru_cache(maxsize=100_000)
def singular(word: str) -> str:
    """The lower-case word without its plural ending: `policies` gives `policy`, `bias` stays."""
    low = word.lower()
    if len(low) < _SHORTEST_PLURAL or low in _NO_PLURAL:
        return low
    if low.endswith("ies"):
        return low[:-3] + "y" if len(low) > _SHORTEST_PLURAL else low[:-1]
    if low.endswith(("sses", "shes", "ches", "xes")):
        return low[:-2]
    if low.endswith("s") and not low.endswith(("ss", "us", "is", "ics")):
        return low[:-1]
    return low


@lru_cache(maxsize=100_000)
def phrase_key(text: str) -> str:
    """Lower case, singular, hyphens as spaces."""
    return " ".join(singular(word) for word in text.replace("-", " ").split())


def acronyms(texts: Iterable[str], *, least: int = 1) -> dict[str, str]:
    """The short forms that at least `least` texts define, by the long one in lower case.

    `Reinforcement Learning (RL)` gives `{"reinforcement learning": "RL"}`; a short form that stands
    for several long ones goes to the most frequent.
    """
    seen: Counter[tuple[str, str]] = Counter()
    for text in texts:
        seen.update(_defined(text))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for (long, short), times in sorted(seen.items(), key=lambda item: (-item[1], item[0])):
        if times >= least and phrase_key(short) not in taken and phrase_key(long) not in taken:
            found[long] = short
            taken |= {phrase_key(short), phrase_key(long)}
    return found


def _defined(text: str) -> set[tuple[str, str]]:
    """The long forms in a text, in lower case, that have a short one in brackets behind them."""
    found: set[tuple[str, str]] = set()
    start = 0
    for bracket in _SHORT_FORM.finditer(text):
        start = max(start, bracket.start() - _MOST_BEFORE_IT)
        before = _BEFORE_IT.search(text, start, bracket.start())
        if before and (long := _long_form(before[0], bracket[1])):
            found.add((long, bracket[1]))
        start = bracket.end()
    return found


def _long_form(before: str, short: str) -> str:
    """The words before a bracket whose initials are the short form, in lower case; else nothing."""
    words = before.lower().split()
    letters = short.lower()
    for start in range(len(words)):
        tail = " ".join(words[start:])
        initials = "".join(word[0] for word in re.split(r"[ -]", tail) if word)
        if initials == letters and len(letters) > 1:
            return tail
    return ""


def phrases(text: str, short_forms: Mapping[str, str] | None = None) -> Iterator[Phrase]:
    """All noun phrases of one to four words, inner ones of longer ones included, in order.

    `short_forms` maps keys of long forms to short ones, which then stand for them in the key.
    """
    for chunk in _chunks(text):
        words = _shortened(chunk, short_forms) if short_forms else [(word, word) for word in chunk]
        for start in range(len(words)):
            yield from _beginning(words[start : start + MAX_WORDS])


def _beginning(words: Sequence[tuple[str, str]]) -> Iterator[Phrase]:
    """The noun phrases that begin with the first of the words, shortest first.

    None holds a name, a number or a word twice.
    """
    key, spelling = "", ""
    said: set[str] = set()
    for short, written in words:
        plain = singular(short)
        if plain in said or _is_name_or_number(short):
            return
        said.add(plain)
        key = f"{key} {phrase_key(short)}" if key else phrase_key(short)
        spelling = f"{spelling} {written}" if spelling else written
        if _is_head(short):
            yield Phrase(key, spelling)


def _chunks(text: str) -> Iterator[list[str]]:
    chunk: list[str] = []
    for token in _TOKEN.findall(text):
        if _goes_on(token):
            chunk.append(token)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


@lru_cache(maxsize=100_000)
def _goes_on(token: str) -> bool:
    """Whether a phrase can hold the token; every other one ends it."""
    low = token.lower()
    return token[0].isalpha() and low not in BREAKERS and not low.endswith("ly")


def _shortened(chunk: list[str], short_forms: Mapping[str, str]) -> list[tuple[str, str]]:
    """The chunk's words, a long form as one, each with the way it is written."""
    words: list[tuple[str, str]] = []
    keys = [phrase_key(token) for token in chunk]
    place = 0
    while place < len(chunk):
        for size in range(min(_LONGEST_FORM, len(chunk) - place), 0, -1):
            short = short_forms.get(" ".join(keys[place : place + size]))
            if short or size == 1:
                written = " ".join(chunk[place : place + size])
                words.append((short or written, written))
                place += size
                break
    return words


def is_acronym(word: str) -> bool:
    """Whether a word is written in capitals: `RL`, `LLMs`, `GRPO`, `RAG`."""
    core = word.removesuffix("s")
    return len(core) > 1 and core.isupper() and core.isalpha()


@lru_cache(maxsize=100_000)
def _is_name_or_number(word: str) -> bool:
    """Whether a word is the name of one model or method, or holds a digit."""
    if (
        any(letter.isdigit() for letter in word)
        or word.lower() in NAMES_OF_MODELS
        or word.lower().endswith("bench")
        or len(word) == 1
    ):
        return True
    return any(a.islower() and b.isupper() for a, b in pairwise(word.replace("-", ""))) and not any(
        is_acronym(part) for part in word.split("-")
    )


@lru_cache(maxsize=100_000)
def _is_head(word: str) -> bool:
    """Whether a noun phrase can end with the word."""
    return is_acronym(word) or _ends_like_a_noun(word)


def _ends_like_a_noun(head: str) -> bool:
    if head.lower() in {"language", "vision", "computer"}:
        return False
    if _ATTRIBUTE.match(head) and not is_acronym(head.rsplit("-", 1)[-1]):
        return False
    low = singular(head.rsplit("-", 1)[-1])
    if low in HEADLESS:
        return False
    if low.endswith("ing"):
        return low in GERUNDS or head.lower().endswith("ings")
    return low in NOUNS or not _ADJECTIVE.search(low)
