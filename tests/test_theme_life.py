"""Themes over two weeks of runs: what the reader did to them stays, and a week's turn is told."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.vaults import call, contents, dangling, new_vault, notes, recorded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAYS = ("2026-08-19", "2026-08-20", "2026-08-21")
"""Within one week;"""
NEXT = "2026-08-24"
"""the first day of the next."""
SHOWN = 14
_THEME = re.compile(r'^theme: "?\[\[(?P<name>[^\]|]+)', re.MULTILINE)


def _run(vault: Path, root: Path, day: str):
    ran = call(vault, "run", "--from-file", root / f"{day}.jsonl", "--date", day, "--json")
    assert ran.code == 0, ran.err or ran.out
    return ran.json


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a vault after the days of one week, and a file with the next day's papers."""
    root = tmp_path_factory.mktemp("week")
    lines = [line for line in recorded() if "agent" in json.loads(line)["title"].lower()]
    for number, day in enumerate((*DAYS, NEXT)):
        rows = [
            json.dumps({**json.loads(line), "announced": day})
            for line in lines[number * 20 : number * 20 + 20]
        ]
        (root / f"{day}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OBSIDIAN_DIGEST_NOW", f"{NEXT}T06:00:00Z")
        vault = new_vault(root)
        config = vault / "obsidian-digest.toml"
        text = config.read_text().replace("min_stars = 3", "min_stars = 0")
        config.write_text(text.replace("top = 20", f"top = {SHOWN}"))
        for day in DAYS:
            _run(vault, root, day)
    return root


@pytest.fixture
def vault(week: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", f"{NEXT}T06:00:00Z")
    shutil.copytree(week / "vault", tmp_path / "vault")
    return tmp_path / "vault"


@pytest.fixture
def turn(week: Path, vault: Path) -> Callable[[], dict]:
    """Runs the first day of the next week."""
    return lambda: _run(vault, week, NEXT)


def themes_of(vault: Path) -> dict[str, str]:
    """The theme that each paper's note names, by path; those that stand alone left out."""
    found = {name: _THEME.search(text) for name, text in notes(vault).items() if "/Papers/" in name}
    return {name: theme["name"] for name, theme in found.items() if theme}


def theme_notes(vault: Path) -> dict[str, str]:
    every = {
        name.rsplit("/", 1)[-1].removesuffix(".md"): text
        for name, text in notes(vault).items()
        if "/Themes/" in name
    }
    return dict(sorted(every.items()))


def set_theme(vault: Path, paper: str, theme: str) -> None:
    path = vault / paper
    path.write_text(_THEME.sub(f'theme: "[[{theme}', path.read_text("utf-8"), count=1), "utf-8")


def test_between_turns_no_paper_changes_its_theme(week, tmp_path, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", f"{NEXT}T06:00:00Z")
    vault = new_vault(tmp_path)
    config = (week / "vault" / "obsidian-digest.toml").read_text()
    (vault / "obsidian-digest.toml").write_text(config)
    before: dict[str, str] = {}
    for day in DAYS:
        _run(vault, week, day)
        now = themes_of(vault)
        assert {paper: now[paper] for paper in before} == before
        before = now


def test_a_turn_changes_only_the_themes_that_the_week_note_lists(vault, turn):
    before = themes_of(vault)
    answer = turn()
    now = themes_of(vault)
    moved = {paper for paper in before if now.get(paper) != before[paper]}
    assert moved
    (name,) = [each for each in notes(vault) if "arXiv week 2026-W34" in each]
    listed = re.findall(r"\^moved-(\S+)", notes(vault)[name])
    assert len(listed) == len(moved)
    assert all(any(each in paper for each in listed) for paper in moved)
    assert name in answer["notes"]["created"]
    assert dangling(vault) == []


def test_no_theme_changes_its_name_at_a_turn(vault, turn):
    before = {
        text.partition("theme_id: ")[2][:12]: name for name, text in theme_notes(vault).items()
    }
    turn()
    now = {text.partition("theme_id: ")[2][:12]: name for name, text in theme_notes(vault).items()}
    assert before.items() <= now.items()


def test_a_second_run_after_the_turn_writes_nothing(vault, turn):
    turn()
    before = contents(vault)
    again = turn()
    assert again["notes"]["created"] == again["notes"]["updated"] == []
    assert contents(vault) == before


def test_an_undo_takes_the_whole_turn_back(vault, turn):
    before = contents(vault)
    turn()
    assert contents(vault) != before
    assert call(vault, "undo").code == 0
    assert contents(vault) == before


def test_a_turn_that_was_cut_short_after_any_note_ends_as_if_it_had_not_been(vault, turn):
    before = contents(vault)
    answer = turn()
    whole = contents(vault)
    written = [*answer["notes"]["created"], *answer["notes"]["updated"]]
    week = [name for name in written if "arXiv week" in name]
    papers = [name for name in written if "/Papers/" in name]
    for count in (0, len(papers) // 2, len(papers)):
        for name in whole.keys() | before.keys():
            text = whole[name] if name in {*week, *papers[:count]} else before.get(name)
            if text is None:
                (vault / name).unlink(missing_ok=True)
            else:
                (vault / name).write_bytes(text)
        turn()
        assert contents(vault) == whole


def test_what_the_reader_chose_outlives_the_turn(vault, turn):
    themes = themes_of(vault)
    names = sorted(
        set(themes.values()), key=lambda name: (-list(themes.values()).count(name), name)
    )
    first, second, *_ = names
    paper = next(each for each, theme in sorted(themes.items()) if theme == first)
    set_theme(vault, paper, second)
    turn()
    assert themes_of(vault)[paper] == second


def test_a_renamed_theme_keeps_its_name_at_a_turn(vault, turn):
    (vault / "arXiv/Themes" / f"{next(iter(theme_notes(vault)))}.md").rename(
        vault / "arXiv/Themes/My own name.md"
    )
    turn()
    assert "My own name" in theme_notes(vault)
    assert dangling(vault) == []


def test_a_theme_that_the_reader_deleted_after_moving_its_papers_stays_gone(vault, turn):
    themes = themes_of(vault)
    gone, stays, *_ = sorted(set(themes.values()))
    for paper, theme in themes.items():
        if theme == gone:
            set_theme(vault, paper, stays)
    (vault / "arXiv/Themes" / f"{gone}.md").unlink()
    moved = [paper for paper, theme in themes.items() if theme == gone]
    turn()
    now = themes_of(vault)
    assert gone not in theme_notes(vault)
    assert {now[paper] for paper in moved} == {stays}


def test_a_theme_that_a_turn_emptied_says_where_its_papers_went(vault, turn):
    before = theme_notes(vault)
    turn()
    now = theme_notes(vault)
    (week,) = [text for name, text in notes(vault).items() if "arXiv week 2026-W34" in name]
    emptied = [name for name in before if "theme_papers: 0\n" in now[name]]
    assert emptied
    for name in emptied:
        heir = re.search(r'^merged_into: "\[\[(.+)\]\]"$', now[name], re.MULTILINE)[1]
        assert "theme_papers: 0\n" not in now[heir]
        assert f"Merged into [[{heir}]]" in now[name]
        assert f"- [[{name}]] has no papers left and is merged into [[{heir}]]." in week
    assert sum("merged_into" in text for text in now.values()) == len(emptied)
