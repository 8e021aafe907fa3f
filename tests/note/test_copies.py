from __future__ import annotations

import pytest

from obsidian_digest.note.copies import particulars, settle
from obsidian_digest.note.kinds import classify
from obsidian_digest.note.region import wrap

NAME = "Papers/A title - 2608-00001"
OURS = f"---\narxiv_id: '2608.00001'\n---\n\n{wrap('paper', 'x')}\n"
HEADLESS = f"{wrap('paper', 'x')}\n"
THEIRS = "---\narxiv_id: '2608.00001'\n---\nmine\n"


def settled(files: dict[str, str]) -> dict[str, str | None]:
    """The trouble of each note that is left, in the order they come in."""
    notes = (classify(path, text.encode(), "MOC") for path, text in sorted(files.items()))
    return {note.path: note.trouble for note in settle(note for note in notes if note)}


@pytest.mark.parametrize(
    "copy",
    [
        f"{NAME} (Conflicted copy Ann's phone 202608201200)",
        f"{NAME} (conflicted copy 2026-08-20 120000)",
        f"{NAME} (ann's conflicted copy 2026-08-20)",
        f"{NAME} (Ann Lee's conflicted copy 2026-08-20) 2",
        f"{NAME} (SFConflict ann@example.org 2026-08-20-12-00-00)",
        f"{NAME}.sync-conflict-20260820-120000-ABCDEFG",
        f"{NAME} 2",
        f"{NAME} copy",
        f"{NAME} copy 2",
        f"{NAME} - Copy (2)",
        f"{NAME} (1)",
        f"{NAME} (Kopie in Konflikt von Ann 2026-08-20)",
        f"{NAME}-ANNS-LAPTOP",
        "Elsewhere/a TITLE - 2608-00001 2",
    ],
)
def test_a_copy_of_a_sync_program_is_told_and_the_original_stays_ours(copy: str):
    found = settled({f"{NAME}.md": OURS, f"{copy}.md": OURS + "more\n"})
    assert found == {f"{NAME}.md": None, f"{copy}.md": "conflict"}
    assert next(iter(found)) == f"{NAME}.md"


def test_a_copy_is_known_for_one_also_when_the_original_was_renamed_or_is_gone():
    copy = f"{NAME} (Conflicted copy phone 202608201200).md"
    assert settled({"Mine.md": OURS, copy: OURS}) == {"Mine.md": None, copy: "conflict"}
    assert settled({copy: OURS}) == {copy: "conflict"}


@pytest.mark.parametrize("name", ["Dota 2", "A title (v2)", "GPT-4", "A copy"])
def test_a_name_that_only_looks_like_a_copys_is_a_name(name: str):
    assert settled({f"{name}.md": OURS}) == {f"{name}.md": None}


def test_two_notes_of_which_neither_is_a_copy_are_both_doubled():
    files = {f"{NAME}.md": OURS, "Other.md": OURS, f"{NAME} 2.md": OURS}
    doubled = {"Other.md": "doubled", f"{NAME}.md": "doubled", f"{NAME} 2.md": "conflict"}
    assert settled(files) == doubled


def test_a_note_of_the_readers_does_not_double_ours():
    assert settled({"A.md": THEIRS, f"{NAME}.md": OURS}) == {f"{NAME}.md": None}
    assert settled({"A.md": THEIRS, "B.md": THEIRS}) == {"A.md": "foreign"}


def test_a_note_that_is_ours_by_its_name_only_does_not_double_the_proper_one():
    files = {f"{NAME}.md": HEADLESS, "Moved.md": OURS}
    assert settled(files) == {"Moved.md": None}
    assert settled({f"{NAME}.md": HEADLESS}) == {f"{NAME}.md": "unreadable"}


def test_settling_twice_changes_nothing():
    files = {f"{NAME}.md": OURS, "Other.md": OURS, f"{NAME} 2.md": OURS, "M.md": THEIRS}
    notes = [classify(path, text.encode(), "MOC") for path, text in files.items()]
    once = settle(note for note in notes if note)
    assert settle(once) == once


def told(*paths: str) -> list[str]:
    notes = [classify(path, OURS.encode(), "MOC") for path in paths]
    same = settle(note for note in notes if note)
    return [particulars(note, same) for note in same]


def test_the_reader_is_told_which_note_is_meant():
    assert told(f"{NAME}.md", "B.md") == [
        "the same arxiv_id as B.md",
        f"the same arxiv_id as {NAME}.md",
    ]
    assert told(f"{NAME}.md", f"{NAME} 2.md")[1] == f"a copy of {NAME}.md, as sync programs make"
    (alone,) = told(f"{NAME}.sync-conflict-20260820-120000-ABCDEFG.md")
    assert alone == "a copy whose original is gone, as sync programs make"
