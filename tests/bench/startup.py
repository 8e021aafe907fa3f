"""What `obsidian-digest --help` costs beside `import click`: `python -m tests.bench.startup`.

Shells ask for it at every completion. The limit is a ratio, since machines differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from statistics import median

LIMIT = 3.0
RUNS = 15


def seconds(*words: str) -> float:
    """Wall seconds of one Python process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Prints the median ratio over pairs of runs; with --check exits 1 above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    seconds("-m", "obsidian_digest", "--help")
    ratios = [
        seconds("-m", "obsidian_digest", "--help") / seconds("-c", "import click")
        for _ in range(RUNS)
    ]
    print(f"--help costs {median(ratios):.2f} times `import click` (limit {LIMIT})")
    if asked.check and median(ratios) > LIMIT:
        sys.exit(1)


if __name__ == "__main__":
    main()
