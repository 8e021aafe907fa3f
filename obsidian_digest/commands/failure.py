"""How a failure is told: one sentence on stderr or one JSON object on stdout, and the exit code."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import json
import os
import platform
import sys
import traceback
from typing import TYPE_CHECKING, Any, Self, TextIO

import click

from obsidian_digest import __version__
from obsidian_digest.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from obsidian_digest.errors import DigestError


def _wants_json(verb: str) -> bool:
    names = ("OBSIDIAN_DIGEST_JSON", f"OBSIDIAN_DIGEST_{verb.upper()}_JSON")
    given = (os.environ.get(name, "") for name in names)
    return "--json" in sys.argv or any(map(click.BOOL.str_to_bool, given))


def report_failure(verb: str, error: DigestError) -> int:
    """Tells a foreseen failure of a verb; gives its exit code."""
    rows = []
    if isinstance(error, SourceError):
        from obsidian_digest.model import SourceReport  # noqa: PLC0415 (keeps --help fast)

        row = SourceReport(error.source, error.source_outcome, detail=str(error))
        rows = [dataclasses.asdict(each) for each in error.reports or (row,)]
    _tell(verb, error.outcome, str(error), error.exit_code, rows)
    return error.exit_code


def report_stop(verb: str, code: int) -> int:
    """Tells that a signal ended the run; gives its exit code."""
    _tell(verb, "error", "stopped before the end; running again takes up what is missing", code)
    return code


def report_bug(verb: str, error: Exception) -> int:
    """Tells a bug in one line; the traceback goes into a log file."""
    from obsidian_digest.wiring import cache_folder  # noqa: PLC0415 (only on a bug)

    text = "".join(traceback.format_exception(error))
    versions = (
        f"obsidian-digest {__version__}, Python {platform.python_version()}, {platform.platform()}"
    )
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / "crash.log"
        log.write_text(f"{versions}\n{' '.join(sys.argv[1:])}\n\n{text}", "utf-8", "replace")
        where = f"The traceback is in {log}; please report it."
    except OSError:
        where = text
    what = f"this is a bug in obsidian-digest: {type(error).__name__}: {error}"
    _tell(verb, "error", f"{what}\n{where}", 1)
    return 1


_NOTHING: dict[str, Any] = {
    "date": None,
    "window": None,
    "newest_id": None,
    "collected": 0,
    "unique": 0,
    "new": 0,
    "selected": 0,
    "papers": [],
    "themes": [],
    "notes": {"created": [], "updated": [], "unchanged": 0, "kept": []},
    "warnings": [],
    "digest": None,
    "encoder": {"name": None, "embedded": 0, "cached": 0},
    "seconds": {},
}
"""The contract's other fields, so that a script may read them whatever came of the run."""
_NO_WEEK: dict[str, Any] = {
    "week": None,
    "note": None,
    **dict.fromkeys(("days", "compared", "signals", "standing", "picks", "moves"), ()),
}
"""Those of `week`."""
_NO_SCORE: dict[str, Any] = {
    "basis": None,
    "days": [],
    "methods": {},
    "calibration": None,
    "left_out": [],
    "changed": None,
    "note": None,
}
"""Those of `score`."""


def _tell(verb: str, outcome: str, message: str, code: int, sources: Sequence[Any] = ()) -> None:
    if _wants_json(verb):
        answer = {
            "contract": 1,
            "command": verb,
            "exit": code,
            "outcome": outcome,
            "message": message,
            "sources": list(sources),
            **_NOTHING,
            **{"week": _NO_WEEK, "score": _NO_SCORE}.get(verb, {}),
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        click.echo(f"obsidian-digest: {message}", err=True)


class Output:
    """A standard stream that never fails: a full disk or a closed pipe is no bug of the work.

    While the block runs it stands in `sys`; a stream that was closed before the start is replaced
    by nothing, so that no file of ours gets its number and what others print into it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.trouble = ""
        """Why something was not printed; stays empty where the reader closed the pipe (`head`)."""

    def __enter__(self) -> Self:
        given: TextIO | None = getattr(sys, self._name)
        self._given = given
        self._stream: TextIO = given if given is not None else open(os.devnull, "w")  # noqa: PTH123
        with contextlib.suppress(AttributeError, ValueError):
            self._stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[attr-defined]
        setattr(sys, self._name, self)
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        setattr(sys, self._name, self._given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Prints, or remembers why it cannot."""
        try:
            return self._stream.write(text)
        except OSError as error:
            self._give_up(error)
            return len(text)

    def flush(self) -> None:
        """Sends what was printed on its way, or remembers why it cannot."""
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        if error.errno != errno.EPIPE:
            self.trouble = error.strerror or str(error)
        # What the stream still holds would fail again, with a traceback, when Python ends.
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self._stream.fileno())
        os.close(nothing)
