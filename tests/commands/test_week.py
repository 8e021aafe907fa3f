from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.small_days import small_days
from tests.vaults import call, contents, notes, settle, stamps

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "arXiv/Weeks/arXiv week 2026-W34.md"
PICTURE = "arXiv/Weeks/arXiv week 2026-W34 trend.svg"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with a day of the week before and a day of this one, and no week note."""
    days = small_days(tmp_path_factory.mktemp("week"), 8)
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace("week_note = true", "week_note = false"))
    settle(days.vault)
    days.run(days.first, "--date", "2026-08-12")
    days.run(days.second, "--date", "2026-08-20")
    return days.vault


@pytest.fixture
def vault(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "vault", symlinks=True)
    return tmp_path / "vault"


def test_the_newest_week_becomes_a_note_with_its_picture(vault: Path):
    ran = call(vault, "week", "--json")
    answer = ran.json
    assert (ran.code, answer["exit"], answer["outcome"]) == (0, 0, "week")
    assert (answer["command"], answer["contract"], answer["week"]) == ("week", 1, "2026-W34")
    assert answer["note"] == NOTE
    assert answer["compared"] == ["2026-W33"]
    assert answer["days"] == ["2026-08-20"]
    assert set(answer["notes"]["created"]) == {NOTE, PICTURE}
    assert answer["notes"]["kept"] == []
    assert set(answer["themes"][0]) >= {"id", "name", "note", "state", "papers"}
    text = notes(vault)[NOTE]
    assert f"![[{PICTURE.rsplit('/', 1)[-1]}]]" in text
    assert "[[arXiv digest 2026-08-20]]" in text
    assert "[[arXiv digest 2026-08-12]]" not in text
    assert text.rstrip().endswith("[[MOC-Research]] · [[Home]]")
    assert "[[arXiv week 2026-W34]]" in notes(vault)["MOC-Research.md"]


def test_the_papers_of_the_themes_and_those_in_none_add_up_to_the_weeks(vault: Path):
    assert call(vault, "week").code == 0
    text = notes(vault)[NOTE]
    rows = re.findall(r"^\| \[\[.+?\]\] \| (\d+) \|", text, re.MULTILINE)
    alone = re.search(r"^(\d+) papers? stands? in no theme\.$", text, re.MULTILINE)
    assert rows
    assert alone
    papers = int(re.search(r"^week_papers: (\d+)$", text, re.MULTILINE)[1])
    assert sum(map(int, rows)) + int(alone[1]) == papers


def test_a_second_call_writes_nothing(vault: Path):
    assert call(vault, "week").code == 0
    before = stamps(vault)
    ran = call(vault, "week", "--json")
    assert ran.json["outcome"] == "nothing-new"
    assert "no note changed" in ran.json["message"]
    assert stamps(vault) == before
    assert call(vault, "week", "--check").code == 0


def test_check_and_dry_run_write_nothing_and_say_what_would_be(vault: Path):
    before = stamps(vault)
    assert call(vault, "week", "--check").code == 3
    ran = call(vault, "week", "--dry-run")
    assert (ran.code, stamps(vault)) == (0, before)
    assert "+digest_week: 2026-W34" in ran.out


def test_undo_takes_the_note_and_its_picture_back(vault: Path):
    before = contents(vault)
    assert call(vault, "week").code == 0
    assert contents(vault) != before
    assert call(vault, "undo").code == 0
    assert contents(vault) == before


def test_an_earlier_week_can_be_asked_for_in_any_spelling(vault: Path):
    ran = call(vault, "week", "--week", "2026w33", "--print-path")
    assert ran.out == "arXiv/Weeks/arXiv week 2026-W33.md\n"
    assert "No weeks before to compare with." in notes(vault)[ran.out.strip()]


@pytest.mark.parametrize("week", ["2026-34", "2025-W53", "next", "", "2026-W00"])
def test_what_is_no_week_is_refused(vault: Path, week: str):
    ran = call(vault, "week", "--week", week)
    assert ran.code == 2
    assert "is no ISO week like 2026-W34" in ran.err


def test_a_week_without_digests_is_refused_with_the_weeks_there_are(vault: Path):
    before = stamps(vault)
    ran = call(vault, "week", "--week", "2026-W30")
    assert ran.code == 2
    assert "There are digests of 2026-W34, 2026-W33." in ran.err
    answer = call(vault, "week", "--week", "2026-W30", "--json").json
    assert (answer["outcome"], answer["week"], answer["signals"]) == ("error", None, [])
    assert stamps(vault) == before


def test_a_vault_without_digests_has_no_week_to_tell_of(tmp_path: Path):
    vault = small_days(tmp_path).vault
    ran = call(vault, "week", "--json")
    assert (ran.code, ran.json["outcome"], ran.json["note"]) == (0, "nothing-new", None)
    assert call(vault, "week").out == "There are no digests yet, so there is no week to tell of.\n"
    assert call(vault, "week", "--week", "2026-W34").code == 2


def test_what_the_reader_writes_and_rates_is_kept_and_told(vault: Path):
    assert call(vault, "week").code == 0
    note = vault / NOTE
    note.write_text(note.read_text().replace("## Notes\n", "## Notes\n\nMine.\n"))
    paper = next(
        path for path in (vault / "arXiv/Papers").glob("*.md") if "2026-08-20" in path.read_text()
    )
    paper.write_text(paper.read_text().replace("rating:", "rating: 5"))
    answer = call(vault, "week", "--json").json
    assert answer["notes"]["updated"] == [NOTE]
    assert [pick["note"] for pick in answer["picks"]] == [paper.relative_to(vault).as_posix()]
    assert "Mine." in note.read_text()
    assert f"## Your picks\n\n- [[{paper.stem}" in note.read_text()


def test_an_edited_region_is_kept(vault: Path):
    assert call(vault, "week").code == 0
    note = vault / NOTE
    edited = note.read_text().replace("## Themes of the week", "## My themes")
    note.write_text(edited)
    paper = next(
        path for path in (vault / "arXiv/Papers").glob("*.md") if "2026-08-20" in path.read_text()
    )
    paper.write_text(paper.read_text().replace("rating:", "rating: 5"))
    ran = call(vault, "week", "--json")
    assert (ran.code, [keep["reason"] for keep in ran.json["notes"]["kept"]]) == (0, ["edited"])
    assert note.read_text() == edited
    assert call(vault, "week", "--strict").code == 3


def test_a_deleted_note_is_made_anew_when_asked_for_and_a_deleted_picture_is_not(vault: Path):
    assert call(vault, "week").code == 0
    (vault / PICTURE).unlink()
    assert call(vault, "week").code == 0
    assert not (vault / PICTURE).exists()
    assert ".svg" not in (vault / NOTE).read_text()
    (vault / NOTE).unlink()
    assert call(vault, "week").code == 0
    assert (vault / NOTE).exists()
    assert (vault / PICTURE).exists()


def test_a_note_that_was_moved_and_renamed_is_found(vault: Path):
    assert call(vault, "week").code == 0
    (vault / "Mine").mkdir()
    (vault / NOTE).rename(vault / "Mine" / "My week.md")
    answer = call(vault, "week", "--json").json
    assert answer["note"] == "Mine/My week.md"
    assert answer["notes"]["created"] == []
    assert "[[My week]]" in notes(vault)["MOC-Research.md"]


def test_doctor_and_status_find_nothing_wrong_with_the_note(vault: Path):
    assert call(vault, "week").code == 0
    assert "1 week" in call(vault, "status").out
    findings = call(vault, "doctor", "--notes", "--json").json["findings"]
    assert [each for each in findings if "Weeks" in each["note"]] == []


def test_moves_stay_when_the_note_is_written_again(vault: Path):
    from obsidian_digest.note import region

    assert call(vault, "week").code == 0
    note = vault / NOTE
    text = note.read_text()
    theme = next(path.stem for path in (vault / "arXiv/Themes").glob("*.md"))
    paper = next(path.stem for path in (vault / "arXiv/Papers").glob("*.md"))
    anchor = re.sub(r"^.* - ", "moved-", paper)
    line = f"- [[{paper}]] · [[{theme}]] → — ^{anchor}"
    (found,) = region.find(text)
    listed = region.wrap("week", f"{found.text}\n\n## Moved between themes\n\n{line}")
    note.write_text(text[: found.start] + listed + text[found.end :])
    answer = call(vault, "week", "--json").json
    assert [(move["to"], bool(move["from"])) for move in answer["moves"]] == [(None, True)]
    assert f" · [[{theme}]] → — ^{anchor}" in note.read_text()


def test_a_chinese_vault_gets_a_chinese_week(vault: Path):
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('language = "en"', 'language = "zh"'))
    assert call(vault, "week").code == 0
    text = (vault / NOTE).read_text()
    assert "## 本周主题" in text
    assert "| 主题 | 本周 | 上周 |" in text


def test_a_busy_vault_is_told_and_left_alone(vault: Path):
    from filelock import FileLock

    state = vault / ".obsidian-digest"
    lock = next(state.glob("*lock*"))
    with FileLock(lock):
        assert call(vault, "week").code == 5
    assert not (vault / NOTE).exists()
