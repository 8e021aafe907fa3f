"""What the last runs replaced, run by run: complete on disk before a run's first byte."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from obsidian_digest.edge.vault.state import STATE, sync_folder, worded
from obsidian_digest.errors import VaultError
from obsidian_digest.model import Create, Remove, Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from obsidian_digest.edge.vault.state import State
    from obsidian_digest.model import Change, Update

FOLDER = "undo"
MOST_RUNS = 20
MOST_BYTES = 50_000_000
_VERSION = "obsidian-digest journal 1"
_BEGUN, _DONE = ".begun.json", ".done.json"
_NAME = re.compile(rf"\d{{6,}}(?:{re.escape(_BEGUN)}|{re.escape(_DONE)})")


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run as the journal tells it."""

    number: int
    written: tuple[Written, ...]
    """In the order of writing."""
    folders: tuple[str, ...]
    """Vault-relative; those that were missing when the run began."""
    finished: bool = False
    """False: the run was killed, or an undo of it was."""
    goes_on: bool = False
    """The plan is a later part of the run before it, and undone with it."""

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.number:06}{_DONE if self.finished else _BEGUN}"


class Journal:
    """The journal in one vault's state folder."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._folder = state.path / FOLDER

    def begin(self, changes: Iterable[Change], folders: Iterable[str], *, goes_on: bool) -> PastRun:
        """Notes down what a run is about to do. Raises VaultError."""
        standing = self._files()
        number = max(map(_number, standing), default=0) + 1
        written = (_written(each) for each in changes if not isinstance(each, Remove))
        run = PastRun(number, tuple(written), tuple(folders), goes_on=goes_on)
        content = json.dumps(_record(run)).encode()
        self._trim(standing, len(content))
        self._state.save(f"{FOLDER}/{run.name}", content)
        return run

    def mark(self, run: PastRun, *, finished: bool) -> None:
        """Says whether all that the run wrote is known to stand. Raises VaultError."""
        name = replace(run, finished=finished).name
        try:
            (self._folder / run.name).replace(self._folder / name)
            sync_folder(self._folder)
        except OSError as error:
            raise worded(error, f"{STATE}/{FOLDER}/{name}") from error

    def forget(self, runs: Iterable[PastRun]) -> None:
        """Drops the runs, in the order given. Raises VaultError."""
        for run in runs:
            for finished in (True, False):
                self._drop(self._folder / replace(run, finished=finished).name)

    def last(self) -> tuple[PastRun, ...]:
        """What one undo takes back, the newest first: a run with the killed ones just before it.

        A run that follows killed ones has completed their work. Raises VaultError.
        """
        runs: list[PastRun] = []
        for file in reversed(self._files()):
            run = _read(file)
            if runs and run.finished and not runs[-1].goes_on:
                break
            runs.append(run)
        return tuple(runs)

    def hashes(self) -> Mapping[str, str]:
        """SHA-256 of what was last written to each path, as far as the journal can be read."""
        known: dict[str, str] = {}
        for file in self._files():
            with contextlib.suppress(VaultError):
                known |= {each.path: each.after for each in _read(file).written}
        return known

    def _files(self) -> list[Path]:
        """The oldest first."""
        try:
            named = [file for file in self._folder.iterdir() if _NAME.fullmatch(file.name)]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise worded(error, f"{STATE}/{FOLDER}") from error
        return sorted(named, key=_number)

    def _trim(self, files: Sequence[Path], size: int) -> None:
        """Makes room for one more run. Those that one undo takes back stay together.

        The newest always stays, since the next may complete it.
        """
        newest = {run.number for run in self._newest()}
        for count, file in enumerate(reversed(files), start=1):
            with contextlib.suppress(OSError):
                size += file.stat().st_size
            if _number(file) not in newest and (count >= MOST_RUNS or size > MOST_BYTES):
                self._drop(file)

    def _newest(self) -> tuple[PastRun, ...]:
        try:
            return self.last()
        except VaultError:
            return ()

    def _drop(self, file: Path) -> None:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise worded(error, f"{STATE}/{FOLDER}/{file.name}") from error


def digest_of(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def _number(file: Path) -> int:
    return int(file.name.partition(".")[0])


def _written(change: Create | Update) -> Written:
    before = None if isinstance(change, Create) else change.before
    return Written(change.path, before, digest_of(change.after))


def _record(run: PastRun) -> dict[str, Any]:
    notes = [
        {"path": each.path, "before": _packed(each.before), "after": each.after}
        for each in run.written
    ]
    record = {"folders": list(run.folders), "notes": notes, "goes_on": run.goes_on}
    return {_VERSION: record}


def _packed(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(zlib.compress(content)).decode()


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else zlib.decompress(base64.b64decode(text))


def _read(file: Path) -> PastRun:
    try:
        record = json.loads(file.read_bytes())[_VERSION]
        written = tuple(
            Written(str(each["path"]), _unpacked(each["before"]), str(each["after"]))
            for each in record["notes"]
        )
        folders = tuple(map(str, record["folders"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError, zlib.error) as error:
        raise VaultError(
            "the journal of an earlier run cannot be read",
            f"{STATE}/{FOLDER}/{file.name}",
            "Nothing was undone. Once that file is gone, the run before it can be undone.",
        ) from error
    done, goes_on = file.name.endswith(_DONE), record.get("goes_on") is True
    return PastRun(_number(file), written, folders, finished=done, goes_on=goes_on)
