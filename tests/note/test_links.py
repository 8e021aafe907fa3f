from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from obsidian_digest.note.links import (
    absolute,
    links,
    markdown,
    relative,
    rewrite,
    wiki,
    without_targets,
)
from obsidian_digest.note.region import seal
from obsidian_digest.note.text import escape

NAMES = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["C", "Z"], exclude_characters='?<>:*|"#^[]%/\\'
    )
    | st.just(" ")
    | st.just("%"),
    min_size=1,
).map(lambda name: f"x{name}x")


@pytest.mark.parametrize(
    ("text", "target", "sub", "label"),
    [
        ("[[Note]]", "Note", "", ""),
        ("[[Folder/Note.md|shown]]", "Folder/Note", "", "shown"),
        ("[[Note#Heading|shown]]", "Note", "#Heading", "shown"),
        (r"[[Note\|shown]]", "Note", "", "shown"),
        ("[shown](Folder/My%20note.md)", "Folder/My note", "", "shown"),
        ("[shown](<../My note.md#^block>)", "../My note", "#^block", "shown"),
        (r"[a \] b](x.md)", "x", "", r"a \] b"),
    ],
)
def test_a_link_is_read_in_every_form(text, target, sub, label):
    (link,) = links(text)
    assert (link.target, link.sub, link.label) == (target, sub, label)


@pytest.mark.parametrize(
    "text",
    ["[a](https://x.org/a.md)", "[a](picture.png)", r"\[a\](b.md)", "![a](b.md)", r"\[\[a\]\]"],
)
def test_what_leads_out_of_the_vault_or_is_no_link_is_not_taken_for_one(text):
    assert list(links(text)) == []
    assert text[0] == "!" or without_targets(text) == text


@given(NAMES, NAMES)
def test_a_markdown_link_to_any_note_is_one_link_for_commonmark_and_reads_back(folder, name):
    written = markdown(f"{folder}/{name}", label=escape(name))
    (link,) = links(written)
    assert link.target == f"{folder}/{name}"
    inline = MarkdownIt("commonmark").parseInline(written)[0].children
    assert inline[0].type == "link_open"
    assert inline[-1].type == "link_close"
    assert [token.type for token in inline].count("link_open") == 1


@given(st.text(), st.text())
def test_text_without_links_survives_rewriting_byte_for_byte(before, after):
    text = f"{escape(before)} [[A|b]] {escape(after)}"
    assert rewrite(text, lambda _: None) == text
    assert rewrite(text, lambda _: "·") == f"{escape(before)} · {escape(after)}"


@given(NAMES, NAMES, NAMES)
def test_a_relative_path_leads_back_to_the_note_it_was_made_from(folder, name, other):
    source = f"{other}/deep/source.md"
    for path in (f"{folder}/{name}", name, f"{other}/{name}", f"{other}/deep/{name}"):
        assert absolute(relative(path, source), source) == path


@pytest.mark.parametrize("form", [wiki, markdown])
def test_where_a_link_leads_does_not_count_for_the_seal_but_what_it_shows_does(form):
    assert seal(form("Old name", label="x")) == seal(form("Folder/New name", label="x"))
    assert seal(form("Old name", label="x")) != seal(form("Old name", label="y"))


def test_an_address_on_the_web_counts_for_the_seal():
    assert seal("[x](https://arxiv.org/a.md)") != seal("[x](https://evil.example/a.md)")
