"""What was fetched, kept in the vault's state folder: one compressed file a batch.

Deleting it costs requests, nothing else. A file that cannot be read counts as not there.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import json
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from obsidian_digest.model import Announced, Paper, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from obsidian_digest.model import AnnounceKind

FORMAT = 1
KEPT = 120
"""Batches, half a year of them; older ones are forgotten."""
HEAD = 2**17
"""Characters; longer than what the rows of most batches take."""
_SUFFIX = ".json.gz"
_DAMAGED = (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError)


class SavedBatches:
    """The batches of one vault (`ports.BatchStore`)."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        """`folder` is made when something is kept; `read_only`: nothing outlives the run."""
        self._folder = folder
        self._read_only = read_only
        self._unwritten: dict[date, tuple[tuple[Announced, str], ...]] = {}

    def answers(self, batch: date) -> dict[str, tuple[str, Announced]]:
        """What is remembered of this batch, and who said it, by category."""
        return {each.category: (source, each) for each, source in self._read(batch)}

    def keep(self, batch: date, source: str, answer: Announced) -> None:
        """Remembers an answer, in the place of the category's last one.

        A full disk costs a request later, no more.
        """
        kept = {each.category: (each, name) for each, name in self._read(batch)}
        kept[answer.category] = (answer, source)
        if self._read_only:
            self._unwritten[batch] = tuple(kept.values())
            return
        with contextlib.suppress(OSError):
            self._write(batch, kept)
            for old in sorted(self._folder.glob(f"*{_SUFFIX}"), reverse=True)[KEPT:]:
                old.unlink()

    def seen(self, before: date, since: date) -> frozenset[str]:
        """Ids of the papers in the batches from `since` up to, not including, `before`."""
        days = (day for day in self.days() if since <= day < before)
        rows = (row for day in days for answer, _ in self._read(day) for row in answer.rows)
        return frozenset(row.paper.id for row in rows if row.kind in ("new", "cross"))

    def rows(self) -> dict[date, tuple[tuple[str, AnnounceKind], ...]]:
        """Ids and kinds of every batch's rows, category after category."""
        return {day: self._rows(day) for day in self.days()}

    def _rows(self, batch: date) -> tuple[tuple[str, AnnounceKind], ...]:
        """Reads the head of the file only: the papers, which follow, are nearly all of it."""
        head, start = "", f'{{"format": {FORMAT}, "answers": '
        try:
            with gzip.open(self._path(batch), "rt", encoding="utf-8") as file:
                while piece := file.read(HEAD):
                    head += piece
                    with contextlib.suppress(json.JSONDecodeError):
                        answers, _ = json.JSONDecoder().raw_decode(head, len(start))
                        rows = (row for each in answers for row in each["rows"])
                        return tuple((key.rstrip("'"), kind) for kind, key in rows)
        except _DAMAGED:
            pass
        return ()

    def days(self) -> tuple[date, ...]:
        """The batches that are kept, oldest first."""
        found = list(self._unwritten)
        for path in self._folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(ValueError):
                found.append(date.fromisoformat(path.name.removesuffix(_SUFFIX)))
        return tuple(sorted(set(found)))

    def _path(self, batch: date) -> Path:
        return self._folder / f"{batch.isoformat()}{_SUFFIX}"

    def _read(self, batch: date) -> tuple[tuple[Announced, str], ...]:
        if batch in self._unwritten:
            return self._unwritten[batch]
        try:
            stored = json.loads(gzip.decompress(self._path(batch).read_bytes()))
            if stored["format"] != FORMAT:
                return ()
            papers = {key: paper_of(fields) for key, fields in stored["papers"].items()}
            return tuple(_answer(each, papers, batch) for each in stored["answers"])
        except _DAMAGED:
            return ()

    def _write(self, batch: date, kept: Mapping[str, tuple[Announced, str]]) -> None:
        papers: dict[str, dict[str, Any]] = {}
        answers = []
        for answer, source in kept.values():
            keys = list(_named(answer, papers))
            answers.append(
                {
                    "category": answer.category,
                    "source": source,
                    "outcome": answer.outcome,
                    "expected": answer.expected,
                    "rows": keys,
                }
            )
        stored = {"format": FORMAT, "answers": answers, "papers": papers}
        packed = gzip.compress(json.dumps(stored, ensure_ascii=False).encode(), mtime=0)
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f"{batch.isoformat()}.tmp"
        temporary.write_bytes(packed)
        temporary.replace(self._path(batch))


def _named(answer: Announced, papers: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Each row's kind and the key of its paper, which is put among `papers`."""
    for row in answer.rows:
        fields = fields_of(row.paper)
        key = row.paper.id
        while papers.setdefault(key, fields) != fields:  # two categories may tell it differently
            key += "'"
        yield row.kind, key


def fields_of(paper: Paper) -> dict[str, Any]:
    """A paper as JSON; `paper_of` gives it back."""
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in dataclasses.asdict(paper).items()
        if value not in ("", None, ())
    }


def paper_of(fields: Mapping[str, Any]) -> Paper:
    """The paper of `fields_of`. Raises ValueError, TypeError for anything else."""
    made: dict[str, Any] = {}
    for name, value in fields.items():
        if name in ("published", "updated"):
            made[name] = datetime.fromisoformat(value)
        elif name == "announced":
            made[name] = date.fromisoformat(value)
        else:
            made[name] = tuple(value) if isinstance(value, list) else value
    return Paper(**{"title": "", "abstract": "", "authors": (), "categories": (), **made})


def _answer(
    stored: Mapping[str, Any], papers: Mapping[str, Paper], batch: date
) -> tuple[Announced, str]:
    rows = tuple(Row(papers[key], kind) for kind, key in stored["rows"])
    answer = Announced(stored["category"], batch, rows, stored["outcome"], stored["expected"], "")
    return answer, stored["source"]
