"""A span asked for day by day: which days count as known, and which are asked for again."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.config import Config
from obsidian_digest.core.day.importing import Wish, standing
from obsidian_digest.edge.import_days import DaysDone
from obsidian_digest.errors import SourceError
from obsidian_digest.importing.offers import FromDays
from obsidian_digest.model import Harvest, Paper, Query, Snapshot, SourceReport, Window
from tests.edge.saving import quiet

if TYPE_CHECKING:
    from pathlib import Path

WINDOW = Window(datetime(2026, 8, 1, tzinfo=UTC), datetime(2026, 8, 5, tzinfo=UTC))
QUERY = Query(("cs.AI",))
BEST = Wish(top=20)


@dataclass
class Search:
    """So many papers on each day of the month; an outcome stands for what is not ok."""

    papers: dict[int, int]
    outcomes: dict[int, str] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)

    def harvest(self, query: Query, _progress: object) -> Harvest:
        day = query.window.start
        self.asked.append(day.day)
        outcome = self.outcomes.get(day.day, "ok")
        if outcome == "unreachable":
            raise SourceError("arXiv does not answer")
        count = self.papers.get(day.day, 0)
        papers = tuple(
            Paper(f"2608.{day.day:02}{n:03}", "T", "A", (), ("cs.AI",), "cs.AI", published=day)
            for n in range(count)
        )
        return Harvest(papers, (SourceReport("api", outcome if count else "empty", count),))


def offered(folder: Path, search: Search, wish: Wish = BEST, interests: str = "") -> FromDays:
    days = FromDays(search, QUERY, WINDOW, DaysDone(folder), quiet)
    for papers in days.parcels(standing(Snapshot(), Config()), wish, interests):
        list(papers)
    return days


def missing(days: FromDays) -> list[int]:
    return [day.day for day in days.account.missing]


def test_a_day_is_done_once_its_papers_are_written(tmp_path: Path):
    search = Search({1: 9, 2: 9, 3: 9, 4: 9})
    days = FromDays(search, QUERY, WINDOW, DaysDone(tmp_path), quiet)
    parcels = days.parcels(standing(Snapshot(), Config()), Wish(top=20), "")
    next(parcels)
    next(parcels)
    parcels.close()
    assert missing(days) == [2, 3, 4]
    again = Search({1: 9, 2: 9, 3: 9, 4: 9})
    assert missing(offered(tmp_path, again)) == []
    assert again.asked == [2, 3, 4]


def test_after_the_last_day_all_are_asked_for_again(tmp_path: Path):
    assert missing(offered(tmp_path, Search({1: 9, 2: 9, 3: 9, 4: 9}))) == []
    again = Search({1: 9, 2: 9, 3: 9, 4: 9})
    offered(tmp_path, again)
    assert again.asked == [1, 2, 3, 4]


@pytest.mark.parametrize("changed", [{"wish": Wish(top=21)}, {"interests": "others"}])
def test_other_limits_or_interests_ask_for_every_day(tmp_path: Path, changed: dict):
    broken = Search({1: 9, 2: 9}, {3: "unreachable"})
    with pytest.raises(SourceError):
        offered(tmp_path, broken)
    search = Search({1: 9, 2: 9, 3: 9, 4: 9})
    offered(tmp_path, search, **changed)
    assert search.asked == [1, 2, 3, 4]


def test_the_days_after_a_failure_are_missing_and_not_asked_for(tmp_path: Path):
    search = Search({1: 9, 2: 9, 3: 9, 4: 9}, {2: "unreachable"})
    days = FromDays(search, QUERY, WINDOW, DaysDone(tmp_path), quiet)
    with pytest.raises(SourceError):
        list(days.parcels(standing(Snapshot(), Config()), Wish(), ""))
    assert (search.asked, missing(days)) == ([1, 2], [2, 3, 4])
    assert days.account.sources == [
        SourceReport("api", "unreachable", 9, "1 of 4 days known as a whole")
    ]


def test_a_day_without_papers_among_busy_ones_is_missing(tmp_path: Path):
    days = offered(tmp_path, Search({1: 9, 2: 9, 4: 9}))
    assert missing(days) == [3]
    again = Search({3: 9})
    assert missing(offered(tmp_path, again)) == []
    assert again.asked == [3]


def test_a_day_without_papers_is_believed_where_few_come_at_all(tmp_path: Path):
    assert missing(offered(tmp_path, Search({1: 1, 4: 2}))) == []


def test_nothing_on_any_day_is_not_believed(tmp_path: Path):
    assert missing(offered(tmp_path, Search({}))) == [1, 2, 3, 4]


def test_what_two_runs_were_told_is_believed(tmp_path: Path):
    assert missing(offered(tmp_path, Search({1: 9, 2: 9, 4: 9}))) == [3]
    assert missing(offered(tmp_path, Search({}))) == []
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_lacks_papers_is_used_and_its_day_asked_for_again(tmp_path: Path):
    days = offered(tmp_path, Search({1: 9, 2: 9, 3: 9, 4: 9}, {2: "truncated"}))
    assert (days.account.collected, missing(days)) == (36, [2])
    assert days.account.missing == [date(2026, 8, 2)]
