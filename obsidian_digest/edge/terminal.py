"""The only door to the screen's moving parts: progress bars, on stderr, only on a terminal."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.ports import Progress


def silent(_stage: str, _done: int, _total: int) -> None:
    """A Progress that shows nothing: automation and the Shell commands plugin want silence."""


@contextlib.contextmanager
def progress_bars(*, quiet: bool) -> Iterator[Progress]:
    """A Progress that draws one bar a stage while the block runs, if anybody is looking."""
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console  # noqa: PLC0415 (110 ms)
    from rich.progress import Progress as Bars  # noqa: PLC0415 (110 ms)

    with Bars(console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done, total=total or None)

        yield show
