"""Vectors of earlier runs in one SQLite file: working state that may be deleted at any time."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.ports import Encoder, Progress, VectorCache

FILE = "vectors.sqlite3"
RECIPE = 1
"""Raised when `Reading.text` or what encoders make of it changes: old rows then no longer match."""
CHUNK = 64
"""Texts between two saves: what a killed run loses at most."""
KEPT_ROWS = 30_000
"""About 45 MB of MiniLM; the oldest rows that this run did not use go first."""
BUSY_SECONDS = 5.0
UNUSABLE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""Result codes of a file that is damaged, no database at all, or has another program's tables."""
TABLE = """CREATE TABLE IF NOT EXISTS vectors (
    age INTEGER PRIMARY KEY AUTOINCREMENT,
    encoder TEXT NOT NULL, key TEXT NOT NULL, vector BLOB NOT NULL, UNIQUE (encoder, key))"""


def text_key(text: str) -> str:
    """What a text's vector is stored under: 32 hexadecimal digits of its hash and the recipe's."""
    return hashlib.sha256(f"{RECIPE}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


class SqliteVectorCache:
    """A `VectorCache` in `folder`; whatever is wrong with its file costs time, never the run.

    Rollback journal, not WAL: it needs no shared memory, so the vault may lie on a network drive,
    and a killed run leaves nothing that the next one cannot roll back.
    """

    def __init__(self, folder: Path, *, read_only: bool = False, trimmed: bool = True) -> None:
        """`read_only` is for runs that promise to write nothing; not `trimmed`: all rows stay."""
        self._file = folder / FILE
        self._writable = not read_only
        self._trimmed = trimmed
        self._used: set[tuple[str, str]] = set()

    def load(self, encoder: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The rows known, by key: float32, shape (d,), read-only."""
        if not self._file.is_file():
            return {}
        found: dict[str, bytes] = {}
        self._attempt(lambda store: found.update(_select(store, encoder, keys)))
        self._use(encoder, found)
        return _decoded(found)

    def save(self, encoder: str, rows: Mapping[str, NDArray[np.float32]]) -> None:
        """Remember rows, all or none; after a failure this cache no longer tries."""
        if not self._writable:
            return
        self._use(encoder, rows)
        records = [(encoder, key, row.astype("<f4").tobytes()) for key, row in rows.items()]

        def insert(store: sqlite3.Connection) -> None:
            store.execute(TABLE)
            store.executemany(
                "INSERT OR REPLACE INTO vectors (encoder, key, vector) VALUES (?, ?, ?)", records
            )
            if self._trimmed:
                _drop_oldest(store, self._used)

        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            self._writable = False
        else:
            self._writable = self._attempt(insert) or self._attempt(insert)

    def clear(self) -> None:
        """Forgets every row; the file goes."""
        if self._writable:
            self._remove()

    def _use(self, encoder: str, keys: Iterable[str]) -> None:
        if self._trimmed:
            self._used.update((encoder, key) for key in keys)

    def _attempt(self, work: Callable[[sqlite3.Connection], None]) -> bool:
        """Do work in one transaction; False, and an unusable file removed, when it fails."""
        try:
            with (
                closing(sqlite3.connect(self._file, timeout=BUSY_SECONDS)) as store,
                store,
            ):
                work(store)
        except sqlite3.Error as error:
            if self._writable and getattr(error, "sqlite_errorcode", 0) & 0xFF in UNUSABLE:
                self._remove()
            return False
        return True

    def _remove(self) -> None:
        journal = self._file.with_name(f"{FILE}-journal")
        for file in (journal, self._file):
            try:
                file.unlink(missing_ok=True)
            except OSError:
                self._writable = False


class WithOlder:
    """A `VectorCache` that takes over what an older one knows, row by row as it is asked for."""

    def __init__(self, own: VectorCache, older: VectorCache) -> None:
        self._own = own
        self._older = older
        self.save = own.save

    def load(self, encoder: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """The rows that either knows, by key."""
        known = self._own.load(encoder, keys)
        found = self._older.load(encoder, [key for key in keys if key not in known])
        if found:
            self._own.save(encoder, found)
        return {**found, **known}


def embed_cached(
    encoder: Encoder, cache: VectorCache, texts: Mapping[str, str], progress: Progress
) -> tuple[NDArray[np.float32], int, int]:
    """The matrix of texts in their order, how many were embedded now, how many were cached.

    When the cache knows all texts the encoder is not asked, so that nothing heavy is imported.

    Args:
        encoder: Asked for missing texts only, longest first, since batches of like length are fast.
        cache: Told after every 64 texts, so that a killed run resumes.
        texts: By `text_key`.
        progress: Told of the texts embedded, out of those that were missing.
    """
    known = _of_one_width(cache.load(encoder.name, list(texts)))
    missing = sorted(texts.keys() - known.keys(), key=lambda key: (-len(texts[key]), key))
    fresh: dict[str, NDArray[np.float32]] = {}
    for start in range(0, len(missing), CHUNK):
        keys = missing[start : start + CHUNK]
        told = _shifted(progress, start, len(missing))
        rows = dict(zip(keys, encoder.embed([texts[key] for key in keys], told), strict=True))
        cache.save(encoder.name, rows)
        fresh.update(rows)
    if known and fresh and _width(known) != _width(fresh):
        # Another model answers under the old name (a server's, say): no old row is of use.
        return embed_cached(encoder, _Nothing(cache), texts, progress)
    return _stacked({**known, **fresh}, texts), len(fresh), len(known)


class _Nothing:
    """A cache that knows nothing and still remembers."""

    def __init__(self, cache: VectorCache) -> None:
        self.save = cache.save

    def load(self, encoder: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        del encoder, keys
        return {}


def _shifted(progress: Progress, done_before: int, total: int) -> Progress:
    def told(stage: str, done: int, chunk: int) -> None:
        if chunk:
            progress(stage, done_before + done, total)
        else:
            progress(stage, done, chunk)

    return told


def _stacked(
    rows: Mapping[str, NDArray[np.float32]], texts: Mapping[str, str]
) -> NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415 (0.2 s)

    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    return np.stack([rows[key] for key in texts])


def _width(rows: Mapping[str, NDArray[np.float32]]) -> int:
    return next(iter(rows.values())).size


def _of_one_width(rows: Mapping[str, NDArray[np.float32]]) -> Mapping[str, NDArray[np.float32]]:
    return rows if len({row.size for row in rows.values()}) <= 1 else {}


def _select(store: sqlite3.Connection, encoder: str, keys: Sequence[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        marks = ",".join("?" * len(some))
        query = f"SELECT key, vector FROM vectors WHERE encoder = ? AND key IN ({marks})"  # noqa: S608 (marks only)
        found.update(store.execute(query, (encoder, *some)))
    return found


def _decoded(found: Mapping[str, bytes]) -> dict[str, NDArray[np.float32]]:
    if not found:
        return {}
    import numpy as np  # noqa: PLC0415 (0.2 s, and a first run has nothing to decode)

    rows = {
        key: np.frombuffer(vector, dtype="<f4").astype(np.float32)
        for key, vector in found.items()
        if isinstance(vector, bytes) and len(vector) % 4 == 0
    }
    return {key: row for key, row in rows.items() if np.isfinite(row).all()}


def _drop_oldest(store: sqlite3.Connection, used: set[tuple[str, str]]) -> None:
    (count,) = store.execute("SELECT count(*) FROM vectors").fetchone()
    if count <= KEPT_ROWS:
        return
    oldest = store.execute("SELECT age, encoder, key FROM vectors ORDER BY age").fetchall()
    idle = [(age,) for age, encoder, key in oldest if (encoder, key) not in used]
    store.executemany("DELETE FROM vectors WHERE age = ?", idle[: count - KEPT_ROWS])
