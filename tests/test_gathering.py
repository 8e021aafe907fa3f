from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.calendar import batch_window
from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.edge.batch_store import SavedBatches
from obsidian_digest.errors import SourceError
from obsidian_digest.gathering import Gathering, Sources
from obsidian_digest.model import Query
from tests.edge.announcement_server import Announcing, serve_mailings
from tests.edge.announcing import MAILINGS, THURSDAY, THURSDAY_NOON, listing, rss
from tests.edge.arxiv_server import Answer
from tests.edge.asking import web

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
