from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.example_vault import EXAMPLE, NOW, build
from tests.vaults import LINK, call, contents, dangling, notes

REBUILD = "the tool now writes other notes: run `make example` and read the diff"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("example") / "vault"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OBSIDIAN_DIGEST_NOW", NOW)
        build(target, run)
    return target


def run(vault: Path, *words: str) -> None:
    ran = call(vault, *words)
    assert ran.code == 0, ran.err


def test_the_example_vault_is_what_the_tool_makes_byte_for_byte(built: Path):
    made, shipped = contents(built), contents(EXAMPLE)
    assert made.keys() == shipped.keys(), REBUILD
    assert [name for name in made if made[name] != shipped[name]] == [], REBUILD


def test_every_link_in_the_example_vault_leads_to_one_note():
    assert dangling(EXAMPLE) == []


def test_no_note_of_ours_is_an_orphan():
    every = notes(EXAMPLE)
    linked = {target for text in every.values() for target in LINK.findall(text)}
    ours = [name for name in every if name.startswith("arXiv/")]
    assert [name for name in ours if Path(name).stem not in linked] == []


def test_themes_and_links_carry_over_to_the_second_day():
    every = notes(EXAMPLE)
    themes = [text for name, text in every.items() if name.startswith("arXiv/Themes/")]
    assert any("## 2026-08-19" in text and "## 2026-08-20" in text for text in themes)
    first = [text for text in every.values() if '"[[arXiv digest 2026-08-19]]"' in text]
    second = {
        Path(name).stem for name, text in every.items() if '"[[arXiv digest 2026-08-20]]"' in text
    }
    assert any(second & set(LINK.findall(text)) for text in first)


def test_no_machine_address_or_picture_from_the_web_stands_in_a_note():
    for name, text in notes(EXAMPLE).items():
        assert "![" not in text.replace(f"![[{Path(name).stem} map.svg]]", ""), name
        assert not re.search(r"<(?:img|iframe|script)", text), name
