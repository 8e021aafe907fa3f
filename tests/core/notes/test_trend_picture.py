from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.notes.trend_picture import MOST, Trend, trend
from tests.hostile_strings import hostile_strings

WEEKS = tuple(f"2026-W{number}" for number in range(27, 35))
SVG = "{http://www.w3.org/2000/svg}"
KNOWN = {f"{SVG}{name}" for name in ("svg", "title", "text", "rect", "path")}
RELATIVE_LUMINANCE = ((0.2126, 0), (0.7152, 1), (0.0722, 2))


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(picture).iter(f"{SVG}text")]


def test_a_row_a_theme_and_a_bar_for_each_week_that_has_papers():
    themes = [Trend("Agents", (0, 1, 2, 3, 0, 5, 8, 13)), Trend("Rewards", (0,) * 7 + (2,))]
    picture = trend(WEEKS, themes, "Papers by theme")
    root = ET.fromstring(picture)
    assert len(root.findall(f"{SVG}rect")) == 7
    shown = texts(picture)
    assert {"Agents", "Rewards", "W27", "W34", "13", "2", "Papers by theme"} <= set(shown)
    assert "0" not in shown
    tallest = max(int(each.attrib["height"]) for each in root.findall(f"{SVG}rect"))
    assert tallest == 30


def test_the_only_week_is_drawn_with_bars_that_lie():
    picture = trend(WEEKS[-1:], [Trend("Agents", (10,)), Trend("Rewards", (5,))], "This week")
    long, short = (int(each.attrib["width"]) for each in ET.fromstring(picture).iter(f"{SVG}rect"))
    assert long == 2 * short
    assert "W34" not in texts(picture)


def test_the_picture_is_small_stands_inside_its_frame_and_loads_nothing():
    themes = [Trend("A rather long name of a theme " * 3, tuple(range(8)))] * 50
    picture = trend(WEEKS, themes, "Papers by theme, the last 8 weeks")
    assert len(picture.encode()) < 20_000
    root = ET.fromstring(picture)
    width, height = map(int, root.attrib["viewBox"].split()[2:])
    assert len({each.attrib["fill"] for each in root.iter(f"{SVG}rect")}) == MOST
    for bar in root.iter(f"{SVG}rect"):
        x, y, wide, tall = (int(bar.attrib[name]) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + wide <= width
        assert y + tall <= height
    assert {each.tag for each in root.iter()} <= KNOWN
    for each in root.iter():
        for name, value in each.attrib.items():
            assert not name.startswith(("on", "href", "style", "{"))
            assert not {"url", "currentColor"} & set(value.replace("(", " ").split())
    assert picture.count("http") == 1


@given(
    st.lists(
        st.one_of(st.text(max_size=300), st.sampled_from(list(hostile_strings(300)))), max_size=12
    )
)
def test_any_name_is_text_in_a_picture_that_parses(names: list[str]):
    picture = trend(WEEKS, [Trend(name, tuple(range(8))) for name in names], "Papers")
    root = ET.fromstring(picture)
    assert {each.tag for each in root.iter()} <= KNOWN
    assert picture == trend(WEEKS, [Trend(name, tuple(range(8))) for name in names], "Papers")


def test_colours_read_on_white_and_on_dark():
    picture = trend(WEEKS, [Trend("A", (1,) * 8)] * MOST, "Papers")
    root = ET.fromstring(picture)
    inks = {each.attrib["fill"] for each in root.iter() if "fill" in each.attrib}
    for ink in inks:
        for ground in ("#ffffff", "#1e1e1e"):
            assert contrast(ink, ground) >= 3, (ink, ground)


def contrast(one: str, two: str) -> float:
    """By WCAG 2."""
    low, high = sorted(map(luminance, (one, two)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * linear[place] for weight, place in RELATIVE_LUMINANCE)
