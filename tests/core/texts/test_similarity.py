from __future__ import annotations

import numpy as np
import pytest

from obsidian_digest.core.texts.similarity import SMALL_POOL, mixed_similarity
from obsidian_digest.model import Reading, Vectors
from tests.core.recorded_papers import two_mailings, unit_vectors, words_only

POOL = two_mailings()[:60]


def test_papers_taken_at_random_are_about_zero_alike():
    square = mixed_similarity(POOL, words_only(POOL)).square()
    others = square[~np.eye(len(POOL), dtype=bool)]
    assert abs(float(others.mean())) < 0.01
    assert 1.4 < float(others.std()) < 1.6


def test_rows_of_some_papers_are_the_rows_of_the_whole_square():
    similarity = mixed_similarity(POOL, words_only(POOL))
    assert np.allclose(similarity.rows([3, 41]), similarity.square()[[3, 41]])


def test_pairs_are_the_cells_of_the_square():
    similarity = mixed_similarity(POOL, words_only(POOL))
    assert np.allclose(
        similarity.pairs([0, 5], [9, 7]), similarity.square()[[0, 5], [9, 7]], atol=1e-4
    )


def test_nearness_to_a_group_is_the_mean_over_its_other_members():
    similarity = mixed_similarity(POOL, words_only(POOL))
    square = similarity.square()
    means = similarity.to_groups([[0, 1, 2], [5]])
    assert means[0, 0] == pytest.approx(square[0, [1, 2]].mean(), abs=1e-3)
    assert means[9, 0] == pytest.approx(square[9, [0, 1, 2]].mean(), abs=1e-3)
    assert means[9, 1] == pytest.approx(square[9, 5], abs=1e-3)
    assert means[5, 1] == -np.inf


def test_the_order_in_which_papers_arrive_changes_no_value():
    there = mixed_similarity(POOL, words_only(POOL))
    back = mixed_similarity(POOL[::-1], words_only(POOL[::-1]))
    assert there.ids == back.ids
    assert np.array_equal(there.square(), back.square())


def test_plural_and_singular_are_the_same_word():
    one = Reading("1", "Coding agents", "Policies of coding agents.")
    two = Reading("2", "A coding agent", "The policy of a coding agent.")
    three = Reading("3", "Galaxy clusters", "Dark matter halos.")
    square = mixed_similarity((one, two, three), words_only((one, two, three))).square()
    assert square[0, 1] > 10
    assert square[0, 2] < 0


def test_vectors_count_beside_words():
    papers = (
        Reading("1", "Cats", "Felines purr."),
        Reading("2", "Kittens", "Small pets sleep."),
        Reading("3", "Bosons", "Fields collide."),
    )
    vectors = unit_vectors(papers, [[1, 0.1], [1, 0.2], [0, 1]])
    square = mixed_similarity(papers, vectors).square()
    assert square[0, 1] > square[0, 2] + 3


@pytest.mark.parametrize("count", [1, 2, 3, SMALL_POOL - 1, SMALL_POOL])
def test_a_handful_of_papers_gets_finite_values(count: int):
    papers = POOL[:count]
    vectors = unit_vectors(papers, [[1.0, place] for place in range(count)])
    assert np.isfinite(mixed_similarity(papers, vectors).square()).all()


def test_equal_papers_and_papers_without_a_word_break_nothing():
    twins = tuple(Reading(str(place), "The", "of and") for place in range(20))
    vectors = unit_vectors(twins, [[1.0, 0.0]] * 20)
    square = mixed_similarity(twins, vectors).square()
    assert np.isfinite(square).all()


def test_vectors_may_hold_more_papers_than_are_at_hand():
    wide = words_only(POOL)
    wide = Vectors(wide.ids, np.eye(len(POOL), 8, dtype=np.float32) + 0.1)
    assert mixed_similarity(POOL[10:30], wide).vectors.shape == (20, 8)
