"""Seven mailings of August 2026 replayed by a loopback arXiv: every paper once, no day lost."""

from __future__ import annotations

import json
import lzma
import shutil
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from obsidian_digest.core.announcements.calendar import announced_at, batch_window, batches_after
from obsidian_digest.edge.paper_record import read_record
from tests.edge.announcement_server import Announcing, Mailing, mailings, serve_mailings
from tests.edge.arxiv_server import Answer
from tests.vaults import PAPERS, call, contents, new_vault, notes

if TYPE_CHECKING:
    from pathlib import Path

    from obsidian_digest.model import Paper


CATEGORIES = ("cs.HC", "cs.MA")
FIRST, LAST = date(2026, 8, 13), date(2026, 8, 21)
CITIES = ("Asia/Shanghai", "Europe/Berlin", "America/Los_Angeles")


@lru_cache(maxsize=1)
def recorded() -> tuple[Mailing, ...]:
    with lzma.open(PAPERS / "seven-mailings.jsonl.xz", "rt", encoding="utf-8") as lines:
        return mailings(dated(read_record(json.loads(line))) for line in lines)


def dated(paper: Paper) -> Paper:
    """With a time of submission, which only the search API tells."""
    assert paper.announced
    window = batch_window(paper.announced)
    assert window
    moment = window.start + timedelta(seconds=int(paper.id[-5:]) % 3600)
    return replace(paper, published=paper.published or moment, updated=paper.updated or moment)


def moved_to(days: tuple[date, ...]) -> tuple[Mailing, ...]:
    """The recorded papers announced on other days, with ids of those days."""
    found = []
    for number, (day, mailing) in enumerate(zip(days, recorded(), strict=False)):
        papers = [
            replace(paper, id=f"{day:%y%m}.{number * 100 + at:05}", announced=day, published=None)
            for at, paper in enumerate((*mailing.new, *mailing.crossed), 1)
        ]
        found.append(Mailing(day, tuple(papers)))
    return tuple(found)


def of_day(mailing: Mailing) -> set[str]:
    """What the listing pages of our categories show as new or cross-listed."""
    rows = [row for category in CATEGORIES for row in mailing.rows(category)]
    return {paper.id for paper, kind in rows if kind in ("new", "cross")}


class Reader:
    """Someone with a vault of his own, who runs the tool at given times."""

    def __init__(self, folder: Path, arxiv: Announcing, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0")
        for name, url in (("RSS", arxiv.rss), ("LIST", arxiv.site), ("API", arxiv.url)):
            monkeypatch.setenv(f"OBSIDIAN_DIGEST_{name}_URL", url)
        monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(folder / "cache"))
        self.vault = new_vault(folder, encoder="words")
        config = self.vault / "obsidian-digest.toml"
        text = config.read_text().replace('["cs.AI", "cs.CL"]', json.dumps(CATEGORIES))
        config.write_text(
            text.replace("min_stars = 3", "min_stars = 0").replace("top = 20", "top = 4")
        )
        self.ranking = folder / "ranking.jsonl"
        self.new: dict[str, list[str]] = {}
        self._arxiv, self._monkeypatch = arxiv, monkeypatch

    def run(self, now: datetime, *words: object):
        self._arxiv.now = now
        self._monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", now.astimezone(UTC).isoformat())
        ran = call(self.vault, "run", "--json", "--ranking", self.ranking, *words)
        answer = ran.json
        if answer["outcome"] == "digest":
            rows = self.ranking.read_text().splitlines()
            self.new[answer["date"]] = [json.loads(row)["id"] for row in rows]
        return answer


def at(day: date, hour: int, city: str = "UTC") -> datetime:
    return datetime.combine(day, time(hour, tzinfo=ZoneInfo(city)))


@pytest.fixture
def arxiv():
    with serve_mailings(recorded(), at(FIRST, 12)) as served:
        yield served


def daily(folder: Path, arxiv: Announcing, monkeypatch) -> Reader:
    reader = Reader(folder, arxiv, monkeypatch)
    for mailing in recorded():
        answer = reader.run(at(mailing.day, 12))
        assert answer["outcome"] == "digest", answer["message"]
        assert answer["date"] == mailing.day.isoformat()
        assert answer["unique"] == answer["new"] == len(of_day(mailing))
    return reader


@pytest.fixture(scope="module")
def every_day(tmp_path_factory) -> Reader:
    """Who ran daily; tests only look at it."""
    with serve_mailings(recorded(), at(FIRST, 12)) as served, pytest.MonkeyPatch.context() as patch:
        return daily(tmp_path_factory.mktemp("replay") / "daily", served, patch)


@dataclass(frozen=True)
class CaughtUp:
    """Who ran on the first day and then, after a dry run, on the last; tests only look at it."""

    vault: Path
    before: dict[str, bytes]
    """The vault after the first day,"""
    between: dict[str, bytes]
    """and after the dry run."""
    shown: dict
    answer: dict


@pytest.fixture(scope="module")
def caught_up(tmp_path_factory) -> CaughtUp:
    with serve_mailings(recorded(), at(FIRST, 12)) as served, pytest.MonkeyPatch.context() as patch:
        reader = Reader(tmp_path_factory.mktemp("replay") / "rarely", served, patch)
        reader.run(at(FIRST, 12))
        before = contents(reader.vault)
        shown = reader.run(at(LAST, 12), "--dry-run")
        between = contents(reader.vault)
        return CaughtUp(reader.vault, before, between, shown, reader.run(at(LAST, 12)))


def test_running_every_day_gives_each_paper_exactly_once(every_day):
    every = [each for ids in every_day.new.values() for each in ids]
    assert len(every) == len(set(every))
    assert set(every) == set().union(*map(of_day, recorded()))


def test_a_week_caught_up_at_once_leaves_the_vault_of_someone_who_ran_daily(every_day, caught_up):
    answer = caught_up.answer
    assert answer["exit"] == 0
    assert [day["date"] for day in answer["days"]] == [str(m.day) for m in recorded()[1:]]
    assert sum(day["new"] for day in answer["days"]) == sum(
        len(of_day(mailing)) for mailing in recorded()[1:]
    )
    assert contents(caught_up.vault) == contents(every_day.vault)


def test_one_undo_takes_a_whole_catching_up_back(tmp_path, caught_up):
    vault = tmp_path / "vault"
    shutil.copytree(caught_up.vault, vault)
    assert contents(vault) != caught_up.before
    assert call(vault, "undo").code == 0
    assert contents(vault) == caught_up.before


def test_an_undo_that_leaves_an_edited_digest_leaves_the_papers_it_shows(
    tmp_path, arxiv, monkeypatch
):
    reader = Reader(tmp_path / "rarely", arxiv, monkeypatch)
    reader.run(at(FIRST, 12))
    second = recorded()[1].day
    reader.run(at(second, 12))
    digest = reader.vault / "arXiv" / "Digests" / f"arXiv digest {second}.md"
    digest.write_text(digest.read_text() + "\nmy own words\n")
    papers = {name for name in contents(reader.vault) if "/Papers/" in name}
    ran = call(reader.vault, "undo", "--json")
    assert {name for name in contents(reader.vault) if "/Papers/" in name} == papers
    kept = {(keep["reason"], keep["detail"]) for keep in ran.json["notes"]["kept"]}
    assert ("edited", "a digest that stays shows it") in kept
    status = call(reader.vault, "status", "--json").json
    assert not [keep for keep in status["kept"] if keep["reason"] == "deleted"]


def test_the_whole_gap_can_be_one_digest(tmp_path, arxiv, monkeypatch):
    reader = Reader(tmp_path / "one", arxiv, monkeypatch)
    config = reader.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('catch_up = "days"', 'catch_up = "one"'))
    reader.run(at(FIRST, 12))
    answer = reader.run(at(LAST, 12))
    assert answer["new"] == len(set().union(*map(of_day, recorded()[1:])))
    digests = [
        name for name in contents(reader.vault) if "/Digests/" in name and name.endswith(".md")
    ]
    assert len(digests) == 2
    assert reader.run(at(LAST, 14))["outcome"] == "no-announcement"


def test_a_dry_run_over_several_days_shows_what_the_run_then_does(caught_up):
    assert caught_up.between == caught_up.before
    shown, done = caught_up.shown, caught_up.answer
    assert shown["notes"]["created"] == done["notes"]["created"]
    assert [day["selected"] for day in shown["days"]] == [day["selected"] for day in done["days"]]


def test_more_papers_later_the_same_day_come_without_a_request(tmp_path, arxiv, monkeypatch):
    reader = Reader(tmp_path / "more", arxiv, monkeypatch)
    reader.run(at(FIRST, 12))
    asked = len(arxiv.log)
    answer = reader.run(at(FIRST, 15), "--top", 7)
    assert answer["selected"] == 3
    assert len(arxiv.log) == asked
    assert reader.run(at(FIRST, 16), "--top", 7)["notes"]["created"] == []


def test_a_run_killed_after_fetching_resumes_from_what_it_fetched(tmp_path, arxiv, monkeypatch):
    whole = Reader(tmp_path / "whole", arxiv, monkeypatch)
    whole.run(at(FIRST, 12))
    cut = Reader(tmp_path / "cut", arxiv, monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(
            "obsidian_digest.pipeline.choose", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        assert cut.run(at(FIRST, 12))["exit"] == 130
    asked = len(arxiv.log)
    assert cut.run(at(FIRST, 12))["outcome"] == "digest"
    assert [each.path for each in arxiv.log[asked:]] == ["/api/query"]
    assert arxiv.log[-1].query["id_list"]
    assert contents(cut.vault) == contents(whole.vault)


def test_a_partial_day_is_completed_as_if_it_had_been_whole(tmp_path, arxiv, monkeypatch):
    whole = Reader(tmp_path / "whole", arxiv, monkeypatch)
    whole.run(at(FIRST, 12))
    bad = [f"/{kind}" for kind in ("rss/cs.MA", "list/cs.MA/new", "api/query")]
    reader = Reader(tmp_path / "partial", arxiv, monkeypatch)
    arxiv.faults = {path: [Answer(b"", 500)] * 99 for path in bad}
    answer = reader.run(at(FIRST, 12))
    assert (answer["exit"], answer["outcome"], answer["missing"]) == (3, "partial", ["cs.MA"])
    (digest,) = (reader.vault / "arXiv" / "Digests").glob("*.md")
    assert "Not included: cs.MA" in digest.read_text()
    status = call(reader.vault, "status", "--json").json
    assert status["covered"]["incomplete"] == {str(FIRST): ["cs.MA"]}
    assert f"{FIRST} lacks cs.MA" in call(reader.vault, "status").out
    again = reader.run(at(FIRST, 13))
    assert (again["exit"], again["missing"]) == (3, ["cs.MA"])
    assert again["notes"]["created"] == again["notes"]["updated"] == []
    arxiv.faults = {}
    asked = len(arxiv.log)
    done = reader.run(at(FIRST, 14))
    assert (done["exit"], done["missing"]) == (0, [])
    assert arxiv.log[asked].path == "/rss/cs.MA"
    assert {each.path for each in arxiv.log[asked:]} == {"/rss/cs.MA", "/api/query"}
    assert contents(reader.vault) == contents(whole.vault)


def test_two_partial_days_in_a_row_are_both_completed(tmp_path, arxiv, monkeypatch):
    reader = Reader(tmp_path / "partial", arxiv, monkeypatch)
    second = recorded()[1].day
    paths = ["rss/cs.MA", "list/cs.MA/new", "api/query"]
    paths += [f"catchup/cs.MA/{day}" for day in (FIRST, second)]
    arxiv.faults = {f"/{path}": [Answer(b"", 500)] * 99 for path in paths}
    reader.run(at(FIRST, 12))
    answer = reader.run(at(second, 12))
    assert [(day["date"], day["missing"]) for day in answer["days"]] == [
        (str(FIRST), ["cs.MA"]),
        (str(second), ["cs.MA"]),
    ]
    arxiv.faults = {}
    shown = reader.run(at(second, 14), "--dry-run")
    done = reader.run(at(second, 14))
    assert (done["exit"], done["missing"]) == (0, [])
    assert [day["date"] for day in done["days"]] == [str(FIRST), str(second)]
    assert shown["notes"] == done["notes"]
    lacking = [text for text in notes(reader.vault).values() if "digest_missing:\n" in text]
    assert lacking == []
    assert reader.run(at(second, 15))["outcome"] == "no-announcement"


def test_a_partial_day_that_the_reader_touched_is_completed_by_adding(tmp_path, arxiv, monkeypatch):
    reader = Reader(tmp_path / "partial", arxiv, monkeypatch)
    paths = ("/rss/cs.HC", "/list/cs.HC/new", "/api/query")
    arxiv.faults = {path: [Answer(b"", 500)] * 9 for path in paths}
    reader.run(at(FIRST, 12))
    (digest,) = (reader.vault / "arXiv" / "Digests").glob("*.md")
    digest.write_text(digest.read_text() + "\nmy own words\n")
    before = digest.read_text()
    arxiv.faults = {}
    done = reader.run(at(FIRST, 14))
    assert (done["exit"], done["missing"]) == (0, [])
    assert done["selected"] > 0
    text = digest.read_text()
    assert "my own words" in text
    assert "supplement-1" in text
    assert before.partition("%% digest:begin")[2].partition("%% digest:end")[0] in text
    assert reader.run(at(FIRST, 15))["outcome"] == "no-announcement"


def test_a_day_that_fails_ends_the_catching_up_and_nothing_after_it_hides_it(
    tmp_path, arxiv, monkeypatch, every_day
):
    reader = Reader(tmp_path / "rarely", arxiv, monkeypatch)
    reader.run(at(FIRST, 12))
    third = recorded()[2].day
    paths = [f"/catchup/{category}/{third}" for category in CATEGORIES]
    arxiv.faults = {path: [Answer(b"", 500)] * 9 for path in paths}
    answer = reader.run(at(LAST, 12), "--source", "listing")
    assert answer["exit"] == 4
    assert [day["date"] for day in answer["days"]] == [str(recorded()[1].day)]
    arxiv.faults = {}
    assert reader.run(at(LAST, 13))["exit"] == 0
    assert contents(reader.vault) == contents(every_day.vault)


def weeks() -> dict[str, tuple[date, ...]]:
    """Working weeks around the switches of daylight saving in America and Europe."""
    return {
        str(monday): batches_after(monday - timedelta(1), monday + timedelta(8))
        for monday in (date(2026, 3, 5), date(2026, 3, 26), date(2026, 10, 22), date(2026, 10, 29))
    }


@pytest.mark.parametrize(
    "city", [CITIES[0], *(pytest.param(c, marks=pytest.mark.slow) for c in CITIES[1:])]
)
@pytest.mark.parametrize(
    "week", [pytest.param(name, marks=pytest.mark.slow) for name in weeks()] + ["recorded"]
)
def test_running_twice_a_day_anywhere_gives_every_paper_once(tmp_path, monkeypatch, city, week):
    given = recorded() if week == "recorded" else moved_to(weeks()[week])
    with serve_mailings(given, at(FIRST, 12)) as arxiv:
        reader = Reader(tmp_path / "twice", arxiv, monkeypatch)
        day = given[0].day - timedelta(1)
        first = announced_at(given[0].day)
        while day <= given[-1].day + timedelta(1):
            for hour in (7, 21):
                now = at(day, hour, city)
                if first <= now < announced_at(given[-1].day) + timedelta(hours=23):
                    answer = reader.run(now)
                    assert answer["exit"] == 0, answer["message"]
            day += timedelta(1)
    every = [each for ids in reader.new.values() for each in ids]
    assert len(every) == len(set(every))
    assert {day: set(ids) for day, ids in reader.new.items()} == {
        str(mailing.day): of_day(mailing) for mailing in given
    }
