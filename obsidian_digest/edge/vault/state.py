"""The working state beside the notes: whole files in a folder that git and sync pass over."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
from typing import TYPE_CHECKING

from obsidian_digest.errors import VaultError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

STATE = ".obsidian-digest"
"""Working state at the vault's root: never synced, ignored by git, safe to delete."""
_PAPERS = "papers.json"
_IGNORED = b"*\n"


class State:
    """The state folder of one vault; deleting it loses nothing but time and `undo`."""

    def __init__(self, root: Path) -> None:
        self.path = root / STATE

    def made(self) -> Path:
        """The folder; made, with its own .gitignore, where it is missing. Raises VaultError."""
        try:
            if not self.path.is_dir():
                self.path.mkdir(exist_ok=True)
            ignore = self.path / ".gitignore"
            # A killed run may have left a part of it.
            if not ignore.exists() or ignore.stat().st_size < len(_IGNORED):
                ignore.write_bytes(_IGNORED)
        except OSError as error:
            raise worded(error, STATE) from error
        return self.path

    def tidy(self) -> None:
        """Takes away what killed runs left lying; only for the holder of the lock."""
        for left in self.made().glob("*.tmp"):
            with contextlib.suppress(OSError):
                left.unlink()

    def temporary(self, content: bytes) -> Path:
        """The content on disk, beside nobody: git, sync and indexers do not see dot folders."""
        # Exclusive: after a killed run the name may be a hard link to a note.
        path = next(
            path
            for number in itertools.count()
            if not (path := self.made() / f"{os.getpid()}-{number}.tmp").exists()
        )
        return written(path, content)

    def save(self, name: str, content: bytes) -> None:
        """Writes a file of the state as a whole, in place of an older one. Raises VaultError."""
        target = self.made() / name
        try:
            target.parent.mkdir(exist_ok=True)
            temporary = self.temporary(content)
            try:
                temporary.replace(target)
            finally:
                temporary.unlink(missing_ok=True)
            sync_folder(target.parent)
        except OSError as error:
            raise worded(error, f"{STATE}/{name}") from error

    def papers(self) -> frozenset[str] | None:
        """The ids that `remember_papers` was given last; None where nobody remembers."""
        try:
            ids = json.loads((self.path / _PAPERS).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        listed = isinstance(ids, list) and all(isinstance(each, str) for each in ids)
        return frozenset(ids) if listed else None

    def remember_papers(self, ids: Iterable[str]) -> None:
        """Keeps the ids of the papers that have a note now. Raises VaultError."""
        wanted = frozenset(ids)
        if wanted != self.papers():
            self.save(_PAPERS, json.dumps(sorted(wanted)).encode())

    def forget_papers(self) -> None:
        """Remembers nothing from now on. Raises VaultError."""
        try:
            (self.path / _PAPERS).unlink(missing_ok=True)
        except OSError as error:
            raise worded(error, f"{STATE}/{_PAPERS}") from error


def written(path: Path, content: bytes) -> Path:
    """The path, after a new file with this content lies there for good."""
    try:
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder last through a power cut."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def worded(error: OSError, where: str) -> VaultError:
    """What the system said, with the next step."""
    hints = {
        errno.ENOSPC: "The disk is full. Free some space and run again; the run completes itself.",
        errno.EDQUOT: "The quota is used up. Free some space and run again.",
        errno.EACCES: "Allow writing there, then run again.",
        errno.EPERM: "Allow writing there, then run again.",
        errno.EROFS: "The disk is mounted read-only.",
        errno.EEXIST: "A file has the name that a folder of ours needs. Move it, then run again.",
    }
    what = f"cannot be read or written: {error.strerror or error}"
    return VaultError(what, where, hints.get(error.errno or 0, "Nothing of it was half-written."))
