"""A week's themes and papers as a canvas (JSON Canvas 1.0): a group a theme, a card a paper."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.vault.weeks import shown_by_week
from obsidian_digest.model import FileDraft
from obsidian_digest.note.latex import clean
from obsidian_digest.note.sealed_file import SEAL_HERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Words
    from obsidian_digest.model import KnownPaper, Memory

PAPERS = 80
"""So many of the week's best papers get a card: Obsidian draws each as a note."""
COLOURS = 6
"""Obsidian's own, by number: they follow the reader's theme."""
CARD, HIGH, GAP = (360, 240), 100, 40
"""A paper's card; the height of a text card; what lies between two cards."""
ROW = 3200
"""Groups are set in rows of about this width."""

_Node = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class _Group:
    name: str
    theme: str
    papers: tuple[str, ...]

    @property
    def columns(self) -> int:
        return next(n for n in range(1, PAPERS + 1) if n * n >= len(self.papers))

    @property
    def size(self) -> tuple[int, int]:
        rows = -(-len(self.papers) // self.columns)
        head = HIGH + GAP if self.theme else 0
        return (
            self.columns * (CARD[0] + GAP) + GAP,
            rows * (CARD[1] + GAP) + GAP + head,
        )


def canvas(week: str, memory: Memory, places: Places, also: str) -> str:
    """The canvas of an ISO week (`2026-W34`), its seal to be put in; the same for the same vault.

    Papers are those that the week's digests show first and that have a note; `also` names the
    group of those in no theme. Lines join related papers.
    """
    papers = _papers(week, memory, places)
    groups = list(_groups(papers, memory, places, also))
    title = places.link("week", week) or week
    nodes: list[_Node] = [_text(SEAL_HERE, f"# {title}", (0, -HIGH - GAP, CARD[0] * 2, HIGH))]
    framed: list[_Node] = []
    cards: list[_Node] = []
    spots: dict[str, tuple[int, int]] = {}
    for place, (group, (x, y)) in enumerate(zip(groups, _rows(groups), strict=True)):
        framed.append(_frame(group, place, x, y))
        cards += _cards(group, x, y, places, spots)
    edges = list(_edges(papers, spots))
    return _written([*nodes, *framed, *cards], edges)


def week_canvas(week: str, memory: Memory, places: Places, words: Words) -> FileDraft:
    """The canvas as a file beside the week's note, whose name is claimed."""
    folder = places.by_key["week", week].rpartition("/")[0]
    name = f"arXiv map {week}.canvas"
    path = f"{folder}/{name}" if folder else name
    return FileDraft(path, canvas(week, memory, places, words.plain("also")))


def _papers(week: str, memory: Memory, places: Places) -> dict[str, KnownPaper]:
    shown = shown_by_week(memory).get(week, ())
    found = [
        memory.papers[key]
        for key in shown
        if key in memory.papers and ("paper", key) in places.by_key
    ]
    best = sorted(found, key=lambda paper: (-paper.stars, paper.id))[:PAPERS]
    return {paper.id: paper for paper in best}


def _groups(
    papers: dict[str, KnownPaper], memory: Memory, places: Places, also: str
) -> Iterator[_Group]:
    """The largest theme first, those of no theme last."""
    members: dict[str, list[str]] = {}
    for key, paper in papers.items():
        known = paper.theme in memory.themes and ("theme", paper.theme) in places.by_key
        members.setdefault(paper.theme if known else "", []).append(key)
    order = sorted(members, key=lambda theme: (not theme, -len(members[theme]), theme))
    for theme in order:
        name = memory.themes[theme].standing.name if theme else also
        yield _Group(clean(name), theme, tuple(members[theme]))


def _rows(groups: Sequence[_Group]) -> Iterator[tuple[int, int]]:
    x = y = tallest = 0
    for group in groups:
        wide, high = group.size
        if x and x + wide > ROW:
            x, y, tallest = 0, y + tallest + 2 * GAP, 0
        yield x, y
        x, tallest = x + wide + 2 * GAP, max(tallest, high)


def _frame(group: _Group, place: int, x: int, y: int) -> _Node:
    wide, high = group.size
    node = {"id": _id("group", group.theme), "type": "group"} | _box(x, y, wide, high)
    node["label"] = group.name
    return node | ({"color": str(place % COLOURS + 1)} if group.theme else {})


def _cards(
    group: _Group, x: int, y: int, places: Places, spots: dict[str, tuple[int, int]]
) -> Iterator[_Node]:
    top = y + GAP
    if group.theme:
        link = places.link("theme", group.theme) or group.name
        wide = group.size[0] - 2 * GAP
        yield _text(_id("theme", group.theme), f"## {link}", (x + GAP, top, wide, HIGH))
        top += HIGH + GAP
    for number, key in enumerate(group.papers):
        row, column = divmod(number, group.columns)
        left = x + GAP + column * (CARD[0] + GAP)
        spots[key] = (left, top + row * (CARD[1] + GAP))
        node: _Node = {"id": _id("paper", key), "type": "file"}
        yield node | {"file": places.by_key["paper", key]} | _box(*spots[key], *CARD)


def _edges(papers: dict[str, KnownPaper], spots: dict[str, tuple[int, int]]) -> Iterator[_Node]:
    pairs = {
        (min(key, other), max(key, other))
        for key, paper in papers.items()
        for other in paper.related
        if other in spots and other != key
    }
    for one, other in sorted(pairs):
        out, into = _sides(spots[one], spots[other])
        yield {
            "id": _id("edge", f"{one} {other}"),
            "fromNode": _id("paper", one),
            "fromSide": out,
            "toNode": _id("paper", other),
            "toSide": into,
            "toEnd": "none",
        }


def _sides(one: tuple[int, int], other: tuple[int, int]) -> tuple[str, str]:
    """The sides of two cards that face each other."""
    x, y = other[0] - one[0], other[1] - one[1]
    if abs(x) >= abs(y):
        return ("right", "left") if x > 0 else ("left", "right")
    return ("bottom", "top") if y > 0 else ("top", "bottom")


def _text(key: str, text: str, box: tuple[int, int, int, int]) -> _Node:
    node: _Node = {"id": key, "type": "text", "text": text}
    return node | _box(*box)


def _box(x: int, y: int, width: int, height: int) -> _Node:
    return {"x": x, "y": y, "width": width, "height": height}


def _id(kind: str, key: str) -> str:
    return hashlib.sha256(f"{kind} {key}".encode()).hexdigest()[:16]


def _written(nodes: Iterable[_Node], edges: Iterable[_Node]) -> str:
    """As Obsidian writes canvases: tabs, a line for each node and edge."""

    def listed(each: Iterable[_Node]) -> str:
        rows = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in each)
        inner = ",\n\t\t".join(rows)
        return f"[\n\t\t{inner}\n\t]" if inner else "[]"

    return f'{{\n\t"nodes":{listed(nodes)},\n\t"edges":{listed(edges)}\n}}\n'
