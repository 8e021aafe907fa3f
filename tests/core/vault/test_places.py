from __future__ import annotations

import pytest

from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import NoteFile, Snapshot


def note(path: str, kind: str, key: str, title: str = "") -> NoteFile:
    return NoteFile(path, kind, key, b"", {"title": title} if title else {}, {})  # type: ignore[arg-type]


def places(*notes: NoteFile, others: tuple[str, ...] = ()) -> Places:
    paths = (*others, *(one.path for one in notes))
    return Places.of(Snapshot(notes, paths), ("Home",))


PAPER = note("arXiv/Papers/One - 2608-00001.md", "paper", "2608.00001")
THEME = note("arXiv/Themes/Agents.md", "theme", "t-1", "Agents")


def test_a_link_is_the_bare_name_while_no_other_note_has_it():
    assert places(PAPER).link("paper", "2608.00001", "One") == "[[One - 2608-00001|One]]"


def test_a_link_is_a_path_where_the_name_is_not_unique():
    assert places(THEME, others=("Mine/agents.md",)).link("theme", "t-1") == (
        "[[arXiv/Themes/Agents]]"
    )


def test_there_is_no_link_to_a_note_that_is_not_there():
    assert places().link("paper", "2608.00001") is None


def test_a_new_note_gets_a_name_that_differs_also_without_case_and_in_unicode_form():
    map_ = places(others=("Deep/CAF\u00c9.md",))
    assert map_.claim("theme", "t-1", "Themes", "Cafe\u0301") == "Themes/Cafe\u0301 2.md"
    assert map_.claim("theme", "t-2", "Themes", "cafe\u0301") == "Themes/cafe\u0301 3.md"


def test_a_note_that_stands_keeps_its_place():
    assert places(THEME).claim("theme", "t-1", "Elsewhere", "Other") == THEME.path


@pytest.mark.parametrize("target", ["Agents", "agents", "arXiv/Themes/Agents", "Themes/Agents.md"])
def test_a_link_leads_where_obsidian_would_follow_it(target: str):
    assert places(THEME).resolve(target) == THEME.path


def test_a_name_of_two_notes_leads_nowhere_but_ours_is_meant():
    both = places(THEME, others=("Mine/Agents.md",))
    assert both.resolve("Agents") is None
    assert both.identity("Agents") == ("theme", "t-1")


def test_a_link_to_a_renamed_paper_is_known_by_the_id_in_its_old_name():
    renamed = places(note("My name.md", "paper", "2608.00001"))
    assert renamed.identity("One - 2608-00001") == ("paper", "2608.00001")
    assert renamed.mend("- [[One - 2608-00001|One]] x", "") == "- [[My name|One]] x"


def test_a_link_to_a_renamed_theme_is_known_by_its_title():
    renamed = places(note("Mine.md", "theme", "t-1", "Agents"))
    assert renamed.mend("see [[Agents]]", "") == "see [[Mine]]"


def test_links_to_what_is_gone_become_text_and_names_of_the_readers_notes_stay():
    gone = places()
    assert gone.mend("[[One - 2608-00001|One]], [[Deep/Two]], [[Home]]", "") == "One, Two, [[Home]]"


def test_a_list_keeps_what_is_no_link_and_drops_links_to_what_is_gone():
    links = ("[[One - 2608-00001]]", "[[Gone]]", "plain text")
    assert places(PAPER).mend_links(links, "") == ("[[One - 2608-00001]]", "plain text")


def test_a_link_to_a_note_of_the_readers_is_not_trusted_in_our_regions():
    map_ = places(PAPER, others=("Mine.md", "Home.md"))
    assert [map_.trusts(name) for name in ("One - 2608-00001", "Gone", "Home", "Mine")] == [
        True,
        True,
        True,
        False,
    ]


def test_a_renamed_theme_is_known_by_its_title_also_where_titles_are_lists():
    theme = NoteFile("Mine.md", "theme", "t-1", b"", {"title": ("Agents",)}, {})
    assert places(theme).identity("Agents") == ("theme", "t-1")
