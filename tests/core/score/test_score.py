"""The replay: its figures by hand, and that nothing but the past is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import product
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.ranking.reader import Judged, Reader
from obsidian_digest.core.score.days import History, PastDay
from obsidian_digest.core.score.figures import REACH, curve, mean_of, order_of
from obsidian_digest.core.score.peers import keyword_count, plain_cosine
from obsidian_digest.core.score.picture import score_picture
from obsidian_digest.core.score.replay import Score, replay, texts_of
from obsidian_digest.model import Interest, Interests, Reading
from tests.core.recorded_papers import two_mailings

FIRST = date(2026, 8, 12)
INTERESTS = Interests((Interest("Agent memory", "Long-term memory for language model agents."),))
NO_WIDTH = np.zeros(0, np.float32)


def silent(_stage: str, _done: int, _total: int) -> None:
    pass


@lru_cache(maxsize=1)
def readings() -> tuple[Reading, ...]:
    return tuple(sorted(two_mailings()[:72], key=lambda each: each.id))


def day(number: int, kept: tuple[int, ...], source: str = "saved") -> PastDay:
    """The day of this number, with 24 papers of its own."""
    pool = readings()[24 * number : 24 * number + 24]
    chosen = frozenset(pool[place].id for place in kept)
    return PastDay(FIRST + timedelta(number), pool, {}, chosen, source)


def history(*days: PastDay, opinions: dict[str, float] | None = None) -> History:
    """Their history: what was kept is liked, and `opinions` are more, by id."""
    values = {paper: 1.0 for past in days for paper in past.kept} | (opinions or {})
    judged = [
        (past.day, Judged(reading, values[reading.id]))
        for past in reversed(days)
        for reading in past.readings
        if reading.id in values
    ]
    known = {reading.id: (past.day, reading) for past in days for reading in past.readings}
    return History(days, (), len(days), INTERESTS, (), tuple(judged), known)


def scored(given: History) -> Score:
    rows = dict.fromkeys(texts_of(given), NO_WIDTH)
    return replay(given, rows, "words", silent)


def test_figures_are_those_that_one_computes_by_hand():
    order = order_of([3.0, 2.0, 1.0, 0.0], [True, False, True, False])
    assert order.ranks == (1, 3)
    assert order.figures.ap == round((1 / 1 + 2 / 3) / 2, 4)
    assert order.figures.auc == 0.75  # of four pairs the kept paper comes first in three
    assert order.figures.tops == (1.0, 1.0, 1.0)


def test_the_tops_are_shares_of_what_was_kept():
    kept = [place in {0, 9, 10, 30} for place in range(60)]
    order = order_of([-float(place) for place in range(60)], kept)
    assert order.figures.tops == (0.5, 0.75, 1.0)


def test_among_equals_an_order_is_no_merit():
    order = order_of([0.0] * 6, [True, True, False, False, False, False])
    assert order.figures.auc == 0.5
    assert order.ranks == (1, 2)


def test_differences_that_machines_do_not_share_decide_nothing():
    assert order_of([0.1 + 0.2, 0.3], [False, True]) == order_of([0.3, 0.3], [False, True])


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=30))
def test_auc_is_the_share_of_pairs_in_the_right_order_equals_counting_half(rows):
    values, kept = [float(value) for value, _ in rows], [wanted for _, wanted in rows]
    if not any(kept) or all(kept):
        return
    good = [value for value, wanted in zip(values, kept, strict=True) if wanted]
    bad = [value for value, wanted in zip(values, kept, strict=True) if not wanted]
    pairs = [(a > b) + 0.5 * (a == b) for a, b in product(good, bad)]
    assert order_of(values, kept).figures.auc == pytest.approx(sum(pairs) / len(pairs), abs=1e-4)


@given(st.permutations(range(12)), st.sets(st.integers(0, 11), min_size=1, max_size=11))
def test_the_curve_never_falls_and_passes_through_the_tops(values, kept):
    order = order_of([float(each) for each in values], [place in kept for place in range(12)])
    shares = curve([order])
    assert len(shares) == REACH
    assert list(shares) == sorted(shares)
    assert shares[9] == order.figures.tops[0]
    assert shares[-1] == 1.0


def test_means_count_each_day_the_same():
    good = order_of([2.0, 1.0], [True, False])
    bad = order_of([1.0, 2.0], [True, False])
    assert mean_of([good, bad]).ap == 0.75
    assert mean_of([good, bad]).auc == 0.5


def test_keywords_are_the_words_of_the_headings_at_the_beginning_of_words():
    interests = Interests((Interest("Agents and graphs", "never counted"),))
    texts = ("Agentic graphs", "Of agents, an agent", "Reagents never")
    found = keyword_count([Reading(text, text, "") for text in texts], interests)
    assert found == [2.0, 2.0, 0.0]


def test_a_heading_in_chinese_is_counted_too():
    interests = Interests((Interest("智能体", ""),))
    assert keyword_count([Reading("a", "智能体 的记忆", "")], interests) == [1.0]


def test_without_headings_nothing_can_be_counted():
    assert keyword_count([Reading("a", "A", "")], Interests((Interest("", "text"),))) is None


def test_the_plain_cosine_is_the_mean_to_what_was_kept_and_to_the_interests_before():
    new = [Reading("a", "A", ""), Reading("b", "B", "")]
    old = Reading("c", "C", "")
    asked = f"{INTERESTS.interests[0].name}. {INTERESTS.interests[0].text}"
    rows = {
        "A": np.array([1, 0], np.float32),
        "B": np.array([0, 1], np.float32),
        "C": np.array([0, 1], np.float32),
        asked: np.array([1, 0], np.float32),
    }
    assert plain_cosine(new, Reader(INTERESTS), rows) == [1.0, 0.0]
    assert plain_cosine(new, Reader(INTERESTS, (Judged(old, 0.5),)), rows) == [0.0, 1.0]
    assert plain_cosine(new, Reader(INTERESTS, (Judged(old, -0.5),)), rows) == [1.0, 0.0]
    assert plain_cosine(new, Reader(), rows) is None


def test_each_day_is_ranked_by_what_was_known_before_it():
    found = scored(history(day(0, (1, 5)), day(1, (3,)), day(2, (2, 4, 6))))
    assert [each.known for each in found.days] == [0, 2, 3]
    assert found.kept == 6
    assert set(found.methods) == {"ranking", "cosine", "keywords"}


OPINIONS = st.dictionaries(
    st.integers(24, 71), st.sampled_from([-1.0, -0.5, 0.25, 1.0]), max_size=9
)


@settings(max_examples=12, deadline=None)
@given(OPINIONS)
def test_an_opinion_of_a_later_day_changes_no_earlier_days_figures(later):
    days = (day(0, (1, 5)), day(1, (3,)), day(2, (2, 4)))
    told = {readings()[place].id: value for place, value in later.items()}
    before, after = scored(history(*days)), scored(history(*days, opinions=told))
    first = min(later, default=72) // 24
    for one, other in zip(before.days[: first + 1], after.days[: first + 1], strict=True):
        assert one.orders == other.orders
        assert one.rows == other.rows


def test_an_example_counts_only_once_the_vault_has_it():
    later = day(2, (2,))
    named = replace(INTERESTS.interests[0], examples=(later.readings[0].id,))
    days = (day(0, (1,)), day(1, (3,)), later)
    plain = history(*days)
    with_example = replace(plain, interests=Interests((named,)))
    assert scored(plain).days[0].orders == scored(with_example).days[0].orders
    assert with_example.examples(days[1]) == {}
    assert list(with_example.examples(replace(later, day=later.day + timedelta(1)))) == [
        later.readings[0].id
    ]


def test_the_same_history_gives_the_same_score():
    given = history(day(0, (1, 5)), day(1, (3,)))
    one, other = scored(given), scored(given)
    assert [each.orders for each in one.days] == [each.orders for each in other.days]
    assert one.calibration == other.calibration


def test_days_of_which_only_the_shown_papers_are_known_stand_apart():
    given = history(day(0, (1, 5), "shown"), day(1, (3,)))
    found = scored(given)
    assert (found.basis, len(found.counted), found.kept) == ("saved", 1, 1)
    assert found.methods["ranking"] == found.days[1].orders["ranking"].figures
    alone = scored(history(day(0, (1, 5), "shown")))
    assert (alone.basis, len(alone.counted)) == ("shown", 1)


def test_calibration_counts_every_paper_once():
    found = scored(history(day(0, (1, 5)), day(1, (3,)))).calibration
    assert found is not None
    assert sum(papers for papers, _ in found.stars.values()) == 48
    assert sum(kept for _, kept in found.stars.values()) == 3
    assert 0 <= found.error <= 1


def test_where_there_is_nothing_to_rank_by_no_star_is_counted():
    given = replace(history(day(0, (1,))), interests=Interests(), judged=())
    found = scored(given)
    assert found.calibration is None
    assert set(found.methods) == {"ranking"}


def test_the_picture_is_whole_and_shows_names_as_they_are():
    stars = {each: (10, each) for each in range(1, 6)}
    shares = [place / 100 for place in range(1, 101)]
    drawn = score_picture({"<script>": shares, "b": shares}, stars, "by & rank", "by stars")
    text = [each.text for each in ET.fromstring(drawn).iter() if each.text]
    assert {"<script>", "by & rank", "by stars", "50%", "5★"} <= set(text)
    assert drawn == score_picture({"<script>": shares, "b": shares}, stars, "by & rank", "by stars")


def test_the_picture_does_without_stars():
    ET.fromstring(score_picture({"a": [0.0] * 100}, {}, "a", "b"))
    ET.fromstring(score_picture({"a": [0.0] * 100}, dict.fromkeys(range(1, 6), (0, 0)), "", ""))
