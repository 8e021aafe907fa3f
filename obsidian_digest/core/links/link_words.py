"""What a link between two papers says in either of their notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from obsidian_digest.model import Link

HALF = 0.5
"""The weight of a link at the floor (`core.related`)."""


def told(link: Link, paper: str) -> tuple[str, dict[str, str]] | None:
    """Key and places of what is said of the other paper beside what both share.

    None where the shared words are enough. A naming reads differently at its two ends: "builds on
    X" where X is used, "builds on this paper's X" where it is defined.
    """
    if link.named is not None:
        end = "named" if link.named.by == paper else "named_here"
        return f"{end}_{link.named.says}", {"thing": link.named.thing}
    if link.why:
        return None
    return ("linked_close" if link.weight >= HALF else "linked_before"), {}
