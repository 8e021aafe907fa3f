from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from obsidian_digest.core.themes.moves import LEAST_PART, best_moves

GROUPINGS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=2, max_size=40)


def gains(start: list[int], aim: list[int]) -> dict[int, float]:
    return {at: 1.0 for at, (a, b) in enumerate(zip(start, aim, strict=True)) if a != b}


def carried_out(start: list[int], aim: list[int], moved: list[int]) -> list[int]:
    return [aim[at] if at in moved else group for at, group in enumerate(start)]


def test_a_large_part_moves_before_papers_that_are_surer_but_alone():
    start = [0] * 20 + [1] * 20 + [2] * 5
    aim = [0] * 12 + [1] * 8 + [1] * 18 + [2] * 2 + [2] * 5
    sure = {**gains(start, aim), 38: 9.0, 39: 9.0}
    assert sorted(best_moves(start, aim, sure, 8)) == list(range(12, 20))


def test_of_a_part_too_large_those_go_that_gain_most():
    start, aim = [0] * 10 + [1] * 10, [0] * 4 + [1] * 16
    gaining = {at: float(at) for at in range(4, 10)}
    assert best_moves(start, aim, gaining, 2) == [9, 8]


@pytest.mark.parametrize("most", range(LEAST_PART))
def test_no_group_begins_with_fewer_papers_than_make_a_theme(most: int):
    start, aim = [0] * 20, [0] * 12 + [1] * 8
    assert best_moves(start, aim, gains(start, aim), most) == []
    enough = best_moves(start, aim, gains(start, aim), LEAST_PART + most)
    assert len(enough) == min(LEAST_PART + most, 8)


def test_papers_that_may_not_move_or_have_no_group_stay():
    start, aim = [0] * 6 + [1] * 6 + [-1] * 3, [0] * 3 + [1] * 9 + [0] * 3
    assert sorted(best_moves(start, aim, {3: 1.0, 5: 1.0}, 10)) == [3, 5]


@given(GROUPINGS, st.integers(0, 40))
def test_moves_never_part_the_groupings_and_keep_within_the_limit(
    pairs: list[tuple[int, int]], most: int
):
    start, aim = [one for one, _ in pairs], [other for _, other in pairs]
    moved = best_moves(start, aim, gains(start, aim), most)
    assert len(set(moved)) == len(moved) <= most
    before = adjusted_rand_score(aim, start)
    assert adjusted_rand_score(aim, carried_out(start, aim, moved)) >= before - 1e-9
