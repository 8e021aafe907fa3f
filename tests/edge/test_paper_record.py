import gzip
import json
import lzma
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.edge.paper_file import PaperFile
from obsidian_digest.edge.paper_record import read_record
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
