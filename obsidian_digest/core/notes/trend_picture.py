"""How many papers each theme had in each of the last weeks, as an SVG that reads on any ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.notes.day_map import TEXT, colour, wide, xml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST = 10
"""Themes drawn."""
WIDTH = 760
_NAMES, _RIGHT = 250, 12
"""Where the bars begin, and the room right of them."""
_TOP, _ROW, _BAR = 30, 48, 30
"""The head, the height of a theme's row, and the longest bar."""
_LOW_ROW = 26
_SIZE, _SMALL = 13, 11
_BEFORE = ".6"
"""How strong the bars of the weeks before are; this week's is whole."""


@dataclass(frozen=True, slots=True)
class Trend:
    """One theme's row."""

    name: str
    counts: tuple[int, ...]
    """Papers a week, the oldest first."""


def trend(weeks: Sequence[str], themes: Sequence[Trend], caption: str) -> str:
    """The picture: a row for each of the first `MOST` themes, a bar for each week, to one scale.

    Its text is the same for the same values; a bar without papers is a line, and each bar that has
    some says how many.

    Args:
        weeks: ISO weeks, the oldest first.
        themes: Their counts, one a week; the names are untrusted plain text.
        caption: What the picture shows, plain.
    """
    shown = themes[:MOST]
    row, foot = (_ROW, 26) if len(weeks) > 1 else (_LOW_ROW, 10)
    height = _TOP + row * len(shown) + foot
    largest = max((count for theme in shown for count in theme.counts), default=0) or 1
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="100%" '
        f'role="img" font-family="system-ui, sans-serif" font-size="{_SIZE}" fill="{TEXT}">'
    )
    lines = [
        head,
        f"<title>{xml(caption)}</title>",
        f'<text x="8" y="20">{xml(_cut(caption, WIDTH - 16))}</text>',
    ]
    for place, theme in enumerate(shown):
        lines += _row(theme, _TOP + row * (place + 1), colour(place), largest)
    lines += _weeks(weeks, height - 8) if len(weeks) > 1 else ()
    return "\n".join([*lines, "</svg>"]) + "\n"


def _row(theme: Trend, floor: int, ink: str, largest: int) -> Iterator[str]:
    yield f'<text x="8" y="{floor - 6}">{xml(_cut(theme.name, _NAMES - 24))}</text>'
    if len(theme.counts) == 1:
        yield from _lying(theme.counts[0], floor, ink, largest)
        return
    step = _step(len(theme.counts))
    end = _NAMES + round(step * len(theme.counts))
    yield f'<path d="M{_NAMES} {floor}H{end}" stroke="{ink}" stroke-opacity="{_BEFORE}"/>'
    width = min(round(step * 0.6), 40)
    for week, count in enumerate(theme.counts):
        if count:
            middle = round(_NAMES + step * (week + 0.5))
            tall = max(2, round(_BAR * count / largest))
            faint = "" if week == len(theme.counts) - 1 else f' fill-opacity="{_BEFORE}"'
            yield (
                f'<rect x="{middle - width // 2}" y="{floor - tall}" width="{width}" '
                f'height="{tall}" fill="{ink}"{faint}/>'
            )
            yield (
                f'<text x="{middle}" y="{floor - tall - 3}" text-anchor="middle" '
                f'font-size="{_SMALL}">{count}</text>'
            )


def _lying(count: int, floor: int, ink: str, largest: int) -> Iterator[str]:
    """The only week there is: a bar that lies, for there is no trend yet."""
    long = max(2, round((WIDTH - _NAMES - 40) * count / largest))
    yield f'<rect x="{_NAMES}" y="{floor - 20}" width="{long}" height="16" fill="{ink}"/>'
    yield f'<text x="{_NAMES + long + 8}" y="{floor - 7}" font-size="{_SMALL}">{count}</text>'


def _weeks(weeks: Sequence[str], line: int) -> Iterator[str]:
    step = _step(len(weeks))
    for place, week in enumerate(weeks):
        middle = round(_NAMES + step * (place + 0.5))
        yield (
            f'<text x="{middle}" y="{line}" text-anchor="middle" font-size="{_SMALL}">'
            f"{xml(week.rpartition('-')[2])}</text>"
        )


def _step(columns: int) -> float:
    return (WIDTH - _NAMES - _RIGHT) / max(columns, 1)


def _cut(text: str, most: float) -> str:
    if wide(text) <= most:
        return text
    while text and wide(f"{text}…") > most:
        text = text[:-1]
    return f"{text.rstrip()}…"
