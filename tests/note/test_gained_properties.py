"""A property that a note of ours gets later: below the others, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note.header import UnreadableHeaderError, add, read

LINK = {"merged_into": "[[Other theme]]"}
VALUES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_it_stands_below_the_others_with_the_line_ends_of_the_note(newline: str):
    text = newline.join(("---", "title: A", "theme_id: t-1", "---", "Mine", ""))
    line = f'merged_into: "[[Other theme]]"{newline}'
    assert add(text, LINK) == text.replace(f"---{newline}Mine", f"{line}---{newline}Mine")


@pytest.mark.parametrize("name", ["merged_into", "Merged_Into"])
def test_a_property_that_the_note_has_stays_as_it_is_written(name: str):
    text = f"---\ntitle: A\n{name}: mine\n---\n"
    assert add(text, LINK) == text


def test_a_note_without_a_header_stays_without():
    assert add("Mine\n", LINK) == "Mine\n"


@pytest.mark.parametrize(
    "odd", ["note: |\n  mine", "note: [a,\n  b]", "- a", "note: 'a", "a: {b: c}"]
)
def test_where_the_header_is_odd_it_is_added_safely_or_not_at_all(odd: str):
    text = f"---\n{odd}\n---\nMine\n"
    try:
        before = read(text)
    except UnreadableHeaderError:
        with pytest.raises(UnreadableHeaderError):
            add(text, LINK)
    else:
        assert read(add(text, LINK)) == {**before, **LINK}


@given(st.dictionaries(st.from_regex(r"\A[a-z]{1,8}\Z"), VALUES, min_size=1), VALUES)
def test_every_other_property_survives(known: dict[str, str], value: str):
    text = (
        "---\n"
        + "".join(f"{name}: '{one.replace(chr(39), chr(39) * 2)}'\n" for name, one in known.items())
        + "---\n"
    )
    gained = {"merged_into": value}
    assert read(add(text, gained)) == {**read(text), **gained}
    assert add(add(text, gained), gained) == add(text, gained)
