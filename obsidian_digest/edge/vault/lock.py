"""One run at a time, and none in the middle of git's own work."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from obsidian_digest.edge.vault.state import STATE, worded
from obsidian_digest.errors import VaultBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from obsidian_digest.edge.vault.state import State

_UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
STALE_MINUTES = 5
"""A lock of git's that is older was left behind by a git that is gone."""


@contextlib.contextmanager
def locked(root: Path, state: State) -> Iterator[None]:
    """Holds the vault for one run; raises VaultBusyError if another run or git has it."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 (imports asyncio, 80 ms)

    _refuse_git_at_work(root)
    lock = FileLock(state.made() / "lock", timeout=0)
    try:
        try:
            lock.acquire()
        except Timeout as error:
            raise VaultBusyError(
                "another run of obsidian-digest is at work in this vault",
                str(root),
                "Nothing was done. Wait until it has ended and run again.",
            ) from error
        except OSError as error:
            raise worded(error, STATE) from error
        state.tidy()
        yield
    finally:
        lock.release()


def _refuse_git_at_work(root: Path) -> None:
    git = _repository(root)
    for name in _UNFINISHED:
        if os.path.exists(git / name):  # noqa: PTH110 (says no where a folder is locked)
            raise VaultBusyError(
                f"git is in the middle of a merge or rebase ({name})",
                str(root),
                "Finish or abort it, then run again. Nothing was done.",
            )
    with contextlib.suppress(OSError):
        minutes = (time.time() - (git / "index.lock").stat().st_mtime) / 60
        if abs(minutes) < STALE_MINUTES:
            raise VaultBusyError(
                "git is at work in this vault (index.lock)",
                str(root),
                "Nothing was done. Run again when git has ended; a lock that it left behind is"
                f" passed over after {STALE_MINUTES} minutes.",
            )


def _repository(root: Path) -> Path:
    """Git's folder for the vault, which may be a part of a larger repository."""
    top = next((each for each in (root, *root.parents) if os.path.exists(each / ".git")), root)  # noqa: PTH110 (as above)
    git = top / ".git"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if git.is_file():
            return top / git.read_text("utf-8").removeprefix("gitdir:").strip()
    return git
