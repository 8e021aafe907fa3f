"""`status` on real small vaults: what it tells, and that it leaves no trace."""

from __future__ import annotations

import shutil
import time
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.announcements.calendar import batches_after
from obsidian_digest.note import region
from tests.vaults import call, contents, mailing, new_vault, stamps

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-08-19", "2026-08-20"
MOST = 25


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("status")
    vault = new_vault(root, encoder="words")
    for day in (FIRST, SECOND):
        file = str(mailing(root, day, MOST))
        ran = call(vault, "run", "--from-file", file, "--min-stars", "0", "--top", "6")
        assert ran.code == 0, ran.err
    return vault


@pytest.fixture
def vault(two_days: Path, tmp_path: Path) -> Path:
    shutil.copytree(two_days, tmp_path / "vault")
    return tmp_path / "vault"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return new_vault(tmp_path, encoder="words")


def papers(vault: Path) -> list[Path]:
    return sorted((vault / "arXiv" / "Papers").glob("*.md"))


def kept(vault: Path) -> list[tuple[str, str]]:
    return [(each["reason"], each["note"]) for each in call(vault, "status", "--json").json["kept"]]


def written(vault: Path, day: str) -> None:
    """A digest of that day as a run leaves it, as far as the calendar looks at it."""
    path = vault / "arXiv" / "Digests" / f"arXiv digest {day}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = region.wrap("digest", "No paper.")
    path.write_text(f"---\ndigest_date: {day}\ndigest_pool: 1-00\n---\n\n{text}\n")


def in_zone(monkeypatch: pytest.MonkeyPatch, zone: str, now: str) -> None:
    if not hasattr(time, "tzset"):
        pytest.skip("this system has no time zones by name")
    monkeypatch.setenv("TZ", zone)
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", now)
    time.tzset()


@pytest.fixture(autouse=True)
def own_zone(monkeypatch: pytest.MonkeyPatch):
    yield
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()


def test_a_fresh_vault_has_no_digest_and_the_next_run_fetches_the_latest_batch(fresh: Path):
    ran = call(fresh, "status")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "notes      1 note of ours: 1 map of content",
        "days       no digest yet",
        "next run   fetches the announcement of 2026-08-20; encoder words",
    ]


def test_json_follows_the_contract(vault: Path):
    answer = call(vault, "status", "--json").json
    assert {key: answer[key] for key in ("contract", "command", "exit", "outcome")} == {
        "contract": 1, "command": "status", "exit": 0, "outcome": "status",
    }  # fmt: skip
    notes = answer["notes"]
    assert notes["paper"] == len(papers(vault)) == 12
    assert (notes["digest"], notes["moc"], notes["week"]) == (2, 1, 0)
    assert notes["theme"] == len(list((vault / "arXiv" / "Themes").glob("*.md")))
    assert answer["kept"] == []
    assert answer["covered"] == {
        "first": FIRST,
        "newest": SECOND,
        "digests": 2,
        "missing": [],
        "incomplete": {},
    }
    assert answer["next"]["batches"] == []
    assert answer["next"]["at"] == "2026-08-21T00:00:00Z"
    assert answer["next"]["message"].startswith("No announcement until ")
    assert answer["next"]["encoder"] == "words"
    assert answer["next"]["message"] in answer["message"]


@pytest.mark.parametrize(
    ("zone", "now", "words"),
    [
        ("UTC", "2026-08-20T06:00Z", "Friday 00:00 your time (2026-08-21)"),
        ("Europe/Berlin", "2026-08-20T06:00Z", "Friday 02:00 your time (2026-08-21)"),
        ("Asia/Shanghai", "2026-08-20T06:00Z", "Friday 08:00 your time (2026-08-21)"),
        ("America/Los_Angeles", "2026-08-20T06:00Z", "Thursday 17:00 your time (2026-08-20)"),
    ],
)
def test_when_nothing_is_due_the_next_announcement_is_told_in_the_readers_own_time(
    vault, monkeypatch, zone, now, words
):
    in_zone(monkeypatch, zone, now)
    assert f"no announcement until {words}" in call(vault, "status").out


def test_daylight_saving_that_ends_before_the_announcement_is_counted(fresh, monkeypatch):
    written(fresh, "2026-10-23")
    in_zone(monkeypatch, "Europe/Berlin", "2026-10-24T12:00Z")
    assert "until Monday 01:00 your time (2026-10-26)" in call(fresh, "status").out


def test_over_a_holiday_the_next_announcement_is_the_one_after_it(fresh, monkeypatch):
    written(fresh, "2026-11-26")
    in_zone(monkeypatch, "UTC", "2026-11-26T12:00Z")  # Thanksgiving: nothing closes
    assert "until Monday 01:00 your time (2026-11-30)" in call(fresh, "status").out


def test_all_batches_since_the_newest_digest_are_due(vault, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-25T06:00Z")
    assert call(vault, "status", "--json").json["next"]["batches"] == [
        "2026-08-21", "2026-08-24", "2026-08-25",
    ]  # fmt: skip
    words = "fetches 3 announcements: 2026-08-21, 2026-08-24, 2026-08-25; encoder words"
    assert words in call(vault, "status").out


def test_days_that_no_digest_covers_are_named_with_what_to_do(vault, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-26T06:00Z")
    written(vault, "2026-08-25")
    assert call(vault, "status", "--json").json["covered"]["missing"] == [
        "2026-08-21", "2026-08-24",
    ]  # fmt: skip
    out = call(vault, "status").out
    assert "no digest covers 2 announcements: 2026-08-21, 2026-08-24 (fetch one" in out
    assert "run --date 2026-08-24" in out


def test_edited_moved_deleted_doubled_and_damaged_notes_are_named(vault: Path):
    edited, moved, gone, torn, split, twin, *_ = papers(vault)
    edited.write_text(edited.read_text("utf-8").replace("In short", "In my words"), "utf-8")
    (vault / "Read").mkdir()
    moved.rename(vault / "Read" / moved.name)
    gone.unlink()
    torn.write_text(torn.read_text("utf-8").replace("%% digest:end paper %%\n", ""), "utf-8")
    with split.open("a", encoding="utf-8") as file:
        file.write("<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> other\n")
    shutil.copy(twin, vault / "Read" / "The same.md")
    own = vault / "Own.md"
    own.write_text("---\narxiv_id: 2601.00001\n---\nWhat I think of it.\n")
    names = {
        "edited": edited.relative_to(vault).as_posix(),
        "deleted": gone.stem[-10:].replace("-", "."),
        "unreadable": torn.relative_to(vault).as_posix(),
        "conflict": split.relative_to(vault).as_posix(),
        "foreign": "Own.md",
    }
    found = kept(vault)
    for reason, note in names.items():
        assert (reason, note) in found
    assert ("moved", f"Read/{moved.name}") in found
    assert {note for reason, note in found if reason == "doubled"} == {
        "Read/The same.md", twin.relative_to(vault).as_posix(),
    }  # fmt: skip
    out = call(vault, "status").out
    for reason, count in (("edited", "1 region"), ("deleted", "1 paper"),
                          ("doubled", "2 notes"), ("foreign", "1 note")):  # fmt: skip
        assert f"{reason:<11}{count}: " in out
    assert f"edited     {names['edited']} (region paper)\n" in out


def test_a_vault_as_the_runs_left_it_has_nothing_to_tell(vault: Path):
    assert kept(vault) == []
    assert len(call(vault, "status").out.splitlines()) == 5


def test_what_was_announced_is_not_known_where_nothing_fetched_is_kept(vault: Path):
    answer = call(vault, "status", "--json").json
    assert set(answer["counts"].values()) == {None}
    assert answer["days"] == []
    assert "not known: nothing fetched is kept here" in call(vault, "status").out


def test_a_vault_that_lost_most_of_its_notes_is_told_that_no_run_would_start(vault: Path):
    for note in papers(vault):
        note.unlink()
    words = "the next run does nothing: 12 of 12 paper notes are gone at once"
    assert words in call(vault, "status", "--json").json["message"].lower()
    assert "next run   does nothing: 12 of 12" in call(vault, "status").out


def test_undo_is_offered_as_long_as_there_is_a_journal(vault: Path):
    assert "\nundo       takes back what the last run did to " in call(vault, "status").out
    assert call(vault, "status", "--json").json["undo"]["notes"] > 6
    shutil.rmtree(vault / ".obsidian-digest")
    assert "\nundo" not in call(vault, "status").out
    assert call(vault, "status", "--json").json["undo"] == {"notes": 0}


def test_a_journal_that_cannot_be_read_is_told_and_the_rest_as_ever(vault: Path):
    for file in (vault / ".obsidian-digest" / "undo").iterdir():
        file.write_text("torn")
    assert "\nundo       is not possible: " in call(vault, "status").out
    assert call(vault, "status", "--json").json["undo"] == {"notes": None}


def test_long_lists_are_cut_on_the_screen_and_whole_in_the_json(fresh, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T06:00Z")
    for day in (date(2026, 1, 5), date(2026, 8, 20)):
        written(fresh, day.isoformat())
    for number in range(300):
        name = f"A rather long name of a note of the reader's own about a paper {number}.md"
        (fresh / name).write_text(f"---\narxiv_id: 2601.{number + 1:05}\n---\nMine.\n")
    ran = call(fresh, "status")
    assert len(ran.out.encode()) < 8000
    assert "151 more and 2026-08-" in ran.out
    assert ran.out.splitlines()[-1].endswith(" more; see --json")
    answer = call(fresh, "status", "--json").json
    assert len(answer["kept"]) == 300
    between = batches_after(date(2026, 1, 5), date(2026, 8, 20) - timedelta(days=1))
    assert answer["covered"]["missing"] == [day.isoformat() for day in between]


def test_nothing_is_written_and_a_run_at_work_is_no_hindrance(vault: Path):
    shutil.rmtree(vault / ".obsidian-digest")
    before = stamps(vault)
    call(vault, "status")
    assert stamps(vault) == before
    assert not (vault / ".obsidian-digest").exists()
    (vault / ".git").mkdir()
    (vault / ".git" / "MERGE_HEAD").write_text("")
    assert call(vault, "status").code == 0


def test_quiet_prints_nothing(vault: Path):
    assert call(vault, "status", "--quiet").out == ""


def test_a_vault_without_a_config_is_refused_with_the_way_out(tmp_path: Path):
    (tmp_path / ".obsidian").mkdir()
    ran = call(tmp_path, "status")
    assert (ran.code, ran.out) == (2, "")
    assert "Start with: obsidian-digest init" in ran.err
    assert contents(tmp_path) == {}
