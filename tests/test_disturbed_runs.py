"""A full disk, taken rights, a signal or a second run in the middle: told, and nothing is lost."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults import counting, disturbed, failing, once, telling
from tests.small_days import SmallDays, small_days
from tests.vaults import Ran, call, contents

if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCES = {
    errno.ENOSPC: "No space left on device\nThe disk is full. Free some space and run again",
    errno.EACCES: "Permission denied\nAllow writing there, then run again.",
    errno.EROFS: "Read-only file system\nThe disk is mounted read-only.",
}
SIGNALS = {"SIGTERM": 143, "SIGINT": 130}


class Second:
    """The second day's run, to be disturbed in copies of a vault that holds the first."""

    def __init__(self, root: Path) -> None:
        self._root = root
        days: SmallDays = small_days(root)
        self.words = days.second
        days.run(days.first)
        self.before = contents(days.vault)
        self._vault = root / "before"
        shutil.copytree(days.vault, self._vault)
        with disturbed(days.vault, counting) as disk:
            days.run(days.second)
        self.steps = disk.steps
        self.whole = contents(days.vault)

    def disturbed(self, at: int, act: Callable[[int, str], None]) -> tuple[Path, Ran]:
        copy = self._root / f"step-{at}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self._vault, copy)
        with disturbed(copy, act):
            ran = call(copy, *self.words)
        return copy, ran

    def check(self, vault: Path, step: str) -> None:
        """Every note is old or new, and the next run ends the work to the same bytes."""
        for path, raw in contents(vault).items():
            assert raw in (self.before.get(path), self.whole.get(path)), (step, path)
        again = call(vault, *self.words)
        assert again.code == 0, (step, again.err)
        assert contents(vault) == self.whole, step


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Second:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T06:00:00Z")
        return Second(tmp_path_factory.mktemp("disturbed"))


def refuse(second: Second, number: int, at: int) -> None:
    spared = ("unlink",) if number == errno.ENOSPC else ()
    step = second.steps[at]
    vault, ran = second.disturbed(at, failing(at, number, spared))
    assert ran.code == 2, step
    assert SENTENCES[number] in ran.err, step
    assert "Traceback" not in ran.err
    where = ran.err.removeprefix("obsidian-digest: ").partition(": cannot be read or written")[0]
    assert where in second.whole or where.startswith((".obsidian-digest", str(vault))), step
    second.check(vault, step)


def test_a_disk_that_refuses_is_told_with_the_note_and_the_next_run_ends_the_work(second):
    for at, number in zip(telling(second.steps), itertools.cycle(SENTENCES), strict=False):
        refuse(second, number, at)


@pytest.mark.slow
@pytest.mark.parametrize("number", SENTENCES)
def test_a_disk_that_refuses_at_any_step_is_told_with_the_note(second, number):
    for at in range(len(second.steps)):
        refuse(second, number, at)


def test_the_note_that_a_full_disk_stopped_is_named(second):
    (at,) = (at for at, step in enumerate(second.steps) if step == "replace MOC-Research.md")
    vault, ran = second.disturbed(at, failing(at, errno.ENOSPC, ("unlink",)))
    assert ran.err.startswith("obsidian-digest: MOC-Research.md: cannot be read or written: No sp")
    assert contents(vault)["MOC-Research.md"] == second.before["MOC-Research.md"]


def interrupt(second: Second, name: str, at: int) -> None:
    step = second.steps[at]
    number = getattr(signal, name)
    vault, ran = second.disturbed(at, once(at, lambda: signal.raise_signal(number)))
    assert (ran.code, ran.out) == (SIGNALS[name], ""), step
    assert "stopped before the end" in ran.err
    second.check(vault, step)
    assert not list((vault / ".obsidian-digest").rglob("*.tmp"))


def test_a_signal_leaves_whole_notes_and_a_released_lock(second):
    for at, name in zip(telling(second.steps), itertools.cycle(SIGNALS), strict=False):
        interrupt(second, name, at)


@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_at_any_step_leaves_whole_notes_and_a_released_lock(second, name):
    for at in range(len(second.steps)):
        interrupt(second, name, at)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no SIGTERM")
def test_a_real_signal_to_a_real_process_ends_it_with_the_code(second, tmp_path):
    (at,) = (at for at, step in enumerate(second.steps) if step == "replace MOC-Research.md")
    shutil.copytree(second._vault, tmp_path / "vault")
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from tests.faults import disturbed, once\n"
        "from obsidian_digest.cli import main\n"
        f"sys.argv = ['obsidian-digest', '--vault', sys.argv[1], *{second.words!r}]\n"
        f"kill = once({at}, lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
        "with disturbed(Path(sys.argv[2]), kill): main()\n"
    )
    vault = str(tmp_path / "vault")
    ran = subprocess.run(
        [sys.executable, "-c", code, vault, vault],
        check=False, text=True, capture_output=True, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert ran.returncode == 143
    second.check(tmp_path / "vault", "SIGTERM")


def test_of_two_runs_at_once_one_does_the_work_and_the_other_leaves_with_5(second):
    others: list[Ran] = []
    for step in ("link", "replace MOC-Research.md"):
        at = next(at for at, name in enumerate(second.steps) if name.startswith(step))
        busy = once(at, lambda: others.append(call(second._root / f"step-{at}", *second.words)))  # noqa: B023 (called at once)
        vault, ran = second.disturbed(at, busy)
        assert ran.code == 0
        assert contents(vault) == second.whole
    assert [other.code for other in others] == [5, 5]
    assert all("another run of obsidian-digest is at work" in other.err for other in others)
