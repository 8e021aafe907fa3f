from __future__ import annotations

import random
import re
from functools import lru_cache

import numpy as np
import pytest

from obsidian_digest.core.ranking.calibration import STARS, family_of, stars
from obsidian_digest.core.ranking.closeness import standardised
from obsidian_digest.core.ranking.rank import rank
from obsidian_digest.core.ranking.reader import Reader
from obsidian_digest.core.ranking.value import Rows, texts_to_embed
from obsidian_digest.core.texts.words import word_space
from obsidian_digest.edge.encoders import encoder_for
from obsidian_digest.model import Interest, Interests, Ranked, Reading, Reason, Vectors
from tests.core.recorded_papers import two_mailings, words_only

AGENTS = Interest(
    "Agent training",
    "Reinforcement learning of language model agents over many turns in a harness.",
)
ROBOTS = Interest("Robot manipulation", "Robot arms that grasp and manipulate objects.")
BOTH = Interests((AGENTS, ROBOTS))
STARS_SKY = tuple(
    Reading(f"2608.0000{number}", title, abstract)
    for number, (title, abstract) in enumerate(
        (
            ("Dark matter halos", "We simulate the growth of halos and the galaxies in them."),
            ("Spectral gaps of graphs", "We prove a bound on the second eigenvalue of graphs."),
            ("Dust in spiral galaxies", "Infrared maps show where dust absorbs starlight."),
            ("Moduli of curves", "We compute the cohomology of moduli spaces of curves."),
            ("A lensed quasar", "Four images of a quasar are resolved and modelled."),
        )
    )
)
AGENT_PAPER = Reading(
    "2608.00009",
    "Reinforcement learning of language model agents in their harness",
    "We train language model agents with reinforcement learning over many turns.",
)


def ranked(
    readings,
    interests=BOTH,
    *,
    authors=None,
    encoder="words",
    liked=(),
    liked_vectors=None,
    judged=(),
    notes=(),
) -> tuple[Ranked, ...]:
    reader = Reader(interests, tuple(judged), tuple(notes))
    told = [
        *(each.reading.text for each in judged),
        *(each.text for each in notes),
        *texts_to_embed(interests),
    ]
    if encoder == "words":
        vectors, asked = words_only(readings), np.zeros((len(told), 0), np.float32)
    else:
        texts = [one.text for one in readings]
        matrix = encoder_for(encoder).embed([*texts, *told], lambda *_: None)
        ids = tuple(one.id for one in readings)
        vectors, asked = Vectors(ids, matrix[: len(texts)]), matrix[len(texts) :]
    first, second = len(judged), len(judged) + len(notes)
    rows = Rows(vectors, asked[second:], asked[:first], asked[first:second], liked_vectors)
    return rank(readings, rows, reader, authors=authors or {}, encoder=encoder, liked=liked).rows


@lru_cache(maxsize=1)
def recorded_day() -> tuple[Ranked, ...]:
    return ranked(two_mailings(), encoder="static")


HALF = two_mailings()[::2]


@lru_cache(maxsize=1)
def half_a_day() -> tuple[Ranked, ...]:
    return ranked(HALF)


def values(reason: Reason) -> dict:
    return dict(reason.values)


def titles() -> dict[str, Reading]:
    return {one.id: one for one in two_mailings()}


def test_the_best_papers_of_a_real_day_are_about_the_interest_they_are_shown_under():
    first = {}
    for row in recorded_day():
        first.setdefault(row.interest, titles()[row.id].title.lower())
    assert "agent" in first["Agent training"]
    assert re.search("robot|manipulation|grasp", first["Robot manipulation"])


def test_every_paper_is_ranked_once_and_best_first():
    day = recorded_day()
    assert sorted(row.id for row in day) == sorted(titles())
    assert [row.score for row in day] == sorted((row.score for row in day), reverse=True)
    assert all(row.score == round(row.score, 4) and 0 <= row.score <= 1 for row in day)
    assert all(row.stars == stars(row.score) for row in day)


def test_a_day_that_suits_the_reader_has_some_papers_with_three_stars_and_few_with_five():
    counts = [sum(row.stars >= least for row in recorded_day()) for least in (3, 5)]
    assert 5 <= counts[0] <= 90
    assert counts[1] <= 20


@pytest.mark.parametrize("encoder", ["words", "static"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_day_of_nothing_but_stars_and_proofs_gives_nobody_three_stars(encoder, count):
    rows = ranked(STARS_SKY[:count], encoder=encoder)
    assert [row.stars for row in rows if row.stars >= 3] == []


@pytest.mark.parametrize("encoder", ["words", "static"])
def test_one_good_paper_among_few_bad_ones_is_first_and_has_stars(encoder):
    rows = ranked((*STARS_SKY, AGENT_PAPER), encoder=encoder)
    assert rows[0].id == AGENT_PAPER.id
    assert rows[0].stars >= 3
    assert rows[1].stars < 3


def test_a_good_paper_alone_in_its_pool_still_has_stars():
    (row,) = ranked((AGENT_PAPER,))
    assert row.stars >= 3
    assert row.interest == "Agent training"


def test_no_papers_make_no_ranking():
    assert ranked(()) == ()


def test_papers_without_any_word_are_ranked_last():
    rows = ranked((Reading("1", "", ""), AGENT_PAPER, Reading("0", "", "")))
    assert [row.id for row in rows] == [AGENT_PAPER.id, "0", "1"]


def test_the_order_in_which_papers_arrive_changes_nothing():
    shuffled = list(two_mailings()[:150])
    before = ranked(tuple(shuffled), encoder="static")
    random.Random(3).shuffle(shuffled)
    assert ranked(tuple(shuffled), encoder="static") == before
    assert ranked(tuple(shuffled), Interests()) == ranked(two_mailings()[:150], Interests())


def test_a_second_interest_buries_nothing_of_the_first():
    alone = ranked(HALF, Interests((AGENTS,)))
    score = {row.id: row.score for row in half_a_day()}
    assert all(score[row.id] >= row.score for row in alone if row.interest)


def test_a_dislike_pushes_down_what_it_names_and_says_so_and_leaves_the_rest():
    dislike = "robot navigation of drones"
    before = half_a_day()
    after = {row.id: row for row in ranked(HALF, Interests(BOTH.interests, (dislike,)))}
    pushed = [row for row in before if after[row.id].score < row.score]
    assert 0 < len(pushed) < 40
    for row in pushed:
        assert dislike in {values(reason).get("dislike") for reason in after[row.id].reasons}
        assert re.search("robot|navigation|drone", titles()[row.id].text, re.IGNORECASE)
    agent_papers = [row for row in before[:20] if row.interest == "Agent training"]
    assert sum(after[row.id].score == row.score for row in agent_papers) > 0.8 * len(agent_papers)


def test_what_only_a_dislike_names_is_given_no_interest():
    rows = ranked(HALF, Interests((AGENTS,), ("remote sensing images",)))
    named = [row for row in rows if row.reasons and row.interest is None]
    assert named
    assert all(values(row.reasons[0])["dislike"] == "remote sensing images" for row in named)
    assert all(row.stars == 1 for row in named)


def test_watched_authors_and_ids_are_flagged_with_the_reason_and_keep_their_score():
    interests = Interests((ROBOTS,), (), ("Jose Garcia",), ("2608.00003",))
    authors = {"2608.00001": ("José M. García",), "2608.00002": ("Josefa Garcia",)}
    rows = {row.id: row for row in ranked(STARS_SKY, interests, authors=authors)}
    assert {key for key, row in rows.items() if row.watched} == {"2608.00001", "2608.00003"}
    by_author = Reason("reason_author", (("name", "José M. García"),))
    assert rows["2608.00001"].reasons[0] == by_author
    assert rows["2608.00003"].reasons[0] == Reason("reason_listed")
    assert rows["2608.00001"].stars == 1


def test_a_liked_example_lifts_papers_like_it_and_is_named():
    liked = Reading("2607.00001", "Bandits with delayed rewards", "Regret bounds for bandits.")
    interest = Interest("Mine", "Things worth reading.", (liked.id, "2607.99999"))
    pool = (*STARS_SKY, Reading("2608.00008", "Delayed rewards in bandits", "Bounds on regret."))
    rows = ranked(pool, Interests((interest,)), liked=(liked,), liked_vectors=words_only((liked,)))
    assert rows[0].id == "2608.00008"
    named = (("title", liked.title), ("id", liked.id), ("interest", "Mine"))
    assert rows[0].reasons[0] == Reason("reason_example", named)
    assert rows[0].score > ranked(pool, Interests((interest,)))[0].score


def test_words_given_as_reasons_stand_in_the_paper_and_in_the_interest():
    analyze = word_space((AGENT_PAPER,)).vectorizer.build_analyzer()
    texts = dict(zip(("Agent training", "Robot manipulation"), texts_to_embed(BOTH), strict=True))
    told = deciding()
    for row, words in told:
        for word in words:
            assert word in " ".join(titles()[row.id].text.split())
            assert analyze(word)[-1] in analyze(texts[row.interest])
    assert len(told) > 60


def deciding() -> list[tuple[Ranked, tuple[str, ...]]]:
    return [
        (row, values(reason)["words"])
        for row in recorded_day()
        for reason in row.reasons
        if reason.key == "reason_words"
    ]


def test_at_most_three_words_are_given_and_none_is_part_of_another():
    for _, words in deciding():
        parts = [part for word in words for part in re.split("[ -]", word.casefold())]
        assert 1 <= len(words) <= 3
        assert len(set(parts)) == len(parts)


def test_words_that_fit_every_paper_are_no_reason():
    noise = {"agent", "agents", "model", "models", "system", "systems", "self", "work", "language"}
    assert not noise & {word.casefold() for _, words in deciding() for word in words}


def test_a_word_alone_is_given_only_where_few_papers_of_the_day_hold_it():
    interest = Interest("Coding", "Lattice and decoders.")
    crowd = tuple(Reading(f"2608.1{at:04}", "Lattice", f"Sum {at}.") for at in range(20))
    paper = Reading("2608.00001", "Decoders for a lattice", "")
    pools = ((paper,), (*crowd, paper))
    rows = {len(pool): ranked(pool, Interests((interest,)))[0] for pool in pools}
    assert {row.id for row in rows.values()} == {paper.id}
    told = {size: set(values(row.reasons[0])["words"]) for size, row in rows.items()}
    assert told == {1: {"Decoders", "lattice"}, 21: {"Decoders"}}


def test_where_only_common_words_are_shared_the_interest_alone_is_named():
    interest = Interest("Agents at work", "Agent systems at work.")
    pool = (*STARS_SKY, Reading("2608.00007", "A system of agents", "Agents and models work."))
    row = ranked(pool, Interests((interest,)))[0]
    assert row.id == "2608.00007"
    assert row.reasons == (Reason("reason_interest", (("interest", interest.name),)),)


def test_the_share_of_the_day_that_is_farther_away_is_true():
    matrix = encoder_for("static").embed(
        [
            *(one.text for one in sorted(two_mailings(), key=lambda one: one.id)),
            *texts_to_embed(BOTH),
        ],
        lambda *_: None,
    )
    cosines = matrix[:-2] @ matrix[-2:].T
    places = {key: at for at, key in enumerate(sorted(titles()))}
    told = 0
    for row in recorded_day():
        for reason in row.reasons:
            if reason.key == "reason_content":
                column = cosines[:, 0 if row.interest == "Agent training" else 1]
                share = 100 * (column < column[places[row.id]]).mean()
                assert abs(share - values(reason)["percent"]) <= 1.2
                told += 1
    assert told > 5


def test_a_paper_that_matches_no_interest_is_given_none_and_no_reason():
    last = recorded_day()[-1]
    assert (last.interest, last.reasons, last.stars) == (None, (), 1)


def test_without_interests_the_first_papers_stand_for_different_parts_of_the_day():
    rows = ranked(HALF, Interests(), encoder="static")
    assert {row.reasons[0].key for row in rows[:10]} == {"reason_stands"}
    counts = [values(row.reasons[0])["n"] for row in rows[:10]]
    assert counts == sorted(counts, reverse=True)
    assert counts[9] > 5
    assert [row.score for row in rows[:10]] == [round(count / len(HALF), 4) for count in counts]
    assert all(row.stars == 3 and row.interest is None for row in rows[:10])
    assert rows[-1].stars == 1


def test_without_interests_a_day_of_few_papers_shows_them_all():
    assert [row.stars for row in ranked(STARS_SKY, Interests())] == [3] * 5


def test_equal_papers_come_in_the_order_of_their_ids():
    twins = tuple(Reading(key, AGENT_PAPER.title, AGENT_PAPER.abstract) for key in ("3", "1", "2"))
    assert [row.id for row in ranked(twins)] == ["1", "2", "3"]


def test_a_pool_raises_the_bar_but_a_poor_one_does_not_lower_it():
    usual = (0.1, 0.1)
    poor, rich = np.full((500, 1), 0.0), np.full((500, 1), 0.5)
    poor[0], rich[0] = 0.1, 0.6
    assert standardised(poor, usual)[0, 0] == pytest.approx(0)
    assert standardised(rich, usual)[0, 0] < 1.3
    assert standardised(np.array([[0.5]]), usual)[0, 0] > 3


def test_stars_begin_at_their_floors_and_a_higher_value_has_a_higher_score():
    assert [stars(floor) for floor in STARS] == [2, 3, 4, 5]
    assert stars(0.0) == 1
    for name, dimensions in (("all-MiniLM-L6-v2", 384), ("static", 256), ("x", 0), ("other", 9)):
        scores = [family_of(name, dimensions).score(value) for value in (-5, 0, 3, 10, 30)]
        assert scores == sorted(scores)
        assert stars(scores[0]) == 1
        assert stars(scores[-1]) == 5
