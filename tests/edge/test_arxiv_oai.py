from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_oai import ArxivOai, sets_for
from obsidian_digest.model import Harvest, Paper, Query, Window
from tests.edge.arxiv_server import Served
from tests.edge.asking import DAY, ROBOTS, START, paper, quiet, web
from tests.edge.oai_server import EARLIEST, TODAY, Row, serve_oai

YESTERDAY = TODAY - timedelta(days=1)


def ask(served: Served, folder: Path, query: Query = ROBOTS, **changes: object) -> Harvest:
    return ArxivOai(f"{served.root}/oai", web(folder, **changes)).harvest(query, quiet)


def changed(
    served: Served, folder: Path, day: date = YESTERDAY, categories: Sequence[str] = ("cs.RO",)
) -> tuple[Paper, ...]:
    return ArxivOai(f"{served.root}/oai", web(folder)).changed_since(day, categories, quiet)


@pytest.mark.parametrize("page", [1, 3, 100])
@pytest.mark.parametrize(
    "days",
    [[0] * 7, [2, 2, 2, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 0], [1, 0, 0, 0, 0, 0, 0]],
)
def test_a_list_of_any_pages_gives_every_paper_once_oldest_first(
    page: int, days: list[int], tmp_path: Path
):
    papers = [paper(n, minutes=n) for n in range(7)]
    rows = [Row(p, TODAY - timedelta(days=d)) for p, d in zip(reversed(papers), days, strict=True)]
    with serve_oai(rows, page=page) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == tuple(papers)
    (report,) = harvest.sources
    assert (report.name, report.outcome, report.papers, report.detail) == ("oai", "ok", 7, "")
    assert len(arxiv.log) == -(-7 // page)
    assert all("arXivRaw" in str(asked.query) for asked in arxiv.log)


def test_what_changed_since_the_windows_first_day_is_asked_for_without_an_end(tmp_path: Path):
    with serve_oai([Row(paper(1))]) as arxiv:
        ask(arxiv, tmp_path)
    assert arxiv.log[0].query == {
        "verb": "ListRecords",
        "metadataPrefix": "arXivRaw",
        "set": "cs:cs:RO",
        "from": "2026-08-18",
    }


def test_a_question_about_the_oldest_papers_begins_on_the_first_day_of_changes(tmp_path: Path):
    ages_ago = Window(datetime(1992, 1, 1, tzinfo=UTC), datetime(1993, 1, 1, tzinfo=UTC))
    old = paper(1, published=ages_ago.start, updated=ages_ago.start)
    old = replace(old, id="hep-th/9201001", categories=("hep-th",), primary="hep-th")
    with serve_oai([Row(old)]) as arxiv:
        assert ask(arxiv, tmp_path, Query(("hep-th",), window=ages_ago)).papers == (old,)
    assert (arxiv.log[0].query["from"], arxiv.log[0].query["set"]) == (
        str(EARLIEST),
        "physics:hep-th",
    )


def test_a_paper_counts_by_its_first_version_whatever_day_its_record_changed(tmp_path: Path):
    held = paper(1, minutes=1)
    revised = paper(2, minutes=2, version=4, updated=START + timedelta(days=1, hours=1))
    older = paper(3, minutes=-1, version=2, updated=START + timedelta(hours=1))
    later = paper(4, minutes=24 * 60)
    with serve_oai([Row(p) for p in (held, revised, older, later)]) as arxiv:
        assert ask(arxiv, tmp_path).papers == (held, revised)


def test_what_changed_comes_whenever_it_was_submitted_in_its_newest_version(tmp_path: Path):
    new = paper(5)
    revised = paper(3, minutes=-90_000, version=2, updated=START)
    unchanged = paper(4)
    rows = [Row(new), Row(revised, YESTERDAY), Row(unchanged, YESTERDAY - timedelta(days=1))]
    with serve_oai(rows) as arxiv:
        assert changed(arxiv, tmp_path) == (revised, new)


def test_cross_lists_count_unless_the_reader_wants_none(tmp_path: Path):
    home, cross = paper(1, minutes=1), paper(2, minutes=2, primary="cs.AI")
    elsewhere = paper(3, categories=("math.NA",), primary="math.NA")
    alone = Query(("cs.RO",), cross_lists=False, window=DAY)
    with serve_oai([Row(home), Row(cross), Row(elsewhere)]) as arxiv:
        assert ask(arxiv, tmp_path).papers == (home, cross)
        assert ask(arxiv, tmp_path, alone).papers == (home,)


def test_a_paper_in_two_sets_comes_once_and_a_silent_category_is_named(tmp_path: Path):
    both = paper(1, minutes=1)
    with serve_oai([Row(both)]) as arxiv:
        harvest = ask(arxiv, tmp_path, Query(("cs.RO", "cs.AI", "math.NA"), window=DAY))
    assert harvest.papers == (both,)
    assert harvest.sources[0].detail == "nothing for math.NA"
    sets = [asked.query["set"] for asked in arxiv.log]
    # An empty list is asked for once more, a day further back.
    assert sets == ["cs:cs:RO", "cs:cs:AI", "math:math:NA", "math:math:NA"]


def test_an_archive_stands_for_all_its_categories(tmp_path: Path):
    with serve_oai([Row(paper(1))]) as arxiv:
        assert len(ask(arxiv, tmp_path, Query(("cs",), window=DAY)).papers) == 1
    assert arxiv.log[0].query["set"] == "cs:cs"


@pytest.mark.parametrize(
    ("categories", "sets"),
    [
        (["cs.AI"], ("cs:cs:AI",)),
        (["cs.AI", "cs.CL", "cs.AI"], ("cs:cs:AI", "cs:cs:CL")),
        (["cs.AI", "cs.CL", "stat.ML", "cs.LG"], ("cs:cs", "stat:stat:ML")),
        (["hep-th", "astro-ph.GA"], ("physics:hep-th", "physics:astro-ph:GA")),
        (["physics.soc-ph", "cond-mat.supr-con"],
         ("physics:physics:soc-ph", "physics:cond-mat:supr-con")),
        (["q-bio.NC", "q-fin", "math-ph"], ("q-bio:q-bio:NC", "q-fin:q-fin", "physics:math-ph")),
        (["cs", "cs.AI"], ("cs:cs",)),
    ],
)  # fmt: skip
def test_categories_are_asked_for_in_the_servers_spelling(categories, sets):
    assert sets_for(categories) == sets


def test_nothing_at_all_is_an_empty_harvest(tmp_path: Path):
    with serve_oai([]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == ()
    report = harvest.sources[0]
    assert (report.outcome, report.papers, report.detail) == ("empty", 0, "nothing for cs.RO")
    assert [asked.query["from"] for asked in arxiv.log] == ["2026-08-18", "2026-08-17"]


def test_a_deleted_record_is_no_paper(tmp_path: Path):
    kept, gone = paper(1), paper(2)
    with serve_oai([Row(kept), Row(gone, deleted=True)]) as arxiv:
        assert changed(arxiv, tmp_path) == (kept,)


def test_a_record_that_is_deleted_while_the_pages_come_is_no_paper(tmp_path: Path):
    first = paper(1)
    rows = [Row(first, YESTERDAY), Row(paper(2), YESTERDAY), Row(first, TODAY, deleted=True)]
    with serve_oai(rows, page=2) as arxiv:
        assert changed(arxiv, tmp_path) == (rows[1].paper,)


@pytest.mark.parametrize(
    ("comment", "size", "source_type", "seen"),
    [
        ("Under revision", "12kb", "I", "Under revision (withdrawn)"),
        ("", "0kb", "", "(withdrawn)"),
        ("This paper has been withdrawn", "0kb", "I", "This paper has been withdrawn"),
        ("12 pages", "12kb", "D", "12 pages"),
    ],
)
def test_a_withdrawn_paper_says_so_even_if_its_authors_do_not(
    comment, size, source_type, seen, tmp_path: Path
):
    row = Row(paper(1, version=2, comment=comment), size=size, source_type=source_type)
    with serve_oai([row]) as arxiv:
        assert changed(arxiv, tmp_path) == (replace(row.paper, comment=seen),)


def test_progress_counts_the_papers_found(tmp_path: Path):
    steps: list[tuple[str, int, int]] = []
    with serve_oai([Row(paper(n)) for n in range(3)]) as arxiv:
        source = ArxivOai(f"{arxiv.root}/oai", web(tmp_path))
        source.harvest(ROBOTS, lambda *step: steps.append(step))
    assert steps == [("fetch", 1, 0), ("fetch", 2, 0), ("fetch", 3, 0)]


def test_a_question_without_a_window_is_a_mistake_of_ours(tmp_path: Path):
    with serve_oai([]) as arxiv, pytest.raises(ValueError, match="window"):
        ask(arxiv, tmp_path, Query(("cs.RO",)))
    assert arxiv.log == []
