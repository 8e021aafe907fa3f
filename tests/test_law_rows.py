"""Rows of runs and edits that went wrong once; the machine in test_law_machine found them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.law import files
from tests.law.note import Note, Part
from tests.law.world import DAYS, SHOWN, World, lay_out

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
        world.run(day, SHOWN)


def test_a_digest_asked_for_again_keeps_the_theme_that_the_reader_chose(world):
    paper = listed(world)
    other = next(t for t in world.ours("theme") if f"[[{t.stem}]]" not in paper.text)
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
    world.run(SECOND, SHOWN)
    for digest in digests:
        assert digest.text.count("\n") == digest.text.count("\r\n")
        assert "\r\r" not in digest.text


def test_a_bare_link_gives_way_to_a_path_where_the_reader_takes_its_name_too(world):
    for note in world.ours():
        world.own(f"Mine/{note.stem}.md", "# mine\n")
    for day in DAYS[2:]:
        world.run(day, SHOWN)


def test_a_theme_with_a_line_above_its_properties_is_still_ours_to_leave_alone(world):
    theme = world.ours("theme")[0]
    theme.parts.insert(0, Part("mine\n"))
    theme.broken = "unreadable"
    world.put(theme)
    world.move({theme.path: "My theme.md"}, inside=True)
    told = world.run(THIRD, SHOWN)["notes"]["kept"]
    assert {(each["note"], each["reason"]) for each in told} == {("My theme.md", "unreadable")}


def test_a_supplement_is_added_also_where_an_earlier_one_was_taken_out(world):
    world.run(FIRST, SHOWN + 1)
    world.run(FIRST, SHOWN + 2)
    (digest,) = [each for each in world.ours("digest") if each.key == FIRST]
    digest.take_out(next(i for i, part in enumerate(digest.parts) if part.name == "supplement-1"))
    world.put(digest)
    assert world.run(FIRST, SHOWN + 3)["selected"] == 1
    assert [digest.parts[index].name for index in digest.regions()][1:] == [
        "supplement-2",
        "supplement-3",
    ]


def test_a_digest_without_region_and_typical_property_is_not_made_a_second_time(world):
    (digest,) = [each for each in world.ours("digest") if each.key == FIRST]
    digest.take_out(digest.regions()[0])
    digest.take_out(next(i for i, part in enumerate(digest.parts) if part.name == "digest_pool"))
    world.put(digest)
    assert world.run(FIRST, SHOWN + 2)["notes"]["created"] == []
    assert world.run(THIRD, SHOWN)["notes"]["kept"] == []


def test_a_week_that_ends_gets_its_note_once_and_a_deleted_one_stays_away(world):
    created = world.run(THIRD, SHOWN)["notes"]["created"]
    (week,) = world.ours("week")
    assert (week.key, week.path in created) == ("2026-W32", True)
    world.delete(week)
    for day in (THIRD, *DAYS[3:]):
        world.run(day, SHOWN + 1)
    assert [note.key for note in world.ours("week")] == ["2026-W33"]


def test_a_theme_that_the_reader_chose_or_merged_lives_through_the_turns_of_weeks(world):
    paper, themes = listed(world), world.ours("theme")
    chosen = next(t for t in themes if f"[[{t.stem}]]" not in paper.text)
    (part,) = [part for part in paper.parts if part.name == "theme"]
    part.text, paper.theme = f'theme: "[[{chosen.stem}]]"\n', chosen.key
    world.put(paper)
    for day in (THIRD, DAYS[3]):
        world.run(day, SHOWN + 1)
    gone = next(t for t in themes if t is not chosen and "merged_into" not in t.text)
    gone.parts.insert(gone.header.stop, Part(f'merged_into: "[[{chosen.stem}]]"\n', "merged_into"))
    world.put(gone)
    world.run(DAYS[4], SHOWN + 1)
    papers = "".join(note.text for note in world.ours("paper"))
    assert f'theme: "[[{gone.stem}]]"' not in papers


def test_what_the_reader_did_to_a_weeks_note_and_pictures_is_his(world):
    world.run(THIRD, SHOWN)
    world.write_notes("week", "--canvas")
    files.touch(world, sorted(world.drawn).index("arXiv/Weeks/arXiv map 2026-W33.canvas"), "edit")
    (week,) = [note for note in world.ours("week") if note.key == "2026-W33"]
    week.parts[-1].text += "\nMy words.\n"
    world.put(week)
    world.move({week.path: "Read/My week.md"}, inside=False)
    world.run(DAYS[3], SHOWN)
    told = world.write_notes("week", "--canvas")["notes"]
    assert [each["note"] for each in told["kept"]] == ["arXiv/Weeks/arXiv map 2026-W33.canvas"]
    assert "Read/My week.md" in told["updated"]
    assert week.text.endswith("My words.\n")
