"""`kill -9` at the steps of a run: no note is ever half-written, and the next run ends the work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.small_days import SmallDays, small_days
from tests.vaults import call, contents

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows cannot fork")

ROOT = Path(__file__).parents[1]
NOT_UNDONE = ("undo", "init")
"""Verbs that no undo takes back as a whole."""


def first(days: SmallDays) -> tuple[str, ...]:
    return days.first


def second(days: SmallDays) -> tuple[str, ...]:
    days.run(days.first)
    return days.second


def supplement(days: SmallDays) -> tuple[str, ...]:
    days.run(days.first)
    days.run(days.second, "--top", "3")
    return (*days.second, "--top", "6")


def daily(days: SmallDays) -> tuple[str, ...]:
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace("daily_line = false", "daily_line = true"))
    (days.vault / "2026-08-20.md").write_text("# Thursday\n")
    return second(days)


def week(days: SmallDays) -> tuple[str, ...]:
    days.run(days.first)
    return ("week", "--canvas")


def score(days: SmallDays) -> tuple[str, ...]:
    days.run(days.first)
    for paper in sorted((days.vault / "arXiv" / "Papers").glob("*.md"))[:3]:
        paper.write_text(f"{paper.read_text()}\nRead with care.\n")
    return ("score", "--note", "--offline")


def init(days: SmallDays) -> tuple[str, ...]:
    days.run(days.first)
    (days.vault / "MOC-Research.md").write_bytes(b"# My map\r\n")
    return ("init", "--base", "--moc")


def undo(days: SmallDays) -> tuple[str, ...]:
    days.run(days.first)
    days.run(days.second)
    return ("undo",)


@dataclass(frozen=True)
class Killed:
    """What a command that was killed at many steps left behind."""

    words: tuple[str, ...]
    before: dict[str, bytes]
    whole: dict[str, bytes]
    """The vault after the same command, undisturbed."""
    copies: dict[str, Path]
    """Vaults by the step before which the command was killed."""
    steps: list[str]


def killed(root: Path, prepare: Callable[[SmallDays], tuple[str, ...]], each: int) -> Killed:
    days = small_days(root)
    words = prepare(days)
    before = contents(days.vault)
    copies = root / "copies"
    copies.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.killing", str(days.vault), str(copies), str(each), *words],
        check=False, text=True, capture_output=True, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return Killed(
        words,
        before,
        contents(copies / "whole"),
        {f"{at} {told['steps'][at]}": copies / f"step-{at}" for at in told["killed"]},
        told["steps"],
    )


def check(killed: Killed) -> None:
    for step, vault in killed.copies.items():
        left = contents(vault)
        assert left.keys() <= killed.before.keys() | killed.whole.keys(), step
        assert left.keys() >= killed.before.keys() & killed.whole.keys(), step
        for path, raw in left.items():
            assert raw in (killed.before.get(path), killed.whole.get(path)), (step, path)
        again = call(vault, *killed.words)
        assert again.code == 0, (step, again.err)
        assert contents(vault) == killed.whole, step
        state = vault / ".obsidian-digest"
        assert not list(state.rglob("*.tmp")), step
        assert (state / ".gitignore").read_bytes() == b"*\n"
        if killed.words[0] not in NOT_UNDONE:
            assert call(vault, "undo").code == 0
            assert contents(vault) == killed.before, step


@pytest.mark.parametrize(
    ("prepare", "each", "least"), [(second, 1, 7), (undo, 3, 7), (week, 1, 6), (init, 1, 5)]
)
def test_a_command_killed_at_some_steps_of_every_kind_is_ended_by_the_next(
    tmp_path: Path, prepare, each, least
):
    found = killed(tmp_path, prepare, each)
    assert len(found.copies) >= least
    assert found.whole != found.before
    check(found)


@pytest.mark.slow
@pytest.mark.parametrize("prepare", [first, second, daily, supplement, undo, week, score, init])
def test_a_command_killed_at_any_step_is_ended_by_the_next(tmp_path: Path, prepare):
    found = killed(tmp_path, prepare, 0)
    assert len(found.copies) == len(found.steps) >= (20 if prepare in (week, score, init) else 30)
    assert found.whole != found.before
    check(found)
