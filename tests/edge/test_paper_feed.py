import json
import re
from datetime import date, datetime
from pathlib import Path

import pytest

from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.errors import InputError
from tests.edge.saving import (
    FILES,
    RECORDINGS,
    harvest,
    read,
    saved,
)


def test_a_feed_gives_new_and_cross_listed_papers_and_counts_the_replacements():
    found = harvest(FILES / "rss.xml")
    assert [p.id for p in found.papers] == [
        "2608.18677",
        "2608.18092",
        "2608.18081",
        "2608.18813",
        "2608.19174",
        "2608.18095",
    ]
    first = found.papers[0]
    assert first.announced == date(2026, 8, 20)
    assert first.published is None
    assert first.authors == ("Zhaoxi Wei", "Hongye Yang", "Shuyuan Tian")
    assert (first.version, first.primary, first.categories) == (1, "cs.AI", ("cs.AI", "cs.CY"))
    assert not first.abstract.startswith(("arXiv:", "Abstract"))
    report = found.sources[0]
    assert (report.outcome, report.papers) == ("ok", 6)
    assert report.detail == "rss.xml: replacements left out: 3"


def test_the_atom_form_of_a_feed_gives_the_same_papers():
    rss = {paper.id: paper for paper in read(FILES / "rss.xml")}
    atom = read(FILES / "atom.xml")
    assert len(atom) == 2
    assert all(paper == rss[paper.id] for paper in atom)


def test_a_feed_of_a_weekend_is_empty_and_no_error():
    found = harvest(FILES / "rss-weekend.xml")
    assert found.papers == ()
    assert [(r.outcome, r.papers) for r in found.sources] == [("empty", 0)]


def test_affiliations_are_taken_out_of_a_feeds_author_text(tmp_path: Path):
    creator = (
        "G. Ghirlanda (1), L. Nava (1,2), G. Ghisellini, Jr (1) ((1) Osserv. Astr. di Brera, "
        "(2) Univ. degli Studi dell'Insubria, Como)"
    )
    xml = (FILES / "rss.xml").read_text("utf-8")
    xml = xml.replace("Zhaoxi Wei, Hongye Yang, Shuyuan Tian", creator)
    xml = xml.replace("Marco B. Caminati", "Marco B. Caminati (Lancaster University, Leipzig)")
    papers = read(saved(tmp_path, xml.encode()))
    assert papers[0].authors[:2] == ("G. Ghirlanda", "L. Nava")
    assert papers[0].affiliations == (
        "Osserv. Astr. di Brera",
        "Univ. degli Studi dell'Insubria, Como",
    )
    assert papers[3].authors == ("Marco B. Caminati",)
    assert papers[3].affiliations == ("Lancaster University, Leipzig",)


@pytest.mark.parametrize("name", ["page", "affiliations", "old-id"])
def test_a_saved_answer_of_the_search_api_gives_exactly_its_papers(name: str):
    rows = map(json.loads, (RECORDINGS / "api" / "expected.jsonl").read_text("utf-8").splitlines())
    expected = [row for row in rows if row.pop("file") == f"{name}.xml"]
    found = read(RECORDINGS / "api" / f"{name}.xml")
    assert len(found) == len(expected) > 0
    for paper, row in zip(found, expected, strict=True):
        for field, value in row.items():
            seen = getattr(paper, field)
            if isinstance(seen, datetime):
                seen = seen.strftime("%Y-%m-%dT%H:%M:%SZ")
            assert (list(seen) if isinstance(seen, tuple) else seen) == value


def test_a_saved_answer_without_hits_is_empty():
    assert harvest(RECORDINGS / "api" / "unknown-id.xml").sources[0].outcome == "empty"


def test_a_feed_that_breaks_off_is_refused_at_its_line(tmp_path: Path):
    xml = (FILES / "rss.xml").read_bytes()
    whole = xml[: xml.index(b"</item>") + 7]
    with pytest.raises(InputError, match=r"line \d+: the XML is cut off or damaged"):
        read(saved(tmp_path, whole))


def test_a_feed_of_other_things_is_refused_at_the_first_item(tmp_path: Path):
    xml = (FILES / "rss.xml").read_bytes().replace(b"oai:arXiv.org:2608.18092v1", b"post-17")
    with pytest.raises(InputError, match='paper 2 is called "post-17"'):
        read(saved(tmp_path, xml))


def test_a_saved_error_of_arxiv_is_no_paper():
    with pytest.raises(InputError, match="an error that arXiv sent: incorrect id format for abc"):
        read(RECORDINGS / "api" / "malformed-id.xml")


def test_a_control_character_in_an_abstract_does_not_spoil_the_feed(tmp_path: Path):
    xml = (FILES / "rss.xml").read_bytes()
    spoilt = xml.replace(b"Abstract: ", b"Abstract: \x0c\x00\x1b\r\n\t")
    assert spoilt != xml
    assert read(saved(tmp_path, spoilt)) == read(FILES / "rss.xml")


def test_a_feed_saved_as_utf_16_gives_the_same_papers(tmp_path: Path):
    xml = re.sub("utf-8", "UTF-16", (FILES / "rss.xml").read_text("utf-8"), flags=re.IGNORECASE)
    assert read(saved(tmp_path, xml.encode("utf-16"))) == read(FILES / "rss.xml")


@pytest.mark.parametrize("name", ["rss.xml", "atom.xml"])
def test_a_feeds_replacements_are_told_with_their_kind_and_without_a_day(name: str):
    xml = (FILES / name).read_bytes()
    news, replaced = read_feed(xml)
    found, count = read_feed(xml, replacements=True)
    assert tuple(paper for paper, kind in found if kind in {"new", "cross"}) == news
    others = [paper for paper, kind in found if kind in {"replace", "replace-cross"}]
    assert len(others) == replaced == count == len(found) - len(news)
    assert [paper.announced for paper in others] == [None] * replaced
    assert all(paper.announced for paper in news)


def test_a_kind_is_the_feeds_own_word_from_its_element_or_else_from_its_head():
    xml = (FILES / "rss.xml").read_text("utf-8")
    told = [kind for _, kind in read_feed(xml.encode(), replacements=True)[0]]
    assert set(told) == {"new", "cross", "replace", "replace-cross"}
    bare = re.sub(r"\s*<arxiv:announce_type>.*?</arxiv:announce_type>", "", xml)
    assert [kind for _, kind in read_feed(bare.encode(), replacements=True)[0]] == told
    tail = bare.replace("Announce Type: new", "").replace(
        "Abstract: ", "Abstract: Announce Type: x "
    )
    assert "" in [kind for _, kind in read_feed(tail.encode(), replacements=True)[0]]
    strange = xml.replace(">cross<", ">no_match<")
    assert "no_match" in [kind for _, kind in read_feed(strange.encode(), replacements=True)[0]]


def test_a_searchs_answer_has_papers_of_no_kind():
    found, replaced = read_feed((RECORDINGS / "api" / "page.xml").read_bytes(), replacements=True)
    assert ({kind for _, kind in found}, replaced) == ({""}, 0)


def test_entities_in_a_hostile_feed_are_not_expanded(tmp_path: Path):
    (tmp_path / "secret").write_text("top secret")
    xml = (
        f'<!DOCTYPE rss [<!ENTITY s SYSTEM "file://{tmp_path}/secret">]>'
        "<rss><channel><item><title>T &s;</title><guid>oai:arXiv.org:2608.00001v1</guid>"
        "<description>Abstract: A</description></item></channel></rss>"
    )
    (paper,) = read(saved(tmp_path, xml.encode()))
    assert "secret" not in paper.title


@pytest.mark.parametrize("name", ["2613.00001", "evil/9999999", "2608.٠٠٠٠١"])
def test_a_feed_with_an_id_that_arxiv_cannot_have_given_is_refused(name: str, tmp_path: Path):
    xml = (FILES / "rss.xml").read_text("utf-8").replace("2608.18092v1", f"{name}v1")
    with pytest.raises(InputError, match=rf'line \d+: paper 2 is called "oai:arXiv.org:{name}v1"'):
        read(saved(tmp_path, xml.encode()))


def test_a_feed_with_a_date_that_no_calendar_holds_in_utc_is_refused(tmp_path: Path):
    xml = (RECORDINGS / "api" / "page.xml").read_text("utf-8")
    xml = re.sub(r"(?<=<published>)[^<]+", "9999-12-31T23:59:59-12:00", xml)
    with pytest.raises(InputError, match='paper 1 has "9999-12-31T23:59:59-12:00" as a date'):
        read(saved(tmp_path, xml.encode()))
