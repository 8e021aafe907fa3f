import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_oai import ArxivOai, OaiError
from obsidian_digest.edge.polite_web import WebError
from obsidian_digest.errors import SourceError
from tests.edge.arxiv_server import (
    EMPTY_BODY,
    HANG,
    Answer,
    cut_connection,
    cut_xml,
    failed,
    serve,
    throttled,
    web_page,
)
from tests.edge.asking import ROBOTS, FakeClock, paper, quiet, web
from tests.edge.oai_server import EXPIRED, NOTHING, TODAY, Row, answer, error, serve_oai
from tests.edge.test_arxiv_oai import YESTERDAY, ask, changed

PAPERS = [paper(n, minutes=n) for n in range(5)]
ROWS = [Row(p, TODAY - timedelta(days=d)) for p, d in zip(PAPERS, (2, 1, 1, 1, 0), strict=True)]


@pytest.mark.parametrize(
    "fault",
    [
        throttled(),
        throttled(7, status=503),
        failed(500),
        failed(406),
        web_page(),
        web_page("Rate exceeded"),
        EMPTY_BODY,
        cut_xml,
        cut_connection,
        Answer(b"<OAI-PMH/>"),
        Answer(b"<feed/>"),
        Answer(b"<OAI-PMH><ListRecords></ListRecords></OAI-PMH>"),
    ],
)
@pytest.mark.parametrize("page", [0, 2])
def test_a_fault_that_passes_costs_time_and_not_one_paper(fault, page: int, tmp_path: Path):
    with serve_oai(ROWS, [*[None] * page, fault, fault], page=2) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == tuple(PAPERS)
    assert len(arxiv.log) == 5


def test_a_server_that_never_answers_does_not_hang_the_run(tmp_path: Path):
    with serve_oai(ROWS, [None, HANG]) as arxiv:
        assert len(ask(arxiv, tmp_path, timeout=(1.0, 0.05)).papers) == 5


def test_the_pause_that_a_busy_server_asks_for_is_kept(tmp_path: Path):
    time_ = FakeClock()
    with serve_oai(ROWS, [throttled(41, status=503)]) as arxiv:
        ArxivOai(f"{arxiv.root}/oai", web(tmp_path, time_)).harvest(ROBOTS, quiet)
    assert max(time_.naps) == 41


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        (throttled(), "throttled", "slow down (HTTP 429)"),
        (throttled(9, status=503), "throttled", "slow down (HTTP 503)"),
        (failed(503), "unreachable", "arXiv's server is in trouble"),
        (web_page(), "corrupt", "it is a web page, not a list of records"),
        (EMPTY_BODY, "corrupt", "it is empty"),
        (cut_xml, "corrupt", "the XML is cut off or damaged"),
        (Answer(b"<feed/>"), "corrupt", "it is no answer of OAI-PMH"),
        (Answer(b"<OAI-PMH><ListRecords/></OAI-PMH>"), "corrupt", "neither records nor a reason"),
    ],
)
def test_a_fault_that_stays_is_told_as_what_it_is(fault, outcome, words, tmp_path: Path):
    with serve_oai(ROWS, [None, *[fault] * 5], page=2) as arxiv, pytest.raises(WebError) as failure:
        ask(arxiv, tmp_path)
    assert words in str(failure.value)
    assert "Nothing was lost" in str(failure.value)
    assert (failure.value.source, failure.value.source_outcome) == ("oai", outcome)
    assert failure.value.exit_code == 4


def test_after_a_refusal_nothing_more_is_asked(tmp_path: Path):
    with serve([failed(403)]) as arxiv, pytest.raises(WebError, match="before tomorrow") as failure:
        ask(arxiv, tmp_path)
    assert failure.value.source == "oai"
    assert len(arxiv.log) == 1


@pytest.mark.parametrize("broken", [EXPIRED, NOTHING])
@pytest.mark.parametrize("page", [1, 3])
def test_after_an_expired_token_the_list_goes_on_from_the_last_day_seen(
    broken: Answer, page: int, tmp_path: Path
):
    with serve_oai(ROWS, [*[None] * page, broken], page=1) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == tuple(PAPERS)
    again = arxiv.log[page + 1].query
    assert again["from"] == str(ROWS[page - 1].changed)
    assert again["set"] == "cs:cs:RO"


def test_tokens_may_expire_as_often_as_the_list_gets_on(tmp_path: Path):
    faults = [None, EXPIRED, None, None, EXPIRED, None, None, None, EXPIRED]
    with serve_oai(ROWS, faults, page=2) as arxiv:
        assert ask(arxiv, tmp_path).papers == tuple(PAPERS)


def test_tokens_that_expire_at_once_end_the_run_and_not_in_a_circle(tmp_path: Path):
    faults = [None, EXPIRED] * 9
    rows = [Row(p) for p in PAPERS]
    with serve_oai(rows, faults, page=2) as arxiv, pytest.raises(OaiError) as failure:
        ask(arxiv, tmp_path)
    assert f"does not get past {TODAY}\nNothing was lost" in str(failure.value)
    assert (failure.value.source, failure.value.source_outcome) == ("oai", "corrupt")
    assert len(arxiv.log) == 4


def test_a_list_that_vanishes_after_its_token_expired_is_no_answer(tmp_path: Path):
    faults = [None, EXPIRED, NOTHING, NOTHING]
    with serve_oai(ROWS, faults, page=2) as arxiv, pytest.raises(OaiError, match="get past"):
        ask(arxiv, tmp_path)
    assert len(arxiv.log) == 4


def test_a_token_that_leads_back_to_itself_ends_the_run(tmp_path: Path):
    rows = [Row(p) for p in PAPERS]
    first = answer(rows, {"verb": "ListRecords", "metadataPrefix": "arXivRaw"}, 2)
    with serve([first] * 9) as arxiv, pytest.raises(OaiError, match="does not get past"):
        ask(arxiv, tmp_path)
    assert len(arxiv.log) == 2


def test_nothing_is_asked_for_once_more_under_an_address_that_no_cache_knows(tmp_path: Path):
    with serve_oai(ROWS, [NOTHING]) as arxiv:
        found = changed(arxiv, tmp_path, YESTERDAY)
    assert found == tuple(PAPERS[1:])
    assert [asked.query.get("from") for asked in arxiv.log[:2]] == ["2026-08-19", "2026-08-18"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("badArgument", "Set does not exist"),
        ("cannotDisseminateFormat", "Did not recognize requested format"),
        ("badVerb", "Invalid verb provided"),
        ("idDoesNotExist", "unknown"),
        ("noSetHierarchy", "no sets"),
    ],
)
def test_an_error_inside_an_answer_is_told_in_arxivs_words_and_not_asked_again(
    code: str, words: str, tmp_path: Path
):
    with serve([error(code, words)]) as arxiv, pytest.raises(OaiError) as failure:
        ask(arxiv, tmp_path)
    assert f"arXiv did not accept the request ({code}: {words})" in str(failure.value)
    assert failure.value.exit_code == 4
    assert len(arxiv.log) == 1


def test_a_category_that_arxiv_does_not_know_is_told(tmp_path: Path):
    query = replace(ROBOTS, categories=("cs:RO",))
    with serve_oai(ROWS) as arxiv, pytest.raises(SourceError) as failure:
        ask(arxiv, tmp_path, query)
    assert "Set does not exist" in str(failure.value)
    assert "check the categories" in str(failure.value)


def test_a_record_without_metadata_makes_the_page_unusable(tmp_path: Path):
    rows = [*ROWS, Row(paper(9), metadata=False)]
    with serve_oai(rows, page=100) as arxiv, pytest.raises(WebError) as failure:
        ask(arxiv, tmp_path)
    assert "the record of 2608.17009 has no metadata" in str(failure.value)
    assert len(arxiv.log) == 3


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b"2608.17000</id>", b"post-17</id>", 'has the id "post-17", which is none of arXiv\'s'),
        (b"<title>.*</title>", b"<title> </title>", "has no title"),
        (b'version="v1"', b'version="v0"', 'has the version "0"'),
        (b"<datestamp>2026", b"<datestamp>never", "as datestamp, which is no date"),
        (b"<date>.*?</date>", b"<date>soon</date>", 'has "soon" as a version\'s date'),
        (b"arXivRaw", b"marcXml", "is in a format that is not understood (marcXml)"),
    ],
)
def test_one_record_that_cannot_be_read_makes_the_page_unusable(
    before, after, words, tmp_path: Path
):
    def spoil(honest: Answer) -> Answer:
        spoilt, count = re.subn(before, after, honest.body)
        assert count
        return replace(honest, body=spoilt)

    with serve_oai(ROWS[:1], [spoil] * 5) as arxiv, pytest.raises(WebError) as failure:
        ask(arxiv, tmp_path)
    assert words in str(failure.value)
    assert 'the record "oai:arXiv.org:2608.17000"' in str(failure.value)


def test_a_control_character_in_an_abstract_does_not_spoil_the_page(tmp_path: Path):
    def spoil(honest: Answer) -> Answer:
        return replace(honest, body=honest.body.replace(b"We move", b"We \x0c\x1bmove"))

    with serve_oai(ROWS, [spoil], page=100) as arxiv:
        assert ask(arxiv, tmp_path).papers == tuple(PAPERS)
    assert len(arxiv.log) == 1


def test_entities_in_a_hostile_answer_are_not_expanded(tmp_path: Path):
    (tmp_path / "secret").write_text("top secret")
    entity = f'<!DOCTYPE OAI-PMH [<!ENTITY s SYSTEM "file://{tmp_path}/secret">]>\n<OAI-PMH'

    def spoil(honest: Answer) -> Answer:
        body = honest.body.replace(b"<OAI-PMH", entity.encode(), 1)
        return replace(honest, body=body.replace(b"We move", b"We &s; move"))

    with serve_oai(ROWS[:1], [spoil]) as arxiv:
        (found,) = ask(arxiv, tmp_path).papers
    assert "secret" not in found.abstract
