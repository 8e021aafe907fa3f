"""Which days of a long import are done, so that one that broke off goes on where it stopped."""

from __future__ import annotations

import contextlib
import json
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "days.json"


class DaysDone:
    """A file in `folder`; losing it costs requests, nothing else."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        """`read_only` is for runs that promise to write nothing."""
        self._file = folder / FILE
        self._read_only = read_only

    def done(self, question: str) -> frozenset[date]:
        """The days that are done for this question: categories, limits and interests in words."""
        return frozenset(self._read().get(question, ()))

    def mark(self, question: str, day: date) -> None:
        """Remembers that a day is done."""
        known = self._read()
        self._write({**known, question: sorted({*known.get(question, ()), day})})

    def forget(self, question: str) -> None:
        """The import came to its end: asking again looks for papers that came late."""
        self._write({key: days for key, days in self._read().items() if key != question})

    def _read(self) -> dict[str, list[date]]:
        try:
            stored = json.loads(self._file.read_bytes())
            return {key: [date.fromisoformat(day) for day in days] for key, days in stored.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _write(self, days: dict[str, list[date]]) -> None:
        if self._read_only:
            return
        temporary = self._file.with_suffix(".tmp")
        stored = {key: [day.isoformat() for day in each] for key, each in days.items()}
        with contextlib.suppress(OSError):
            if not stored:
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(stored), "utf-8")
            temporary.replace(self._file)
