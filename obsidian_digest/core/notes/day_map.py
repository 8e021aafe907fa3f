"""The map of a day as an SVG picture that reads on light and dark, by eye or by number."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import title_of
from obsidian_digest.model import FileDraft
from obsidian_digest.note.latex import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Words
    from obsidian_digest.model import Digest

MOST = 100
"""Papers drawn with their number."""
WIDTH, HEIGHT = 800, 480
PALETTE = (
    "#3574c4", "#c2571a", "#1f8a5f", "#b0468f", "#8a6d00",
    "#6a5fc7", "#1688a0", "#c43d4f", "#5f8a1f", "#9a6248",
)  # fmt: skip
"""Each at least 3:1 against white and against #1e1e1e; neighbours differ in hue for every eye.

Numbers and the legend say the same as the colours.
"""
ALONE, TEXT, FAINT = "#78828c", "#7f7f7f", "#8c8c8c"
"""Papers of no theme, words, papers that were not chosen."""
_MARGIN = 26
_RADIUS = 10
_SIZE, _SMALL = 12, 10
"""Letters, in units of the picture."""
_ROW = 20
_LONGEST = 200.0
"""A name, in the same units."""
_SORTS = frozenset({"position", "survey", "a survey", "review", "technical report"})
"""What stands before the colon of a title and names no paper."""
_BAD = re.compile("[^\\t\\n\\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold."""

_Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Group:
    """A section of the digest: a theme, or the papers that stand alone."""

    name: str
    papers: tuple[str, ...]
    """Ids in the order of their numbers."""
    alone: bool = False


def draw(
    places: Mapping[str, tuple[float, float]],
    groups: Sequence[Group],
    titles: Mapping[str, str],
    caption: str,
) -> str:
    """The picture; numbers are those of the digest's entries.

    Args:
        places: Coordinates 0 to 1 of every paper; those in no group are faint dots.
        groups: The digest's sections in order.
        titles: Plain titles of the groups' papers.
        caption: What the faint dots are, plain.
    """
    numbered = [each for group in groups for each in group.papers][:MOST]
    spots = _apart({each: _spot(places[each]) for each in numbered})
    legend, height = _legend(groups, caption if len(places) > len(numbered) else "")
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="100%" '
            f'font-family="system-ui, sans-serif" font-size="{_SIZE}" fill="{TEXT}">'
        ),
        *_dots(place for each, place in places.items() if each not in spots),
        *_marks(groups, spots),
        *_names(spots, titles),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def colour(place: int, *, alone: bool = False) -> str:
    """Of the group at this place."""
    return ALONE if alone or place >= len(PALETTE) else PALETTE[place]


def _spot(place: tuple[float, float]) -> tuple[int, int]:
    x, y = place
    return (
        round(_MARGIN + x * (WIDTH - 2 * _MARGIN)),
        round(_MARGIN + y * (HEIGHT - 2 * _MARGIN)),
    )


def _apart(spots: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The same spots, pushed from each other until no number covers another."""
    near = 2 * _RADIUS + 3
    points = [[float(x), float(y)] for x, y in spots.values()]
    for _ in range(80):
        for i, one in enumerate(points):
            for j in range(i):
                _push(one, points[j], near, i)
    inside = [
        (min(max(x, _MARGIN), WIDTH - _MARGIN), min(max(y, _MARGIN), HEIGHT - _MARGIN))
        for x, y in points
    ]
    return {each: (round(x), round(y)) for each, (x, y) in zip(spots, inside, strict=True)}


def _push(one: list[float], other: list[float], near: int, number: int) -> None:
    x, y = one[0] - other[0], one[1] - other[1]
    apart = (x * x + y * y) ** 0.5
    if apart >= near:
        return
    if apart < 1:  # the same place: each goes another way
        x, y, apart = (1.0, 0.5, 1.0) if number % 2 else (-0.5, 1.0, 1.0)
    step = (near - apart) / apart / 4
    one[0], one[1] = one[0] + x * step, one[1] + y * step
    other[0], other[1] = other[0] - x * step, other[1] - y * step


def _dots(places: Iterable[tuple[float, float]]) -> Iterator[str]:
    spots = sorted(map(_spot, places))
    if spots:
        # Strokes of no length with round ends: one element for all dots.
        path = "".join(f"M{x} {y}h0" for x, y in spots)
        yield (
            f'<path d="{path}" stroke="{FAINT}" stroke-opacity=".45" stroke-width="6" '
            f'stroke-linecap="round"/>'
        )


def _marks(groups: Sequence[Group], spots: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    number = 0
    for place, group in enumerate(groups):
        shown = [each for each in group.papers if each in spots]
        ink = colour(place, alone=group.alone)
        points = [spots[each] for each in shown]
        if len(points) > 1 and not group.alone:
            yield f'<path d="{_spokes(points)}" stroke="{ink}" stroke-opacity=".55" fill="none"/>'
        for x, y in points:
            number += 1
            yield (
                f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{ink}"/>'
                f'<text x="{x}" y="{y + 4}" font-size="{_SMALL}" text-anchor="middle" '
                f'fill="#fff">{number}</text>'
            )


def _spokes(points: Sequence[tuple[int, int]]) -> str:
    """Lines from the middle of a theme to its papers: the theme without its colour."""
    x = round(sum(each[0] for each in points) / len(points))
    y = round(sum(each[1] for each in points) / len(points))
    return "".join(f"M{x} {y}L{left} {top}" for left, top in points)


def _names(spots: Mapping[str, tuple[int, int]], titles: Mapping[str, str]) -> Iterator[str]:
    """Short names where there is room beside a number; the first papers choose first."""
    taken: list[_Box] = [
        (x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in spots.values()
    ]
    for each, (x, y) in spots.items():
        name = short_name(titles.get(each, ""))
        found = next((one for one in _boxes(x, y, wide(name)) if _free(one[0], taken)), None)
        if name and found:
            box, anchor = found
            taken.append(box)
            at = {"start": box[0], "end": box[2], "middle": (box[0] + box[2]) / 2}[anchor]
            side = f' text-anchor="{anchor}"' if anchor != "start" else ""
            yield f'<text x="{round(at)}" y="{round(box[3]) - 4}"{side}>{xml(name)}</text>'


def _boxes(x: int, y: int, width: float) -> Iterator[tuple[_Box, str]]:
    """Where the name of the paper at a spot may stand: beside, over and under it.

    With the end of the text that is held: fonts differ in width.
    """
    half, gap = _SIZE * 0.65, _RADIUS + 3
    for top in (y - half, y - half - 8, y - half + 8):
        yield (x + gap, top, x + gap + width, top + 2 * half), "start"
        yield (x - gap - width, top, x - gap, top + 2 * half), "end"
    for left, anchor in ((x - width / 2, "middle"), (x - 4, "start"), (x + 4 - width, "end")):
        yield (left, y - gap - 2 * half, left + width, y - gap), anchor
        yield (left, y + gap - 2, left + width, y + gap - 2 + 2 * half), anchor


def _free(box: _Box, taken: Iterable[_Box]) -> bool:
    left, top, right, bottom = box
    inside = left >= 2 and right <= WIDTH - 2 and top >= 2 and bottom <= HEIGHT - 2  # noqa: PLR2004 (edge)
    return inside and not any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in taken
    )


def _legend(groups: Sequence[Group], caption: str) -> tuple[list[str], int]:
    """The themes with the numbers of their papers, and the height of the whole picture."""
    parts, number, x, y = [], 1, float(_MARGIN), HEIGHT + _ROW
    for place, group in enumerate(groups):
        last = number + len(group.papers) - 1
        label = (
            f"{number}\N{EN DASH}{last} {group.name}" if last > number else f"{number} {group.name}"
        )
        label = _cut(label, 2 * _LONGEST)
        number = last + 1
        room = 18 + wide(label) + 14
        if x > _MARGIN and x + room > WIDTH:
            x, y = float(_MARGIN), y + _ROW
        ink = colour(place, alone=group.alone)
        parts.append(
            f'<circle cx="{round(x) + 5}" cy="{y - 4}" r="5" fill="{ink}"/>'
            f'<text x="{round(x) + 15}" y="{y}">{xml(label)}</text>'
        )
        x += room
    if caption:
        y += _ROW
        parts.append(f'<text x="{_MARGIN}" y="{y}" font-size="{_SMALL}">{xml(caption)}</text>')
    return parts, y + 10


def short_name(title: str) -> str:
    """What people call a paper: its title up to the colon, cut at a word where it is long."""
    name, _, rest = clean(title).partition(": ")
    if rest and name.casefold() in _SORTS:
        name, rest = rest, ""
    return name if rest and wide(name) <= _LONGEST else _cut(name if not rest else clean(title))


def _cut(text: str, most: float = _LONGEST) -> str:
    if wide(text) <= most:
        return text
    while text and wide(text) > most:
        text = text[:-1]
    blank = text.rfind(" ")
    return (text[:blank] if blank > len(text) // 2 else text).rstrip(" ,:;-") + "…"


def wide(text: str) -> float:
    """About how wide a line is, in units of the picture: fonts differ, so rather too much."""
    return sum(map(_advance, text)) * _SIZE


def _advance(sign: str) -> float:
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.02
    if sign in " iljtfrI.,:;'|!()[]-":
        return 0.37
    return 0.9 if sign in "mwMW@%\N{HORIZONTAL ELLIPSIS}" else 0.7 if sign.isupper() else 0.6


def xml(text: str) -> str:
    """Plain text inside an element: nothing in it is markup, nothing in it is invisible."""
    return html.escape(_BAD.sub("", clean(text)))


def day_map(
    digest: Digest | None, spots: Mapping[str, tuple[float, float]], places: Places, words: Words
) -> FileDraft | None:
    """The map of the day that a new digest shows, beside it and under its name.

    `spots` holds the digest's papers and the next best; without any there is no map.
    """
    if digest is None or not spots:
        return None
    path = f"{places.by_key['digest', digest.day.isoformat()].removesuffix('.md')} map.svg"
    places.reserve(path)
    groups = [
        Group(theme.name or words.plain("also"), theme.members, alone=not theme.id)
        for theme in digest.themes
    ]
    titles = {entry.paper.id: title_of(entry.paper) for entry in digest.entries}
    return FileDraft(path, draw(spots, groups, titles, words.plain("map_dots")))
