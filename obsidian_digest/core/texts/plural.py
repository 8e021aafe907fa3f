"""Counted things in a sentence."""

from __future__ import annotations


def many(count: int, one: str, more: str = "") -> str:
    """`1 note`, `2 notes`; `more` is the plural where it is not `one` with an s."""
    return f"{count} {one if count == 1 else more or one + 's'}"
