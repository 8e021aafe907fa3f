"""Plain lists of papers: one arXiv id or address a line, anything after ` #` a remark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from obsidian_digest.model import Paper

REMARK = re.compile(r"(?:^|\s)#.*$")
BULLET = re.compile(r"^\s*[-*+]\s+")


def read_ids(text: str) -> tuple[tuple[Paper, ...], tuple[str, ...], str] | None:
    """No papers, the ids in their order, once each and with their version where one is given.

    None for a text whose first line is no id. Raises ValueError with the line that is none.
    """
    ids: dict[str, None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name = REMARK.sub("", BULLET.sub("", line)).strip()
        if not name:
            continue
        found = paper_id(name)
        if not found and not ids:
            return None
        if not found:
            raise ValueError(f'line {number}: "{name[:60]}" is no arXiv id')
        ids[found[0] if found[1] is None else f"{found[0]}v{found[1]}"] = None
    return ((), tuple(ids), "") if ids else None
