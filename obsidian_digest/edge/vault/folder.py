"""A vault on disk: looked at as a whole, a plan carried out in it, an earlier one taken back."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import time
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from obsidian_digest.edge.vault.daily_settings import daily_notes
from obsidian_digest.edge.vault.journal import Journal, digest_of
from obsidian_digest.edge.vault.lock import locked
from obsidian_digest.edge.vault.notes import Named, Reader
from obsidian_digest.edge.vault.reading import placeholder, read_settings, read_settled, walk
from obsidian_digest.edge.vault.state import State, worded
from obsidian_digest.edge.vault.writing import Writer, moved_on
from obsidian_digest.errors import VaultError
from obsidian_digest.model import Create, Snapshot
from obsidian_digest.note.copies import settle
from obsidian_digest.note.own_notes import Corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from obsidian_digest.edge.vault.journal import PastRun
    from obsidian_digest.model import Change, Plan, Remove, Update


class VaultFolder:
    """A vault on disk."""

    settled = 3.0
    """A note that was written less than so many seconds ago may still be at its writer's."""
    patience = 10.0
    """Seconds that a run waits, altogether, for notes to settle."""

    def __init__(
        self,
        root: Path,
        *,
        moc: str,
        interests: str,
        config_dir: str = ".obsidian",
        folders: Iterable[str] = (),
        corpus: Iterable[str] = (),
        daily: bool = False,
    ) -> None:
        """Our notes are born in `folders`; own notes in the `corpus` give their text too.

        Both name folders vault-relative. `daily` notes are read only where it is asked for.
        """
        self.root = root
        homes = tuple(PurePosixPath(each) for each in folders if each)
        self._named = Named(moc, interests, homes, Corpus.of(corpus))
        self._config_dir = config_dir
        self._daily = daily
        self._state = State(root)
        self._journal = Journal(self._state)
        self._writer = Writer(root, self._state)

    @property
    def state(self) -> Path:
        """The state folder; made, with its own .gitignore, where it is missing."""
        return self._state.made()

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Holds the vault for one run; raises VaultBusyError if another run or git has it."""
        return locked(self.root, self._state)

    def check_writable(self) -> None:
        """Raises VaultError now rather than after a long fetch."""
        probe = self.state / "probe.tmp"
        try:
            probe.write_bytes(b"obsidian-digest\n")
            probe.unlink(missing_ok=True)
            if not os.access(self.root, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise worded(error, str(self.root)) from error

    def snapshot(self) -> Snapshot:
        """Every note of ours with its bytes, every other file by path, Obsidian's settings.

        Raises VaultBusyError where a note that matters lies only in iCloud or is being written.
        """
        reader = Reader(self.root, self._named, self.settled, time.monotonic() + self.patience)
        if self._daily:
            reader.daily = daily_notes(self.root, self._config_dir, reader.troubles)
        for found in walk(self.root):
            reader.look(found)
        return Snapshot(
            notes=settle(reader.notes),
            paths=tuple(reader.paths),
            texts=reader.texts,
            own=tuple(sorted(reader.own, key=lambda note: note.path)),
            files=reader.files,
            daily=replace(reader.daily, notes=reader.days) if reader.daily else None,
            settings=read_settings(self.root, self._config_dir, reader.troubles),
            seen=self._state.papers(),
        )

    def write(self, plan: Plan, *, goes_on: bool = False) -> None:
        """Carries the plan out in order; each note is old or new, never half; `undo` knows it.

        A plan that `goes_on` is undone together with the one before it. What can be known to fail
        is found before the first byte. Raises VaultError, VaultBusyError.
        """
        if plan.changes:
            self._prepare(plan.changes)
            folders = self._missing_folders(plan.changes)
            run = self._journal.begin(plan.changes, folders, goes_on=goes_on)
            self._carry_out(plan.changes)
            self._journal.mark(run, finished=True)

    def write_new(self, texts: Mapping[str, str]) -> list[str]:
        """Writes those of the files that do not exist; gives their paths. Not for `undo`."""
        written = []
        for path, text in texts.items():
            if not (self.root / path).exists():
                changes = (Create(path, text.encode()),)
                self._prepare(changes)
                self._carry_out(changes)
                written.append(path)
        return written

    def remember_papers(self, ids: Iterable[str]) -> None:
        """Keeps, for the next snapshot's `seen`, which papers have a note. Raises VaultError."""
        self._state.remember_papers(ids)

    def last_runs(self) -> tuple[PastRun, ...]:
        """The runs that one undo takes back, the newest first; empty where there is none.

        Raises VaultError.
        """
        return self._journal.last()

    def standing(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """What stands at those of the paths that exist; None for what cannot be read."""
        found: dict[str, bytes | None] = {}
        for path in paths:
            try:
                found[path] = self._writer.inside(path).read_bytes()
            except FileNotFoundError:
                if placeholder(self.root / path).exists():
                    found[path] = None
            except (OSError, VaultError):
                found[path] = None
        return found

    def take_back(self, runs: Sequence[PastRun], plan: Plan) -> None:
        """Carries out the plan that undoes the runs, and forgets them. Raises like `write`.

        Killed on the way, it leaves the runs in the journal, so that another undo ends it.
        """
        self._prepare(plan.changes)
        self._state.forget_papers()
        for run in runs:
            self._journal.mark(run, finished=False)
        self._carry_out(plan.changes)
        self._remove_empty({folder for run in runs for folder in run.folders})
        self._journal.forget(runs)

    def _prepare(self, changes: Iterable[Change]) -> None:
        deadline = time.monotonic() + self.patience
        hashes = functools.cache(self._journal.hashes)
        for change in changes:
            self._writer.check(change)
        for change in changes:
            if not isinstance(change, Create):
                self._await(change, deadline, hashes)

    def _await(
        self, change: Update | Remove, deadline: float, hashes: Callable[[], Mapping[str, str]]
    ) -> None:
        """Returns once the note is at rest with the bytes that the plan saw."""

        def known(raw: bytes) -> bool:
            return raw != change.before or hashes().get(change.path) == digest_of(raw)

        try:
            target = self._writer.inside(change.path)
            raw = read_settled(target, change.path, self.settled, deadline, known)
        except FileNotFoundError as error:
            raise moved_on(change.path, "Nothing was done.") from error
        except OSError as error:
            raise worded(error, change.path) from error
        if raw != change.before:
            raise moved_on(change.path, "Nothing was done.")

    def _carry_out(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._writer.put(change)

    def _missing_folders(self, changes: Iterable[Change]) -> list[str]:
        folders = {
            folder
            for change in changes
            if isinstance(change, Create)
            for folder in PurePosixPath(change.path).parents
        }
        return sorted(str(folder) for folder in folders if not (self.root / folder).exists())

    def _remove_empty(self, folders: Iterable[str]) -> None:
        for folder in sorted(folders, reverse=True):
            with contextlib.suppress(OSError, VaultError):
                self._writer.inside(folder)
                (self.root / folder).rmdir()
