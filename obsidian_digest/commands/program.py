"""How this program is called by others: Obsidian's Shell commands plugin, and cron."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

WINDOWS = os.name == "nt"
AFTER = timedelta(hours=2)
"""From announcement to run: daylight saving, there and here, moves the first by an hour at most."""


def plugin_line(config_dir: str) -> str:
    """The line for the Shell commands plugin, which starts it in the vault.

    The path is absolute, for Obsidian does not read the profile that knows where programs are.
    """
    return _quoted([*_program(), *_named(config_dir), "run"])


def cron_line(root: Path, config_dir: str, announced: datetime) -> str | None:
    """A line of a crontab that runs once a day; None on Windows, which has none.

    `announced` is any instant at which arXiv announces.
    """
    if WINDOWS:
        return None
    words = _quoted([*_program(), "--vault", str(root), *_named(config_dir), "run"])
    hour = (announced + AFTER).astimezone().hour
    return f"30 {hour} * * * {words}".replace("%", r"\%")


def _named(config_dir: str) -> list[str]:
    return [] if config_dir == ".obsidian" else ["--config-dir", config_dir]


def _program() -> list[str]:
    """This program by absolute path, links in it kept: `~/.local/bin` outlives updates."""
    called = Path(sys.argv[0])
    beside = Path(sys.executable).with_name(f"obsidian-digest{called.suffix}")
    for path in (called, beside):
        if path.stem == "obsidian-digest" and path.is_file():
            return [str(path.absolute())]
    return [sys.executable, "-m", "obsidian_digest"]


def _quoted(words: Sequence[str]) -> str:
    if WINDOWS:
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)
