from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from obsidian_digest.edge.batch_store import KEPT, SavedBatches
from obsidian_digest.model import Announced, Paper, Row

DAY = date(2026, 8, 20)
PAPER = Paper(
    "2608.00001", "A title", "An abstract.", ("A. Author",), ("cs.AI", "cs.CL"), "cs.AI", 2,
    datetime(2026, 8, 18, 12, tzinfo=UTC), None, DAY, "12 pages", "J. 1", "10.1/x", ("MIT",),
)  # fmt: skip
OTHER = Paper("hep-th/0201082", "Old", "", (), ("hep-th",), "hep-th")


def answer(category: str, *papers: Paper, kind="new") -> Announced:
    return Announced(category, DAY, tuple(Row(paper, kind) for paper in papers), "ok", 2, "")


def test_what_is_kept_is_given_back_whole(tmp_path):
    store = SavedBatches(tmp_path / "pool")
    store.keep(DAY, "rss", answer("cs.AI", PAPER, OTHER))
    store.keep(DAY, "listing", answer("cs.CL", PAPER, kind="cross"))
    again = SavedBatches(tmp_path / "pool")
    assert again.answers(DAY) == {
        "cs.AI": ("rss", answer("cs.AI", PAPER, OTHER)),
        "cs.CL": ("listing", answer("cs.CL", PAPER, kind="cross")),
    }
    assert again.seen(DAY + timedelta(1), DAY) == {PAPER.id, OTHER.id}
    assert again.seen(DAY, DAY - timedelta(9)) == frozenset()


def test_two_categories_that_tell_a_paper_differently_are_both_kept_as_told(tmp_path):
    store = SavedBatches(tmp_path)
    other = Paper(PAPER.id, "Another title", "x", (), ("cs.CL",), "cs.CL")
    store.keep(DAY, "rss", answer("cs.AI", PAPER))
    store.keep(DAY, "rss", answer("cs.CL", other))
    assert store.answers(DAY)["cs.AI"][1].rows[0].paper == PAPER
    assert store.answers(DAY)["cs.CL"][1].rows[0].paper == other


def test_the_rows_alone_are_read_however_many_papers_there_are(tmp_path, monkeypatch):
    monkeypatch.setattr("obsidian_digest.edge.batch_store.HEAD", 50)
    store = SavedBatches(tmp_path)
    store.keep(DAY, "rss", answer("cs.AI", PAPER, OTHER))
    store.keep(DAY, "rss", answer("cs.CL", Paper(PAPER.id, "x", "", (), (), "cs.CL"), kind="cross"))
    (tmp_path / f"{DAY - timedelta(1)}.json.gz").write_bytes(b"damaged")
    assert store.rows() == {
        DAY - timedelta(1): (),
        DAY: ((PAPER.id, "new"), (OTHER.id, "new"), (PAPER.id, "cross")),
    }


@pytest.mark.parametrize("damage", [b"", b"no gzip", None])
def test_a_damaged_file_counts_as_not_there_and_is_written_anew(tmp_path, damage):
    store = SavedBatches(tmp_path)
    store.keep(DAY, "rss", answer("cs.AI", PAPER))
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-20] if damage is None else damage)
    assert store.answers(DAY) == {}
    store.keep(DAY, "rss", answer("cs.CL", PAPER))
    assert list(store.answers(DAY)) == ["cs.CL"]


def test_a_run_that_writes_nothing_keeps_nothing(tmp_path):
    store = SavedBatches(tmp_path / "pool", read_only=True)
    store.keep(DAY, "rss", answer("cs.AI", PAPER))
    assert store.seen(DAY + timedelta(1), DAY) == {PAPER.id}  # but knows it for its next day
    assert not (tmp_path / "pool").exists()


def test_the_oldest_batches_are_forgotten(tmp_path):
    store = SavedBatches(tmp_path)
    for number in range(KEPT + 3):
        (tmp_path / f"{DAY - timedelta(number + 1)}.json.gz").write_bytes(b"")
    store.keep(DAY, "rss", answer("cs.AI", PAPER))
    assert len(store.days()) == KEPT
    assert store.days()[-1] == DAY
