"""What `doctor` can find: a check of the surroundings, a finding in a note, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "problem"]
Rule = Literal[
    "unreadable",
    "conflict",
    "doubled",
    "edited",
    "form",
    "type",
    "block-id",
    "dangling",
    "ambiguous",
    "active",
    "name",
]

RULES: dict[Rule, tuple[State, str]] = {
    "unreadable": ("problem", "Repair it by hand; until then no run touches the note."),
    "conflict": (
        "problem",
        "Settle the conflict or delete the copy; until then no run touches it.",
    ),
    "doubled": ("problem", "Delete all but one, or take the property out of the copies."),
    "edited": (
        "warning",
        "No run touches it; take your change back to have it kept up to date again.",
    ),
    "form": ("warning", "Write it like this: runs leave a property whose value is right."),
    "type": ("warning", "Give the property that type in Obsidian, or let it stand as it is."),
    "block-id": ("warning", "Links reach only the first; rename the one that is yours."),
    "dangling": (
        "warning",
        "A run mends links to renamed or deleted notes; obsidian-digest init writes a missing map.",
    ),
    "ambiguous": ("warning", "Rename one of them in Obsidian, which then mends the links."),
    "active": (
        "problem",
        "The shipped templates never write this: look at your own, or remove it.",
    ),
    "name": ("warning", "Rename the note in Obsidian; it is found by its properties."),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: State
    detail: str
    """A sentence without its full stop."""
    hint: str = ""
    """What to do, as whole sentences."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one line of a note of ours."""

    note: str
    line: int
    """Counted from 1."""
    rule: Rule
    detail: str

    @property
    def state(self) -> State:
        """How much it matters."""
        return RULES[self.rule][0]

    @property
    def hint(self) -> str:
        """What to do."""
        return RULES[self.rule][1]
