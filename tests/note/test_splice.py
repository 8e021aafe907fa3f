"""A property changes where it stands, in Obsidian's form; every sign of the reader's stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note import header


def edited(yaml: str, **changes: object) -> str:
    note = header.edit(f"---\n{yaml}---\nbody\n", changes)  # type: ignore[arg-type]
    assert note.startswith("---\n")
    assert note.endswith("---\nbody\n")
    return note[4:-9]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1   # mine\n", "a: 2   # mine\n"),
        ("a: '1' # it''s\n", "a: 2 # it''s\n"),
        ('a: "# no comment"\n', "a: 2\n"),
        ('"a":   1\n', '"a": 2\n'),
        ("a : 1\n", "a : 2\n"),
        ("A: 1\n", "A: 2\n"),
        ("a:\n", "a: 2\n"),
        ("a: # later\n", "a: 2 # later\n"),
        ("a: null\n", "a: 2\n"),
        ("a: one\n  two # mine\nb: 1\n", "a: 2 # mine\nb: 1\n"),
        ('a:\n  "one\n  two"\n\n# b\nb: 1\n', "a: 2\n\n# b\nb: 1\n"),
        ("a: >- # mine\n  one # no comment\n\n  two\n\nb: 1\n", "a: 2 # mine\n\nb: 1\n"),
        ("a: |\n   one\n# mine\n", "a: 2\n# mine\n"),
        ("b: 1\n  # mine\na: 1\nc: 1\n", "b: 1\n  # mine\na: 2\nc: 1\n"),
        ("  a: 1\n  b: 1\n", "  a: 2\n  b: 1\n"),
    ],
)
def test_one_value_changes_and_nothing_beside_it(before: str, after: str):
    assert edited(before, a=2) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:\n  - x\n  - y\n", "a:\n  - y\n  - z\n"),
        ("a:\n- x\n- 'y'  # why\n", "a:\n- 'y'  # why\n- z\n"),
        ("a:\n    - y\n", "a:\n    - y\n    - z\n"),
        ("a: # l\n  # i\n  - x # gone\n  - y\n", "a: # l\n  # i\n  # gone\n  - y\n  - z\n"),
        ("a:\n  - y\n\n  # last\n  - x\nb: 1\n", "a:\n  - y\n  - z\n\n  # last\nb: 1\n"),
        ("a: [x, 'y'] # mine\n", "a: # mine\n  - y\n  - z\n"),
        ("a: [x, # one\n  y] # two\n", "a: # one\n  - y\n  - z\n  # two\n"),
        ("a: []\n", "a:\n  - y\n  - z\n"),
        ("a:\n", "a:\n  - y\n  - z\n"),
        ("a: y # mine\n", "a: # mine\n  - y\n  - z\n"),
        ("mine:\n- q\na: []\n", "mine:\n- q\na:\n- y\n- z\n"),
        ("a:\n  -\n  - >-\n    y\n    y\n", "a:\n  - y\n  - z\n"),
        ("a:\n  - [q] # mine\n", "a:\n  - y\n  - z\n  # mine\n"),
    ],
)  # fmt: skip
def test_a_list_keeps_its_style_its_comments_and_the_items_that_remain(before: str, after: str):
    assert edited(before, a=("y", "z")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:\n  - x # gone\n  # mine\n  - y\nb: 1\n", "a: []\n  # gone\n  # mine\nb: 1\n"),
        ("a: [x] # mine\n", "a: [] # mine\n"),
        ("a:\n", "a:\n"),
    ],
)
def test_a_list_that_became_empty_is_written_as_obsidian_does(before: str, after: str):
    assert edited(before, a=()) == after


def test_a_list_of_one_says_the_same_as_its_item_and_stays_a_list():
    assert edited("a:\n  - x\n", a="x") == "a:\n  - x\n"
    assert edited("a: x\n", a=("x",)) == "a: x\n"
    assert edited("a:\n  - x\n", a="y") == "a:\n  - y\n"
    assert edited("a:\n  - x\n", a=None) == "a:\n"


def test_a_header_of_windows_keeps_its_line_ends_and_its_byte_order_mark():
    note = "\ufeff---\r\na: 1 # mine\r\nl:\r\n- x\r\n---\r\nbody\n"
    after = header.edit(note, {"a": 2, "l": ("x", "y")})
    assert after == "\ufeff---\r\na: 2 # mine\r\nl:\r\n- x\r\n- y\r\n---\r\nbody\n"


def test_each_line_keeps_its_own_end_where_ends_are_mixed():
    after = header.edit("---\r\na: 1\nb: 1\r\n---\nbody", {"a": 2, "b": 2})
    assert after == "---\r\na: 2\nb: 2\r\n---\nbody"


@pytest.mark.parametrize(
    ("yaml", "sentence"),
    [
        ("mine: &x 1\na: *x\n", "unusual form"),
        ("a: &x 1\nmine: *x\n", "hangs on one of ours"),
        ("? a\n: 1\n", "unusual form"),
        ("a: 1\nA: 3\n", "stands twice"),
        ("mine: one\u2028a: 1\n", "unusual form"),
    ],
)
def test_a_form_that_obsidian_never_writes_is_left_alone_with_a_reason(yaml: str, sentence: str):
    with pytest.raises(header.UnreadableHeaderError, match=sentence):
        edited(yaml, a=2)


@pytest.mark.parametrize(
    ("yaml", "sentence"),
    [
        ("b: 1\na: x: y\n", r"line 3: mapping values are not allowed"),
        ("a: 1\na: 2\n", "the property a stands twice"),
        ("{a: 1}\n", "do not stand one below the other"),
        ("a: " + "[" * 3000, "nest"),
    ],
)
def test_a_header_that_cannot_be_read_is_told_with_its_place(yaml: str, sentence: str):
    with pytest.raises(header.UnreadableHeaderError, match=sentence):
        header.read(f"---\n{yaml}\n---\n")


def test_a_property_that_the_reader_made_a_table_is_his():
    assert edited("a:\n  x: 1 # mine\n", a=2) == "a:\n  x: 1 # mine\n"


def test_property_names_are_read_without_regard_to_case():
    assert header.read("---\nTitle: x\n---\n") == {"title": "x"}


_comment = st.sampled_from(["", "  # c%d", " # it's c%d"])
_scalar = st.sampled_from(["x", "'it''s'", '"a: b"', "[[N]]", "5", "é 日本", '"#no"'])
_value = st.one_of(
    st.builds(" {}{}\n".format, _scalar, _comment),
    st.builds("{}\n".format, _comment),
    st.builds(" [{}, {}]{}\n".format, _scalar, _scalar, _comment),
    st.builds(" [{},{}\n   {}]{}\n".format, _scalar, _comment, _scalar, _comment),
    st.builds(" >-{}\n  text # no comment\n\n  more\n".format, _comment),
    st.builds("{0}\n- {1}{0}\n# c%d\n- {2}{0}\n".format, _comment, _scalar, _scalar),
    st.builds("{0}\n    - {1}{0}\n\n    # c%d\n    - {2}\n".format, _comment, _scalar, _scalar),
)
_wanted = st.one_of(
    st.none(),
    st.integers(0, 9),
    st.sampled_from(["x", "a: b"]),
    st.lists(st.sampled_from(["x", "it's", "a: b", "new"]), unique=True).map(tuple),
)


@given(
    st.permutations(["a", "b", "mine", "yours"]),
    st.lists(_value, min_size=4, max_size=4),
    _wanted,
    _wanted,
    st.sampled_from(["\n", "\r\n"]),
)
def test_no_comment_and_no_line_of_the_readers_is_lost(names, values, a, b, newline):
    numbers = iter(range(100))
    blocks = {name: f"# c%d\n{name}:{value}" for name, value in zip(names, values, strict=True)}
    whole = re.sub("%d", lambda _: str(next(numbers)), "".join(blocks.values()))
    note = f"---\n{whole}---\nbody\n".replace("\n", newline)
    after = header.edit(note, {"a": a, "b": b})
    assert re.findall(r"c\d+", note) == sorted(re.findall(r"c\d+", after), key=lambda c: int(c[1:]))
    assert after.count("\n") == after.count(newline)
    kept = iter(after.splitlines(keepends=True))
    for name, block in re.findall(r"^(\w+):(.*\n(?:(?!\w+:).*\n)*)", note, re.MULTILINE):
        if name in ("mine", "yours"):
            assert all(line in kept for line in f"{name}:{block}".splitlines(keepends=True))
    assert header.edit(after, {"a": a, "b": b}) == after
