"""The map of a day as a file of the vault: made, kept, replaced, undone like a note."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.note.sealed_file import untouched
from tests.small_days import SECOND, SmallDays, small_days
from tests.vaults import LINK, call, contents, dangling, notes, stamps

if TYPE_CHECKING:
    from pathlib import Path

FIRST_MAP = "arXiv/Digests/arXiv digest 2026-08-19 map.svg"
DIGEST = "arXiv/Digests/arXiv digest 2026-08-19.md"
EMBED = "\n![[arXiv digest 2026-08-19 map.svg]]\n"


@pytest.fixture
def days(tmp_path: Path) -> SmallDays:
    return small_days(tmp_path)


def test_a_digest_shows_its_map_and_the_run_says_so(days: SmallDays):
    answer = days.run(days.first, "--json").json
    assert FIRST_MAP in answer["notes"]["created"]
    made = contents(days.vault)
    assert untouched(made[FIRST_MAP])
    assert EMBED in made[DIGEST].decode()
    assert dangling(days.vault) == []
    assert call(days.vault, "doctor", "--notes").code == 0


def test_a_second_run_changes_nothing_and_check_finds_no_work(days: SmallDays):
    days.run(days.first)
    before = stamps(days.vault)
    days.run(days.first)
    assert call(days.vault, *days.first, "--check").code == 0
    assert stamps(days.vault) == before


def test_a_dry_run_shows_the_picture_and_writes_nothing(days: SmallDays):
    before = contents(days.vault)
    shown = days.run(days.first, "--dry-run").out
    assert f"+++ b/{FIRST_MAP}" in shown
    assert contents(days.vault) == before


def test_undo_takes_the_picture_back_unless_the_reader_drew_in_it(days: SmallDays):
    before = contents(days.vault)
    days.run(days.first)
    assert call(days.vault, "undo").code == 0
    assert contents(days.vault) == before
    days.run(days.first)
    drawn = (days.vault / FIRST_MAP).read_text().replace("</svg>", "<!-- mine --></svg>")
    (days.vault / FIRST_MAP).write_text(drawn)
    call(days.vault, "undo")
    assert (days.vault / FIRST_MAP).read_text() == drawn


def test_a_picture_that_the_reader_deleted_stays_deleted(days: SmallDays):
    days.run(days.first)
    (days.vault / FIRST_MAP).unlink()
    days.run(days.first)
    days.run(days.second)
    days.run((*days.first, "--top", "30"))
    assert not (days.vault / FIRST_MAP).exists()
    assert EMBED in contents(days.vault)[DIGEST].decode()


def test_a_supplement_leaves_the_map_as_it_was(days: SmallDays):
    days.run((*days.first, "--top", "3"))
    before = contents(days.vault)[FIRST_MAP]
    answer = days.run((*days.first, "--top", "6"), "--json").json
    assert answer["selected"] == 3
    assert contents(days.vault)[FIRST_MAP] == before
    assert contents(days.vault)[DIGEST].decode().count("map.svg") == 1


def test_a_map_that_a_killed_run_left_is_taken_up_and_one_of_the_readers_is_not(days: SmallDays):
    days.run(days.first)
    whole = contents(days.vault)
    (days.vault / DIGEST).unlink()
    days.run(days.first)
    assert contents(days.vault)[FIRST_MAP] == whole[FIRST_MAP]
    (days.vault / DIGEST).unlink()
    (days.vault / FIRST_MAP).write_text("<svg/>")
    answer = days.run(days.first, "--json").json
    assert (days.vault / FIRST_MAP).read_text() == "<svg/>"
    assert {"note": FIRST_MAP, "reason": "foreign"}.items() <= answer["notes"]["kept"][-1].items()


def test_a_moved_picture_is_left_where_it_lies(days: SmallDays):
    days.run(days.first)
    (days.vault / "Pictures").mkdir()
    (days.vault / FIRST_MAP).rename(days.vault / "Pictures" / "arXiv digest 2026-08-19 map.svg")
    before = stamps(days.vault)
    days.run(days.first)
    assert stamps(days.vault) == before
    assert dangling(days.vault) == []


def test_the_config_can_do_without_and_two_papers_are_no_map(days: SmallDays):
    days.run((*days.first, "--top", "2"))
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace("\nmap = true", "\nmap = false"))
    days.run(days.second)
    assert not [name for name in contents(days.vault) if name.endswith(".svg")]
    assert not any(b"map.svg" in raw for raw in contents(days.vault).values())


@pytest.mark.parametrize("form", ["relative", "absolute"])
def test_the_map_is_embedded_in_any_form_of_links(days: SmallDays, form: str):
    app = f'{{"useMarkdownLinks": true, "newLinkFormat": "{form}"}}'
    (days.vault / ".obsidian" / "app.json").write_text(app)
    days.run(days.first)
    assert EMBED in contents(days.vault)[DIGEST].decode()
    before = stamps(days.vault)
    days.run(days.first)
    assert stamps(days.vault) == before


def test_a_chinese_vault_has_a_chinese_legend(days: SmallDays):
    config = days.vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('language = "en"', 'language = "zh"'))
    days.run(days.second)
    picture = contents(days.vault)[FIRST_MAP.replace("2026-08-19", SECOND)].decode()
    assert "</svg>" in picture


CANVAS = "arXiv/Weeks/arXiv map 2026-W34.canvas"


def test_a_canvas_of_the_week_comes_on_request_and_is_the_readers_once_he_moved_a_card(
    days: SmallDays,
):
    days.run(days.first)
    days.run(("week",))
    assert not (days.vault / CANVAS).exists()
    answer = days.run(("week", "--canvas"), "--json").json
    assert CANVAS in answer["notes"]["created"]
    made = json.loads((days.vault / CANVAS).read_bytes())
    files = {node["file"] for node in made["nodes"] if node["type"] == "file"}
    assert files <= contents(days.vault).keys()
    assert len(files) == 6
    before = stamps(days.vault)
    days.run(("week", "--canvas"))
    assert stamps(days.vault) == before
    days.run(days.second)
    days.run(("week", "--canvas"))
    grown = json.loads((days.vault / CANVAS).read_bytes())
    assert len(grown["nodes"]) > len(made["nodes"])
    grown["nodes"][0]["x"] = 7
    (days.vault / CANVAS).write_text(json.dumps(grown))
    moved = contents(days.vault)[CANVAS]
    (days.vault / "arXiv/Papers").rename(days.vault / "Read")
    days.run(("week", "--canvas"))
    assert contents(days.vault)[CANVAS] == moved
    assert call(days.vault, "undo").code == 0


def test_no_note_of_ours_is_an_orphan(days: SmallDays):
    days.run(days.first)
    days.run((*days.second, "--top", "4"))
    days.run(("week",))
    every = {n: t for n, t in notes(days.vault).items() if "digest:begin" in t}
    linked = {
        target.rsplit("/", 1)[-1]
        for name, text in every.items()
        for target in LINK.findall(text)
        if target != name
    }
    stems = {name.rsplit("/", 1)[-1].removesuffix(".md") for name in every}
    assert stems <= linked
