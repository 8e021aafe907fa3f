"""`import` over a span of days, against a loopback arXiv that answers real searches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.edge.arxiv_server import failed, serve_papers
from tests.edge.saving import read
from tests.vaults import Ran, call, contents, mailing, new_vault, notes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from obsidian_digest.model import Paper

SPAN = ("--from", "2026-08-18", "--to", "2026-08-19")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Paper]:
    """Submitted on 18 and 19 August 2026, some of them after what was announced last."""
    file = mailing(tmp_path_factory.mktemp("days"), "2026-08-20")
    return [paper for paper in read(file) if paper.published][::6]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0.001")
    return new_vault(tmp_path, encoder="words")


def span(
    vault: Path,
    papers: Sequence[Paper],
    monkeypatch: pytest.MonkeyPatch,
    faults: Sequence = (),
    *words: str,
) -> tuple[Ran, list[str]]:
    """The import of two days, each with its five best; the days that arXiv was asked for."""
    with serve_papers(papers, faults) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        limits = ("--top", "5", "--min-stars", "0")
        ran = call(vault, "import", *(words or SPAN), *limits, "--json")
    asked = [re.search(r"\[(\d{8})", each.query["search_query"]) for each in arxiv.log]
    return ran, [found[1] for found in asked if found]


def test_each_day_of_a_span_is_asked_for_and_its_best_papers_get_notes(vault, papers, monkeypatch):
    ran, asked = span(vault, papers, monkeypatch)
    answer = ran.json
    assert (answer["exit"], answer["outcome"]) == (0, "imported")
    assert asked == ["20260818", "20260819"]
    # What was submitted later is announced tomorrow.
    assert answer["window"] == {"from": "2026-08-18T00:00:00Z", "to": "2026-08-19T18:00:00Z"}
    submitted = {paper.id: paper.published.day for paper in papers if paper.published}
    days = [submitted[row["id"]] for row in answer["papers"]]
    assert days == [18] * 5 + [19] * 5
    assert not (vault / "arXiv" / "Digests").exists()
    assert len([name for name in notes(vault) if name.startswith("arXiv/Papers/")]) == 10


def test_a_span_that_broke_off_goes_on_there_to_the_same_bytes(
    vault, papers, monkeypatch, tmp_path
):
    ran, _ = span(vault, papers, monkeypatch, [None, *[failed(503)] * 9])
    answer = ran.json
    assert (ran.code, answer["exit"], answer["outcome"]) == (4, 4, "partial")
    assert (answer["selected"], answer["missing"]) == (5, ["2026-08-19"])
    assert "1 of 2 days missing: 2026-08-19" in answer["message"]
    assert answer["sources"][0]["outcome"] == "unreachable"
    ran, asked = span(vault, papers, monkeypatch)
    assert (ran.code, ran.json["selected"], ran.json["missing"]) == (0, 5, [])
    assert asked == ["20260819"]
    (tmp_path / "untroubled").mkdir()
    other = new_vault(tmp_path / "untroubled", encoder="words")
    span(other, papers, monkeypatch)
    assert contents(vault) == contents(other)


def test_a_span_that_is_done_may_be_asked_for_again_and_changes_nothing(vault, papers, monkeypatch):
    span(vault, papers, monkeypatch)
    before = contents(vault)
    ran, asked = span(vault, papers, monkeypatch)
    assert (ran.code, ran.json["selected"]) == (0, 0)
    assert asked == ["20260818", "20260819"]
    assert contents(vault) == before


def test_a_day_without_papers_among_busy_ones_is_missing(vault, papers, monkeypatch):
    first = [paper for paper in papers if paper.published and paper.published.day == 18]
    ran, _ = span(vault, first, monkeypatch)
    assert (ran.code, ran.json["missing"]) == (4, ["2026-08-19"])
    assert ran.json["selected"] == 5


def test_the_failure_of_a_span_is_told_on_stderr_too(vault, papers, monkeypatch):
    with serve_papers(papers, [None, *[failed(503)] * 9]) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        ran = call(vault, "import", *SPAN, "--top", "1", "--min-stars", "0")
    assert ran.out.startswith("1 paper imported of ")
    assert "the same command goes on there" in ran.out
    assert ran.err.startswith("obsidian-digest: ")


def test_days_that_are_not_announced_yet_are_refused(vault, papers, monkeypatch):
    ran, asked = span(vault, papers, monkeypatch, (), "--from", "2026-08-20")
    assert (ran.code, asked) == (2, [])
    assert "nothing that was submitted on these days is announced yet" in ran.json["message"]


def test_offline_a_span_cannot_be_had(vault):
    ran = call(vault, "import", *SPAN, "--offline")
    assert ran.code == 4
    assert "--offline" in ran.err
