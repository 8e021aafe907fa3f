"""Rebuilds `examples/vault` from the recorded mailings: `python -m tests.example_vault`.

The reader's own files (interests, config, Home, projects) stay; what the tool makes is made anew.
"""

from __future__ import annotations

import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "vault"
PAPERS = ROOT / "tests" / "recordings" / "papers"
DAYS = ("2026-08-19", "2026-08-20")
NOW = "2026-08-21T06:00:00Z"
MADE = ("arXiv", "MOC-Research.md", ".obsidian-digest")


def command(vault: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs the installed command as a user would, on a day after the recordings."""
    environment = {**os.environ, "OBSIDIAN_DIGEST_NOW": NOW}
    return subprocess.run(
        [sys.executable, "-m", "obsidian_digest", "--vault", str(vault), *words],
        check=check,
        text=True,
        stdout=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )


def mailing(day: str, folder: Path) -> Path:
    """The recorded papers of one mailing as a file of uniform records."""
    with lzma.open(PAPERS / "two-mailings.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [line for line in lines if json.loads(line)["announced"] == day]
    path = folder / f"{day}.jsonl"
    path.write_text("".join(rows), "utf-8")
    return path


def build(target: Path, run: Callable[..., object] = command) -> None:
    """The example vault, made in `target` from the reader's files and two mailings.

    `run` is given the vault and the words of each command.
    """
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns(*MADE))
    run(target, "init")
    with tempfile.TemporaryDirectory() as folder:
        for day in DAYS:
            run(target, "run", "--from-file", str(mailing(day, Path(folder))))
    shutil.rmtree(target / ".obsidian-digest")


def main() -> None:
    """Replaces what the tool made in the example vault."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "vault"
        build(built)
        shutil.rmtree(EXAMPLE)
        shutil.copytree(built, EXAMPLE)
    print(f"rebuilt {EXAMPLE.relative_to(ROOT)}; read the diff before you commit it")


if __name__ == "__main__":
    main()
