import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from obsidian_digest.errors import InputError
from tests.edge.saving import RECORDINGS, files, harvest, read, saved

OAI = RECORDINGS / "oai"


def test_saved_records_of_all_versions_give_exactly_their_papers():
    rows = map(json.loads, (OAI / "expected.jsonl").read_text("utf-8").splitlines())
    found = harvest(OAI / "raw.xml")
    for paper, row in zip(found.papers, rows, strict=True):
        for field, value in row.items():
            seen = getattr(paper, field)
            if isinstance(seen, datetime):
                seen = seen.strftime("%Y-%m-%dT%H:%M:%SZ")
            assert (list(seen) if isinstance(seen, tuple) else seen) == value, paper.id
    places = {paper.id: paper.affiliations for paper in found.papers if paper.affiliations}
    assert places == {"1011.4518": ("Ohio State",), "1102.0470": ("IML",)}
    assert found.sources[0].detail == "raw.xml: one page of several"


def test_the_split_format_tells_the_newest_versions_day_and_not_the_first():
    raw = {paper.id: paper for paper in read(OAI / "raw.xml")}
    split = read(OAI / "arxiv.xml")
    assert len(split) == 3
    for paper in split:
        full = raw[paper.id]
        assert paper.authors == full.authors
        assert paper.categories == full.categories
        assert (paper.doi, paper.journal_ref) == (full.doi, full.journal_ref)
        assert paper.published is None
        assert paper.updated is not None
        assert full.updated is not None
        assert paper.updated.date() == full.updated.date()


def test_dublin_core_gives_names_days_and_categories_out_of_its_mixed_fields():
    raw = {paper.id: paper for paper in read(OAI / "raw.xml")}
    plain = read(OAI / "dublin-core.xml")
    assert len(plain) == 3
    for paper in plain:
        full = raw[paper.id]
        assert (paper.title, paper.abstract) == (full.title, full.abstract)
        assert (paper.authors, paper.comment) == (full.authors, full.comment)
        assert (paper.doi, paper.journal_ref) == (full.doi, full.journal_ref)
        assert paper.categories == full.categories
        assert full.published is not None
        assert paper.published is not None
        assert paper.published.date() == full.published.date()


def test_answers_of_the_old_server_are_read_as_well():
    (page,) = read(OAI / "old-server.xml")
    assert (page.id, page.authors) == ("1009.1022", ("Robert Ralowski", "Szymon Zeberski"))
    assert page.comment == "7 pages"
    assert page.published == datetime(2010, 9, 6, tzinfo=UTC)
    (bare,) = read(OAI / "old-record.xml")
    assert (bare.id, bare.doi) == ("math/0306266", "10.1017/S0963548305006826")
    assert bare.journal_ref.startswith("Combinatorics, Probability")


def test_the_old_servers_split_format_told_the_first_versions_day(tmp_path: Path):
    xml = (OAI / "arxiv.xml").read_bytes()
    old = xml.replace(b"http://oaipmh.arxiv.org/oai<", b"http://export.arxiv.org/oai2<")
    paper = read(saved(tmp_path, old))[0]
    assert paper.published == datetime(2009, 6, 19, tzinfo=UTC)
    assert paper.updated == datetime(2009, 10, 14, tzinfo=UTC)


def test_suffixes_affiliations_and_collaborations_survive_the_split_format(tmp_path: Path):
    people = (
        b"<author><keyname>Team</keyname><forenames>The X</forenames></author>"
        b"<author><keyname>:</keyname></author>"
        b"<author><keyname>Bee</keyname><forenames>A. M.</forenames><suffix>II</suffix>"
        b"<affiliation>CREST, Japan</affiliation></author>"
    )
    xml = (OAI / "arxiv.xml").read_bytes().replace(b"<authors>", b"<authors>" + people, 1)
    paper = read(saved(tmp_path, xml))[0]
    assert paper.authors[:2] == ("The X Team", "A. M. Bee II")
    assert paper.affiliations == ("CREST, Japan",)


def test_headers_without_records_name_papers_to_be_looked_up():
    found = harvest(OAI / "identifiers.xml")
    assert found.papers == ()
    assert found.sources[0].outcome == "skipped"
    names = files(OAI / "identifiers.xml").ids()
    assert names == ("0906.3336", "0901.3666", "cond-mat/0703772")


def test_a_saved_answer_that_found_nothing_is_empty_and_any_other_error_is_told():
    assert harvest(OAI / "error-noRecordsMatch.xml").sources[0].outcome == "empty"
    with pytest.raises(InputError, match=r"line 7: an error that arXiv sent \(badResumptionToken"):
        read(OAI / "error-badResumptionToken.xml")


def test_a_record_without_metadata_in_a_file_is_left_out_and_counted(tmp_path: Path):
    xml = (OAI / "old-server.xml").read_bytes()
    bare = b"<record><header><identifier>oai:arXiv.org:2608.00001</identifier>"
    bare += b"<datestamp>2026-08-20</datestamp></header></record></ListRecords>"
    found = harvest(saved(tmp_path, xml.replace(b"</ListRecords>", bare)))
    assert found.sources[0].papers == 1
    assert found.sources[0].detail == "papers.txt: records without metadata left out: 1"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"</ListRecords>", b"", r"line \d+: the XML is cut off or damaged"),
        (b"<id>1011.4518</id>", b"<id>x</id>", r'line \d+: the record "oai:arXiv.org:1011.4518" '),
        (b"<title>", b"<titel>", "cut off or damaged"),
    ],
)
def test_a_saved_answer_that_is_not_whole_is_refused_at_its_place(old, new, words, tmp_path: Path):
    xml = (OAI / "raw.xml").read_bytes()
    assert old in xml
    with pytest.raises(InputError, match=words):
        read(saved(tmp_path, xml.replace(old, new)))
