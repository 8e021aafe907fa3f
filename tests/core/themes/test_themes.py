from __future__ import annotations

import random
from collections import Counter

import pytest

from obsidian_digest.core.themes import grouping
from obsidian_digest.core.themes.grouping import Sections, assign_themes, theme_id
from obsidian_digest.core.themes.names import SMALL, Name, name_themes
from obsidian_digest.model import Reading, StandingTheme
from tests.core.recorded_papers import about, two_mailings, words_only

POOL = two_mailings()[:150]
SPLATS = about("gaussian splat", "splatting", most=8)
ROBOTS = about("robot", most=8)
SPEECH = about("speech", "audio", most=8)
MIXED = SPLATS + ROBOTS + SPEECH


def sections(
    readings: tuple[Reading, ...],
    shown: tuple[Reading, ...] | None = None,
    standing: tuple[StandingTheme, ...] = (),
) -> Sections:
    ids = [reading.id for reading in (readings if shown is None else shown)]
    readings = tuple(dict.fromkeys((*readings, *(shown or ()))))
    return assign_themes(readings, words_only(readings), ids, standing)


def home(found: Sections, paper: str) -> str | None:
    return next((theme.id for theme in found.themes if paper in theme.members), None)


def everyone(found: Sections) -> list[str]:
    return sorted([one for theme in found.themes for one in theme.members] + list(found.also))


def test_papers_of_one_field_share_a_section():
    found = sections(MIXED)
    for field in (SPLATS, ROBOTS, SPEECH):
        homes = Counter(home(found, one.id) for one in field)
        shared, together = homes.most_common(1)[0]
        strangers = sum(home(found, one.id) == shared for one in MIXED if one not in field)
        assert together > strangers


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 12, 20, 30])
def test_every_shown_paper_stands_exactly_once_however_few_they_are(count: int):
    shown = POOL[:count]
    found = sections(POOL, shown)
    assert everyone(found) == sorted(one.id for one in shown)
    assert all(len(theme.members) >= 2 for theme in found.themes)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12])
def test_a_small_day_without_any_context_has_sensible_sections(count: int):
    found = sections(MIXED[:count])
    assert everyone(found) == sorted(one.id for one in MIXED[:count])
    assert len(found.themes) <= max(1, count // 2)


def test_a_lone_paper_is_left_under_also():
    stranger = Reading("1", "Roman coin hoards", "Silver denarii buried in Britain under Hadrian.")
    found = sections((*SPLATS, stranger), (*SPLATS[:5], stranger))
    assert found.also == ("1",)


def test_a_day_of_twenty_papers_has_three_to_seven_sections():
    shown = about("agent", "agents", most=20)
    found = sections(POOL, shown)
    assert 3 <= len(found.themes) <= 7
    assert max(len(theme.members) for theme in found.themes) <= 12


def test_hundreds_of_papers_make_many_themes_and_leave_few_over():
    found = sections(two_mailings()[:300])
    assert 10 <= len(found.themes) <= 40
    assert len(found.also) <= 20


def test_one_dense_field_is_still_told_apart():
    found = sections(about("learning", most=120))
    assert len(found.themes) >= 4


def test_the_order_in_which_papers_arrive_changes_nothing():
    shuffled = list(POOL[:150])
    random.Random(7).shuffle(shuffled)
    shown = POOL[:20]
    assert sections(tuple(shuffled), shown) == sections(POOL[:150], shown)


def test_the_best_theme_comes_first_and_its_best_paper_leads():
    found = sections(MIXED)
    order = [one.id for one in MIXED]
    assert found.themes[0].members[0] == order[0] or order[0] in found.also
    for theme in found.themes:
        assert list(theme.members) == sorted(theme.members, key=order.index)


def test_two_machines_found_a_theme_under_the_same_id():
    assert theme_id(["2608.2", "2608.1"]) == theme_id(["2608.1", "2608.2"])
    found = sections(MIXED)
    assert all(theme.id == theme_id(theme.members) and theme.new for theme in found.themes)


def test_a_second_run_finds_the_same_sections_standing():
    first = sections(MIXED)
    standing = tuple(StandingTheme(one.id, one.name, one.members) for one in first.themes)
    second = sections(MIXED, MIXED, standing)
    kept = [one for one in second.themes if not one.new]
    assert [(one.id, one.name, one.members) for one in kept] == [
        (one.id, one.name, one.members) for one in first.themes
    ]
    assert second.also == first.also


def test_a_new_paper_joins_the_standing_theme_of_its_field_and_the_name_stays():
    members = tuple(one.id for one in SPLATS[:4])
    standing = (StandingTheme("t-1", "my own name", members),)
    late = SPLATS[4:]
    found = sections(POOL, late, standing)
    assert [(one.id, one.name, one.new) for one in found.themes] == [("t-1", "my own name", False)]
    assert found.themes[0].members == tuple(one.id for one in late)


def test_a_paper_of_another_field_does_not_join():
    standing = (StandingTheme("t-1", "Splats", tuple(one.id for one in SPLATS)),)
    found = sections(POOL, SPEECH, standing)
    assert all(theme.id != "t-1" for theme in found.themes)


def test_a_paper_stays_where_its_note_says_even_if_others_are_nearer():
    moved = SPLATS[0].id
    standing = (
        StandingTheme("t-1", "Splats", tuple(one.id for one in SPLATS[1:])),
        StandingTheme("t-2", "Robots", (moved, *(one.id for one in ROBOTS))),
    )
    assert home(sections(POOL, SPLATS, standing), moved) == "t-2"


def test_a_merged_theme_hands_its_papers_to_its_heir():
    old = StandingTheme("t-1", "Splats", tuple(one.id for one in SPLATS[:4]), merged_into="t-2")
    heir = StandingTheme("t-2", "Privacy", ())
    found = sections(POOL, SPLATS[4:], (old, heir))
    assert [theme.id for theme in found.themes] == ["t-2"]


def test_mergers_in_a_circle_end():
    one = StandingTheme("t-1", "A", tuple(p.id for p in SPLATS[:4]), merged_into="t-2")
    two = StandingTheme("t-2", "B", (), merged_into="t-1")
    assert everyone(sections(POOL, SPLATS[4:], (one, two))) == sorted(p.id for p in SPLATS[4:])


def test_themes_merged_into_each_other_keep_their_papers():
    one = StandingTheme("t-1", "A", tuple(p.id for p in SPLATS[:4]), merged_into="t-2")
    two = StandingTheme("t-2", "B", tuple(p.id for p in ROBOTS[:4]), merged_into="t-1")
    found = sections(POOL, SPLATS[4:], (one, two))
    assert {theme.id for theme in found.themes if not theme.new} == {"t-1"}


def test_a_new_theme_takes_no_name_that_is_taken():
    first = sections(SPLATS)
    taken = [theme.name.upper() for theme in first.themes]
    standing = tuple(StandingTheme(f"t-{name}", name, ()) for name in taken)
    again = sections(SPLATS, SPLATS, standing)
    assert [theme.members for theme in again.themes] == [theme.members for theme in first.themes]
    assert not {theme.name.casefold() for theme in again.themes} & {one.casefold() for one in taken}


def test_an_inner_name_of_a_standing_theme_is_not_given_twice():
    names = {theme.name for theme in sections(ROBOTS).themes}
    standing = tuple(StandingTheme(f"t-{name}", name, ()) for name in names)
    assert not {theme.name for theme in sections(ROBOTS, ROBOTS, standing).themes} & names


def test_themes_tell_what_they_are_about():
    for theme in sections(POOL).themes:
        assert 1 <= len(theme.terms) <= 8


def test_a_few_papers_found_a_theme_only_under_a_name_that_is_true_of_most_of_them(
    monkeypatch: pytest.MonkeyPatch,
):
    given: dict[tuple[str, ...], Name] = {}

    def heard(groups, *others):
        names = name_themes(groups, *others)
        given.update(zip(map(tuple, groups), names, strict=True))
        return names

    monkeypatch.setattr(grouping, "name_themes", heard)
    left = 0
    for start in range(0, 240, 12):
        shown = two_mailings()[start : start + 12]
        given.clear()
        found = sections(POOL, shown)
        few = [group for group in given if len(group) < SMALL]
        true = [group for group in few if 2 * len(given[group].told) > len(group)]
        made = [theme.members for theme in found.themes if len(theme.members) < SMALL]
        assert sorted(made) == sorted(true)
        assert everyone(found) == sorted(one.id for one in shown)
        left += len(few) - len(true)
    assert left


@pytest.mark.parametrize("words", [("speech", "audio"), ("quantum",), ("splatting",)])
def test_a_paper_near_to_only_a_few_of_a_theme_does_not_join_it(words: tuple[str, ...]):
    *few, newcomer = about(*words, most=4)
    *robots, robot = [one for one in about("robot", most=40) if one not in (*few, newcomer)]
    standing = StandingTheme("t-1", "Robots", tuple(one.id for one in (*robots, *few)))
    at_hand = (*POOL, *robots, *few)
    assert home(sections(at_hand, (newcomer,), (standing,)), newcomer.id) is None
    assert home(sections(at_hand, (robot,), (standing,)), robot.id) == "t-1"
