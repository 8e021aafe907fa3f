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


OWN = b"\xef\xbb\xbf# My map\r\n\r\n- [[Reading list]]"


def with_own_map(vault: Path, raw: bytes = OWN) -> Path:
    (vault / "Maps").mkdir()
    path = vault / "Maps" / "MOC-Research.md"
    path.write_bytes(raw)
    return path


def test_a_map_of_the_readers_gets_our_region_at_its_end_once_and_only_on_request(vault: Path):
    path = with_own_map(vault)
    call(vault, "init")
    assert path.read_bytes() == OWN
    ran = call(vault, "init", "--moc")
    assert (ran.code, ran.err) == (0, "")
    assert "updated Maps/MOC-Research.md" in ran.out
    after = path.read_bytes()
    assert after.startswith(OWN + b"\r\n\r\n%% digest:begin moc v1 seal=")
    assert b"\n" not in after.replace(b"\r\n", b"")
    assert "nothing to create" in call(vault, "init", "--moc").out
    assert path.read_bytes() == after


def test_what_was_added_to_the_readers_map_can_be_undone(vault: Path):
    path = with_own_map(vault)
    call(vault, "init")
    call(vault, "init", "--moc")
    assert call(vault, "undo").code == 0
    assert path.read_bytes() == OWN


def test_a_dry_run_prints_a_diff_and_writes_nothing(vault: Path):
    with_own_map(vault)
    before = contents(vault)
    ran = call(vault, "init", "--moc", "--base", "--dry-run")
    assert "+++ b/Maps/MOC-Research.md" in ran.out
    assert "+++ b/arXiv/arXiv papers.base" in ran.out
    assert "+++ b/obsidian-digest.toml" in ran.out
    assert contents(vault) == before


@pytest.mark.parametrize("raw", [b"```\nopen", b"%% open", b"\xff\xfe\x00", b"<<<<<<< HEAD\n"])
def test_a_map_at_whose_end_our_region_would_not_be_seen_is_left_alone(vault: Path, raw: bytes):
    path = with_own_map(vault, raw)
    ran = call(vault, "init", "--moc")
    assert ran.code == 2
    assert "cannot be added to" in ran.err
    assert path.read_bytes() == raw


def test_two_maps_of_one_name_are_told(vault: Path):
    with_own_map(vault)
    (vault / "MOC-Research.md").write_text("another")
    ran = call(vault, "init", "--moc")
    assert ran.code == 2
    assert "2 notes have this name" in ran.err


@pytest.mark.parametrize(("language", "view"), [("en", "name: Newest"), ("zh", "name: 最新")])
def test_a_table_of_all_papers_comes_on_request_and_is_never_written_again(
    vault: Path, language: str, view: str
):
    call(vault, "init", "--language", language)
    assert not (vault / "arXiv").exists()
    assert "created arXiv/arXiv papers.base" in call(vault, "init", "--base").out
    path = vault / "arXiv" / "arXiv papers.base"
    assert view in path.read_text("utf-8")
    path.rename(vault / "arXiv papers.base")
    (vault / "arXiv papers.base").write_text("views: []\n")
    assert "nothing to create" in call(vault, "init", "--base").out
    assert not path.exists()


def test_json_tells_what_was_added_to(vault: Path):
    with_own_map(vault)
    answer = call(vault, "init", "--moc", "--json").json
    assert answer["notes"]["updated"] == ["Maps/MOC-Research.md"]
