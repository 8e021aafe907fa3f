"""The only door to the reader's notes: reads them as bytes, writes a plan atomically."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from obsidian_digest.errors import DigestError, VaultBusyError, VaultError
from obsidian_digest.model import Create, NoteFile, Plan, Snapshot, Update
from obsidian_digest.note.kinds import classify
from obsidian_digest.note.names import id_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STATE = ".obsidian-digest"
"""Working state at the vault's root: never synced, ignored by git, safe to delete."""
_UNFINISHED_GIT = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_SHARING_RETRIES = 5
LONGEST_NAME = 255
"""Bytes of one file name, on every system we know."""


class VaultFolder:
    """A vault on disk."""

    def __init__(self, root: Path, *, moc: str, interests: str) -> None:
        self.root = root
        self._moc = moc
        self._interests = interests

    @property
    def state(self) -> Path:
        """The state folder; made, with its own .gitignore, where it is missing."""
        folder = self.root / STATE
        try:
            folder.mkdir(exist_ok=True)
            ignore = folder / ".gitignore"
            if not ignore.exists():
                ignore.write_bytes(b"*\n")
        except OSError as error:
            raise _worded(error, STATE) from error
        return folder

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the vault for one run; raises VaultBusyError if another has it."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 (imports asyncio, 80 ms)

        self._refuse_unfinished_git()
        lock = FileLock(self.state / "lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise VaultBusyError(
                "another run of obsidian-digest is at work in this vault",
                str(self.root),
                "Nothing was done. Wait until it has ended and run again.",
            ) from error
        except OSError as error:
            raise _worded(error, STATE) from error
        try:
            for left in self.state.glob("*.tmp"):
                left.unlink(missing_ok=True)
            yield
        finally:
            lock.release()

    def _refuse_unfinished_git(self) -> None:
        git = self.root / ".git"
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if git.is_file():
                git = self.root / git.read_text("utf-8").removeprefix("gitdir:").strip()
        for name in _UNFINISHED_GIT:
            if os.path.exists(git / name):  # noqa: PTH110 (says no where a folder is locked)
                raise VaultBusyError(
                    f"git is in the middle of a merge or rebase ({name})",
                    str(self.root),
                    "Finish or abort it, then run again. Nothing was done.",
                )

    def snapshot(self) -> Snapshot:
        """Every note of ours with its bytes, every other file by path."""
        paths, notes, texts = [], [], {}
        for file in self._files():
            path = file.relative_to(self.root).as_posix()
            paths.append(path)
            if file.suffix != ".md":
                continue
            raw = _read(file)
            note = self._note(path, file.stem, raw)
            if note is not None:
                notes.append(note)
            elif file.stem == self._interests and raw is not None:
                texts[path] = raw.decode("utf-8", errors="replace")
        return Snapshot(tuple(notes), tuple(paths), texts)

    def _note(self, path: str, stem: str, raw: bytes | None) -> NoteFile | None:
        if raw is None:
            paper = id_in(stem)
            return NoteFile(path, "paper", paper, b"", {}, {}, "unreadable") if paper else None
        ours = raw.startswith((b"---", b"\xef\xbb\xbf---")) or b"digest:begin moc " in raw
        return classify(path, raw, self._moc) if ours or stem == self._moc else None

    def _files(self) -> Iterator[Path]:
        for folder, inner, names in os.walk(self.root):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for name in sorted(names):
                file = Path(folder) / name
                if not name.startswith(".") and file.is_file():
                    yield file

    def check_writable(self) -> None:
        """Raises VaultError now rather than after a long fetch."""
        probe = self.state / "probe"
        try:
            probe.write_bytes(b"obsidian-digest\n")
            probe.unlink()
            if not os.access(self.root, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise _worded(error, str(self.root)) from error

    def write(self, plan: Plan) -> None:
        """Carries the plan out in order; each note is old or new, never half.

        What can be known to fail is found before the first byte. Raises VaultError, VaultBusyError.
        """
        for change in plan.changes:
            _check_target(self._inside(change.path), change.path)
        for change in plan.changes:
            target = self._inside(change.path)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                self._put(target, change)
            except OSError as error:
                raise _worded(error, change.path) from error

    def write_new(self, texts: Mapping[str, str]) -> list[str]:
        """Writes those of the files that do not exist; gives their paths."""
        written = []
        for path, text in texts.items():
            if not (self.root / path).exists():
                self.write(Plan((Create(path, text.encode()),)))
                written.append(path)
        return written

    def _inside(self, path: str) -> Path:
        target = (self.root / path).resolve()
        if not target.is_relative_to(self.root.resolve()):
            raise VaultError("leads out of the vault through a symbolic link", path)
        return target

    def _put(self, target: Path, change: Create | Update) -> None:
        temporary = self._temporary(change.after)
        try:
            if isinstance(change, Create):
                _link_new(temporary, target)
            else:
                shutil.copymode(target, temporary)
                if target.read_bytes() != change.before:
                    raise _moved_on(change.path)
                _replace(temporary, target)
        except (FileExistsError, FileNotFoundError) as error:
            raise _moved_on(change.path) from error
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(target.parent)

    def _temporary(self, content: bytes) -> Path:
        """The content on disk, beside nobody: git, sync and indexers do not see dot folders."""
        # Exclusive: after a killed run the name may be a hard link to a note.
        path = next(
            path
            for number in itertools.count()
            if not (path := self.state / f"{os.getpid()}-{number}.tmp").exists()
        )
        try:
            with path.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path


def _read(file: Path) -> bytes | None:
    """The note's bytes; None for one that may not be read."""
    try:
        return file.read_bytes()
    except OSError:
        return None


def _check_target(target: Path, path: str) -> None:
    if len(target.name.encode()) > LONGEST_NAME:
        raise VaultError("the file name is too long", path, "Shorten it in [names].")
    folder = next(each for each in target.parents if each.exists())
    if target.is_dir() or not folder.is_dir():
        raise VaultError("a note and a folder have the same name", path, "Rename the folder.")
    if not os.access(folder, os.W_OK):
        raise _worded(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path)


def _link_new(temporary: Path, target: Path) -> None:
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems know no hard links: the exclusive mode still overwrites nothing.
        with target.open("xb") as file:
            try:
                file.write(temporary.read_bytes())
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                target.unlink(missing_ok=True)
                raise


def _replace(temporary: Path, target: Path) -> None:
    """Windows refuses while an indexer or virus scanner has the note open, briefly."""
    for attempt in range(_SHARING_RETRIES):
        try:
            temporary.replace(target)
        except PermissionError:
            if os.name != "nt" or attempt == _SHARING_RETRIES - 1:
                raise
            time.sleep(0.1 * 2**attempt)
        else:
            return


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _moved_on(path: str) -> VaultBusyError:
    return VaultBusyError(
        "changed while the run was at work", path, "Nothing of it was touched. Run again."
    )


def _worded(error: OSError, where: str) -> DigestError:
    hints = {
        errno.ENOSPC: "The disk is full. Free some space and run again; the run completes itself.",
        errno.EDQUOT: "The quota is used up. Free some space and run again.",
        errno.EACCES: "Allow writing there, then run again.",
        errno.EPERM: "Allow writing there, then run again.",
        errno.EROFS: "The disk is mounted read-only.",
    }
    what = f"cannot be read or written: {error.strerror or error}"
    return VaultError(what, where, hints.get(error.errno or 0, "Nothing of it was half-written."))
