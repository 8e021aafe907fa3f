"""One change to one note: checked before the first byte, then made so that it is never half."""

from __future__ import annotations

import errno
import os
import shutil
import time
from typing import TYPE_CHECKING

from obsidian_digest.edge.vault.reading import not_here, placeholder
from obsidian_digest.edge.vault.state import STATE, sync_folder, worded, written
from obsidian_digest.errors import VaultBusyError, VaultError
from obsidian_digest.model import Create, Remove

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from obsidian_digest.edge.vault.state import State
    from obsidian_digest.model import Change, Update

LONGEST_NAME = 255
"""Bytes of one file name, on every system we know."""
_SHARING_RETRIES = 5


class Writer:
    """Writes, replaces and removes notes inside one vault."""

    def __init__(self, root: Path, state: State) -> None:
        self._root = root
        self._state = state

    def inside(self, path: str) -> Path:
        """Where a vault-relative path leads, links followed. Raises VaultError if not to a note."""
        try:
            root = self._root.resolve()
            target = (self._root / path).resolve()
        except (OSError, RuntimeError) as error:
            raise VaultError("is a symbolic link that leads nowhere", path) from error
        if not target.is_relative_to(root):
            raise VaultError(
                "leads out of the vault through a symbolic link",
                path,
                "Put a real folder or note there, or name another place in the config.",
            )
        if any(part.startswith(".") for part in target.relative_to(root).parts):
            raise VaultError("lies in a hidden folder, where no note of ours is written", path)
        return target

    def check(self, change: Change) -> None:
        """Raises what can be known to fail now rather than half-way through a plan."""
        target, named = self.inside(change.path), self._root / change.path
        if len(os.fsencode(target.name)) > LONGEST_NAME:
            raise VaultError("the file name is too long", change.path, "Shorten it in [names].")
        folder = next(each for each in target.parents if each.exists())
        if target.is_dir() or not folder.is_dir():
            raise VaultError(
                "a note and a folder have the same name", change.path, "Rename the folder."
            )
        if not os.access(folder, os.W_OK):
            raise worded(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), change.path)
        if not isinstance(change, Create):
            return
        if placeholder(target).exists():
            raise not_here(change.path)
        if target.is_file():
            raise moved_on(change.path, "Nothing was done.")
        if os.path.lexists(named):
            raise VaultError("this name is taken by what is no note", change.path, "Rename it.")

    def put(self, change: Change) -> None:
        """Makes one change; the note is old or new, never half. Raises VaultError, VaultBusyError.

        What stands on disk is compared with what the plan saw, just before.
        """
        target = self.inside(change.path)
        try:
            if isinstance(change, Remove):
                self._remove(self._root / change.path, change)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                self._write(target, change)
            sync_folder(target.parent)
        except (FileExistsError, FileNotFoundError) as error:
            raise moved_on(change.path, "Nothing of it was touched.") from error
        except OSError as error:
            raise worded(error, change.path) from error

    def _remove(self, named: Path, change: Remove) -> None:
        _compare(named, change)
        _patiently(named.unlink)

    def _write(self, target: Path, change: Create | Update) -> None:
        temporary = self._state.temporary(change.after)
        try:
            _move(temporary, target, change)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            # The note's folder lies on another disk than the state folder.
            temporary.unlink(missing_ok=True)
            temporary = target.with_name(f"{STATE}.tmp")
            temporary.unlink(missing_ok=True)
            _move(written(temporary, change.after), target, change)
        finally:
            temporary.unlink(missing_ok=True)


def moved_on(path: str, done: str) -> VaultBusyError:
    """Somebody else wrote the note since the plan was made."""
    return VaultBusyError("changed while the run was at work", path, f"{done} Run again.")


def _compare(file: Path, change: Update | Remove) -> None:
    if file.read_bytes() != change.before:
        raise moved_on(change.path, "Nothing of it was touched.")


def _move(temporary: Path, target: Path, change: Create | Update) -> None:
    if isinstance(change, Create):
        _link_new(temporary, target)
        return
    shutil.copymode(target, temporary)
    _compare(target, change)
    _patiently(lambda: temporary.replace(target))


def _link_new(temporary: Path, target: Path) -> None:
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise
        # Some file systems know no hard links. A copy could be left half-written by a killed run;
        # between this look and the renaming lie microseconds.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        _patiently(lambda: temporary.rename(target))


def _patiently(act: Callable[[], object]) -> None:
    """Windows refuses while an indexer or virus scanner has the note open, briefly."""
    for attempt in range(_SHARING_RETRIES):
        try:
            act()
        except PermissionError:
            if os.name != "nt" or attempt == _SHARING_RETRIES - 1:
                raise
            time.sleep(0.1 * 2**attempt)
        else:
            return
