"""`undo` gives the vault back as it was, but for what the reader touched since."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.remembered import forget
from tests.small_days import SECOND, SmallDays, small_days
from tests.vaults import call, contents, dangling, notes, stamps

if TYPE_CHECKING:
    from pathlib import Path

DIGEST = f"arXiv/Digests/arXiv digest {SECOND}.md"


@pytest.fixture(scope="module")
def one_day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T06:00:00Z")
        root = tmp_path_factory.mktemp("one-day")
        days = small_days(root)
        shutil.copytree(days.vault, root / "fresh")
        days.run(days.first)
    return root


@pytest.fixture
def days(one_day: Path, tmp_path: Path) -> SmallDays:
    """A vault after the first day."""
    shutil.copytree(one_day / "vault", tmp_path / "vault")
    words = [
        ("run", "--from-file", str(one_day / f"{day}.jsonl"), "--min-stars", "0")
        for day in ("2026-08-19", SECOND)
    ]
    return SmallDays(tmp_path / "vault", *words)


def folders(vault: Path) -> set[str]:
    return {
        path.relative_to(vault).as_posix()
        for path in vault.rglob("*")
        if path.is_dir() and ".obsidian-digest" not in path.parts
    }


def test_the_first_run_undone_leaves_the_vault_as_if_it_had_never_been(days, one_day):
    answer = days.run(("undo",), "--json").json
    assert answer["outcome"] == "undone"
    assert contents(days.vault) == contents(one_day / "fresh")
    assert folders(days.vault) == folders(one_day / "fresh") == {".obsidian"}


def test_a_second_day_is_undone_before_the_first_and_then_nothing_is_left(days, one_day):
    first = contents(days.vault)
    days.run(days.second)
    days.run(("undo",))
    assert contents(days.vault) == first
    days.run(("undo",))
    assert contents(days.vault) == contents(one_day / "fresh")
    again = days.run(("undo",), "--json").json
    assert (again["outcome"], again["exit"]) == ("nothing-to-undo", 0)
    assert again["notes"] == {"restored": [], "removed": [], "kept": []}


def test_a_supplement_is_undone_alone(days):
    days.run(days.second, "--top", "3")
    before = contents(days.vault)
    days.run(days.second, "--top", "6")
    assert contents(days.vault) != before
    days.run(("undo",))
    assert contents(days.vault) == before


def test_a_run_that_wrote_nothing_is_not_what_is_undone(days):
    before = contents(days.vault)
    days.run(days.second)
    days.run(days.second)
    days.run(("undo",))
    assert contents(days.vault) == before


def test_after_an_undo_the_same_run_writes_the_same_bytes_again(days):
    days.run(days.second)
    whole = contents(days.vault)
    days.run(("undo",))
    forget()
    days.run(days.second)
    assert contents(days.vault) == whole


def test_the_answer_names_what_was_done_and_the_sentence_counts_it(days):
    before = contents(days.vault)
    days.run(days.second)
    after = contents(days.vault)
    answer = days.run(("undo",), "--json").json
    assert answer.keys() == {"contract", "command", "exit", "outcome", "message", "notes"}
    assert (answer["contract"], answer["command"], answer["exit"]) == (1, "undo", 0)
    assert set(answer["notes"]["removed"]) == after.keys() - before.keys()
    assert set(answer["notes"]["restored"]) == {
        path for path in before if before[path] != after[path]
    }
    removed, restored = len(answer["notes"]["removed"]), len(answer["notes"]["restored"])
    assert answer["message"] == (
        f"The last run is undone: {removed} notes removed, {restored} notes put back as before."
    )
    assert days.run(("undo",)).out.startswith("The last run is undone: ")
    assert days.run(("undo",)).out.startswith("There is nothing to undo")


def new_papers(days: SmallDays) -> list[str]:
    return sorted(
        name
        for name, text in notes(days.vault).items()
        if name.startswith("arXiv/Papers/") and f"[[arXiv digest {SECOND}]]" in text
    )


def test_what_the_reader_touched_since_stays_as_he_left_it(days):
    days.run(days.second)
    whole = contents(days.vault)
    edited, renamed, deleted = new_papers(days)[:3]
    (days.vault / edited).write_bytes(whole[edited] + b"My thought.\r\n")
    (days.vault / renamed).rename(days.vault / "Mine.md")
    (days.vault / deleted).unlink()
    (days.vault / "MOC-Research.md").write_bytes(whole["MOC-Research.md"] + b"mine\n")
    answer = days.run(("undo",), "--json").json
    kept = {(keep["note"], keep["reason"]) for keep in answer["notes"]["kept"]}
    assert kept == {("Mine.md", "moved"), (edited, "edited"), ("MOC-Research.md", "edited")}
    assert answer["message"].endswith(" 3 notes left alone, since you touched them.")
    after = contents(days.vault)
    assert after[edited] == whole[edited] + b"My thought.\r\n"
    assert after["Mine.md"] == whole[renamed]
    assert after["MOC-Research.md"] == whole["MOC-Research.md"] + b"mine\n"
    assert deleted not in after
    assert DIGEST not in after


def test_notes_left_alone_are_named_and_the_next_run_goes_on_with_them(days):
    days.run(days.second)
    edited = new_papers(days)[0]
    with (days.vault / edited).open("ab") as file:
        file.write(b"My thought.\n")
    assert f"left alone (edited): {edited}\n" in days.run(("undo",)).out
    days.run(days.second)
    assert notes(days.vault)[edited].endswith("My thought.\n")
    assert dangling(days.vault) == []


def test_notes_with_windows_line_ends_come_back_byte_for_byte(days):
    for name, raw in contents(days.vault).items():
        if name.endswith(".md"):
            (days.vault / name).write_bytes(raw.replace(b"\n", b"\r\n"))
    before = contents(days.vault)
    answer = days.run(days.second, "--json").json
    assert "MOC-Research.md" in answer["notes"]["updated"]
    assert contents(days.vault) != before
    days.run(("undo",))
    assert contents(days.vault) == before


def test_a_dry_run_shows_what_would_be_undone_and_writes_nothing(days):
    days.run(days.second)
    before = stamps(days.vault)
    ran = days.run(("undo",), "--dry-run")
    assert f"--- a/{DIGEST}\n+++ /dev/null\n" in ran.out
    told = days.run(("undo",), "--dry-run", "--json").json
    assert told["message"].startswith("The last run would be undone: ")
    assert stamps(days.vault) == before
    done = days.run(("undo",), "--json").json
    assert done["notes"] == told["notes"]


def test_where_no_run_was_nothing_is_undone_and_a_dry_run_leaves_no_trace(tmp_path):
    days = small_days(tmp_path)
    shutil.rmtree(days.vault / ".obsidian-digest")
    assert days.run(("undo",), "--dry-run", "--json").json["outcome"] == "nothing-to-undo"
    assert not (days.vault / ".obsidian-digest").exists()
    assert days.run(("undo",)).out.startswith("There is nothing to undo")


def test_without_the_working_state_nothing_can_be_undone_and_nothing_is(days):
    before = contents(days.vault)
    shutil.rmtree(days.vault / ".obsidian-digest")
    assert days.run(("undo",), "--json").json["outcome"] == "nothing-to-undo"
    assert contents(days.vault) == before


def test_a_merge_in_progress_stops_an_undo(days):
    (days.vault / ".git").mkdir()
    (days.vault / ".git" / "MERGE_HEAD").write_text("")
    before = contents(days.vault)
    ran = call(days.vault, "undo", "--json")
    assert (ran.code, ran.json["command"], ran.json["outcome"]) == (5, "undo", "busy")
    assert contents(days.vault) == before


def test_an_undo_in_a_vault_without_config_is_told_how_to_start(tmp_path):
    (tmp_path / ".obsidian").mkdir()
    ran = call(tmp_path, "undo")
    assert ran.code == 2
    assert "obsidian-digest init" in ran.err


def test_the_papers_of_an_undone_run_are_not_missed_by_the_next(days):
    remembered = days.vault / ".obsidian-digest" / "papers.json"
    assert remembered.is_file()
    days.run(("undo",))
    assert not remembered.exists()
    days.run(days.first)
