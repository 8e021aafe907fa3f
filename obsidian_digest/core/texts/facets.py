"""Single words that can stand beside a phrase in a theme's name: `Agent Attacks & Security`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.texts.field_terms import field_heads
from obsidian_digest.core.texts.phrase_index import IN_ABSTRACT, IN_TITLE
from obsidian_digest.core.texts.phrase_words import ALONE_TOO_GENERAL, HEADLESS
from obsidian_digest.core.texts.theme_phrases import (
    GENERIC,
    Candidate,
    Group,
    spelt,
    telling,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from obsidian_digest.core.texts.phrase_index import PhraseIndex

AREAS = frozenset(
    {
        "cryptography",
        "education",
        "finance",
        "medicine",
        "networking",
        "retrieval",
        "security",
    }
)
"""Subjects of one word that people file papers under, which say it in their abstracts and something
narrower in their titles."""
_TOO_COMMON = 0.25
"""Less than of phrases: words have more forms than are counted, `benchmark`, `benchmarking`."""
_IN_TITLES = 0.25
_AREA_IN_TEXTS = 0.4
_SAID = 0.4
"""A phrase that so much of a word's papers hold says more than the word: `Video Understanding`."""
_WORTH, _AREA_WORTH = 0.5, 1.0


def facets(group: Group, ranked: Sequence[Candidate], index: PhraseIndex) -> list[Candidate]:
    """Words that many terms of the field are kinds of, as they tell the group, best first.

    `ranked` are the group's phrases; a word that one of them says for its papers is left out.
    """
    members = set(group.members)
    most = max(_TOO_COMMON * len(index.anywhere), len(members))
    found = []
    for word in sorted((field_heads().keys() | ALONE_TOO_GENERAL) - GENERIC - HEADLESS):
        about = len(index.papers.get(word, frozenset()) & members)
        if (
            len(index.text_words.get(word, ())) <= most
            and _is_said(word, about, members, index)
            and not _is_in_phrase(word, about, ranked, index)
        ):
            found.append(_facet(word, group, index))
    return sorted((one for one in found if one.score > 0), key=lambda one: (-one.score, one.key))


def _is_said(word: str, about: int, members: set[str], index: PhraseIndex) -> bool:
    """Whether enough of the titles say it, or, of an area, enough papers (`about`) at all."""
    titled = len(index.titled.get(word, frozenset()) & members)
    broad = word in AREAS and about >= _AREA_IN_TEXTS * len(members)
    return broad or titled >= max(2, _IN_TITLES * len(members))


def _is_in_phrase(word: str, about: int, ranked: Sequence[Candidate], index: PhraseIndex) -> bool:
    return any(
        " " in one.spelling
        and len(one.about) >= max(2, _SAID * about)
        and word in index.plain_words(one.key)
        for one in ranked
    )


def _facet(word: str, group: Group, index: PhraseIndex) -> Candidate:
    held, titled = index.papers[word], index.titled.get(word, frozenset())
    support = dict.fromkeys(held, IN_ABSTRACT) | dict.fromkeys(titled, IN_TITLE)
    inside = sum(support.get(paper, 0.0) for paper in group.members)
    size = len(group.members)
    outside = (sum(support.values()) - inside) / max(1, len(index.anywhere) - size)
    worth = _AREA_WORTH if word in AREAS else _WORTH
    score = round(worth * telling(inside / size, outside), 9)
    spelling = spelt(word, group, index)
    if not spelling.endswith("s"):
        spelling = field_heads().get(word, spelling)
    return Candidate(word, spelling, score, held & set(group.members), support)
