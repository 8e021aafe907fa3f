from __future__ import annotations

import json
import random
from datetime import date
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.week.canvas import CARD, PAPERS, canvas
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Memory,
    Reading,
    StandingTheme,
)
from obsidian_digest.note.sealed_file import sealed, untouched

DAY = date(2026, 8, 20)
WEEK = "2026-W34"
SIDES = {"top", "right", "bottom", "left"}
NODES = {
    "text": {"text"},
    "file": {"file", "subpath"},
    "group": {"label", "background", "backgroundStyle"},
}


def vault(count: int, themes: int = 3, name: str = "Theme") -> tuple[Memory, Places]:
    """So many papers of one day, each related to the next, and one theme too few for all."""
    ids = [f"2608.{n:05}" for n in range(1, count + 1)]
    theme_of = {
        key: f"t-{n % (themes + 1)}" if n % (themes + 1) else "" for n, key in enumerate(ids)
    }
    papers = {
        key: KnownPaper(
            key, Reading(key, "T", ""), 1 + n % 5, theme_of[key], (DAY,), tuple(ids[n + 1 : n + 2])
        )
        for n, key in enumerate(ids)
    }
    known = {
        theme: KnownTheme(StandingTheme(theme, f"{name} {theme}", ()), ())
        for theme in sorted(set(theme_of.values()) - {""})
    }
    digest = KnownDigest(DAY, tuple(ids), (DAY,), "", 20, 3, 0)
    places = Places()
    for key in ids:
        places.claim("paper", key, "arXiv/Papers", f"Paper {key.replace('.', '-')}")
    for theme in known:
        places.claim("theme", theme, "arXiv/Themes", f"Theme {theme}")
    return Memory(papers, {DAY: digest}, known), places


def drawn(memory: Memory, places: Places) -> dict[str, Any]:
    """The canvas, checked against JSON Canvas 1.0."""
    text = canvas(WEEK, memory, places, "Also")
    assert untouched(sealed(text).encode())
    made = json.loads(sealed(text))
    assert made.keys() == {"nodes", "edges"}
    ids = [each["id"] for each in (*made["nodes"], *made["edges"])]
    assert len(set(ids)) == len(ids)
    for node in made["nodes"]:
        allowed = {"id", "type", "x", "y", "width", "height", "color"} | NODES[node["type"]]
        assert node.keys() <= allowed
        assert all(isinstance(node[each], int) for each in ("x", "y", "width", "height"))
        assert node.get("color", "1") in {"1", "2", "3", "4", "5", "6"}
        assert isinstance(
            node[{"text": "text", "file": "file", "group": "label"}[node["type"]]], str
        )
    for edge in made["edges"]:
        assert {edge["fromNode"], edge["toNode"]} <= set(ids)
        assert {edge["fromSide"], edge["toSide"]} <= SIDES
        assert edge["toEnd"] in {"none", "arrow"}
        assert edge.keys() <= {"id", "fromNode", "toNode", "fromSide", "toSide", "toEnd"}
    return made


def test_every_paper_of_the_week_has_a_card_in_the_group_of_its_theme():
    memory, places = vault(20)
    made = drawn(memory, places)
    cards = [node for node in made["nodes"] if node["type"] == "file"]
    assert {card["file"] for card in cards} == {
        places.by_key["paper", key] for key in memory.papers
    }
    frames = [node for node in made["nodes"] if node["type"] == "group"]
    assert [frame["label"] for frame in frames][-1] == "Also"
    assert len(frames) == 4
    for card in cards:
        assert sum(holds(frame, card) for frame in frames) == 1
    assert len(made["edges"]) == 19


def holds(frame: dict[str, int], card: dict[str, int]) -> bool:
    return (
        frame["x"] <= card["x"]
        and frame["y"] <= card["y"]
        and card["x"] + card["width"] <= frame["x"] + frame["width"]
        and card["y"] + card["height"] <= frame["y"] + frame["height"]
    )


def test_no_two_cards_and_no_two_groups_overlap():
    made = drawn(*vault(70, themes=12))
    for kind in ("file", "group", "text"):
        boxes = [node for node in made["nodes"] if node["type"] == kind]
        for i, one in enumerate(boxes):
            for other in boxes[:i]:
                beside = (
                    one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
                )
                above = (
                    one["y"] + one["height"] <= other["y"]
                    or other["y"] + other["height"] <= one["y"]
                )
                assert beside or above


def test_a_full_week_shows_its_best_papers_on_a_canvas_of_sensible_size():
    made = drawn(*vault(300, themes=20))
    cards = [node for node in made["nodes"] if node["type"] == "file"]
    assert len(cards) == PAPERS
    assert max(node["x"] + node["width"] for node in made["nodes"]) < 5000
    assert all((card["width"], card["height"]) == CARD for card in cards)


def test_the_same_vault_gives_the_same_bytes_in_any_order():
    memory, places = vault(20)
    keys = list(memory.papers)
    random.Random(2).shuffle(keys)
    other = Memory({key: memory.papers[key] for key in keys}, memory.digests, memory.themes)
    assert canvas(WEEK, other, places, "Also") == canvas(WEEK, memory, places, "Also")


def test_a_week_without_papers_gives_an_empty_canvas():
    made = drawn(Memory(), Places())
    assert [node["text"] for node in made["nodes"]] == ["# 2026-W34"]
    assert made["edges"] == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_whatever_a_theme_is_called_the_canvas_is_json_of_its_kind(name: str):
    made = drawn(*vault(4, themes=1, name=name))
    assert {node["type"] for node in made["nodes"]} == {"text", "group", "file"}
