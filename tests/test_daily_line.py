"""The line in the reader's daily note: asked for, added once, then his."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.note import region
from tests.small_days import SmallDays, small_days
from tests.vaults import call, contents, dangling, stamps

if TYPE_CHECKING:
    from pathlib import Path

DAY = "Daily/2026-08-19.md"
MINE = "---\ntags: [daily]\n---\n# Wednesday\r\n\r\n- [ ] call home"


@pytest.fixture
def days(tmp_path: Path) -> SmallDays:
    days = small_days(tmp_path)
    ask(days.vault)
    (days.vault / "Daily").mkdir()
    (days.vault / DAY).write_bytes(MINE.encode())
    return days


def ask(vault: Path, config_dir: str = ".obsidian", locale: str = "", **core: str) -> None:
    config = vault / "obsidian-digest.toml"
    text = config.read_text().replace("daily_line = false", "daily_line = true")
    config.write_text(text.replace('daily_locale = ""', f'daily_locale = "{locale}"'))
    (vault / config_dir).mkdir(exist_ok=True)
    settings = {"folder": "Daily", **core}
    (vault / config_dir / "daily-notes.json").write_text(json.dumps(settings))


def line(vault: Path, path: str = DAY) -> str:
    (found,) = region.find((vault / path).read_bytes().decode())
    assert found.name == "daily"
    return found.text


def test_the_daily_note_gets_one_line_and_keeps_every_byte(days: SmallDays):
    answer = days.run(days.first, "--json").json
    assert DAY in answer["notes"]["updated"]
    assert (days.vault / DAY).read_bytes().startswith(MINE.encode())
    assert line(days.vault).startswith("[[arXiv digest 2026-08-19]] · 6 papers · best: [[")
    assert dangling(days.vault) == []
    before = stamps(days.vault)
    days.run(days.first)
    assert stamps(days.vault) == before


def test_a_supplement_brings_the_line_up_to_date(days: SmallDays):
    days.run((*days.first, "--top", "3"))
    assert "· 3 papers ·" in line(days.vault)
    days.run(days.first)
    assert "· 6 papers ·" in line(days.vault)


def test_a_line_that_was_edited_or_deleted_is_the_readers(days: SmallDays):
    days.run((*days.first, "--top", "3"))
    edited = (days.vault / DAY).read_bytes().replace(b"best:", b"read:")
    (days.vault / DAY).write_bytes(edited)
    answer = days.run((*days.first, "--top", "4"), "--json").json
    assert (days.vault / DAY).read_bytes() == edited
    assert {"note": DAY, "reason": "edited", "detail": "region daily"} in answer["notes"]["kept"]
    (days.vault / DAY).write_bytes(MINE.encode())
    days.run(days.first)
    assert (days.vault / DAY).read_bytes() == MINE.encode()


def test_undo_takes_the_line_back(days: SmallDays):
    before = contents(days.vault)
    days.run(days.first)
    assert call(days.vault, "undo").code == 0
    assert contents(days.vault) == before


def test_a_daily_note_is_never_made(days: SmallDays):
    (days.vault / DAY).unlink()
    days.run(days.first)
    assert not (days.vault / DAY).exists()
    (days.vault / DAY).write_bytes(MINE.encode())
    days.run(days.first)
    assert (days.vault / DAY).read_bytes() == MINE.encode()


def test_without_the_wish_nothing_is_added(days: SmallDays):
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace("daily_line = true", "daily_line = false"))
    days.run(days.first)
    assert (days.vault / DAY).read_bytes() == MINE.encode()


def test_a_format_in_a_language_that_cannot_be_known_is_refused_in_words(days: SmallDays):
    ask(days.vault, format="YYYY/MMMM/YYYY-MM-DD")
    path = days.vault / "Daily" / "2026" / "August" / "2026-08-19.md"
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    answer = days.run(days.first, "--json").json
    assert path.read_text() == "mine\n"
    (warning,) = [each for each in answer["warnings"] if "daily notes" in each]
    assert "MMMM depends on the app's language" in warning
    assert 'daily_locale = "en"' in warning


def test_a_reader_who_says_that_the_app_is_english_gets_his_line(days: SmallDays):
    ask(days.vault, format="YYYY/MMMM/YYYY-MM-DD")
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('daily_locale = ""', 'daily_locale = "en"'))
    path = days.vault / "Daily" / "2026" / "August" / "2026-08-19.md"
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    assert days.run(days.first, "--json").json["warnings"] == []
    assert line(days.vault, "Daily/2026/August/2026-08-19.md")


def test_a_note_that_ends_inside_code_is_left_alone_and_told(days: SmallDays):
    (days.vault / DAY).write_text("```\nopen\n")
    answer = days.run(days.first, "--json").json
    assert (days.vault / DAY).read_text() == "```\nopen\n"
    (kept,) = [keep for keep in answer["notes"]["kept"] if keep["note"] == DAY]
    assert kept["detail"] == "no line was added: it ends inside a block of code"


def test_another_config_folder_and_a_chinese_vault_work_the_same(days: SmallDays):
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('language = "en"', 'language = "zh"'))
    (days.vault / ".obsidian").rename(days.vault / ".mine")
    days.run(("--config-dir", ".mine", *days.first))
    assert "首选：[[" in line(days.vault)
