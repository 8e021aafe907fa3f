"""Which of the reader's own notes belong beside a paper: at most three, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from obsidian_digest.core.links.shared_words import SharedWords
from obsidian_digest.core.texts.phrase_words import BREAKERS, HEADLESS
from obsidian_digest.core.texts.phrases import singular
from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.model import OwnLink, Reading, Vectors
from obsidian_digest.note.names import collision_key, paper_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from obsidian_digest.core.texts.similarity import Similarity
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import OwnNote

MOST = 3
"""Notes listed beside one paper."""
INDEX_PAPERS, INDEX_LINKS = 12, 60
"""A note with so many links to papers, or in all, is an index: it would stand beside everything."""
COMMON = 0.02
"""A name that a larger share of the papers mentions is a word of the field and says nothing."""
ENOUGH = 50
"""Papers by which it can be told whether a name of one plain word is common."""
CLOSE = 0.15
"""Plain TF-IDF cosine of a note that is close: five times that of two related papers."""
_SHORTEST = 4
_DATED = re.compile(r"\d{4}-?\d{2}(?:-?\d{2})?|\d{4}-?[WQ]\d{1,2}")
_INDEX_NAME = re.compile(
    r"\b(?:MOC|Index|Inbox|Home|Dashboard|Templates?|README|Untitled)\b|索引|目录"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class OwnNotes:
    """The reader's own notes, looked up by paper."""

    def __init__(
        self,
        own: Iterable[OwnNote],
        readings: Mapping[str, Reading],
        places: Places,
        vectors: Vectors | None = None,
    ) -> None:
        """`readings` are all papers at hand; `vectors`, of papers by id and notes by path."""
        self._readings = readings
        self._texts = [reading.text for _, reading in sorted(readings.items())]
        self._vectors = vectors
        notes = [note for note in own if not _is_index(note, places)]
        self._linking = _linking(notes, places)
        self._by_first: defaultdict[str, list[tuple[str, tuple[str, ...], str]]] = defaultdict(list)
        self._unparted: list[tuple[str, str]] = []
        for note in notes:
            for name in dict.fromkeys((base_name(note.path), *note.aliases)):
                self._enter(name, note.path)
        self._told: dict[str, bool] = {}
        self._corpus = {note.path: note for note in notes if note.text.strip()}
        self._near: tuple[Similarity, SharedWords] | None = None

    def beside(self, paper: str) -> tuple[OwnLink, ...]:
        """Notes that link to the paper, whose name it mentions, or that say much the same."""
        if paper not in self._readings:
            return ()
        found: dict[str, OwnLink] = {}
        for link in (*self._links(paper), *self._named(paper), *self._close(paper)):
            found.setdefault(link.path, link)
        return tuple(list(found.values())[:MOST])

    def _enter(self, name: str, path: str) -> None:
        if _CJK.search(name):
            if len(name) > 1:
                self._unparted.append((name, path))
            return
        words = _keys(name)
        if words and sum(map(str.isalpha, name)) >= _SHORTEST - _is_acronym(name):
            self._by_first[words[0]].append((name, words, path))

    def _links(self, paper: str) -> Iterator[OwnLink]:
        return (OwnLink(path, "links") for path in self._linking.get(paper, ()))

    def _named(self, paper: str) -> list[OwnLink]:
        """The longest names first: they say most."""
        text = self._readings[paper].text
        words = _keys(text)
        found: dict[str, str] = {}
        for place, word in enumerate(words):
            for name, key, path in self._by_first.get(word, ()):
                if words[place : place + len(key)] == key and self._telling(name, key, text):
                    found.setdefault(path, name)
        for name, path in self._unparted:
            if name in text:
                found.setdefault(path, name)
        longest = sorted(found.items(), key=lambda one: (-len(one[1].split()), one[0]))
        return [OwnLink(path, "named", (name,)) for path, name in longest]

    def _telling(self, name: str, key: tuple[str, ...], text: str) -> bool:
        """Whether the name, found in the text in whatever capitals, means the note's subject."""
        if _is_acronym(name) and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            return False
        if name not in self._told:
            self._told[name] = self._rare(name, key)
        return self._told[name]

    def _rare(self, name: str, key: tuple[str, ...]) -> bool:
        plain = len(key) == 1 and name[1:] == name[1:].lower()
        if all(word in BREAKERS or word in HEADLESS for word in key):
            return False
        if plain and len(self._texts) < ENOUGH:
            return False
        parts = re.escape(name).replace(r"\ ", r"[\s-]+").replace(r"\-", r"[\s-]+")
        spelt = re.compile(rf"(?<!\w){parts}", re.IGNORECASE)
        holders = sum(bool(spelt.search(text)) for text in self._texts)
        return holders <= max(COMMON * len(self._texts), 2)

    def _close(self, paper: str) -> list[OwnLink]:
        if not self._corpus:
            return []
        similarity, words = self._measured()
        at = {key: place for place, key in enumerate(similarity.ids)}
        paths = sorted(self._corpus)
        rows = similarity.words[at[paper]] @ similarity.words[[at[path] for path in paths]].T
        overlaps = rows.toarray().ravel().tolist()
        near = sorted((-round(value, 4), path) for value, path in zip(overlaps, paths, strict=True))
        found = []
        for less, path in near[:MOST]:
            why = words.why(paper, path) if -less >= CLOSE else ()
            found += [OwnLink(path, "close", why)] if why else []
        return found

    def _measured(self) -> tuple[Similarity, SharedWords]:
        if self._near is None:
            import numpy as np  # noqa: PLC0415 (heavy)

            notes = [Reading(key, base_name(key), one.text) for key, one in self._corpus.items()]
            every = [*self._readings.values(), *notes]
            none = np.zeros((len(every), 0), dtype=np.float32)
            vectors = self._vectors or Vectors(tuple(one.id for one in every), none)
            similarity = mixed_similarity(every, vectors)
            self._near = similarity, SharedWords(every, similarity.idf)
        return self._near


def _linking(notes: Iterable[OwnNote], places: Places) -> dict[str, list[str]]:
    """Paths of the notes that link to a paper or name its address, by paper."""
    linking: defaultdict[str, list[str]] = defaultdict(list)
    for note in notes:
        for paper in sorted(set(_papers(note, places))):
            linking[paper].append(note.path)
    return {paper: sorted(paths) for paper, paths in linking.items()}


def _papers(note: OwnNote, places: Places) -> Iterator[str]:
    for target in note.links:
        identity = places.identity(target, note.path)
        if identity and identity[0] == "paper":
            yield identity[1]
        elif known := paper_id(target):
            yield known[0]


def _is_index(note: OwnNote, places: Places) -> bool:
    """Whether it would stand beside everything, or has a name that no link can lead to."""
    name = base_name(note.path)
    if places.own(note.path) is None:
        return True
    if _DATED.search(name) or _INDEX_NAME.search(name) or collision_key(name) in places.names:
        return True
    return len(note.links) > INDEX_LINKS or len(set(_papers(note, places))) > INDEX_PAPERS


def _keys(text: str) -> tuple[str, ...]:
    """The words in lower case and singular; hyphens part them."""
    return tuple(singular(word.lower()) for word in re.findall(r"[^\W_]+", text))


def _is_acronym(name: str) -> bool:
    return len(name) > 1 and name.isupper() and " " not in name
