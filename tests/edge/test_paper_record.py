import gzip
import json
import lzma
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.edge.paper_file import PaperFile
from obsidian_digest.edge.paper_record import read_record
from obsidian_digest.errors import InputError
from obsidian_digest.model import Paper
from tests.edge.saving import (
    FILES,
    PAPER,
    RECORD,
    RECORDINGS,
    harvest,
    lines,
    read,
    saved,
)


def test_a_record_gives_its_paper_with_white_space_collapsed_and_latex_kept(tmp_path: Path):
    assert read(saved(tmp_path, lines(RECORD))) == (PAPER,)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.rstrip(b"\n"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: b"\n \n" + text + b"\n\n",
        lambda text: text.decode().encode("utf-16"),
        lambda text: b"[" + text + b"]",
        lambda text: b"\xef\xbb\xbf\n[\n" + text + b"]\n",
        gzip.compress,
        lzma.compress,
        lambda text: gzip.compress(b"\xef\xbb\xbf" + text),
    ],
)
def test_a_file_is_known_by_its_content_however_it_is_wrapped_and_named(wrap, tmp_path: Path):
    assert read(saved(tmp_path, wrap(lines(RECORD)), "export.pdf")) == (PAPER,)


def test_an_empty_array_is_a_file_without_papers(tmp_path: Path):
    report = harvest(saved(tmp_path, b"[]", "none.json")).sources[0]
    assert (report.name, report.outcome, report.papers, report.detail) == (
        "file",
        "empty",
        0,
        "none.json",
    )


def test_a_record_needs_no_more_than_id_title_and_abstract(tmp_path: Path):
    (paper,) = read(saved(tmp_path, lines({"id": "0704.0010", "title": "T", "abstract": None})))
    assert paper == Paper("0704.0010", "T", "", (), (), "")


@pytest.mark.parametrize(
    ("written", "bare", "version"),
    [
        ("2608.19197v3", "2608.19197", 3),
        ("0704.0010", "0704.0010", 1),
        ("quant-ph/0201082v2", "quant-ph/0201082", 2),
        ("math.CO/0611800", "math/0611800", 1),
    ],
)
def test_an_id_is_stored_bare_and_tells_the_version(
    written: str, bare: str, version: int, tmp_path: Path
):
    (paper,) = read(saved(tmp_path, lines(RECORD | {"id": written})))
    assert (paper.id, paper.version) == (bare, version)


@pytest.mark.parametrize(
    "written",
    ["2613.00001", "2608.00000", "1501.0001", "0703.0001", "evil/9999999", "hep-th/9113001",
     "hep-th/9901000", "２６０８.１２３４５", "٢٦٠٨.١٢٣٤٥", "2608.19197v٢", "2608.19197v0"],
)  # fmt: skip
def test_an_id_that_arxiv_cannot_have_given_is_refused_with_its_line(written: str, tmp_path: Path):
    path = saved(tmp_path, lines(RECORD, RECORD | {"id": written}))
    with pytest.raises(InputError, match=f'line 2 has the id "{written}", which is none of arXiv'):
        read(path)


SNAPSHOT = {
    "id": "2608.00001",
    "title": "T",
    "abstract": "A",
    "categories": "cs.AI",
    "authors_parsed": [["Bee", "Ada", ""]],
    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"authors_parsed": 5}, "other than a list of lists as authors_parsed"),
        ({"authors_parsed": [None]}, "other than a list of lists as authors_parsed"),
        ({"authors_parsed": ["Ada", "Bee"]}, "other than a list of lists as authors_parsed"),
        ({"authors_parsed": [["Bee", None]]}, "something other than texts as authors_parsed"),
        ({"versions": 5}, "other than a list of records as versions"),
        ({"versions": "v1"}, "other than a list of records as versions"),
        ({"versions": [{}]}, 'has "" as a version'),
        (
            {"versions": [{"version": "v1", "created": "Mon, 31 Dec 9999 23:59:59 -1200"}]},
            'has "Mon, 31 Dec 9999 23:59:59 -1200" as a version',
        ),
        ({"versions": SNAPSHOT["versions"] + [{"created": ""}]}, 'has "" as a version'),
    ],
)
def test_a_line_of_the_snapshot_that_holds_other_things_is_refused(change, words, tmp_path: Path):
    with pytest.raises(InputError, match=f"line 1 .*{words}"):
        read(saved(tmp_path, lines(SNAPSHOT | change)))


def test_a_line_of_the_snapshot_without_authors_and_versions_is_a_paper(tmp_path: Path):
    (paper,) = read(saved(tmp_path, lines(SNAPSHOT | {"authors_parsed": None, "versions": None})))
    assert (paper.authors, paper.version, paper.published) == ((), 1, None)


def test_half_characters_in_names_of_the_snapshot_are_replaced(tmp_path: Path):
    (paper,) = read(saved(tmp_path, lines(SNAPSHOT | {"authors_parsed": [["B\ud800", "A", ""]]})))
    assert paper.authors == ("A B?",)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows cannot change its zone")
def test_a_date_without_a_zone_is_utc_wherever_the_machine_is(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    bare = {"versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42"}]}
    try:
        (paper,) = read(saved(tmp_path, lines(SNAPSHOT | bare)))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert paper.published == datetime(2007, 4, 2, 19, 18, 42, tzinfo=UTC)


@pytest.mark.parametrize("key", ["published", "updated", "announced"])
@pytest.mark.parametrize("day", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_an_instant_that_no_calendar_holds_in_utc_is_no_date(key, day, tmp_path: Path):
    with pytest.raises(InputError, match=f"as {key}, which is no date"):
        read(saved(tmp_path, lines(RECORD | {key: day})))


@pytest.mark.parametrize("version", ["9" * 5000, "٣", True, 1.5, [1], -1])
def test_a_version_that_is_no_number_is_refused(version, tmp_path: Path):
    with pytest.raises(InputError, match="which is no number from 1"):
        read(saved(tmp_path, lines(RECORD | {"version": version})))


def test_a_date_followed_by_a_bare_z_is_read(tmp_path: Path):
    (paper,) = read(saved(tmp_path, lines(RECORD | {"published": "2023-04-06Z"})))
    assert paper.published == datetime(2023, 4, 6, tzinfo=UTC)


def test_half_characters_are_replaced_so_that_a_note_can_be_written(tmp_path: Path):
    broken = json.dumps(RECORD).replace("We show", "We \\ud835 show").encode()
    (paper,) = read(saved(tmp_path, broken))
    assert paper.abstract == "We ? show that."


def test_the_recorded_papers_of_the_tests_are_such_a_file():
    papers = read(RECORDINGS / "papers" / "two-mailings.jsonl.xz")
    assert len(papers) > 100
    assert all(p.title and p.abstract and p.announced for p in papers)


def test_a_line_of_the_snapshot_gives_names_versions_dates_and_affiliations():
    papers = read(FILES / "kaggle.jsonl")
    assert [(p.id, p.version) for p in papers] == [
        ("hep-th/9901001", 3),
        ("0704.0922", 3),
        ("0704.0001", 2),
    ]
    old, affiliated, last = papers
    assert old.authors == ("Yosuke Imamura",)
    assert (old.journal_ref, old.doi) == (
        "Prog.Theor.Phys.101:1155-1164,1999",
        "10.1143/PTP.101.1155",
    )
    assert affiliated.affiliations == ("LPPA, College de France",)
    assert last.authors == ("C. Balázs", "E. L. Berger", "P. M. Nadolsky", "C. -P. Yuan")
    assert (last.categories, last.primary) == (("hep-ph",), "hep-ph")
    assert last.published == datetime(2007, 4, 2, 19, 18, 42, tzinfo=UTC)
    assert last.updated == datetime(2007, 7, 24, 20, 10, 27, tzinfo=UTC)
    assert last.title.endswith("at Tevatron and LHC energies")
    assert last.abstract.startswith("A fully differential calculation")


def test_a_snapshot_is_read_line_by_line_in_constant_memory(tmp_path: Path):
    line = (FILES / "kaggle.jsonl").read_bytes().splitlines(keepends=True)[0]
    path = tmp_path / "snapshot.json"
    with path.open("wb") as file:
        file.writelines([line] * 4_000)
    tracemalloc.start()
    try:
        count = sum(1 for _ in PaperFile(path, read_feed, read_record))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 4_000
    assert peak < 500_000 < path.stat().st_size / 5
