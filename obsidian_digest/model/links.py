"""What a link between two notes says: who names whose method, and why a note of the reader's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["builds", "evaluates", "mentions"]


@dataclass(frozen=True, slots=True)
class Naming:
    """One paper mentions by name what another one defines: a method, a data set, a benchmark."""

    by: str
    """Id of the paper that mentions it."""
    of: str
    """Id of the paper that defines it."""
    thing: str
    """The name, as both write it."""
    says: Relation
    """What the mention says: builds on it, evaluates on it, or no more than the name."""


@dataclass(frozen=True, slots=True)
class OwnLink:
    """A note of the reader's own that belongs beside a paper."""

    path: str
    because: Literal["links", "named", "close"]
    """It links to the paper; the paper mentions its name; both say much the same."""
    words: tuple[str, ...] = ()
    """The name that is mentioned, or what both share."""
