from __future__ import annotations

import random
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.day.day_layout import positions
from obsidian_digest.core.notes.day_map import (
    ALONE,
    FAINT,
    PALETTE,
    TEXT,
    WIDTH,
    Group,
    draw,
    short_name,
)
from obsidian_digest.model import Reading, Vectors
from tests.core.recorded_papers import two_mailings

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {f"{SVG}{name}" for name in ("svg", "path", "circle", "text")}


def placed(count: int, seed: int = 1) -> dict[str, tuple[float, float]]:
    chance = random.Random(seed)
    return {f"2608.{n:05}": (chance.random(), chance.random()) for n in range(1, count + 1)}


def parts(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(max_size=60), min_size=3, max_size=8),
    st.text(max_size=40),
    st.text(max_size=40),
)
def test_whatever_a_title_says_the_picture_is_xml_that_does_nothing(
    titles: list[str], theme: str, caption: str
):
    places = placed(len(titles) + 3)
    ids = tuple(places)[: len(titles)]
    groups = [Group(theme, ids[:2]), Group("Also", ids[2:], alone=True)]
    svg = draw(places, groups, dict(zip(ids, titles, strict=True)), caption)
    for part in parts(svg):
        assert part.tag in DRAWN
        assert not any("href" in name or name.startswith("on") for name in part.attrib)
    assert "url(" not in re.sub(r"<text[^>]*>[^<]*</text>", "", svg)


@pytest.mark.parametrize("count", [3, 20, 60, 150])
def test_a_picture_stays_small_and_every_number_is_seen(count: int):
    places = placed(count + 60)
    ids = tuple(places)[:count]
    groups = [Group(f"Theme {n}", ids[n::12]) for n in range(12) if ids[n::12]]
    svg = draw(places, groups, {each: f"A title: about {each}" for each in ids}, "dots")
    assert len(svg.encode()) < 25_000
    dots = [part for part in parts(svg) if part.tag.endswith("circle") and part.get("r") == "10"]
    assert len(dots) == min(count, 100)
    spots = [(int(dot.get("cx", "")), int(dot.get("cy", ""))) for dot in dots]
    assert len(set(spots)) == len(spots)
    assert all(0 < x < WIDTH for x, _ in spots)


def test_papers_in_one_spot_are_drawn_side_by_side():
    places = dict.fromkeys(("2608.00001", "2608.00002", "2608.00003"), (0.5, 0.5))
    svg = draw(places, [Group("One", tuple(places))], {}, "")
    dots = [part for part in parts(svg) if part.get("r") == "10"]
    spots = [(int(dot.get("cx", "")), int(dot.get("cy", ""))) for dot in dots]
    for i, (x, y) in enumerate(spots):
        assert all((x - a) ** 2 + (y - b) ** 2 >= 20**2 for a, b in spots[:i])


def luminance(colour: str) -> float:
    def linear(part: str) -> float:
        value = int(part, 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(colour[at : at + 2]) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("ink", [*PALETTE, ALONE, TEXT, FAINT])
def test_every_colour_reads_on_light_and_on_dark(ink: str):
    for ground in ("#ffffff", "#1e1e1e"):
        dark, light = sorted((luminance(ink), luminance(ground)))
        assert (light + 0.05) / (dark + 0.05) >= 3, ground
    if ink in PALETTE:
        assert 1.05 / (luminance(ink) + 0.05) >= 3, "its number is white"


def test_a_short_name_is_what_people_call_a_paper():
    assert short_name("LEDGER: A Ledger of Things") == "LEDGER"
    assert short_name("Position: Agents Need Audits") == "Agents Need Audits"
    assert short_name("On the Long and Winding Road of Everything Else").endswith("…")
    assert short_name("面向智能体的长程记忆与规划的综合评测基准与系统性分析").endswith("…")


@pytest.mark.parametrize("size", [3, 5, 20, 60])
@pytest.mark.parametrize("dimensions", [0, 24])
def test_a_map_is_the_same_for_any_order_and_near_means_alike(size: int, dimensions: int):
    readings = list(two_mailings()[:size])
    chance = np.random.default_rng(3)
    matrix = chance.normal(size=(size, dimensions)).astype("float32")
    vectors = Vectors(tuple(each.id for each in readings), matrix)
    themes = {each.id: f"t{n % 3}" for n, each in enumerate(readings)}
    first = positions(readings, vectors, themes)
    rest = readings[1:]
    random.Random(4).shuffle(rest)
    assert positions([readings[0], *rest], vectors, themes) == first
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in first.values())
    x, y = first[readings[0].id]
    assert size < 20 or (x <= 0.75 and y <= 0.75)


def test_papers_of_one_theme_lie_nearer_than_others():
    readings = list(two_mailings()[:30])
    vectors = Vectors(tuple(each.id for each in readings), np.zeros((30, 0), dtype="float32"))
    themes = {each.id: f"t{n % 5}" for n, each in enumerate(readings)}
    spots = positions(readings, vectors, themes)

    def apart(one: Reading, other: Reading) -> float:
        (x, y), (a, b) = spots[one.id], spots[other.id]
        return float(np.hypot(x - a, y - b))

    pairs = [(a, b) for i, a in enumerate(readings) for b in readings[:i]]
    within = [apart(a, b) for a, b in pairs if themes[a.id] == themes[b.id]]
    between = [apart(a, b) for a, b in pairs if themes[a.id] != themes[b.id]]
    assert np.mean(within) < 0.6 * np.mean(between)
