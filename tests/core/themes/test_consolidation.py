from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from obsidian_digest.core.themes.consolidation import (
    NOWHERE,
    Consolidation,
    _State,
    consolidate,
    new_id,
)
from obsidian_digest.core.themes.grouping import theme_id
from obsidian_digest.core.themes.moves import LEAST_PART
from obsidian_digest.model import Reading, StandingTheme
from tests.core.recorded_papers import about, two_mailings, words_only

SPLATS = about("gaussian splat", "splatting", most=8)
ROBOTS = about("robot", most=12)
SPEECH = about("speech", "audio", most=12)
EVERYONE = tuple(dict.fromkeys(SPLATS + ROBOTS + SPEECH))


def ids(papers: tuple[Reading, ...]) -> tuple[str, ...]:
    return tuple(sorted({paper.id for paper in papers}))


def theme(name: str, papers: tuple[Reading, ...], merged: str | None = None) -> StandingTheme:
    return StandingTheme(name, name.title(), ids(papers), merged)


ROBOT_THEME = theme("t-robots", ROBOTS)
SPEECH_THEME = theme("t-speech", tuple(one for one in SPEECH if one not in ROBOTS))
STRAY = SPLATS[0]
APART = (
    theme("t-splats", SPLATS[1:]),
    StandingTheme("t-robots", "Robots", tuple(sorted({*ROBOT_THEME.members, STRAY.id}))),
    SPEECH_THEME,
)
"""Three fields in a theme each, but for one paper about splatting among the robots."""


def turned(
    standing: tuple[StandingTheme, ...],
    papers: tuple[Reading, ...] = EVERYONE,
    pinned: tuple[str, ...] = (),
    most: int | None = 10,
) -> Consolidation:
    return consolidate(papers, words_only(papers), standing, ids(papers), pinned, most)


def after(found: Consolidation, standing: tuple[StandingTheme, ...]) -> dict[str, str]:
    homes = {paper: one.id for one in standing for paper in one.members}
    return homes | {move.paper: move.after for move in found.moves}


def test_a_paper_that_joined_the_wrong_theme_moves_to_its_own():
    found = turned(APART)
    assert after(found, APART)[STRAY.id] == "t-splats"
    assert [move.before for move in found.moves if move.paper == STRAY.id] == ["t-robots"]


def test_a_paper_whose_theme_the_reader_set_is_never_moved():
    found = turned(APART, pinned=(STRAY.id,))
    assert STRAY.id not in {move.paper for move in found.moves}


def test_papers_go_where_the_reader_put_those_that_are_like_them():
    put = ids(SPLATS[1:])
    standing = (
        StandingTheme("t-splats", "Splats", (STRAY.id,)),
        StandingTheme("t-robots", "Robots", tuple(sorted({*ROBOT_THEME.members, *put}))),
        SPEECH_THEME,
    )
    untaught, taught = (turned(standing, pinned=pinned, most=None) for pinned in ((), put))
    assert after(untaught, standing)[STRAY.id] == "t-splats"
    assert after(taught, standing)[STRAY.id] == "t-robots"


def test_no_paper_moves_that_may_not():
    found = consolidate(EVERYONE, words_only(EVERYONE), APART, (), (), None)
    assert found == Consolidation()


@pytest.mark.parametrize("most", [0, 1, 3, 8])
def test_at_most_so_many_papers_move(most: int):
    jumbled = tuple(
        StandingTheme(f"t-{number}", f"Theme {number}", ids(EVERYONE[number::3]))
        for number in range(3)
    )
    assert len(turned(jumbled, most=most).moves) <= most


def test_a_theme_of_three_fields_is_split_and_its_largest_part_keeps_note_and_name():
    wide = (theme("t-wide", EVERYONE),)
    found = turned(wide, most=None)
    assert found.founded
    for new in found.founded:
        assert new.id not in {"", "t-wide"}
        assert new.name
        assert len(new.members) >= LEAST_PART
    stays = [paper for paper, home in after(found, wide).items() if home == "t-wide"]
    assert len(stays) >= max(len(new.members) for new in found.founded)
    assert len({"T-Wide", *(new.name for new in found.founded)}) == len(found.founded) + 1


def test_a_merged_theme_is_not_brought_back():
    heirs = (
        theme("t-splats", SPLATS[:4], "t-rest"),
        theme("t-rest", SPLATS[4:]),
        ROBOT_THEME,
        SPEECH_THEME,
    )
    found = turned(heirs)
    assert "t-splats" not in {move.after for move in found.moves}
    assert "t-splats" not in {new.id for new in found.founded}


def test_papers_whose_theme_was_deleted_are_left_alone():
    found = turned((ROBOT_THEME, SPEECH_THEME), most=None)
    homeless = set(ids(SPLATS)) - {*ROBOT_THEME.members, *SPEECH_THEME.members}
    assert homeless
    assert not homeless & {move.paper for move in found.moves}
    assert not homeless & {paper for new in found.founded for paper in new.members}


def test_founders_who_leave_their_theme_together_get_another_id():
    founders = ["2608.1", "2608.2"]
    known = theme_id(founders)
    assert new_id(founders, {known}) != known
    assert new_id(founders, ()) == known


def test_the_order_of_papers_and_themes_changes_nothing():
    expected = turned(APART, most=None)
    for seed in range(3):
        papers, standing = list(EVERYONE), list(APART)
        random.Random(seed).shuffle(papers)
        random.Random(seed).shuffle(standing)
        assert turned(tuple(standing), tuple(papers), most=None) == expected


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 12, 50])
def test_however_few_papers_there_are_none_is_lost(count: int):
    papers = two_mailings()[:count]
    standing = tuple(
        StandingTheme(f"t-{number}", f"Theme {number}", ids(papers[number::4]))
        for number in range(4)
    )
    found = turned(standing, papers, most=None)
    homes = after(found, standing)
    assert sorted(homes) == sorted(one.id for one in papers)
    known = {one.id for one in standing} | {new.id for new in found.founded}
    assert set(homes.values()) <= known


@pytest.mark.slow
def test_two_thousand_papers_are_turned_in_one_go():
    mailings = two_mailings()
    papers = tuple(
        Reading(f"{one.id}{copy}", one.title, one.abstract) for copy in range(3) for one in mailings
    )[:2000]
    standing = tuple(
        StandingTheme(f"t-{number:02}", f"Theme {number}", ids(papers[number::30]))
        for number in range(30)
    )
    assert len(turned(standing, papers, most=200).moves) <= 200


def test_another_process_with_another_hash_seed_finds_the_same():
    code = (
        "import json; from tests.core.themes.test_consolidation import APART, turned;"
        "found = turned(APART, most=None);"
        "print(json.dumps([[m.paper, m.before, m.after] for m in found.moves]"
        " + [[t.id, t.name, list(t.members)] for t in found.founded]))"
    )
    told = set()
    for seed, threads in (("1", "1"), ("77", "2")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
        root = Path(__file__).parents[2]
        ran = subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=root, capture_output=True, check=True
        )
        told.add(json.dumps(json.loads(ran.stdout)))
    assert len(told) == 1


def test_a_theme_with_hardly_a_paper_in_a_group_does_not_go_on_as_it():
    start = [0] * 6 + [1] * 10 + [0] + [NOWHERE] * 19
    state = _State(start, [True] * len(start))
    aim = state._carried([list(range(16)), list(range(16, 36))])
    assert set(aim[:16]) == {1}
    assert set(aim[16:]).isdisjoint({0, 1})
