from dataclasses import replace
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.edge.polite_web import WebError
from obsidian_digest.model import Paper
from tests.edge.arxiv_server import (
    EMPTY_BODY,
    HANG,
    Answer,
    cut_connection,
    cut_xml,
    error_feed,
    failed,
    render,
    serve,
    serve_papers,
    throttled,
    web_page,
    without_entries,
)
from tests.edge.asking import RECORDINGS, ROBOTS, FakeClock, ask, paper, quiet, web


@pytest.mark.parametrize(
    "fault",
    [
        throttled(),
        throttled(7),
        throttled(status=503),
        failed(500),
        failed(502),
        failed(504),
        failed(406),
        web_page(),
        web_page("Rate exceeded"),
        EMPTY_BODY,
        Answer(b"Rate exceeded."),
        cut_xml,
        cut_connection,
        without_entries,
    ],
)
@pytest.mark.parametrize("page", [0, 1])
def test_a_fault_that_passes_costs_time_and_not_one_paper(fault, page: int, tmp_path: Path):
    papers = [paper(n, minutes=n) for n in range(5)]
    with serve_papers(papers, [*[None] * page, fault, fault]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == tuple(papers)
    assert harvest.sources[0].outcome == "ok"
    assert len(arxiv.log) == 4


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        (
            throttled(),
            "throttled",
            "slow down (HTTP 429)\nNothing was lost; try again in 15 minutes",
        ),
        (throttled(20), "throttled", "slow down (HTTP 429)"),
        (throttled(20, status=503), "throttled", "slow down (HTTP 503)"),
        (Answer(b"Rate exceeded."), "throttled", "rate exceeded"),
        (failed(406), "throttled", "slow down (HTTP 406)"),
        (failed(503), "unreachable", "arXiv's server is in trouble (HTTP 503)"),
        (cut_connection, "unreachable", "Nothing was lost; check the network connection"),
        (web_page(), "corrupt", "it is a web page, not a list of papers"),
        (EMPTY_BODY, "corrupt", "it is empty"),
        (Answer(b"busy"), "corrupt", "it is not a list of papers"),
        (cut_xml, "corrupt", "it is cut off or damaged"),
        (without_entries, "corrupt", "an empty page, though it counts 1"),
        (replace(error_feed("no luck"), status=200), "corrupt", "no luck"),
    ],
)
def test_a_fault_that_stays_is_told_as_what_it_is(fault, outcome: str, words: str, tmp_path: Path):
    with (
        serve_papers([paper(1)], [fault] * 5) as arxiv,
        pytest.raises(WebError) as failure,
    ):
        ask(arxiv, tmp_path)
    assert words in str(failure.value)
    assert "Nothing was lost" in str(failure.value)
    assert failure.value.source_outcome == outcome
    assert (failure.value.exit_code, failure.value.outcome) == (4, "unreachable")
    assert len(arxiv.log) == (3 if outcome == "corrupt" else 5)


@pytest.mark.parametrize("status", [400, 401, 404, 414])
def test_a_question_that_arxiv_rejects_is_not_asked_again(status: int, tmp_path: Path):
    with serve([failed(status)]) as arxiv, pytest.raises(WebError) as failure:
        ask(arxiv, tmp_path)
    assert f"HTTP {status}" in str(failure.value)
    assert len(arxiv.log) == 1


def test_after_a_refusal_nothing_more_is_asked_and_the_reader_is_told_to_wait_a_day(tmp_path: Path):
    with serve([failed(403)]) as arxiv, pytest.raises(WebError, match="before tomorrow") as failure:
        ask(arxiv, tmp_path)
    assert failure.value.source_outcome == "throttled"
    assert len(arxiv.log) == 1


def test_a_server_that_never_answers_does_not_hang_the_run(tmp_path: Path):
    with serve_papers([paper(1)], [HANG]) as arxiv:
        harvest = ask(arxiv, tmp_path, timeout=(1.0, 0.05))
    assert len(harvest.papers) == 1


def test_without_a_network_the_reader_is_told_that_arxiv_could_not_be_reached(tmp_path: Path):
    with serve([]) as arxiv:
        address = arxiv.url
    with pytest.raises(WebError, match="could not be reached"):
        ArxivApi(address, web(tmp_path)).harvest(ROBOTS, quiet)


def test_an_address_that_is_none_is_told_at_once(tmp_path: Path):
    time_ = FakeClock()
    with pytest.raises(WebError, match="not an address"):
        ArxivApi("export.arxiv.org/api", web(tmp_path, time_)).harvest(ROBOTS, quiet)
    assert time_.naps == []


def test_a_redirect_is_followed(tmp_path: Path):
    with serve_papers([paper(1)]) as there:
        moved = Answer(status=301, headers=(("Location", f"{there.url}?search_query=cat:cs.RO"),))
        with serve([moved]) as here:
            assert len(ask(here, tmp_path).papers) == 1


def test_a_control_character_in_an_abstract_does_not_spoil_the_answer(tmp_path: Path):
    def spoil(answer: Answer) -> Answer:
        return replace(answer, body=answer.body.replace(b"We move", b"We \x0c\x1bmove"))

    papers = [paper(1), paper(2, minutes=1)]
    with serve_papers(papers, [spoil]) as arxiv:
        assert ask(arxiv, tmp_path).papers == tuple(papers)
    assert len(arxiv.log) == 1


def test_one_broken_entry_spoils_the_answer_instead_of_vanishing(tmp_path: Path):
    def without_date(answer: Answer) -> Answer:
        return replace(
            answer, body=answer.body.replace(b"<published>2026-08-18T18:00:00Z</published>", b"")
        )

    papers = [paper(1), paper(2, minutes=1)]
    with serve_papers(papers, [without_date]) as arxiv:
        assert ask(arxiv, tmp_path).papers == tuple(papers)
    assert len(arxiv.log) == 2
    with serve_papers(papers, [without_date] * 5) as arxiv, pytest.raises(WebError, match="1 of 2"):
        ask(arxiv, tmp_path)


def test_zero_papers_are_asked_for_once_more_and_then_called_empty_never_ok(tmp_path: Path):
    with serve_papers([]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == ()
    assert harvest.sources[0].outcome == "empty"
    assert "asked twice" in harvest.sources[0].detail
    assert len(arxiv.log) == 2


def test_a_false_zero_is_corrected_by_the_second_question(tmp_path: Path):
    def nothing(answer: Answer) -> Answer:
        body = without_entries(answer).body.replace(b"Results>1<", b"Results>0<")
        return replace(answer, body=body)

    with serve_papers([paper(1)], [nothing]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert [r.outcome for r in harvest.sources] == ["ok"]


def test_papers_that_arxiv_counts_but_does_not_list_stand_in_the_report(tmp_path: Path):
    def one_too_many(answer: Answer) -> Answer:
        return replace(answer, body=answer.body.replace(b"Results>3<", b"Results>4<"))

    papers = [paper(n, minutes=n) for n in range(3)]
    twice = [one_too_many, replace_last_page(papers[2])]
    with serve_papers(papers, [*twice, *twice]) as arxiv:
        harvest = ask(arxiv, tmp_path)
    assert harvest.papers == tuple(papers)
    assert harvest.sources[0].outcome == "truncated"
    assert harvest.sources[0].detail == "arXiv counted 4 papers and gave 3, asked twice"
    assert len(arxiv.log) == 4


def replace_last_page(repeated: Paper) -> Answer:
    """A second page that lists a paper of the first one again: the index moved in between."""
    entry = render(repeated).encode()
    feed = (RECORDINGS / "unknown-id.xml").read_bytes().replace(b"Results>0<", b"Results>4<")
    return Answer(feed.replace(b"</feed>", entry + b"</feed>"))
