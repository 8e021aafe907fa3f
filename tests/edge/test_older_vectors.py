"""The vectors of an import: kept apart and whole, and handed on to the vault's own few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from obsidian_digest.edge import vector_cache
from obsidian_digest.edge.vector_cache import SqliteVectorCache, WithOlder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def rows(*names: str) -> dict[str, np.ndarray]:
    return {name: np.full(4, len(name), np.float32) for name in names}


def test_what_only_the_older_cache_knows_is_taken_over(tmp_path: Path):
    older = SqliteVectorCache(tmp_path / "older")
    own = SqliteVectorCache(tmp_path / "own")
    older.save("static", rows("a", "bb"))
    own.save("static", rows("ccc"))
    found = WithOlder(own, older).load("static", ["a", "ccc", "dddd"])
    assert sorted(found) == ["a", "ccc"]
    older.clear()
    again = SqliteVectorCache(tmp_path / "own").load("static", ["a", "bb", "ccc"])
    assert sorted(again) == ["a", "ccc"]


def test_what_is_saved_goes_into_the_own_cache_only(tmp_path: Path):
    older = SqliteVectorCache(tmp_path / "older")
    own = SqliteVectorCache(tmp_path / "own")
    WithOlder(own, older).save("static", rows("a"))
    assert list(own.load("static", ["a"])) == ["a"]
    assert not (tmp_path / "older").exists()


def test_a_cache_that_is_not_trimmed_keeps_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(vector_cache, "KEPT_ROWS", 3)
    names = [f"n{number}" for number in range(9)]
    SqliteVectorCache(tmp_path, trimmed=False).save("static", rows(*names))
    later = SqliteVectorCache(tmp_path, trimmed=False)
    later.save("static", rows("another"))
    assert len(later.load("static", names)) == 9
    SqliteVectorCache(tmp_path).save("static", rows("one", "more"))
    assert len(later.load("static", names)) < 9


def test_a_run_that_writes_nothing_clears_nothing(tmp_path: Path):
    SqliteVectorCache(tmp_path).save("static", rows("a"))
    SqliteVectorCache(tmp_path, read_only=True).clear()
    assert list(SqliteVectorCache(tmp_path).load("static", ["a"])) == ["a"]
