import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.errors import SourceError
from obsidian_digest.model import Query, Window
from tests.edge.arxiv_server import (
    Answer,
    render,
    serve,
    serve_papers,
)
from tests.edge.asking import DAY, RECORDINGS, ROBOTS, START, ask, paper, quiet, web


@pytest.mark.parametrize("name", ["page", "affiliations", "old-id"])
def test_a_recorded_answer_gives_exactly_the_papers_it_holds(name: str, tmp_path: Path):
    recording = (RECORDINGS / f"{name}.xml").read_bytes()
    rows = map(json.loads, (RECORDINGS / "expected.jsonl").read_text("utf-8").splitlines())
    expected = [row for row in rows if row.pop("file") == f"{name}.xml"]
    with serve([Answer(recording)]) as arxiv:
        found = ArxivApi(arxiv.url, web(tmp_path)).papers_by_id([row["id"] for row in expected])
    assert len(found) == len(expected) > 0
    for got, row in zip(found, expected, strict=True):
        for name_of, value in row.items():
            seen = getattr(got, name_of)
            if isinstance(seen, datetime):
                assert seen.utcoffset() == timedelta(0)
                seen = seen.strftime("%Y-%m-%dT%H:%M:%SZ")
            assert (list(seen) if isinstance(seen, tuple) else seen) == value


def test_the_loopback_arxiv_writes_entries_as_the_real_one_but_for_white_space(tmp_path: Path):
    recording = (RECORDINGS / "page.xml").read_bytes()
    ids = re.findall(r"<id>http://arxiv.org/abs/(\S+)v\d+</id>", recording.decode())
    with serve([Answer(recording)]) as arxiv:
        found = ArxivApi(arxiv.url, web(tmp_path)).papers_by_id(ids)
    entries = recording.decode().split("  <entry>")[1:]
    for got, entry in zip(found, entries, strict=True):
        assert "".join(render(got).split()) in "".join(("<entry>" + entry).split())


def test_all_pages_of_a_window_come_oldest_first_with_progress(tmp_path: Path):
    papers = [paper(n, minutes=100 - n) for n in range(8)]
    seen: list[tuple[str, int, int]] = []
    with serve_papers(papers) as arxiv:
        api = ArxivApi(arxiv.url, web(tmp_path), page_size=3)
        harvest = api.harvest(ROBOTS, lambda *step: seen.append(step))
    assert harvest.papers == tuple(reversed(papers))
    assert [(r.name, r.outcome, r.papers, r.detail) for r in harvest.sources] == [
        ("api", "ok", 8, "")
    ]
    assert [asked.query["start"] for asked in arxiv.log] == ["0", "3", "6"]
    assert seen[-1] == ("fetch", 8, 8)
    asked = arxiv.log[0].query
    assert asked["search_query"] == "(cat:cs.RO) AND submittedDate:[202608181800 TO 202608191800]"
    assert (asked["sortBy"], asked["sortOrder"]) == ("submittedDate", "ascending")


def test_a_paper_on_the_windows_last_instant_belongs_to_the_next_window(tmp_path: Path):
    at_start = paper(1, published=DAY.start)
    last_second = paper(2, published=DAY.end - timedelta(seconds=1))
    at_end = paper(3, published=DAY.end)
    just_before = paper(4, published=DAY.start - timedelta(seconds=1))
    with serve_papers([at_start, last_second, at_end, just_before]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert [p.id for p in harvest.papers] == [at_start.id, last_second.id]
    assert harvest.sources[0].detail == "left out as outside the question: 1"


def test_a_window_that_ends_within_a_minute_loses_nothing_of_that_minute(tmp_path: Path):
    window = Window(START + timedelta(seconds=20), START + timedelta(minutes=3, seconds=30))
    seconds = {1: 10, 2: 20, 3: 200, 4: 215}
    papers = [paper(n, minutes=s / 60) for n, s in seconds.items()]
    with serve_papers(papers) as arxiv:
        harvest = ask(arxiv, tmp_path, replace(ROBOTS, window=window))
    assert [p.id for p in harvest.papers] == [papers[1].id, papers[2].id]


def test_cross_listed_papers_come_unless_they_are_switched_off(tmp_path: Path):
    home, guest = paper(1), paper(2, primary="cs.AI")
    with serve_papers([home, guest]) as arxiv:
        both = ask(arxiv, tmp_path)
        alone = ask(arxiv, tmp_path, replace(ROBOTS, cross_lists=False))
    assert both.papers == (home, guest)
    assert alone.papers == (home,)


def test_several_categories_are_one_question_and_a_paper_in_two_of_them_comes_once(tmp_path: Path):
    papers = [paper(1), paper(2, primary="cs.AI"), paper(3, primary="math.CO")]
    with serve_papers(papers) as arxiv:
        harvest = ask(arxiv, tmp_path, Query(("cs.RO", "cs.AI"), window=DAY))
    assert harvest.papers == tuple(papers)
    assert len(arxiv.log) == 1


def test_of_two_versions_in_one_answer_the_higher_one_is_kept(tmp_path: Path):
    first, second = paper(1), paper(1, version=2)
    with serve_papers([second, first, paper(2)]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert [(p.id, p.version) for p in harvest.papers] == [(first.id, 2), ("2608.17002", 1)]


def test_a_window_with_more_hits_than_arxiv_pages_through_is_asked_in_halves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("obsidian_digest.edge.arxiv_api.MOST_HITS", 4)
    papers = [paper(n, minutes=100 * n) for n in range(12)]
    with serve_papers(papers) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == tuple(papers)
    assert harvest.sources[0].detail == ""
    assert len({asked.query["search_query"] for asked in arxiv.log}) > 2


def test_a_window_is_needed(tmp_path: Path):
    with pytest.raises(ValueError, match="window"):
        ArxivApi("http://127.0.0.1:9/", web(tmp_path)).harvest(Query(("cs.RO",)), quiet)


def test_papers_are_fetched_by_id_in_the_order_asked_a_hundred_at_a_time(tmp_path: Path):
    papers = [paper(n) for n in range(150)]
    ids = [p.id for p in reversed(papers)]
    with serve_papers(papers) as arxiv:
        found = ArxivApi(arxiv.url, web(tmp_path)).papers_by_id([*ids, ids[0], f"{ids[1]}v1"])
    assert [p.id for p in found] == ids
    sizes = [len(asked.query["id_list"].split(",")) for asked in arxiv.log]
    assert sizes == [100, 51]


def test_an_unknown_id_is_asked_for_once_more_and_then_left_out(tmp_path: Path):
    with serve_papers([paper(1)]) as arxiv:
        found = ArxivApi(arxiv.url, web(tmp_path)).papers_by_id(["2608.17001", "2608.19999"])
    assert [p.id for p in found] == ["2608.17001"]
    assert [asked.query["id_list"] for asked in arxiv.log] == [
        "2608.17001,2608.19999",
        "2608.19999",
    ]


def test_arxivs_own_answer_for_an_unknown_id_is_no_paper(tmp_path: Path):
    unknown = Answer((RECORDINGS / "unknown-id.xml").read_bytes())
    with serve([unknown, unknown]) as arxiv:
        assert ArxivApi(arxiv.url, web(tmp_path)).papers_by_id(["0000.0000"]) == ()


def test_a_malformed_id_is_refused_once_with_arxivs_own_words(tmp_path: Path):
    refused = Answer((RECORDINGS / "malformed-id.xml").read_bytes(), 400)
    with serve([refused]) as arxiv, pytest.raises(SourceError) as failure:
        ArxivApi(arxiv.url, web(tmp_path)).papers_by_id(["abc"])
    assert "HTTP 400): incorrect id format for abc" in str(failure.value)
    assert len(arxiv.log) == 1
