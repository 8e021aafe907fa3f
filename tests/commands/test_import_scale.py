"""A snapshot of any size is imported in the memory of a few thousand papers."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.vaults import new_vault, recorded

if TYPE_CHECKING:
    from pathlib import Path

FEW, MANY = 4_000, 20_000
MOST_GROWTH = 40
"""MB; 12 were measured, while the papers themselves would take some hundred."""
IMPORT = """
import sys
from pathlib import Path
from obsidian_digest.cli import main
try: main()
except SystemExit as leaving: assert leaving.code == 0, leaving.code
print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])
"""


def snapshot(folder: Path, count: int) -> Path:
    """Lines as in Kaggle's snapshot, each with sentences of recorded abstracts, as invented."""
    chance = random.Random(7)
    papers = [json.loads(line) for line in recorded()]
    sentences = [part for paper in papers for part in paper["abstract"].split(". ")]
    file = folder / f"snapshot-{count}.json"
    with file.open("w", encoding="utf-8") as lines:
        for number in range(count):
            record = {
                "id": f"26{1 + number // 9999:02}.{1 + number % 9999:05}",
                "title": chance.choice(papers)["title"],
                "categories": "cs.AI cs.CL" if number % 4 else "math.CO",
                "abstract": ". ".join(chance.sample(sentences, 7)),
                "versions": [{"version": "v1", "created": "Mon, 17 Aug 2026 10:00:00 GMT"}],
                "authors_parsed": [["Lovelace", "Ada", ""], ["Wang", "Wei", ""]],
            }
            lines.write(json.dumps(record) + "\n")
    return file


def peak(root: Path, count: int) -> float:
    """Megabytes at most in use by the import of the twenty best of so many papers."""
    root.mkdir()
    vault = new_vault(root, encoder="words")
    words = ["--vault", str(vault), "import", str(snapshot(root, count)), "--top", "20"]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, *words, "--category", "cs.AI"],
        check=True,
        text=True,
        capture_output=True,
    )
    said, kilobytes = done.stdout.splitlines()
    assert said == f"20 papers imported of {count * 3 // 4} without a note."
    return int(kilobytes) / 1024


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_five_times_the_papers_take_hardly_more_memory(tmp_path: Path):
    assert peak(tmp_path / "many", MANY) < peak(tmp_path / "few", FEW) + MOST_GROWTH
