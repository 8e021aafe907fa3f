from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from obsidian_digest.edge.import_days import FILE, DaysDone

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = date(2026, 8, 1), date(2026, 8, 2)


def test_days_are_remembered_by_what_was_asked(tmp_path: Path):
    days = DaysDone(tmp_path / "import")
    days.mark("cs.AI", SECOND)
    days.mark("cs.AI", FIRST)
    days.mark("cs.CL", FIRST)
    again = DaysDone(tmp_path / "import")
    assert again.done("cs.AI") == {FIRST, SECOND}
    assert again.done("cs.CL") == {FIRST}
    assert again.done("cs.RO") == frozenset()


def test_an_import_that_came_to_its_end_is_forgotten_and_the_others_are_not(tmp_path: Path):
    days = DaysDone(tmp_path)
    days.mark("cs.AI", FIRST)
    days.mark("cs.CL", FIRST)
    days.forget("cs.AI")
    assert (days.done("cs.AI"), days.done("cs.CL")) == (frozenset(), {FIRST})
    days.forget("cs.CL")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_costs_requests_and_nothing_else(tmp_path: Path):
    for damage in (b"", b"{", b"[1]", b'{"cs.AI": 3}', b'{"cs.AI": ["soon"]}', b"\xff"):
        (tmp_path / FILE).write_bytes(damage)
        days = DaysDone(tmp_path)
        assert days.done("cs.AI") == frozenset()
        days.mark("cs.AI", FIRST)
        assert days.done("cs.AI") == {FIRST}


def test_a_run_that_promises_to_write_nothing_remembers_nothing(tmp_path: Path):
    days = DaysDone(tmp_path / "import", read_only=True)
    days.mark("cs.AI", FIRST)
    days.forget("cs.AI")
    assert list(tmp_path.iterdir()) == []
