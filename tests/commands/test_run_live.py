"""The live path end to end, against a loopback arXiv that answers real searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.edge.paper_file import read_papers
from obsidian_digest.edge.paper_record import read_record
from tests.edge.arxiv_server import failed, serve, serve_papers, throttled, web_page
from tests.vaults import call, contents, mailing, new_vault, notes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from obsidian_digest.model import Paper

DIGEST = "arXiv/Digests/arXiv digest 2026-08-20.md"


@pytest.fixture
def papers(tmp_path: Path) -> Sequence[Paper]:
    file = mailing(tmp_path, "2026-08-20", 120)
    return [paper for paper in read_papers(file, read_feed, read_record) if paper.published]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0.001")
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T06:00:00Z")
    vault = new_vault(tmp_path, encoder="words")
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace("min_stars = 3", "min_stars = 0"))
    return vault


def test_a_run_without_options_fetches_the_batch_that_was_announced_last(
    vault, papers, monkeypatch
):
    with serve_papers(papers) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        answer = call(vault, "run", "--json").json
    assert (answer["exit"], answer["outcome"], answer["date"]) == (0, "digest", "2026-08-20")
    assert answer["window"] == {"from": "2026-08-18T18:00:00Z", "to": "2026-08-19T18:00:00Z"}
    assert answer["sources"][0]["name"] == "api"
    assert answer["collected"] >= answer["unique"] == answer["sources"][0]["papers"] > 20
    assert "  - 2026-08-20\n" in notes(vault)[DIGEST].partition("digest_batches:\n")[2][:20]
    assert "Announced 2026-08-20." in notes(vault)[DIGEST]


def test_when_nothing_is_due_arxiv_is_not_asked_and_the_message_says_when_to_come_back(
    vault, papers, monkeypatch
):
    with serve_papers(papers) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        call(vault, "run")
        asked, before = len(arxiv.log), contents(vault)
        monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T20:00:00Z")
        answer = call(vault, "run", "--json").json
        assert len(arxiv.log) == asked
    assert (answer["exit"], answer["outcome"]) == (0, "no-announcement")
    assert "on Friday 2026-08-21 at 00:00 your time" in answer["message"]
    assert contents(vault) == before


def test_a_named_day_asks_for_that_days_batch(vault, papers, monkeypatch):
    with serve_papers(papers) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        answer = call(vault, "run", "--json", "--date", "2026-08-19").json
    assert answer["window"]["to"] == "2026-08-18T18:00:00Z"


def test_categories_of_the_command_line_beat_those_of_the_config(vault, papers, monkeypatch):
    with serve_papers(papers) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        call(vault, "run", "--category", "cs.RO")
    assert "cat:cs.RO" in arxiv.log[0].query["search_query"]
    assert "cs.AI" not in arxiv.log[0].query["search_query"]


@pytest.mark.parametrize(
    ("fault", "word"),
    [(failed(503), "unreachable"), (throttled(), "throttled"), (web_page(), "corrupt")],
)
def test_a_source_that_cannot_be_trusted_ends_with_4_and_writes_nothing(
    vault, monkeypatch, fault, word
):
    before = contents(vault)
    with serve([fault] * 20) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        ran = call(vault, "run", "--json")
    assert (ran.code, ran.json["exit"], ran.json["outcome"]) == (4, 4, "unreachable")
    (row,) = ran.json["sources"]
    assert (row["name"], row["outcome"], row["papers"]) == ("api", word, 0)
    assert row["detail"] in ran.json["message"]
    assert contents(vault) == before


def test_a_batch_that_is_due_but_empty_is_no_quiet_day(vault, monkeypatch):
    with serve_papers([]) as arxiv:
        monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        ran = call(vault, "run", "--json")
    assert (ran.code, ran.json["outcome"]) == (4, "stale")
    assert not (vault / "arXiv").exists()


def test_offline_without_a_file_asks_nobody(vault):
    ran = call(vault, "run", "--offline")
    assert ran.code == 4
    assert "--from-file" in ran.err


def test_a_source_of_announcements_cannot_be_asked_for_a_span(vault):
    ran = call(vault, "run", "--source", "rss", "--days", "2")
    assert ran.code == 2
    assert "--source api" in ran.err
