"""Disturbs the file system of a vault at one chosen step: a full disk, a signal, sudden death.

A step is what changes a disk or makes a change last: opening for writing, writing, fsync, link,
rename, mkdir, rmdir, unlink, chmod. Reading is none.
"""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ON_PATHS = ("link", "rename", "replace", "mkdir", "rmdir", "unlink", "remove", "chmod")
_WRITES = os.O_WRONLY | os.O_RDWR


class Dead(BaseException):
    """The process is gone: nothing it would still do reaches the disk."""


class Disk:
    """The steps taken inside one folder, and what happens at each of them."""

    def __init__(self, root: Path, act: Callable[[int, str], None]) -> None:
        """`act` is called with the number of each step, from 0, and its name, before it is taken.

        At a write it is called when half of the bytes are on disk.
        """
        self._root = os.path.realpath(root)
        self._act = act
        self._undisturbed = {name: getattr(os, name) for name in (*_ON_PATHS, "fsync", "open")}
        self._open = io.open
        self.steps: list[str] = []

    def step(self, name: str, path: object = "") -> None:
        inside = os.path.relpath(os.fspath(path), self._root) if path else ""
        self.steps.append(f"{name} {inside}".strip())
        self._act(len(self.steps) - 1, self.steps[-1])

    def _is_inside(self, path: object) -> bool:
        if not isinstance(path, (str, os.PathLike)):
            return False
        folder = os.path.realpath(Path(path).parent)
        return os.path.commonpath([folder, self._root]) == self._root

    def on_path(self, name: str) -> Callable[..., Any]:
        def act(path: Any, *rest: Any, **named: Any) -> Any:
            target = rest[0] if name in ("link", "rename", "replace") else path
            idle = Path(path).is_dir() if name == "mkdir" else not os.path.lexists(path)
            if self._is_inside(target) and not idle:
                self.step(name, target)
            return self._undisturbed[name](path, *rest, **named)

        return act

    def fsync(self, handle: int) -> None:
        self.step("fsync")
        self._undisturbed["fsync"](handle)

    def os_open(self, path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & _WRITES and self._is_inside(path):
            self.step("open", path)
        return self._undisturbed["open"](path, flags, *rest, **named)

    def io_open(self, path: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        if not set("wxa+") & set(mode) or not self._is_inside(path):
            return self._open(path, mode, *rest, **named)
        self.step("open", path)
        return _File(self, self._open(path, mode, *rest, **named), path)


class _File:
    def __init__(self, disk: Disk, file: Any, path: Any) -> None:
        self._disk, self._file, self._path = disk, file, path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, content: Any) -> int:
        half = len(content) // 2
        self._file.write(content[:half])
        self._file.flush()
        self._disk.step("write", self._path)
        self._file.write(content[half:])
        return len(content)


@contextmanager
def disturbed(root: Path, act: Callable[[int, str], None]) -> Iterator[Disk]:
    """While the block runs, `act` is called before each step inside `root`."""
    disk = Disk(root, act)
    patches = [patch.object(os, name, disk.on_path(name)) for name in _ON_PATHS]
    patches += [
        patch.object(os, "fsync", disk.fsync),
        patch.object(os, "open", disk.os_open),
        patch.object(io, "open", disk.io_open),
    ]
    for each in patches:
        each.start()
    try:
        yield disk
    finally:
        for each in patches:
            each.stop()


def counting(_number: int, _name: str) -> None:
    """Lets every step pass."""


def dying(at: int) -> Callable[[int, str], None]:
    """Death before a step: neither it nor any clean-up after it happens."""

    def act(number: int, _name: str) -> None:
        if number >= at:
            raise Dead

    return act


def failing(at: int, error: int, spared: tuple[str, ...] = ()) -> Callable[[int, str], None]:
    """A disk that refuses from a step on, but for steps of the `spared` kinds."""

    def act(number: int, name: str) -> None:
        if number >= at and not name.startswith(spared or "-"):
            raise OSError(error, os.strerror(error))

    return act


def once(at: int, do: Callable[[], object]) -> Callable[[int, str], None]:
    """Something that happens right before one step."""

    def act(number: int, _name: str) -> None:
        if number == at:
            do()

    return act


def telling(steps: list[str], each: int = 1) -> list[int]:
    """Numbers of steps worth disturbing when there is no time for all: so many of every kind."""
    kinds: dict[str, list[int]] = {}
    for number, step in enumerate(steps):
        kinds.setdefault(step.partition(" ")[0], []).append(number)
    parts = range(each)
    return sorted(
        {
            numbers[len(numbers) * (2 * part + 1) // (2 * each)]
            for numbers in kinds.values()
            for part in parts
        }
    )
