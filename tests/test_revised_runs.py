"""A day that announces new versions of papers the vault has: told in both notes, and undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.small_days import SECOND, small_days
from tests.vaults import call, contents, dangling, notes

if TYPE_CHECKING:
    from tests.small_days import SmallDays


def with_new_versions(days: SmallDays) -> tuple[str, ...]:
    """Runs the first day; the second then also has new versions of its first three papers."""
    days.run(days.first)
    first = [json.loads(line) for line in Path(days.first[2]).read_text().splitlines()]
    rows = Path(days.second[2]).read_text()
    for number, row in enumerate(first[:3]):
        revised = dict(row, version=2, announced=SECOND)
        revised["title"] += " again" if number else ""
        revised["abstract"] += " And we add a proof."
        if number == 2:
            revised["comment"] = "This paper has been withdrawn"
        rows += json.dumps(revised) + "\n"
    Path(days.second[2]).write_text(rows)
    return days.second


def test_new_versions_are_told_in_the_paper_and_in_the_digest_and_written_once(tmp_path):
    days = small_days(tmp_path)
    words = with_new_versions(days)
    before = contents(days.vault)
    days.run(words)
    text = notes(days.vault)
    digest = next(each for name, each in text.items() if f"digest {SECOND}" in name)
    assert "New versions of papers you have (3)" in digest
    assert sum("arxiv_version: 2\n" in each for each in text.values()) == 3
    assert sum("And we add a proof" in each for each in text.values()) == 2  # one was withdrawn
    assert any("**withdrawn**" in each for each in text.values())
    assert dangling(days.vault) == []
    after = contents(days.vault)
    days.run(words)
    assert contents(days.vault) == after
    assert call(days.vault, *words, "--check").code == 0
    assert call(days.vault, "doctor", "--notes").code == 0
    assert call(days.vault, "undo").code == 0
    assert contents(days.vault) == before
