from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.announcements.calendar import batch_window
from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.edge.batch_store import SavedBatches
from obsidian_digest.errors import SourceError, SourceStaleError
from obsidian_digest.gathering import Gathering, Sources
from obsidian_digest.model import Query
from tests.edge.announcement_server import Announcing, Mailing, serve_mailings
from tests.edge.announcing import FRIDAY, MAILINGS, THURSDAY, THURSDAY_NOON, listing, rss
from tests.edge.arxiv_server import Answer
from tests.edge.asking import paper, web

if TYPE_CHECKING:
    from pathlib import Path

HTML = Answer(b"<html><body>Rate exceeded.</body></html>")
IDS = {"2608.17001", "2608.17002", "2608.17003", "2311.06273"}


def gathering(arxiv: Announcing, folder: Path, *, api: bool = True) -> Gathering:
    searches = {"api": ArxivApi(arxiv.url, web(folder))} if api else {}
    lists = {"rss": rss(arxiv, folder), "listing": listing(arxiv, folder)}
    return Gathering(Sources(lists, searches), SavedBatches(folder / "pool"))


def asked(*categories: str, newest: str = "", batch: date = THURSDAY) -> Query:
    window = batch_window(batch)
    return Query(categories or ("cs.AI",), True, window, (batch,), newest)


def gather(arxiv: Announcing, folder: Path, query: Query, **how: bool):
    return gathering(arxiv, folder, **how).harvest(query, lambda *_: None)


def test_one_request_a_category_brings_the_batch_and_the_next_run_asks_nothing(tmp_path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        found = gather(arxiv, tmp_path, asked("cs.AI", "cs.RO"))
        assert [each.path for each in arxiv.log] == ["/rss/cs.AI", "/rss/cs.RO"]
        assert [(row.name, row.outcome) for row in found.sources] == [("rss", "ok")]
        again = gather(arxiv, tmp_path, asked("cs.AI", "cs.RO"))
        assert len(arxiv.log) == 2
    assert {paper.id for paper in found.papers} >= IDS
    assert again.papers == found.papers
    assert again.sources[0].name == "saved"
    assert {paper.announced for paper in found.papers} == {THURSDAY}


def test_replacements_are_given_apart_from_what_is_new(tmp_path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        found = gather(arxiv, tmp_path, asked())
    assert {paper.id for paper in found.revised} == {"2608.17004", "2608.17005"}
    assert not {paper.id for paper in found.papers} & {paper.id for paper in found.revised}


@pytest.mark.parametrize(
    ("fault", "word"),
    [(HTML, "throttled"), (Answer(b"", 503), "unreachable"), (Answer(b""), "corrupt")],
)
def test_a_category_whose_feed_fails_is_read_from_its_listing_page(tmp_path, fault, word):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {"/rss/cs.AI": [fault] * 9}) as arxiv:
        found = gather(arxiv, tmp_path, asked("cs.RO", "cs.AI"))
    assert {paper.id for paper in found.papers} >= IDS
    assert {row.name: row.outcome for row in found.sources} == {"rss": word, "listing": "ok"}
    assert found.missing == ()


def test_a_stale_feed_is_told_in_words_and_the_next_source_used(tmp_path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        arxiv.as_of["/rss/cs.AI"] = THURSDAY_NOON - timedelta(days=1)
        found = gather(arxiv, tmp_path, asked())
    assert {paper.id for paper in found.papers} == IDS
    assert found.sources[0].outcome == "stale"
    assert "cs.AI still shows" in found.sources[0].detail


def test_yesterdays_papers_under_todays_date_are_not_taken_for_todays(tmp_path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        arxiv.holds["/rss/cs.AI"] = date(2026, 8, 19)
        found = gather(arxiv, tmp_path, asked(newest="2608.17000"))
    assert {paper.id for paper in found.papers} == IDS
    assert found.sources[0].outcome == "stale"
    assert "announced before" in found.sources[0].detail


def test_a_category_that_no_source_can_be_trusted_for_is_named_and_asked_for_again(tmp_path):
    bad = {"/rss/cs.AI": [HTML] * 9, "/list/cs.AI/new": [HTML] * 9}
    with serve_mailings(MAILINGS, THURSDAY_NOON, bad) as arxiv:
        found = gather(arxiv, tmp_path, asked("cs.RO", "cs.AI"), api=False)
        assert found.missing == ("cs.AI",)
        assert found.papers
        arxiv.faults.clear()
        arxiv.log.clear()
        whole = gather(arxiv, tmp_path, asked("cs.RO", "cs.AI"), api=False)
        assert [each.path for each in arxiv.log] == ["/rss/cs.AI"]
    assert whole.missing == ()
    assert {paper.id for paper in whole.papers} >= IDS


def test_where_nothing_can_be_trusted_every_source_is_told(tmp_path):
    bad = {"/rss/cs.AI": [HTML] * 9, "/list/cs.AI/new": [Answer(b"", 503)] * 9}
    bad["/api/query"] = [HTML] * 9
    with serve_mailings(MAILINGS, THURSDAY_NOON, bad) as arxiv, pytest.raises(SourceError) as told:
        gather(arxiv, tmp_path, asked())
    assert [row.name for row in told.value.reports] == ["rss", "listing", "api"]
    assert "2026-08-20" in str(told.value)


def test_an_empty_announcement_is_believed_when_two_sources_say_so(tmp_path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        found = gather(arxiv, tmp_path, asked("math.GT", "cs.AI"))
    assert found.missing == ()
    assert {paper.id for paper in found.papers} == IDS


def test_a_batch_of_last_week_comes_from_the_catch_up_page(tmp_path):
    later = datetime(2026, 8, 20, 16, tzinfo=UTC)
    with serve_mailings(MAILINGS, later) as arxiv:
        found = gather(arxiv, tmp_path, asked(batch=date(2026, 8, 19)))
    assert [paper.id for paper in found.papers] == ["2608.17000"]
    assert found.sources[-1].name == "listing"


def test_without_cross_lists_only_papers_of_the_category_itself_count(tmp_path):
    query = Query(("cs.AI",), False, batch_window(THURSDAY), (THURSDAY,))
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        found = gather(arxiv, tmp_path, query)
    assert {paper.id for paper in found.papers} == {"2608.17001", "2608.17003"}


MONDAY, TUESDAY, WEDNESDAY = date(2026, 8, 17), date(2026, 8, 18), date(2026, 8, 19)


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 16, tzinfo=UTC)


def submitted(number: int, day: date, hours: float = 1, **changes):
    """A paper that was submitted so long after the deadline of the batch before `day`."""
    window = batch_window(day)
    assert window
    moment = window.start + timedelta(hours=hours)
    return replace(paper(number, primary="cs.AI"), published=moment, updated=moment, **changes)


HELD = submitted(1, MONDAY)
A_WEEK = (
    Mailing(MONDAY, new=(submitted(2, MONDAY), submitted(3, MONDAY))),
    Mailing(TUESDAY, new=(submitted(4, TUESDAY),)),
    Mailing(WEDNESDAY, new=(submitted(5, WEDNESDAY),)),
    Mailing(THURSDAY, new=(submitted(6, THURSDAY), HELD)),
    Mailing(FRIDAY, new=(submitted(7, FRIDAY),)),
)


def searching(arxiv: Announcing, folder: Path, day: date, *categories: str):
    """The batch of a day from the search alone, on that day."""
    arxiv.now = noon(day)
    sources = Sources({}, {"api": ArxivApi(arxiv.url, web(folder))}, day)
    store = SavedBatches(folder / "pool")
    found = Gathering(sources, store).harvest(asked(*categories, batch=day), lambda *_: None)
    return [each.id for each in found.papers if each.id not in found.seen]


def test_a_paper_that_moderators_held_for_three_days_comes_once_from_the_search_too(tmp_path):
    with serve_mailings(A_WEEK, noon(MONDAY)) as arxiv:
        days = [searching(arxiv, tmp_path, mailing.day) for mailing in A_WEEK]
    assert days == [
        [each.id for each in sorted(mailing.new, key=lambda paper: str(paper.published))]
        for mailing in A_WEEK
    ]


def test_papers_announced_before_anything_was_saved_are_not_taken_for_held_ones(tmp_path):
    with serve_mailings(A_WEEK, noon(MONDAY)) as arxiv:
        assert searching(arxiv, tmp_path, WEDNESDAY) == ["2608.17005"]
        assert searching(arxiv, tmp_path, THURSDAY) == ["2608.17006"]


def test_papers_of_a_category_that_was_not_read_before_are_not_taken_for_held_ones(tmp_path):
    other = Mailing(MONDAY, new=(replace(HELD, primary="cs.RO", categories=("cs.RO",)),))
    with serve_mailings((other, *A_WEEK[1:3]), noon(MONDAY)) as arxiv:
        assert searching(arxiv, tmp_path, TUESDAY) == ["2608.17004"]
        assert searching(arxiv, tmp_path, WEDNESDAY, "cs.AI", "cs.RO") == ["2608.17005"] * 2


def test_a_search_that_has_only_older_papers_does_not_stand_for_a_batch_that_is_late(tmp_path):
    anew = replace(submitted(9, TUESDAY), primary="cs.CL", categories=("cs.CL", "cs.AI"))
    early = Mailing(WEDNESDAY, new=A_WEEK[2].new, crossed=(anew,))
    with serve_mailings((*A_WEEK[:2], early), noon(MONDAY)) as arxiv:
        for day in (MONDAY, TUESDAY):
            searching(arxiv, tmp_path, day)
        arxiv.mailings = (*A_WEEK[:2], Mailing(WEDNESDAY, crossed=(anew,)))
        with pytest.raises(SourceStaleError) as told:
            searching(arxiv, tmp_path, WEDNESDAY)
        assert "no paper of this announcement yet" in str(told.value)
        arxiv.mailings = (*A_WEEK[:2], early)
        assert searching(arxiv, tmp_path, WEDNESDAY) == [anew.id, "2608.17005"]


def test_a_batch_that_was_empty_everywhere_is_asked_for_again(tmp_path):
    quiet, busy = (MAILINGS[0], Mailing(THURSDAY)), MAILINGS
    with serve_mailings(quiet, THURSDAY_NOON) as arxiv:
        first = gather(arxiv, tmp_path, asked())
        assert (first.papers, [row.outcome for row in first.sources]) == ((), ["empty", "empty"])
        arxiv.mailings = busy
        again = gather(arxiv, tmp_path, asked())
    assert {each.id for each in again.papers} == IDS


def test_a_past_batch_is_believed_empty_when_two_runs_were_told_so(tmp_path):
    mailings = (MAILINGS[0], Mailing(THURSDAY), Mailing(FRIDAY, new=MAILINGS[1].new))

    def run():
        pages = {"listing": listing(arxiv, tmp_path, newest=FRIDAY)}
        gathering = Gathering(Sources(pages, {}, FRIDAY), SavedBatches(tmp_path / "pool"))
        return gathering.harvest(asked(), lambda *_: None)

    with serve_mailings(mailings, noon(FRIDAY)) as arxiv:
        with pytest.raises(SourceStaleError):
            run()
        found = run()
    assert (found.papers, found.missing) == ((), ())
    assert found.sources[0].name == "saved"


def test_a_feed_that_is_past_the_batch_is_asked_for_one_category_only(tmp_path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        gather(arxiv, tmp_path, asked("cs.AI", "cs.RO", batch=WEDNESDAY))
        assert arxiv.log[0].path == "/rss/cs.AI"
        assert "/rss/cs.RO" not in [each.path for each in arxiv.log]


def test_todays_batch_is_not_believed_empty_because_one_source_says_so_twice(tmp_path):
    with serve_mailings((MAILINGS[0], Mailing(THURSDAY)), THURSDAY_NOON) as arxiv:
        for _ in range(2):
            feeds = Sources({"rss": rss(arxiv, tmp_path)}, {}, THURSDAY)
            gathering = Gathering(feeds, SavedBatches(tmp_path / "pool"))
            with pytest.raises(SourceStaleError):
                gathering.harvest(asked(), lambda *_: None)
