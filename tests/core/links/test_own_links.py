from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.links.own_links import OwnNotes
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import NoteFile, OwnNote, Reading, Snapshot
from tests.core.recorded_papers import two_mailings
from tests.vaults import call, contents, mailing, new_vault, notes

if TYPE_CHECKING:
    from pathlib import Path

PAPER = Reading(
    "2608.00001",
    "Turn-Level Credit Assignment for Agents",
    "We study credit-assignments in long runs with TLCA and compare process reward models.",
)
READINGS = {one.id: one for one in two_mailings()[:300]} | {PAPER.id: PAPER}


def beside(*own: OwnNote, names: tuple[str, ...] = (), readings=READINGS) -> list[tuple]:
    snapshot = Snapshot(paths=tuple(note.path for note in own))
    found = OwnNotes(own, readings, Places.of(snapshot, names)).beside(PAPER.id)
    return [(link.path, link.because, link.words) for link in found]


def note(path: str, *links: str, aliases: tuple[str, ...] = (), text: str = "") -> OwnNote:
    return OwnNote(path, aliases, links, text)


def test_a_note_whose_title_the_paper_mentions_stands_beside_it():
    assert beside(note("Methods/Credit assignment.md")) == [
        ("Methods/Credit assignment.md", "named", ("Credit assignment",))
    ]
    assert beside(note("Rewards.md", aliases=("process reward model",))) == [
        ("Rewards.md", "named", ("process reward model",))
    ]


def test_a_name_counts_as_whole_words_only():
    assert (
        beside(note("Credit assign.md"), note("edit assignment.md"), note("cess reward.md")) == []
    )


def test_short_forms_count_in_their_own_capitals_only():
    assert [path for path, *_ in beside(note("TLCA.md"))] == ["TLCA.md"]
    assert beside(note("RUNS.md"), note("WE.md")) == []


@pytest.mark.parametrize("name", ["Agents", "model", "study", "Long", "and", "The", "2026", "Run"])
def test_a_word_of_the_field_names_no_note(name: str):
    assert beside(note(f"{name}.md")) == []


def test_in_a_small_vault_a_plain_word_names_no_note():
    few = {PAPER.id: PAPER}
    assert beside(note("Runs.md"), readings=few) == []
    assert beside(note("Credit assignment.md"), readings=few)


def test_a_note_that_links_to_the_paper_or_names_its_address_stands_beside_it():
    own = NoteFile("arXiv/Papers/X - 2608-00001.md", "paper", PAPER.id, b"", {}, {})
    notes_ = (note("Idea.md", "X - 2608-00001"), note("Other.md", PAPER.id), note("No.md", "X"))
    snapshot = Snapshot((own,), (own.path, *(one.path for one in notes_)))
    found = OwnNotes(notes_, READINGS, Places.of(snapshot)).beside(PAPER.id)
    assert [(link.path, link.because) for link in found] == [
        ("Idea.md", "links"),
        ("Other.md", "links"),
    ]


def test_a_note_that_is_close_in_content_stands_beside_it():
    text = (
        "Turn-level credit assignment: how agents that run long learn which turn earned the reward;"
        " process reward models against TLCA with turn-level credit."
    )
    ((path, because, words),) = beside(note("Thoughts.md", text=text))
    assert (path, because) == ("Thoughts.md", "close")
    assert words
    assert beside(note("Bread.md", text="Flour, water and salt, kneaded and baked.")) == []


def test_titles_in_chinese_are_found_without_blanks_around_them():
    reading = Reading("2608.00002", "论信用分配", "我们研究智能体的信用分配问题。")
    found = OwnNotes(
        [note("信用分配.md")], {reading.id: reading}, Places.of(Snapshot(paths=("信用分配.md",)))
    ).beside(reading.id)
    assert [link.path for link in found] == ["信用分配.md"]


def test_indexes_and_daily_notes_stand_beside_nothing():
    many = tuple(f"2608.{number:05}" for number in range(1, 20))
    own = (
        note("Everything.md", *many),
        note("2026-08-19.md", PAPER.id),
        note("Agents MOC.md", PAPER.id),
        note("Interests.md", PAPER.id),
        note("Odd [name].md", PAPER.id),
    )
    assert beside(*own, names=("Interests",)) == []


def test_a_note_of_the_name_of_one_of_ours_is_never_linked():
    theme = NoteFile("arXiv/Themes/Credit assignment.md", "theme", "t-1", b"", {}, {})
    mine = note("Mine/Credit assignment.md")
    places = Places.of(Snapshot((theme,), (theme.path, mine.path)))
    assert OwnNotes([mine], READINGS, places).beside(PAPER.id) == ()


def test_at_most_three_notes_stand_beside_a_paper():
    own = tuple(note(f"{number}.md", PAPER.id) for number in "abcde")
    assert len(beside(*own)) == 3


def vault_with_note(tmp_path: Path) -> Path:
    vault = new_vault(tmp_path, encoder="words")
    (vault / "Methods").mkdir()
    (vault / "Methods" / "Credit assignment.md").write_text("The reward's way back.\n", "utf-8")
    return vault


def run(vault: Path, tmp_path: Path, day: str) -> dict:
    words = ("run", "--from-file", str(mailing(tmp_path, day)), "--top", "25", "--min-stars", "0")
    ran = call(vault, *words, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_a_run_names_the_readers_note_and_never_writes_into_it(tmp_path: Path):
    vault = vault_with_note(tmp_path)
    first = run(vault, tmp_path, "2026-08-19")
    line = '- [[Credit assignment]] — this paper mentions "Credit assignment"'
    listing = [name for name, text in notes(vault).items() if line in text]
    assert listing
    assert all(name.startswith("arXiv/Papers/") for name in listing)
    assert contents(vault)["Methods/Credit assignment.md"] == b"The reward's way back.\n"
    named = {
        path for paper in first["papers"] for other in paper["related"] for path in [other["note"]]
    }
    assert "Methods/Credit assignment.md" not in named
    ran = call(vault, "doctor", "--notes")
    assert "Credit assignment" not in ran.out


def test_a_renamed_note_is_followed_and_a_deleted_one_becomes_its_name(tmp_path: Path):
    vault = vault_with_note(tmp_path)
    run(vault, tmp_path, "2026-08-19")
    old = vault / "Methods" / "Credit assignment.md"
    listing = [name for name, text in notes(vault).items() if "[[Credit assignment]] — " in text]
    # What Obsidian does when the reader renames a note:
    old.rename(old.with_name("Crediting.md"))
    for name in listing:
        path = vault / name
        path.write_text(path.read_text().replace("[[Credit assignment]]", "[[Crediting]]"))
    second = run(vault, tmp_path, "2026-08-20")
    assert not [kept for kept in second["notes"]["kept"] if kept["reason"] == "edited"]
    old.with_name("Crediting.md").unlink()
    third = run(vault, tmp_path, "2026-08-20")
    assert not [kept for kept in third["notes"]["kept"] if kept["reason"] == "edited"]
    assert not [name for name, text in notes(vault).items() if "[[Crediting]]" in text]
