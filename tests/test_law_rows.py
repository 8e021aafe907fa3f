"""Rows of runs and edits that went wrong once; the machine in test_law_machine found them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.law.note import Note, Part
from tests.law.world import DAYS, World, lay_out

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND, THIRD = DAYS[:3]
_prepared: dict[str, Path] = {}


@pytest.fixture
def world(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> World:
    if "vault" not in _prepared:
        _prepared["vault"] = lay_out(tmp_path_factory.mktemp("law"))
    return World.copied(_prepared["vault"], tmp_path)


def listed(world: World) -> Note:
    """A paper that a theme lists."""
    text = "".join(theme.text for theme in world.ours("theme"))
    return next(paper for paper in world.ours("paper") if paper.stem in text)


def both_days_are_asked_for_again(world: World) -> None:
    """Each run is followed by the same one, which must write nothing."""
    for digest in world.ours("digest"):
        world.delete(digest)
    for day in (FIRST, SECOND):
        world.run(day, 3)


def test_a_digest_asked_for_again_keeps_the_theme_that_the_reader_chose(world):
    paper = listed(world)
    (other,) = [t for t in world.ours("theme") if f"[[{t.stem}]]" not in paper.text]
    (theme,) = [part for part in paper.parts if part.name == "theme"]
    theme.text = f'theme: "[[{other.stem}]]"\n'
    world.put(paper)
    both_days_are_asked_for_again(world)
    assert f'theme: "[[{other.stem}]]"\n' in paper.text


def test_a_digest_asked_for_again_settles_at_once_where_properties_were_taken_out(world):
    for number, name in enumerate(("title", "relevance", "digests", "theme")):
        paper = world.ours("paper")[number]
        paper.take_out(next(i for i, part in enumerate(paper.parts) if part.name == name))
        world.put(paper)
    both_days_are_asked_for_again(world)


def test_a_digest_asked_for_again_settles_at_once_beside_a_paper_that_is_left_alone(world):
    paper = listed(world)
    paper.parts.insert(1, Part(paper.parts[1].text))
    paper.broken = "unreadable"
    world.put(paper)
    both_days_are_asked_for_again(world)


def test_links_mended_in_a_windows_note_keep_single_line_ends(world):
    digests, paper = world.ours("digest"), listed(world)
    for digest in digests:
        for part in digest.parts:
            part.text = part.text.replace("\n", "\r\n")
        world.put(digest)
    world.move({paper.path: "Read/My name.md"}, inside=False)
    world.run(SECOND, 3)
    for digest in digests:
        assert digest.text.count("\n") == digest.text.count("\r\n")
        assert "\r\r" not in digest.text


def test_a_bare_link_gives_way_to_a_path_where_the_reader_takes_its_name_too(world):
    for note in world.ours():
        world.own(f"Mine/{note.stem}.md", "# mine\n")
    for day in DAYS[2:]:
        world.run(day, 3)


def test_a_theme_with_a_line_above_its_properties_is_still_ours_to_leave_alone(world):
    theme = world.ours("theme")[0]
    theme.parts.insert(0, Part("mine\n"))
    theme.broken = "unreadable"
    world.put(theme)
    world.move({theme.path: "My theme.md"}, inside=True)
    told = world.run(THIRD, 3)["notes"]["kept"]
    assert {(each["note"], each["reason"]) for each in told} == {("My theme.md", "unreadable")}


def test_a_supplement_is_added_also_where_an_earlier_one_was_taken_out(world):
    world.run(FIRST, 4)
    world.run(FIRST, 5)
    (digest,) = [each for each in world.ours("digest") if each.key == FIRST]
    digest.take_out(next(i for i, part in enumerate(digest.parts) if part.name == "supplement-1"))
    world.put(digest)
    assert world.run(FIRST, 6)["selected"] == 1
    assert [digest.parts[index].name for index in digest.regions()][1:] == [
        "supplement-2",
        "supplement-3",
    ]


def test_a_digest_without_region_and_typical_property_is_not_made_a_second_time(world):
    (digest,) = [each for each in world.ours("digest") if each.key == FIRST]
    digest.take_out(digest.regions()[0])
    digest.take_out(next(i for i, part in enumerate(digest.parts) if part.name == "digest_pool"))
    world.put(digest)
    assert world.run(FIRST, 5)["notes"]["created"] == []
    assert world.run(THIRD, 3)["notes"]["kept"] == []
