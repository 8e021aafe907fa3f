import bz2
import gzip
import io
import lzma
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.edge.paper_file import PaperFiles
from obsidian_digest.edge.paper_record import read_record
from obsidian_digest.errors import InputError
from obsidian_digest.model import Query, Window
from tests.edge.saving import (
    ANY,
    FILES,
    PAPER,
    RECORD,
    files,
    harvest,
    lines,
    numbered,
    read,
    saved,
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "this is an empty file"),
        (b"\xef\xbb\xbf\n \n", "this is an empty file"),
        (gzip.compress(b"", mtime=0), "this is an empty file"),
        (b"%PDF-1.7 \xb5\xb5", "this is a binary file, not a file of papers"),
        (b"\x00\x01\x02", "this is a binary file, not a file of papers"),
        (b"PK\x03\x04\x00", "the compressed file is cut off or damaged"),
        (b"PK\x05\x06" + bytes(18), "this is a binary file, not a file of papers"),
        (b"BZh9 garbage", "the compressed file is cut off or damaged"),
        (bz2.compress(b"<rss>" * 500)[:-12], "the compressed file is cut off or damaged"),
        (b"# My notes\n\n- one", 'this is text that starts with "# My notes - one", not a file'),
        (b"<!DOCTYPE html><html><p>hi", "this is a web page, not a feed of papers"),
        (b"<html><body/></html>", "this is a web page, not a feed of papers"),
        (b"<opml/>", "this is XML of another kind (opml)"),
        (b'{"name": "obsidian"}\n', "line 1 has no id"),
        (b"[1]", "record 1 is not a record with named fields"),
        (lines(RECORD, {"id": "2608.1"}), 'line 2 has the id "2608.1", which is none of arXiv\'s'),
        (lines(RECORD, RECORD | {"title": None}), "line 2 has no title"),
        (lines({"id": "2608.19197", "title": "T"}), "line 1 has no abstract"),
        (lines(RECORD | {"abstract": ["a"]}), "line 1 holds something other than text as abstract"),
        (lines(RECORD | {"authors": "Ada"}), "something other than a list of texts as authors"),
        (lines(RECORD | {"version": 0}), "line 1 has the version 0, which is no number from 1"),
        (lines(RECORD | {"published": "20 Aug"}), 'line 1 has "20 Aug" as published'),
        (lines(RECORD) + b"\n{]\n" + lines(RECORD), "line 3 is not valid JSON"),
        (lines(RECORD, RECORD)[:-40], "line 2 is cut off: the file is not whole"),
        (b"[" + lines(RECORD)[:-40], "line 1: the JSON array is cut off or damaged"),
        (b"[" * 200_000, "the JSON array"),
        (lines(RECORD) + b'{"id": "\xff\xfe"}\n', "line 2 is not UTF-8 text"),
        (lines(RECORD).decode().encode("utf-16")[:-1], "line 1: the file breaks off here"),
        (gzip.compress(lines(*numbered(500)), mtime=0)[:-20], "the file breaks off here"),
        (lzma.compress(lines(*numbered(500)))[:-60], "the file breaks off here"),
        (gzip.compress(b"<rss>" * 500, mtime=0)[:-12], "the compressed file is cut off or damaged"),
        (b"\x1f\x8b garbage", "the compressed file is cut off or damaged"),
    ],
)
def test_what_is_no_whole_file_of_papers_is_refused_with_the_place_and_the_reason(
    content: bytes, words: str, tmp_path: Path
):
    path = saved(tmp_path, content)
    with pytest.raises(InputError) as refusal:
        read(path)
    assert words in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert "Nothing was written." in str(refusal.value)
    assert refusal.value.exit_code == 2


def test_a_refused_file_is_told_what_would_have_been_understood(tmp_path: Path):
    with pytest.raises(InputError, match=r"Kaggle snapshot.*RSS or Atom feeds.*BibTeX.*gzip, xz"):
        read(saved(tmp_path, b"notes"))


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path):
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="this is a folder"):
        read(tmp_path)


def test_a_file_that_may_not_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def forbidden(*_: object, **__: object):
        raise PermissionError(13, "Permission denied")

    path = saved(tmp_path, lines(RECORD))
    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        read(path)


def test_one_broken_file_among_good_ones_stops_everything(tmp_path: Path):
    good = saved(tmp_path, lines(RECORD), "good")
    with pytest.raises(InputError, match="broken"):
        harvest(good, saved(tmp_path, lines(RECORD)[:-9], "broken"))


def test_several_files_come_in_order_with_doubles_and_one_report_each(tmp_path: Path):
    one = saved(tmp_path, lines(RECORD), "one.jsonl")
    two = saved(tmp_path, lines(RECORD, RECORD | {"id": "2608.19198"}), "two.jsonl")
    found = harvest(one, two)
    assert [p.id for p in found.papers] == ["2608.19197", "2608.19197", "2608.19198"]
    assert [(r.detail, r.papers) for r in found.sources] == [("one.jsonl", 1), ("two.jsonl", 2)]


def test_categories_filter_a_file_only_when_asked(tmp_path: Path):
    path = saved(tmp_path, lines(RECORD))
    other, cross, home = Query(("cs.RO",)), Query(("cs.CL",)), Query(("cs.AI",), cross_lists=False)
    assert len(harvest(path, query=other).papers) == 1
    assert len(harvest(path, query=other, only_categories=True).papers) == 0
    assert len(harvest(path, query=cross, only_categories=True).papers) == 1
    assert len(harvest(path, query=home, only_categories=True).papers) == 1
    alone = Query(("cs.CL",), cross_lists=False)
    assert len(harvest(path, query=alone, only_categories=True).papers) == 0


def test_a_window_leaves_out_papers_known_to_lie_outside_it(tmp_path: Path):
    dates = ("2026-08-17T23:59:59Z", "2026-08-18T00:00:00Z", "2026-08-19T00:00:00Z", None)
    records = [
        RECORD | {"id": f"2608.1000{n}", "published": when, "published_est": None}
        for n, when in enumerate(dates)
    ]
    day = Window(datetime(2026, 8, 18, tzinfo=UTC), datetime(2026, 8, 19, tzinfo=UTC))
    found = harvest(saved(tmp_path, lines(*records)), query=Query((), window=day))
    assert [p.id for p in found.papers] == ["2608.10001", "2608.10003"]


def test_progress_is_told_while_reading_and_at_the_end(tmp_path: Path):
    seen: list[tuple[str, int, int]] = []
    path = saved(tmp_path, lines(*numbered(2500)))
    PaperFiles([path], read_feed, read_record).harvest(ANY, lambda *step: seen.append(step))
    assert seen == [("fetch", 1000, 0), ("fetch", 2000, 0), ("fetch", 2500, 2500)]


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_the_one_file_of_a_zip_archive_is_read_in_it(method: int, tmp_path: Path):
    members = {"snapshot/": b"", "__MACOSX/._x": b"x", "snapshot/arxiv.json": lines(RECORD)}
    assert read(saved(tmp_path, zipped(members, method), "archive.zip")) == (PAPER,)


def encrypted(archive: bytes) -> bytes:
    """The archive with the flag of encryption in both of its headers."""
    central = archive.index(b"PK\x01\x02")
    return archive[:6] + b"\x01" + archive[7 : central + 8] + b"\x01" + archive[central + 9 :]


@pytest.mark.parametrize(
    ("archive", "words"),
    [
        (zipped({"a": b"1", "b": b"2"}), "this zip archive holds 2 files instead of one"),
        (zipped({"a/": b"", ".x": b"1"}), "this zip archive holds 0 files instead of one"),
        (encrypted(zipped({"a": lines(RECORD)})), "a password protects this zip archive"),
        (zipped({"a": lines(*numbered(400))})[:-30], "the compressed file is cut off or damaged"),
    ],
)
def test_a_zip_archive_that_cannot_be_read_says_why(archive: bytes, words: str, tmp_path: Path):
    with pytest.raises(InputError, match=words) as refusal:
        read(saved(tmp_path, archive))
    assert "Nothing was written." in str(refusal.value)


def test_a_bit_that_flipped_in_a_zip_archive_is_found(tmp_path: Path):
    archive = bytearray(zipped({"a": lines(*numbered(400))}, zipfile.ZIP_STORED))
    archive[20_000] ^= 1
    with pytest.raises(InputError, match=r"breaks off here|not valid JSON|has the id|damaged"):
        read(saved(tmp_path, bytes(archive)))


def test_papers_come_one_by_one_over_all_files(tmp_path: Path):
    one = saved(tmp_path, lines(*numbered(3)), "one")
    papers = files(one, saved(tmp_path, lines(RECORD)[:-9], "broken")).papers()
    assert [next(papers).id for _ in range(3)] == ["2608.10000", "2608.10001", "2608.10002"]
    with pytest.raises(InputError, match="broken"):
        next(papers)


def test_text_that_is_too_long_to_be_read_as_a_whole_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("obsidian_digest.edge.paper_file.MOST_AT_ONCE", 2**20)
    path = saved(tmp_path, b"2608.19197\n" * 100_000)
    with pytest.raises(InputError, match=r'text that starts with "2608.*larger than 1 MB'):
        read(path)


def test_ids_without_papers_are_given_back_to_be_looked_up(tmp_path: Path):
    ids = saved(tmp_path, b"2608.19197v2\n2608.00001\n", "ids.txt")
    bib = saved(tmp_path, b"@misc{a, eprint={2608.00001}}\n@misc{b, eprint={2608.2}}", "a.bib")
    records = saved(tmp_path, lines(RECORD), "r.jsonl")
    named = files(records, ids, bib, FILES / "rss.xml")
    assert named.ids() == ("2608.19197v2", "2608.00001")
    reports = named.harvest(ANY, lambda *_: None).sources
    assert [(r.outcome, r.papers) for r in reports] == [
        ("ok", 1),
        ("skipped", 0),
        ("skipped", 0),
        ("ok", 6),
    ]
    assert reports[1].detail == "ids.txt: papers named without title and abstract: 2"
    assert reports[2].detail == (
        "a.bib: entries that are no papers of arXiv's left out: 1, "
        "papers named without title and abstract: 1"
    )
