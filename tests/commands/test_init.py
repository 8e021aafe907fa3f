from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from obsidian_digest.config import Config, parse
from tests.vaults import call, contents

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / ".obsidian").mkdir()
    return tmp_path


def test_a_vault_gets_a_config_an_interests_note_and_a_map_of_content(vault: Path):
    ran = call(vault, "init")
    assert (ran.code, ran.err) == (0, "")
    made = {"obsidian-digest.toml", "Research interests.md", "MOC-Research.md"}
    assert set(contents(vault)) == made
    assert parse((vault / "obsidian-digest.toml").read_text()) == Config()
    assert "then: obsidian-digest run" in ran.out


def test_nothing_that_exists_is_overwritten(vault: Path):
    (vault / "Maps").mkdir()
    (vault / "Maps" / "MOC-Research.md").write_text("my own map")
    (vault / "Research interests.md").write_text("## Mine")
    (vault / "obsidian-digest.toml").write_text("[digest]\ntop = 7\n")
    before = contents(vault)
    ran = call(vault, "init")
    assert ran.code == 0
    assert contents(vault) == before
    assert "nothing to create" in ran.out


def test_choices_go_into_the_config(vault: Path):
    call(vault, "init", "--category", "math.CO", "--category", "cs.DM", "--encoder", "words")
    config = parse((vault / "obsidian-digest.toml").read_text())
    assert config.arxiv.categories == ("math.CO", "cs.DM")
    assert config.encoder.name == "words"


def test_a_chinese_vault_gets_a_chinese_interests_note(vault: Path):
    call(vault, "init", "--language", "zh")
    assert "## 不感兴趣" in (vault / "Research interests.md").read_text("utf-8")


def test_the_templates_can_be_copied_for_editing(vault: Path):
    call(vault, "init", "--templates")
    assert (vault / "obsidian-digest-templates" / "paper.md.j2").is_file()


def test_a_wrong_choice_writes_nothing(vault: Path):
    ran = call(vault, "init", "--category", "not a category")
    assert ran.code == 2
    assert "is no arXiv category" in ran.err
    assert contents(vault) == {}


def test_outside_a_vault_it_says_so(tmp_path: Path):
    ran = call(tmp_path, "init")
    assert ran.code == 2
    assert "no Obsidian vault here" in ran.err


def test_json_names_what_was_created(vault: Path):
    answer = call(vault, "init", "--json").json
    assert answer["exit"] == 0
    assert len(answer["notes"]["created"]) == 3
