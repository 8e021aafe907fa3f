"""What a week's turn moved between themes: as its note lists it, and read back from there.

`- [[paper]] · [[theme before]] → [[theme after]] ^moved-2608-19197`, with a dash for no theme.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.render import literal, safe
from obsidian_digest.model import Move
from obsidian_digest.note.links import links
from obsidian_digest.note.names import id_in, id_part
from obsidian_digest.note.text import reading

if TYPE_CHECKING:
    from markupsafe import Markup

    from obsidian_digest.core.vault.places import Places

ALONE = "—"
_AFTER_PAPER, _BETWEEN = " · ", " → "
_LINE = re.compile(r"^- (?P<said>.*) \^moved-(?P<id>[A-Za-z0-9-]+)\r?$", re.MULTILINE)


def moves_in(text: str, source: str, places: Places) -> tuple[Move, ...]:
    """The moves that the week note at `source` lists, in its order.

    A theme that is gone stands by the name it had, in the place of its id.
    """
    found = []
    for line in _LINE.finditer(text):
        paper = id_in(line["id"])
        rest, between, after = line["said"].rpartition(_BETWEEN)
        _, beside, before = rest.rpartition(_AFTER_PAPER)
        if paper and between and beside:
            themes = (_theme(each, source, places) for each in (before, after))
            found.append(Move(paper, *themes))
    return tuple(found)


def _theme(said: str, source: str, places: Places) -> str:
    link = next(links(said), None)
    if link is None:
        return "" if said == ALONE else reading(said)
    kind, key = places.identity(link.target, source) or ("", "")
    return key if kind == "theme" else link.target.rsplit("/", 1)[-1]


def move_line(move: Move, title: str, places: Places) -> Markup:
    """One move as the note lists it; `title` is what the paper's link shows."""
    paper = places.link("paper", move.paper, title) or literal(title)
    before, after = (_shown(each, places) for each in (move.before, move.after))
    said = f"{paper}{_AFTER_PAPER}{before}{_BETWEEN}{after}"
    return safe(f"{said} ^moved-{id_part(move.paper)}")


def _shown(theme: str, places: Places) -> str:
    return (places.link("theme", theme) or literal(theme)) if theme else ALONE
