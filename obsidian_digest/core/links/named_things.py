"""Methods, data sets and benchmarks that one paper defines and another one mentions by name."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.field_terms import field_short_forms
from obsidian_digest.model import Naming
from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from obsidian_digest.model import Reading, Relation

_NAME = r"[^\W\d_][^\W_]*(?:[-+._@²³][^\W_]+)*\+*"
_TITLED = re.compile(rf"^({_NAME})(?: \([^()]*\))?: ")
_VERB = (
    r"\b(?:introduc(?:e|es|ed|ing)|present(?:s|ed|ing)?|propos(?:e|es|ed|ing)"
    r"|releas(?:e|es|ing)|contribut(?:e|es|ing)|develop(?:s|ed|ing)?|describ(?:e|es|ing)"
    r"|call(?:ed)?|named|nam(?:e|ing)|dubbed|dub|term(?:ed)?|creat(?:e|ed|ing)|build|construct"
    r"|design(?:ed)?|realized in|implemented in)"
)
_PRAISE = r"(?:(?:the|a|an|our|new|novel|this|first|simple)[ ,]+)*"
_INTRODUCED = re.compile(rf"{_VERB} {_PRAISE}({_NAME})")
_TOLD = re.compile(r",? (?:an?|the first|which|our)\b|:| \(|\s?[\u2013\u2014]| - |\.(?:\s|$)")
_SPELT_OUT = re.compile(rf"{_VERB} {_PRAISE}((?:[^\W_][\w'\u2019/-]* ){{2,9}}?)\(({_NAME})\)")
_DATA = re.compile(
    r"bench(?:mark)?s?\b|\bdata ?sets?\b|\bcorpus\b|\bcorpora\b|\btest ?(?:bed|suite|set)s?\b"
    r"|\b(?:evaluation|task) suite\b|\bgym\b|\barena\b|\bleaderboard\b|\bchallenge\b",
    re.IGNORECASE,
)
_MADE_FOR_TESTS = re.compile(r"(?:bench|eval|gym|arena)\W*\w{0,2}$", re.IGNORECASE)
_EVALUATES = re.compile(
    r"\b(?:evaluat|experiment|results?\b|benchmarks?\b|test(?:ed|s|ing)?\b|validat|outperform"
    r"|accura|scor(?:e|es|ing)\b|state-of-the-art|SOTA\b|improv|achiev|reach(?:es|ing)?\b|gains?\b)",
    re.IGNORECASE,
)
_BUILDS = re.compile(
    r"\b(?:buil(?:d|ds|ding|t) (?:directly )?(?:up)?on(?: top of)?|built (?:with|atop|around)"
    r"|on top of|extend(?:s|ed|ing)?|extensions? (?:of|to)|based on|successor (?:of|to)"
    r"|(?:initiali[sz]ed|derived|adapted) from)\b[^,.;:]{0,30}$"
    r"|\bfine-?tun(?:e|es|ed|ing) (?:the |a )?$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"(])")
_ENDINGS = r"-(?:based|style|like|trained|powered|driven|enabled|family|level|specific|derived)\b"
_NEAR = 60
"""Characters before a name in which a verb must stand to speak of it."""
_SHORTEST = 3
_SHORTEST_PLAIN = 4
_SHORTEST_DISTINCTIVE = 5
_FEWEST_WORDS = 2
_FLOORS = (1.7, 3.0)
"""How many times nearer than two related papers those must be whose name is distinctive, or not.

Another thing of the same name is the commonest fault. Of 57 pairs below these floors in 11,000
papers on learning and language about 45 were such; of the 36 above them in 18,000 others, two.
"""
_NONE: frozenset[str] = frozenset()
_USUAL = frozenset(
    {"sok", "gpt", "bert", "llama", "qwen", "gemini", "claude", "grpo", "ppo", "dpo"}
)
_USUAL |= {"sft", "rlhf", "rlvr", "mcp", "api", "arxiv", "github"}
"""Names that the whole field uses, and heads of titles that name nothing."""
_SIGNS = str.maketrans(dict.fromkeys(",;:()[]{}\"'/|\u2018\u2019\u201c\u201d", " "))
_RANK: Mapping[Relation, int] = {"builds": 0, "evaluates": 1, "mentions": 2}


@dataclass(frozen=True, slots=True)
class _Claims:
    """Names that a paper uses as its own; of those it `defines` it says so beyond doubt."""

    all: frozenset[str]
    defines: frozenset[str]


class NamedThings:
    """What the papers of a vault define, and which of the others mention it."""

    def __init__(
        self, readings: Iterable[Reading], overlap: Callable[[str, str], float], least: float
    ) -> None:
        """`overlap` is the plain TF-IDF cosine of two papers by id; `least` that of two related."""
        self._readings = {reading.id: reading for reading in readings}
        self._overlap, self._least = overlap, least
        self._held = {key: _tokens(reading) for key, reading in self._readings.items()}
        self._holders: defaultdict[str, list[str]] = defaultdict(list)
        for key in sorted(self._held):
            for token in self._held[key]:
                self._holders[token].append(key)
        self._claimed: dict[str, _Claims] = {}
        self._definers: dict[str, str | None] = {}
        self._between: dict[tuple[str, str], Naming | None] = {}

    def touching(self, papers: Iterable[str]) -> tuple[Naming, ...]:
        """For each pair with one of these papers at an end its weightiest naming, sorted."""
        pairs: set[tuple[str, str]] = set()
        for key in papers:
            for thing in self._held[key]:
                of = self._definer(thing)
                others = self._holders[thing] if of == key else [of] if of else []
                pairs.update((min(key, each), max(key, each)) for each in others if each != key)
        found = (self.between(*pair) for pair in sorted(pairs))
        return tuple(naming for naming in found if naming)

    def between(self, one: str, other: str) -> Naming | None:
        """The weightiest that either of two papers says of the other by name."""
        pair = (min(one, other), max(one, other))
        if pair not in self._between:
            found: list[Naming] = []
            for thing in sorted(self._held.get(one, _NONE) & self._held.get(other, _NONE)):
                of = self._definer(thing)
                if of in pair:
                    naming = self._naming(other if of == one else one, of, thing)
                    found += [naming] if naming else []
            best = min(found, key=lambda naming: _RANK[naming.says], default=None)
            self._between[pair] = best
        return self._between[pair]

    def _definer(self, thing: str) -> str | None:
        """Of the papers that hold a name the oldest, if it and no other claims it."""
        if thing not in self._definers:
            holders = self._holders[thing]
            self._definers[thing] = None
            if len(holders) > 1 and _is_name(thing):
                first = min(holders, key=_age)  # asked first: most names end here
                others = (key for key in holders if key != first)
                if thing in self._claims(first).defines and not any(
                    thing in self._claims(key).all for key in others
                ):
                    self._definers[thing] = first
        return self._definers[thing]

    def _claims(self, key: str) -> _Claims:
        if key not in self._claimed:
            self._claimed[key] = _claims(self._readings[key])
        return self._claimed[key]

    def _naming(self, by: str, of: str, thing: str) -> Naming | None:
        if self._overlap(by, of) < self._least * _FLOORS[not distinctive(thing)]:
            return None
        by_reading, home = self._readings[by], self._readings[of]
        # In the capitals of a title a name that could be a word is not told from one.
        text = by_reading.abstract if thing[1:].islower() else by_reading.text
        places = list(_places(thing, text))
        if not places or _spelt_differently(thing, text, home.text):
            return None
        data = _is_data(thing, home)
        says = min((_relation(text, place, data) for place in places), key=_RANK.__getitem__)
        return Naming(by, of, thing, says)


def distinctive(thing: str) -> bool:
    """Whether hardly two would hit upon it: five characters and capitals as no word has them."""
    parts = re.split(r"[^A-Za-z0-9]", thing)
    capitals = len(parts) > 1 and any(part.isupper() for part in parts)
    camel = any(part[1:] != part[1:].lower() and not part.isupper() for part in parts)
    made = "-" in thing and bool(_MADE_FOR_TESTS.search(thing))
    return len(thing) >= _SHORTEST_DISTINCTIVE and (capitals or camel or made)


def _age(paper: str) -> tuple[int, int, str]:
    month, number, archive = sort_key(paper)
    return (-month, -number, archive)


def _tokens(reading: Reading) -> frozenset[str]:
    """Words with a capital, punctuation off: a quick way to see where a name may stand."""
    words = {word.rstrip(".!?") for word in reading.text.translate(_SIGNS).split()}
    return frozenset(word for word in words if word != word.lower())


def _claims(reading: Reading) -> _Claims:
    every: set[str] = set()
    sure: set[str] = set()
    titled = _TITLED.match(reading.title)
    if titled:
        every.add(titled[1])
        sure.update(name for name in (titled[1],) if any(_places(name, reading.abstract)))
    for found in _INTRODUCED.finditer(reading.abstract):
        name = found[1].rstrip(".")
        every.add(name)
        if distinctive(name) and _TOLD.match(reading.abstract, found.start(1) + len(name)):
            sure.add(name)
    for found in _SPELT_OUT.finditer(reading.abstract):
        if _initials(found[1], found[2]):
            every.add(found[2])
            # In small letters it is what everybody calls so: second-order cone programming.
            capitals = sum(word[0].isupper() for word in found[1].split())
            sure.update([found[2]] if capitals >= _FEWEST_WORDS else [])
    # What a title calls by a name is the paper's thing; other names are parts of it, or others'.
    own = {name for name in sure if not titled or name in reading.title}
    return _Claims(frozenset(every), frozenset(own))


@lru_cache(maxsize=1)
def _short_forms() -> frozenset[str]:
    return frozenset(short.casefold() for short, _ in field_short_forms()) | _USUAL


def _is_name(token: str) -> bool:
    """Whether it cannot be read as a word or as a short form that the whole field uses."""
    if not re.fullmatch(_NAME, token):
        return False
    letters = [character for character in token if character.isalpha()]
    if len(letters) < _SHORTEST or token.islower() or token.casefold() in _short_forms():
        return False
    if token[-1] == "s" and token[-2].isupper():  # a plural is a class of things: VLMs
        return False
    return distinctive(token) or len(token) >= _SHORTEST_PLAIN


def _initials(long_form: str, name: str) -> bool:
    """Whether the words begin with the name's capitals, in order and from the first word on."""
    words = re.findall(r"[^\W_]+", long_form)
    capitals = [character for character in name if character.isupper()]
    if len(words) < _FEWEST_WORDS or len(capitals) < _FEWEST_WORDS:
        return False
    heads = iter([word[0].upper() for word in words])
    return words[0][0].upper() == capitals[0] and all(letter in heads for letter in capitals)


def _is_data(thing: str, home: Reading) -> bool:
    """Whether the defining paper calls it a benchmark, a data set or an environment."""
    if _MADE_FOR_TESTS.search(thing):
        return True
    _, colon, rest = home.title.partition(f"{thing}: ")
    if colon and _DATA.search(rest):
        return True
    said = re.search(
        rf"{re.escape(thing)}\)?,? (?:is )?(?:a|an|the)\b([^.;]{{0,80}})", home.abstract
    )
    return bool(said and _DATA.search(said[1]))


def _spelt_differently(thing: str, text: str, home: str) -> bool:
    """Whether the text spells the name out in words that the defining paper does not hold."""
    held = _words(home)
    for found in re.finditer(rf"((?:[\w'\u2019/-]+ ){{1,9}})\({re.escape(thing)}s?\)", text):
        words = re.findall(r"[^\W_]+", found[1])
        size = _spelt_by(words, thing)
        if size and " ".join(words[-size:]).casefold() not in held:
            return True
    # The other order: the name, and in parentheses what it stands for.
    return any(
        _initials(found[1], thing) and _words(found[1]) not in held
        for found in re.finditer(rf"{re.escape(thing)} \(([^()]+)\)", text)
    )


def _spelt_by(words: list[str], thing: str) -> int:
    """How many of the last words spell a name out; 0 for none."""
    for size in range(_FEWEST_WORDS, len(words) + 1):
        if _initials(" ".join(words[-size:]), thing):
            return size
    capitals = any(word[0].isupper() for word in words[-_FEWEST_WORDS:])
    return min(_FEWEST_WORDS, len(words)) if capitals else 0


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text)).casefold()


def _places(thing: str, text: str) -> Iterator[int]:
    """Where the name stands by itself; one that could be a word only within a sentence."""
    spelt = re.compile(rf"(?<![\w\-./@]){re.escape(thing)}(?:{_ENDINGS}|(?![\w+@²³-]|\.\w))")
    for found in spelt.finditer(text):
        before = text[: found.start()].rstrip()
        if not thing[1:].islower() or before[-1:].islower() or before[-1:] in {",", "("}:
            yield found.start()


def _relation(text: str, place: int, data: bool) -> Relation:
    start = max((found.end() for found in _SENTENCE_END.finditer(text, 0, place + 1)), default=0)
    if _BUILDS.search(text[max(start, place - _NEAR) : place]):
        return "builds"
    end = _SENTENCE_END.search(text, place)
    sentence = text[start : end.start() if end else len(text)]
    speaks = data and place > start and _EVALUATES.search(sentence)
    return "evaluates" if speaks else "mentions"
