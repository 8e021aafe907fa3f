"""Which of the reader's texts an encoder that knows English only can read.

An English model turns a Chinese sentence into a vector all the same, but it means nothing: ranked
by it, a day is noise. So a text in another script than English is left out of the ranking, and the
reader is told. Told by the script alone: German in Latin letters passes for English.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from obsidian_digest.model import Interest, Interests, Reading

ADVISED = "paraphrase-multilingual-MiniLM-L12-v2"
FOREIGN = 0.5
"""Share of a text in other scripts, counted in words, from which it is not taken for English."""
ENOUGH = 3
"""English words in such a text from which they alone are worth ranking by."""
_SIGNS = 2
"""A word of Chinese or Japanese, which are written without blanks, has some two signs."""

_MANY_LANGUAGES = re.compile(
    r"multi-?lingual|xlm|labse|laser|bge-m3|jina-(?:embeddings-v[3-9]|clip-v2|reranker)|qwen"
    r"|gte-qwen|arctic-embed-[lm]-v2|embeddinggemma|gemma|nomic-embed-text-v2|distiluse|m-?use"
    r"|(?:^|[-_.])(?:zh|cn|chinese|ja|japanese|ko|korean|ru|russian|ar|arabic)(?:$|[-_.])",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"^(?:all|multi-qa|msmarco|nli|stsb|nq|gtr-t5|sentence-t5)-|^paraphrase-(?!multilingual)"
    r"|(?:^|[-_.])(?:en|english)(?:$|[-_.])|^(?:e5|gte|bge)-(?:small|base|large)|^potion-"
    r"|specter|scincl|scibert|^nomic-embed-text-v1|^mxbai-embed|arctic-embed|minilm|mpnet",
    re.IGNORECASE,
)
_UNPARTED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Unread:
    """What an encoder cannot read of what the reader wrote."""

    encoder: str = ""
    """Its name; empty: it reads all."""
    interests: tuple[str, ...] = ()
    """Names of interests of which nothing is read, or only English words in them."""
    dislikes: tuple[str, ...] = ()
    notes: int = 0
    """So many of his own notes."""

    def __bool__(self) -> bool:
        return bool(self.interests or self.dislikes or self.notes)


def english_only(encoder: str) -> bool:
    """Whether the encoder of this name is known to read nothing but English.

    Of words alone none overlaps with abstracts in English. Servers and models of unknown names are
    trusted.
    """
    if encoder.startswith(("http://", "https://")):
        return False
    name = re.split(r"[/\\]", encoder.partition("@")[0])[-1]
    if name in {"words", "static"}:
        return True
    return not _MANY_LANGUAGES.search(name) and bool(_ENGLISH.search(name))


def foreign_share(text: str) -> float:
    """Which part of the text's words is in other scripts than Latin, 0 to 1."""
    latin = other = 0.0
    for word, script in _words(text):
        latin += script == "latin"
        other += len(word) / _SIGNS if script == "unparted" else script == "other"
    return other / (latin + other) if other else 0.0


def legible(
    written: Interests, notes: Sequence[Reading], encoder: str
) -> tuple[Interests, tuple[Reading, ...], Unread]:
    """What of interests and own notes an encoder can rank by, and what is left out.

    Of an interest in another script its English words stay, if there are enough. One without them
    keeps its examples; without either it is gone, and so are such dislikes and notes.
    """
    if not english_only(encoder):
        return written, tuple(notes), Unread()
    interests = [_interest(each) for each in written.interests]
    dislikes = [_readable(each) for each in written.dislikes]
    read = tuple(note for note in notes if foreign_share(note.text) < FOREIGN)
    unread = Unread(
        encoder.partition("@")[0],
        _changed((each.name for each in written.interests), written.interests, interests),
        _changed(written.dislikes, written.dislikes, dislikes),
        len(notes) - len(read),
    )
    kept = replace(
        written,
        interests=tuple(each for each in interests if each is not None),
        dislikes=tuple(each for each in dislikes if each),
    )
    return kept, read, unread


def sentences(unread: Unread) -> tuple[str, ...]:
    """What the reader should know of it, one sentence each, with what to do."""
    said = [f'The interest "{name}" is' for name in unread.interests]
    said += [f'The dislike "{text}" is' for text in unread.dislikes]
    if unread.notes:
        said.append(f"{unread.notes} of your own notes {'is' if unread.notes == 1 else 'are'}")
    return tuple(
        f"{what} not written in English, and the encoder {unread.encoder} reads nothing else: only "
        "English words and linked papers in it count. Write it in English, or name a multilingual "
        f"encoder such as {ADVISED} under [encoder]."
        for what in said
    )


def _interest(interest: Interest) -> Interest | None:
    text = f"{interest.name}. {interest.text}"
    read = _readable(text)
    if read == text:
        return interest
    return replace(interest, read_as=read) if read or interest.examples else None


def _readable(text: str) -> str:
    """The text, its English words where it is not in English, or nothing."""
    if foreign_share(text) < FOREIGN:
        return text
    words = [word for word, script in _words(text) if script == "latin"]
    return " ".join(words) if len(words) >= ENOUGH else ""


def _changed(
    names: Iterable[str], before: Iterable[object], after: Iterable[object]
) -> tuple[str, ...]:
    rows = zip(names, before, after, strict=True)
    return tuple(name for name, one, other in rows if one != other)


def _words(text: str) -> list[tuple[str, str]]:
    """Runs of letters of one kind of script, with the kind; single Latin letters left out."""
    composed = unicodedata.normalize("NFC", text)
    runs = [
        ("".join(letters), script)
        for script, letters in groupby(composed, key=_script)
        if script is not None
    ]
    return [(word, script) for word, script in runs if script != "latin" or len(word) > 1]


@lru_cache(maxsize=10_000)
def _script(sign: str) -> str | None:
    """`latin`, `unparted` for scripts written without blanks, `other`; None for no letter."""
    if not sign.isalpha():
        return None
    if _UNPARTED.match(sign):
        return "unparted"
    return (
        "latin" if unicodedata.name(sign, "").startswith(("LATIN", "FULLWIDTH LATIN")) else "other"
    )
