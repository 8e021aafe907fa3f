"""What pure functions say of the same papers is worked out once for all tests of a process.

Most runs of the tests are over the same few recorded days. A run in a process of its own, which the
tests of hash seeds, threads and killed commands start, remembers nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from obsidian_digest.core.day import day_layout
from obsidian_digest.core.ranking import closeness, selection, taste
from obsidian_digest.core.texts import similarity
from obsidian_digest.core.texts.phrase_index import PhraseIndex
from obsidian_digest.core.texts.words import WordSpace
from obsidian_digest.core.themes import communities, names
from obsidian_digest.core.trends import signals
from obsidian_digest.model import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import pytest

FEW, MANY = 24, 120
"""Answers kept of a function: one about the words of a whole day takes megabytes."""

_kept: list[OrderedDict[Hashable, Any]] = []


def remember(patch: pytest.MonkeyPatch) -> None:
    """Lets the dear functions remember what they said, wherever the package calls them."""
    for name, most, modules in (
        ("word_space", FEW, (similarity, closeness, selection, taste)),
        ("title_space", FEW, (taste,)),
        ("index_phrases", FEW, (names, signals)),
        ("agreed", MANY, (communities,)),
        ("louvain", MANY, (communities,)),
        ("positions", MANY, (day_layout,)),
    ):
        remembering = _remembering(getattr(modules[0], name), most)
        for module in modules:
            patch.setattr(module, name, remembering)


def forget() -> None:
    """For tests that something comes out the same twice: the second time is worked out anew."""
    for answers in _kept:
        answers.clear()


def _remembering(function: Callable[..., Any], most: int) -> Callable[..., Any]:
    answers: OrderedDict[Hashable, Any] = OrderedDict()
    _kept.append(answers)

    def remembering(*words: Any, **named: Any) -> Any:
        key = (*map(_key, words), *((name, _key(value)) for name, value in named.items()))
        if key not in answers:
            answers[key] = function(*words, **named)
        answers.move_to_end(key)
        if len(answers) > most:
            answers.popitem(last=False)
        return _own(answers[key])

    return remembering


def _own(answer: Any) -> Any:
    """A copy of what could be changed: scipy sorts a matrix in place where it likes to."""
    if isinstance(answer, WordSpace):
        return replace(answer, matrix=answer.matrix.copy())
    return answer if isinstance(answer, PhraseIndex) else answer.copy()


def _key(value: Any) -> Hashable:
    """What a value holds, as something that can be looked up."""
    if isinstance(value, dict):
        return tuple(value.items())
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, Vectors):
        return (value.ids, value.matrix.shape, value.matrix.tobytes())
    return value
