"""The law as a machine: any row of runs and of things readers do, and nothing of theirs is lost."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from tests.law.reader import PICK, Reader
from tests.law.world import DAYS, SHOWN, World, lay_out

PHASES = [each for each in Phase if each is not Phase.explain]


class Law(Reader):
    """A reader and the program take turns in one vault."""

    prepared: Path
    """The vault every example starts from."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World.copied(
            self.prepared, Path(tempfile.mkdtemp(dir=self.prepared.parents[1]))
        )
        self.tops = dict.fromkeys(DAYS[:2], SHOWN)
        """The days that were run, with the number of papers asked for."""

    def teardown(self) -> None:
        shutil.rmtree(self.world.root)

    @invariant()
    def nothing_is_lost_and_nothing_else_lies_about(self) -> None:
        self.world.look()

    @rule()
    def the_next_day_is_run(self) -> None:
        day = next((day for day in DAYS if day not in self.tops), DAYS[-1])
        self.world.run(day, self.tops.setdefault(day, SHOWN))

    @rule(number=PICK)
    def a_day_is_run_again(self, number: int) -> None:
        day = sorted(self.tops)[number % len(self.tops)]
        self.world.run(day, self.tops[day])

    @rule(number=PICK)
    def more_papers_are_asked_for(self, number: int) -> None:
        day = sorted(self.tops)[number % len(self.tops)]
        self.tops[day] += 1
        self.world.run(day, self.tops[day])

    @rule(number=PICK)
    def a_run_is_rehearsed_and_then_made(self, number: int) -> None:
        day = DAYS[number % len(DAYS)]
        self.tops[day] = self.tops.get(day, SHOWN - 1) + 1
        self.world.rehearse(day, self.tops[day])

    @rule(canvas=st.booleans())
    def the_note_of_the_week_is_asked_for(self, canvas: bool) -> None:
        self.world.write_notes("week", *(["--canvas"] if canvas else []))

    @rule()
    def the_score_is_asked_for(self) -> None:
        self.world.write_notes("score", "--note", "--offline")

    @rule()
    def the_last_run_is_undone(self) -> None:
        self.world.undo()

    @rule()
    def the_state_of_things_is_asked_for(self) -> None:
        ran = self.world.call("status", "--json")
        assert ran.code == 0, ran.err

    # Several times, so that about every third step is a run.
    another_day_is_run = a_third_day_is_run = the_next_day_is_run
    more_are_asked_for = still_more_are_asked_for = more_papers_are_asked_for


def machine(root: Path, examples: int, steps: int, *, derandomize: bool = True) -> None:
    """Runs so many rows of at most so many steps."""
    (root / "prepared").mkdir()

    class Here(Law):
        prepared = lay_out(root / "prepared")

    profile = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=derandomize,
        database=None,
        report_multiple_bugs=False,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Here, settings=profile)


def test_nothing_of_the_readers_is_lost_in_any_row_of_runs_and_edits(tmp_path):
    machine(tmp_path, 8, 12)


@pytest.mark.slow
def test_nothing_of_the_readers_is_lost_in_long_rows_of_runs_and_edits(tmp_path):
    machine(tmp_path, 20, 25)
