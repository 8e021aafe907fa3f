"""Vaults for tests: made small, run in-process, and read back as a person's tools would."""

from __future__ import annotations

import io
import json
import lzma
import os
import re
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

from obsidian_digest.cli import main

PAPERS = Path(__file__).parent / "recordings" / "papers"
INTERESTS = """## Training agents with reinforcement learning
Reinforcement learning for language model agents: harness, credit assignment, environments.

## Agent safety and auditing
Attacks on tool-using agents and MCP servers, permissions, and traces for auditing agents.
"""
LINK = re.compile(r"\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")


@dataclass(frozen=True)
class Ran:
    """What a call of the command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)


def settle(vault: Path) -> None:
    """Lets time pass since anybody's last edit: a run waits for notes that are being written."""
    for path in vault.rglob("*.md"):
        times = path.stat(follow_symlinks=False)
        if time.time() - times.st_mtime < 5:
            past = (times.st_atime_ns, times.st_mtime_ns - 10_000_000_000)
            os.utime(path, ns=past, follow_symlinks=os.utime not in os.supports_follow_symlinks)


def call(vault: Path, *words: str) -> Ran:
    """Runs the command line in this process, as without a terminal."""
    settle(vault)
    out, err = io.StringIO(), io.StringIO()
    argv = ["obsidian-digest", "--vault", str(vault), *words]
    with patch("sys.argv", argv), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
    return Ran(code, out.getvalue(), err.getvalue())


def new_vault(root: Path, *, encoder: str = "static", interests: str = INTERESTS) -> Path:
    """An initialised vault with interests."""
    vault = root / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Home.md").write_text("# Home\n")
    ran = call(vault, "init", "--encoder", encoder)
    assert ran.code == 0, ran.err
    (vault / "Research interests.md").write_text(interests)
    settle(vault)
    return vault


@lru_cache(maxsize=1)
def recorded() -> tuple[str, ...]:
    """The lines of the recorded mailings of 19 and 20 August 2026."""
    with lzma.open(PAPERS / "two-mailings.jsonl.xz", "rt", encoding="utf-8") as lines:
        return tuple(lines)


def mailing(root: Path, day: str, most: int = 1000) -> Path:
    """A file with the first papers of one mailing."""
    rows = [line for line in recorded() if json.loads(line)["announced"] == day][:most]
    path = root / f"{day}-{len(rows)}.jsonl"
    path.write_text("".join(rows), "utf-8")
    return path


def contents(vault: Path) -> dict[str, bytes]:
    """Every file of the vault but the working state, by path."""
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted(vault.rglob("*"))
        if path.is_file() and ".obsidian-digest" not in path.parts
    }


def stamps(vault: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and modification time of every file but the working state."""
    settle(vault)
    return {name: (raw, (vault / name).stat().st_mtime_ns) for name, raw in contents(vault).items()}


def notes(vault: Path) -> dict[str, str]:
    """Text of every note."""
    return {name: raw.decode() for name, raw in contents(vault).items() if name.endswith(".md")}


def dangling(vault: Path) -> list[tuple[str, str]]:
    """Links of all notes that lead to no note or to more than one, as (note, target)."""
    every = notes(vault)
    stems = Counter(name.rsplit("/", 1)[-1].removesuffix(".md") for name in every)
    whole = {name.removesuffix(".md") for name in every}
    whole |= {name.rsplit("/", 1)[-1] for name in contents(vault) if not name.endswith(".md")}
    return [
        (name, target)
        for name, text in every.items()
        for target in LINK.findall(text)
        if stems[target] != 1 and target not in whole
    ]
