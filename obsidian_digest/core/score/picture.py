"""A replay as an SVG that reads on light and dark: what was found by rank, and kept by stars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.notes.day_map import TEXT, colour, xml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

WIDTH, HEIGHT = 760, 300
_LEFT, _RIGHT = 44, 470
"""Of the curve; the bars stand right of it."""
_BARS, _END = 520, 740
_TOP, _FLOOR = 44, 232
_SIZE, _SMALL = 13, 11
_TICKS = (10, 20, 50)
_DASHES = ("", "7 4", "2 4")
"""Methods differ in their lines too, not in colour alone."""


def score_picture(
    curves: Mapping[str, Sequence[float]],
    stars: Mapping[int, tuple[int, int]],
    by_rank: str,
    by_stars: str,
) -> str:
    """The picture; its text is the same for the same values.

    Args:
        curves: By the method's name, plain: the share found down to each rank from 1.
        stars: Papers and kept ones by stars; empty: no bars.
        by_rank: What the curves show, plain.
        by_stars: What the bars show, plain.
    """
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" '
            f'role="img" font-family="system-ui, sans-serif" font-size="{_SIZE}" fill="{TEXT}">'
        ),
        f"<title>{xml(by_rank)}</title>",
        f'<text x="{_LEFT}" y="22">{xml(by_rank)}</text>',
        *_frame(max(map(len, curves.values()), default=1)),
    ]
    for place, (name, shares) in enumerate(curves.items()):
        lines += _curve(place, name, shares)
    if stars:
        lines += [f'<text x="{_BARS}" y="22">{xml(by_stars)}</text>', *_bars(stars)]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _height(share: float) -> int:
    return round(_FLOOR - (_FLOOR - _TOP) * share)


def _frame(reach: int) -> Iterator[str]:
    """Lines at every half, numbers at the ranks that the tables tell of."""
    for share in (0.0, 0.5, 1.0):
        line = _height(share)
        yield f'<path d="M{_LEFT} {line}H{_RIGHT}" stroke="{TEXT}" stroke-opacity=".35"/>'
        yield (
            f'<text x="{_LEFT - 6}" y="{line + 4}" text-anchor="end" font-size="{_SMALL}">'
            f"{share:.0%}</text>"
        )
    for rank in (*(tick for tick in _TICKS if tick < reach), reach):
        across = _across(rank, reach)
        yield (
            f'<text x="{across}" y="{_FLOOR + 16}" text-anchor="middle" font-size="{_SMALL}">'
            f"{rank}</text>"
        )


def _across(rank: int, reach: int) -> int:
    return round(_LEFT + (_RIGHT - _LEFT) * rank / reach)


def _curve(place: int, name: str, shares: Sequence[float]) -> Iterator[str]:
    """A line from no paper to the last rank, and its name below."""
    ink, dash = colour(place), _DASHES[place % len(_DASHES)]
    broken = f' stroke-dasharray="{dash}"' if dash else ""
    drawn = f'fill="none" stroke="{ink}" stroke-width="2"{broken}/>'
    points = [
        f"{_across(rank, len(shares))} {_height(share)}"
        for rank, share in enumerate((0.0, *shares))
    ]
    yield f'<path d="M{"L".join(points)}" {drawn}'
    line, left = HEIGHT - 14, _LEFT + place * 234
    yield f'<path d="M{left} {line - 4}h22" {drawn}'
    yield f'<text x="{left + 28}" y="{line}" font-size="{_SMALL}">{xml(name)}</text>'


def _bars(stars: Mapping[int, tuple[int, int]]) -> Iterator[str]:
    """The share kept of the papers with so many stars, to the scale of the largest."""
    shares = {each: kept / papers if papers else 0.0 for each, (papers, kept) in stars.items()}
    largest, step = max(shares.values()) or 1.0, (_END - _BARS) // len(stars)
    for column, (each, share) in enumerate(shares.items()):
        middle, top = _BARS + step * column + step // 2, _height(share / largest * 0.85)
        yield (
            f'<rect x="{middle - 14}" y="{top}" width="28" height="{_FLOOR - top}" '
            f'fill="{colour(0)}"/>'
        )
        yield (
            f'<text x="{middle}" y="{top - 5}" text-anchor="middle" font-size="{_SMALL}">'
            f"{share:.0%}</text>"
        )
        yield (
            f'<text x="{middle}" y="{_FLOOR + 16}" text-anchor="middle" font-size="{_SMALL}">'
            f"{each}★</text>"
        )
    yield f'<path d="M{_BARS} {_FLOOR}H{_END}" stroke="{TEXT}"/>'
