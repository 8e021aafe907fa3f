"""Long lists on a screen or in a notice: what fits, and how much was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_BYTES = 5_000
"""Of one list: without a terminal everything printed stays under 8 kB, or Obsidian loses it."""


def fitting(lines: Sequence[str], most: int = MOST_BYTES) -> list[str]:
    """The first lines that fit into so many bytes; a last one counts those left out."""
    shown: list[str] = []
    for line in lines:
        most -= len(line.encode("utf-8", "replace")) + 1
        if most < 0:
            return [*shown, f"and {len(lines) - len(shown)} more; see --json"]
        shown.append(line)
    return shown


def left_alone(keep: Mapping[str, str]) -> str:
    """One note that nothing was written into, and why; `keep` is a row of the contract's `kept`."""
    detail = f": {keep['detail']}" if keep["detail"] else ""
    return f"left alone ({keep['reason']}{detail}): {keep['note']}"
