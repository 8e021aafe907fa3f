from __future__ import annotations

import numpy as np

from obsidian_digest.core.texts.words import word_space
from obsidian_digest.model import Reading
from tests.core.recorded_papers import two_mailings

POOL = (
    Reading("1", "Agents that plan", "Language agents plan with tools."),
    Reading("2", "Dark matter halos", "Simulations of halos in galaxies."),
)


def test_a_text_of_known_words_is_known_whole_and_one_of_strange_words_not_at_all():
    shares = word_space(POOL).known_shares(["galaxies halos", "prompt injection", ""])
    assert np.allclose(shares[1:], 0)
    assert 0.5 < shares[0] < 1  # both words are known, the pair is not


def test_what_a_space_does_not_know_lowers_the_share():
    space = word_space(POOL)
    few, many = space.known_shares(["agents plan", "agents plan bandits regret lattice"])
    assert 0 < many < few


def test_how_many_papers_hold_a_term_is_told():
    space = word_space((*POOL, Reading("3", "Agents", "Agents meet halos.")))
    assert [space.holders(term) for term in ("agents", "halos", "dark matter")] == [2, 2, 1]


def test_single_words_are_counted_once_and_without_stop_words():
    space = word_space(POOL)
    rows, counts = space.single_words(["the agents and Agents of halos", "unheard"])
    known = {space.vocabulary[column] for column in rows[0].indices}
    assert known == {"agents", "halos"}
    assert counts.tolist() == [2, 1]
    assert rows[1].nnz == 0


def test_a_paper_of_the_space_is_nearest_to_itself():
    papers = two_mailings()[:80]
    space = word_space(papers)
    cosines = (space.matrix @ space.project([papers[17].text]).T).toarray().ravel()
    assert cosines.argmax() == 17
    assert np.isclose(cosines[17], 1)
