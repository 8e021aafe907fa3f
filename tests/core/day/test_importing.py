"""Which papers an import wants, which are the best, and what it says of them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from obsidian_digest.config import Config
from obsidian_digest.core.day.importing import (
    Best,
    Distinct,
    Found,
    Wish,
    among,
    stays_deleted,
    united,
    whole_days,
)
from obsidian_digest.model import Paper, Ranked, Reading, Reason, Window


def paper(arxiv_id: str = "2608.00001", **fields: object) -> Paper:
    given = {"categories": ("cs.AI", "stat.ML"), "primary": "cs.AI", "authors": ("A B",), **fields}
    return Paper(arxiv_id, "A title", "An abstract.", **given)


def found(arxiv_id: str, score: float, version: int = 1, **fields: object) -> Found:
    row = Ranked(arxiv_id, score, 3, None, **fields)
    return Found(paper(arxiv_id, version=version), row)


def ids(each: list[Found]) -> list[str]:
    return [one.row.id for one in each]


@pytest.mark.parametrize(
    ("wish", "wanted"),
    [
        (Wish(), True),
        (Wish(categories=("stat.ML",)), True),
        (Wish(categories=("stat",)), True),
        (Wish(categories=("stat.ML",), cross_lists=False), False),
        (Wish(categories=("math",)), False),
        (Wish(first=date(2026, 8, 18), last=date(2026, 8, 18)), True),
        (Wish(first=date(2026, 8, 19)), False),
        (Wish(last=date(2026, 8, 17)), False),
        (Wish(named=frozenset({"2608.00001"}), categories=("math",), last=date(1999, 1, 1)), True),
    ],
)
def test_a_paper_is_wanted_by_its_lists_and_its_day_or_by_its_name(wish: Wish, wanted: bool):
    assert wish.wants(paper(published=datetime(2026, 8, 18, 23, 59, tzinfo=UTC))) is wanted


def test_a_paper_without_a_time_of_submission_goes_by_the_day_it_was_announced():
    wish = Wish(first=date(2026, 8, 18))
    assert wish.wants(paper(announced=date(2026, 8, 18)))
    assert not wish.wants(paper(announced=date(2026, 8, 17)))
    assert wish.wants(paper())


def test_named_and_watched_papers_need_no_stars():
    wish = Wish(named=frozenset({"2608.00001"}), min_stars=5)
    assert wish.passes(Ranked("2608.00001", 0.1, 1, None))
    assert wish.passes(Ranked("2608.00002", 0.1, 1, None, watched=True))
    assert not wish.passes(Ranked("2608.00003", 0.6, 4, None))


def test_the_best_are_the_same_however_they_come():
    rows = [found(f"2608.{n:05}", round((n * 37 % 101) / 100, 2)) for n in range(1, 101)]
    wanted = sorted(rows, key=lambda one: (-one.row.score, one.row.id))[:7]
    for order in (rows, rows[::-1]):
        best = Best(Wish(), 7)
        for start in range(0, 100, 9):
            best.add(order[start : start + 9])
        assert ids(best.all()) == ids(wanted)


def test_named_and_watched_papers_come_before_better_ones():
    best = Best(Wish(named=frozenset({"2608.00003"})), 2)
    best.add([found("2608.00001", 0.9), found("2608.00002", 0.2, watched=True)])
    best.add([found("2608.00003", 0.1)])
    assert ids(best.all()) == ["2608.00003", "2608.00002"]


def test_a_paper_that_comes_twice_counts_once_in_its_newest_version():
    best = Best(Wish(), 5)
    best.add([found("2608.00001", 0.9, version=1)])
    best.add([found("2608.00001", 0.5, version=3), found("2608.00001", 0.7, version=2)])
    (only,) = best.all()
    assert only.paper is not None
    assert only.paper.version == 3


def test_the_words_of_a_note_stand_for_a_paper_only_where_the_paper_itself_is_not_there():
    offers = [Reading("2608.00002", "a", ""), Reading("2608.00001", "b", ""), paper("2608.00001")]
    assert united(offers) == [paper("2608.00001"), Reading("2608.00002", "a", "")]


def test_how_a_paper_stands_among_a_few_is_no_reason():
    why = Reason("reason_content", (("interest", "Agents"), ("percent", 75)))
    words = Reason("reason_words", (("interest", "Agents"), ("words", ("tools",))))
    row = Ranked("2608.00001", 0.5, 3, "Agents", (words, why))
    assert among(row, 4).reasons == (words,)
    alone = Ranked("2608.00001", 0.5, 3, "Agents", (why,))
    assert among(alone, 4).reasons == (Reason("reason_interest", (("interest", "Agents"),)),)
    (told,) = among(alone, 2000).reasons
    assert (told.key, dict(told.values)["papers"]) == ("reason_content_among", 2000)


def test_a_span_falls_into_days_of_which_the_last_may_be_a_part():
    start, end = datetime(2026, 8, 30, tzinfo=UTC), datetime(2026, 9, 1, 18, tzinfo=UTC)
    days = whole_days(Window(start, end))
    assert [each.start.day for each in days] == [30, 31, 1]
    assert [each.end for each in days][:2] == [each.start for each in days][1:]
    assert days[-1].end == end
    assert whole_days(Window(end, end)) == []


def test_papers_are_counted_once_in_any_number():
    distinct = Distinct()
    for number in range(1000):
        distinct.add(f"2608.{number % 300:05}")
    assert distinct.count == 300
    assert Distinct().count == 0


def test_a_deleted_note_is_told_with_the_way_to_have_it_again():
    keep = stays_deleted(Config(), "2608.00001", paper())
    assert (keep.path, keep.reason) == ("arXiv/Papers/A title - 2608-00001.md", "deleted")
    assert "import 2608.00001" in keep.detail
    assert stays_deleted(Config(), "2608.00001").path == "arXiv/Papers/2608-00001.md"
