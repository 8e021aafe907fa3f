from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note import header

NOTE = """---
# my own comment
title: 'SPADE: old'   # trailing
arxiv_id: "2608.00010"
related: [a, b]
rating: 5

mine:
- x
- "y: z"
---
Body with --- and
---
more
"""


def test_an_owned_property_changes_and_every_other_byte_of_the_header_stays():
    edited = header.edit(NOTE, {"arxiv_version": 2, "related": ("[[One]]",)})
    assert edited == NOTE.replace("related: [a, b]\n", 'related:\n- "[[One]]"\n')


def test_a_property_that_is_equal_is_left_as_the_reader_wrote_it():
    assert header.edit(NOTE, {"title": "SPADE: old", "mine": ("x", "y: z")}) == NOTE


def test_a_property_that_the_reader_removed_stays_removed():
    assert header.edit(NOTE, {"reading": "unread"}) == NOTE


def test_windows_line_ends_stay_windows_line_ends():
    crlf = NOTE.replace("\n", "\r\n")
    edited = header.edit(crlf, {"rating": 4})
    assert edited == crlf.replace("rating: 5", "rating: 4")


def test_an_id_without_quotes_keeps_its_last_zero():
    assert header.read("---\narxiv_id: 2401.00010\n---\n")["arxiv_id"] == "2401.00010"


def test_words_that_yaml_takes_for_booleans_are_read_as_text():
    assert header.read("---\na: yes\nb: 12:30\nc: 017\n---\n") == {
        "a": "yes",
        "b": "12:30",
        "c": "017",
    }


@pytest.mark.parametrize(
    "broken",
    [
        "a: x: y",
        "a: 1\na: 2",
        "a: *x",
        "- a list",
        "\ta: 1",
        "{a: 1, b: 2}",
        'a: "\\q"',
        "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other",
    ],
)
def test_a_header_that_obsidian_would_call_invalid_is_refused(broken: str):
    with pytest.raises(header.UnreadableHeaderError):
        header.read(f"---\n{broken}\n---\nbody\n")


def test_a_note_without_a_header_is_all_body():
    assert header.split("no header\n---\n").body == "no header\n---\n"
    assert header.read("no header") == {}


def test_a_new_header_is_written_as_obsidian_would():
    written = header.write(
        {
            "title": "Scaling laws: a second look",
            "arxiv_id": "2401.00010",
            "n": 2,
            "authors": ("Zoë Ångström", 'O. "Q" Nelson', "O'Neil: x"),
            "published": date(2026, 8, 3),
            "up": "[[MOC-Research]]",
            "rating": None,
            "related": (),
        }
    )
    assert written == (
        '---\ntitle: "Scaling laws: a second look"\narxiv_id: "2401.00010"\nn: 2\nauthors:\n'
        '  - Zoë Ångström\n  - O. "Q" Nelson\n  - "O\'Neil: x"\npublished: 2026-08-03\n'
        'up: "[[MOC-Research]]"\nrating:\nrelated: []\n---\n'
    )


@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=80))
def test_whatever_text_is_written_is_read_back(items: list[str], text: str):
    clean = [item.encode("utf-8", "ignore").decode() for item in (*items, text)]
    written = header.write({"list": tuple(clean), "text": clean[-1], "last": "x"})
    assert header.read(written) == {"list": tuple(clean), "text": clean[-1], "last": "x"}


@given(
    st.lists(
        st.sampled_from(
            ["# c", "", "own: 1", "l:\n- a\n- b", "q: 'it''s'", "f: [1, 2]", "t: |\n  x\n  y", "e:"]
        ),
        unique=True,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.text(max_size=60),
)
def test_foreign_lines_survive_an_edit_byte_for_byte(lines: list[str], newline: str, body: str):
    clean = body.encode("utf-8", "ignore").decode()
    middle = newline.join([*lines, "arxiv_version: 1", "last: z"]).replace("\n", newline)
    middle = middle.replace("\r\r", "\r")
    note = f"---{newline}{middle}{newline}---{newline}{clean}"
    edited = header.edit(note, {"arxiv_version": 2})
    assert edited == note.replace("arxiv_version: 1", "arxiv_version: 2", 1)
    assert header.edit(edited, {"arxiv_version": 1}) == note


def test_a_property_of_ours_that_another_one_hangs_on_is_not_touched():
    note = "---\ntheme_papers: &n 5\nmine: *n\n---\n"
    with pytest.raises(header.UnreadableHeaderError):
        header.edit(note, {"theme_papers": 6})
