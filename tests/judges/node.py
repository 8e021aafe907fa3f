"""The other end of `judge.mjs`: one node process for a whole test session, asked in JSON lines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).parent
AT_ONCE = 4000


def missing() -> str | None:
    """Why the judges cannot be asked, as a sentence; None where they can."""
    if not shutil.which("node"):
        return "Node.js is not installed: Obsidian's own parsers were not asked"
    if not (HERE / "node_modules" / ".package-lock.json").is_file():
        return "the judges are not installed: `make judges` (Obsidian's parsers were not asked)"
    return None


def must_be_there() -> bool:
    """Whether missing judges are a fault: in CI, wherever Node is."""
    return os.environ.get("CI") == "true" and shutil.which("node") is not None


class Judges:
    """Obsidian's own parsers."""

    def __init__(self) -> None:
        command = [shutil.which("node") or "node", str(HERE / "judge.mjs")]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=HERE,
            env={**os.environ, "NODE_NO_WARNINGS": "1"},
        )

    def ask(self, judge: str, items: Iterable[Any]) -> list[Any]:
        """One verdict for each item."""
        verdicts: list[Any] = []
        for batch in _batches(list(items)):
            self._process.stdin.write(json.dumps({"judge": judge, "items": batch}) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
            assert answer, f"the judge {judge} died with code {self._process.wait()}"
            verdicts += json.loads(answer)["verdicts"]
        return verdicts

    def close(self) -> None:
        """Ends the process."""
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()


def _batches(items: list[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(items), AT_ONCE):
        yield items[start : start + AT_ONCE]
