"""Kills a command of the tool with SIGKILL at many of its steps, each time in a copy of a vault.

A process of its own, without threads, that forks for every copy:
`python -m tests.killing VAULT COPIES EACH WORDS…` kills before some steps of every kind, of `EACH`
how many, before all steps if that is 0. Prints the names of all steps and the numbers of those
with a copy, as a JSON object.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import traceback
from pathlib import Path

from tests.faults import counting, disturbed, once, telling
from tests.vaults import Ran, call


def killed(vault: Path, at: int, words: list[str]) -> None:
    """Runs the command in a child that kills itself before step `at`."""
    child = os.fork()
    if not child:
        try:
            with disturbed(vault, once(at, lambda: os.kill(os.getpid(), signal.SIGKILL))):
                call(vault, *words)
        except BaseException:  # noqa: BLE001 (a child must never go on as the parent)
            traceback.print_exc()
        os._exit(7)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        sys.exit(f"step {at} was not reached")


def counted(vault: Path, words: list[str]) -> tuple[Ran, list[str]]:
    """Runs the command undisturbed; what it left and the names of its steps."""
    with disturbed(vault, counting) as disk:
        ran = call(vault, *words)
    return ran, disk.steps


def main() -> None:
    """Reads the command line; see above."""
    vault, copies, each, words = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    # The first run loads libraries and word lists that every child then has.
    whole = copies / "whole"
    shutil.copytree(vault, whole)
    ran, steps = counted(whole, words)
    if ran.code:
        sys.exit(ran.err)
    chosen = telling(steps, int(each)) if int(each) else [*range(len(steps))]
    for at in chosen:
        copy = copies / f"step-{at}"
        shutil.copytree(vault, copy)
        killed(copy, at, words)
    print(json.dumps({"steps": steps, "killed": chosen}))


if __name__ == "__main__":
    main()
