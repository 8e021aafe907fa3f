"""What the search API tells of papers that were announced in part only: welcome, never needed."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Protocol

from obsidian_digest.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from obsidian_digest.model import Paper
    from obsidian_digest.ports import Progress

_DAMAGED = (OSError, ValueError, KeyError, TypeError)


class ById(Protocol):
    """What gives papers by their ids: `edge.arxiv_api.ArxivApi`."""

    def papers_by_id(
        self, ids: Sequence[str], progress: Progress | None = None
    ) -> tuple[Paper, ...]:
        """The papers of these ids, unknown ones left out; raises SourceError."""
        ...


class Details:
    """Papers by id, as the search API has them, each asked for once (`ports.Details`)."""

    def __init__(
        self,
        source: ById,
        file: Path,
        *,
        to_fields: Callable[[Paper], Mapping[str, Any]],
        to_paper: Callable[[Mapping[str, Any]], Paper],
        read_only: bool = False,
    ) -> None:
        """`file` keeps what was told, one JSON object a line."""
        self._source = source
        self._file = file
        self._to_fields = to_fields
        self._to_paper = to_paper
        self._read_only = read_only

    def __call__(self, ids: Sequence[str], progress: Progress) -> dict[str, Paper]:
        """The papers found, by bare id; no ids that are not known yet are no request."""
        known = self._known()
        missing = [each for each in ids if each not in known]
        if missing:
            with contextlib.suppress(SourceError):
                told = {each.id: each for each in self._source.papers_by_id(missing, progress)}
                found = {each: told[bare] for each in missing if (bare := _bare(each)) in told}
                known |= found
                self._keep(found)
        return {known[each].id: known[each] for each in ids if each in known}

    def _known(self) -> dict[str, Paper]:
        found: dict[str, Paper] = {}
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for line in self._file.read_text("utf-8").splitlines():
                with contextlib.suppress(*_DAMAGED):
                    row = json.loads(line)
                    found[row["asked"]] = self._to_paper(row["paper"])
        return found

    def _keep(self, found: Mapping[str, Paper]) -> None:
        """A full disk costs a request later, no more."""
        if self._read_only:
            return
        rows = [{"asked": key, "paper": self._to_fields(paper)} for key, paper in found.items()]
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _bare(asked: str) -> str:
    """The id without its version."""
    head, mark, version = asked.rpartition("v")
    return head if mark and version.isdecimal() else asked
