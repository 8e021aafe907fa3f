from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.law.diff import unified
from obsidian_digest.model import Create, Plan, Remove, Update

if TYPE_CHECKING:
    from pathlib import Path

CHANGES = Plan(
    (
        Create("new/ä b.md", b"one\ntwo\n"),
        Update("crlf.md", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        Update("open.md", b"no line end", b"still none\n\nhere"),
        Update("odd.md", "a\u2028b\x0bc\x85d\ne\n".encode(), "a\u2028b\x0bc\x85D\ne\n".encode()),
        Remove("gone.md", b"x\n"),
    )
)


def test_a_created_a_changed_and_a_removed_note_are_told_apart():
    lines = unified(CHANGES).splitlines()
    heads = [line for line in lines if line.startswith(("--- ", "+++ "))]
    assert heads[:2] == ["--- /dev/null", "+++ b/new/ä b.md"]
    assert heads[-2:] == ["--- a/gone.md", "+++ /dev/null"]


def test_a_plan_without_changes_is_an_empty_diff():
    assert unified(Plan()) == ""


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_the_diff_is_exactly_what_the_run_would_do(tmp_path: Path):
    for change in CHANGES.changes:
        if not isinstance(change, Create):
            (tmp_path / change.path).write_bytes(change.before)
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=unified(CHANGES).encode(), check=True, cwd=tmp_path,
    )  # fmt: skip
    for change in CHANGES.changes:
        if isinstance(change, Remove):
            assert not (tmp_path / change.path).exists()
        else:
            assert (tmp_path / change.path).read_bytes() == change.after
