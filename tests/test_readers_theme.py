"""A theme that the reader writes into a paper's note and that has no note of its own."""

from __future__ import annotations

import re

import pytest

from tests.small_days import small_days
from tests.vaults import contents, notes, settle

MINE = ('theme: "[[Agentic evaluation]]"', "theme: Agentic evaluation")


def paper_of_a_theme(text: dict[str, str]) -> str:
    return next(
        name for name, each in text.items() if re.search(r'^theme: "\[\[', each, re.MULTILINE)
    )


@pytest.mark.parametrize("mine", MINE)
def test_a_theme_without_a_note_is_kept_and_told(tmp_path, mine: str):
    days = small_days(tmp_path, 8)
    days.run(days.first)
    name = paper_of_a_theme(notes(days.vault))
    path = days.vault / name
    path.write_text(
        re.sub(r"^theme: .*$", mine, path.read_text("utf-8"), flags=re.MULTILINE), "utf-8"
    )
    settle(days.vault)
    for words in (days.second, days.first, days.second):
        kept = days.run(words, "--json").json["notes"]["kept"]
        assert f"\n{mine}\n" in notes(days.vault)[name]
        assert {"note": name, "reason": "edited"}.items() <= next(
            each for each in kept if each["note"] == name
        ).items()
    before = contents(days.vault)
    days.run(days.second)
    assert contents(days.vault) == before


def test_a_theme_whose_note_was_deleted_leaves_its_papers_without_one(tmp_path):
    days = small_days(tmp_path, 8)
    days.run(days.first)
    name = paper_of_a_theme(notes(days.vault))
    theme = re.search(r'^theme: "\[\[(.+?)\]\]"$', notes(days.vault)[name], re.MULTILINE)[1]
    next(days.vault.rglob(f"{theme}.md")).unlink()
    days.run(days.second)
    assert theme not in notes(days.vault)[name]


def test_a_theme_that_gets_its_note_later_takes_the_paper_in(tmp_path):
    days = small_days(tmp_path, 8)
    days.run(days.first)
    name = paper_of_a_theme(notes(days.vault))
    path = days.vault / name
    before = re.search(r'^theme: "\[\[(.+?)\]\]"$', path.read_text("utf-8"), re.MULTILINE)[1]
    other = next(
        file.stem for file in sorted((days.vault / "arXiv/Themes").iterdir()) if file.stem != before
    )
    mine = f'theme: "[[{other} of mine]]"'
    path.write_text(
        re.sub(r"^theme: .*$", mine, path.read_text("utf-8"), flags=re.MULTILINE), "utf-8"
    )
    settle(days.vault)
    days.run(days.second)
    (days.vault / f"arXiv/Themes/{other}.md").rename(
        days.vault / f"arXiv/Themes/{other} of mine.md"
    )
    settle(days.vault)
    days.run(days.second)
    text = notes(days.vault)
    assert f"\n{mine}\n" in text[name]
    assert f"[[{path.stem}" in text[f"arXiv/Themes/{other} of mine.md"]
