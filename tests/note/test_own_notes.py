"""A note of the reader's own: its links, its other names, its text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note.own_notes import TEXT, Corpus, own_note, plain_text

if TYPE_CHECKING:
    from obsidian_digest.model import OwnNote

EVERYWHERE = Corpus.of(["Projects"])


def read(text: str | bytes, about: str = "", path: str = "Projects/a.md") -> OwnNote:
    raw = text if isinstance(text, bytes) else text.encode()
    return next(own_note(path, raw, about, EVERYWHERE))


def test_links_are_targets_as_spelt_and_ids_named_by_address_each_once_in_order():
    note = read(
        "---\nup: '[[Home]]'\n---\n"
        "See [[Projects/Plan#Next|the plan]], ![[Sketch]] and [that](../Other%20note.md#x).\n"
        "Read https://arxiv.org/abs/2608.19197v2, [PDF](https://arxiv.org/pdf/2608.17528).\n"
        "| [[In a table\\|cell]] | arXiv:2608.17220. |\n"
        "Again [[Projects/Plan]] and doi.org/10.48550/arXiv.2608.17800\n"
    )
    assert note.links == (
        "Home", "Projects/Plan", "Sketch", "../Other note", "2608.19197", "2608.17528",
        "In a table", "2608.17220", "2608.17800",
    )  # fmt: skip


@pytest.mark.parametrize(
    "hidden",
    [
        "`[[x]]`",
        "```\n[[x]]\narxiv.org/abs/2608.19197\n```",
        "~~~~md\n[[x]]\n~~~\n[[y]]\n~~~~",
        "%% [[x]] %%",
        "%%\n[[x]]\n%%",
        "<!-- [[x]] -->",
        "%% digest:begin daily v1 seal=00000000 %%\n\n[[x]]\n\n%% digest:end daily %%",
        "```\n[[unclosed]]",
        "arXiv is a site, see arxiv.org/list/cs.AI/new and arxiv.org/abs/9999",
        "![picture](picture.md)",
    ],
)
def test_what_is_code_a_comment_or_ours_links_to_nothing(hidden: str):
    assert read(f"[[before]]\n{hidden}\n").links == ("before",)


def test_the_paper_that_a_note_is_about_counts_as_linked():
    assert read("[[a]]", about="2608.00001").links == ("a", "2608.00001")


@pytest.mark.parametrize(
    ("header", "aliases"),
    [
        ("aliases: [One, 'Two  words']", ("One", "Two words")),
        ("Aliases:\n  - Eins\n  - Zwei\nalias: Drei", ("Eins", "Zwei", "Drei")),
        ("alias: Only one", ("Only one",)),
        ("aliases:", ()),
        ("aliases: [broken\nalias: x", ()),
        ("aliases: {a: b}", ()),
        ("title: no alias", ()),
    ],
)
def test_aliases_stand_in_the_header_in_every_form(header: str, aliases: tuple[str, ...]):
    assert read(f"---\n{header}\n---\ntext").aliases == aliases


def test_the_text_is_what_the_reader_sees():
    text = plain_text(
        "---\ntitle: hidden\n---\n# Agents & harness\n\n"
        "> [!note]- A **callout**\n> with [[Notes/Deep one|a label]], [[Notes/Plain]] and "
        "[a site](https://example.org)\n\n"
        "- [x] ==done== ~~not~~ _yes_ but snake_case\n1. *one* https://example.org/x\n\n"
        "| a | b |\n| --- | --- |\n\n```python\nimport os\n```\n"
        "Inline `code`, $x^2$, #tag/sub, <b>bold</b>, **粗体**文字 ^block-1\n%% secret %%\n---\n"
    )
    assert text == (
        "Agents & harness A callout with a label, Plain and a site done not yes but snake_case "
        "one a b Inline , x^2, tag/sub, bold, 粗体文字"
    )


def test_the_text_is_cut_between_words():
    text = plain_text("word " * 5000)
    assert TEXT - 5 < len(text) <= TEXT
    assert text.endswith("word")
    assert len(plain_text("x" * 9000)) == TEXT


@pytest.mark.parametrize(
    ("folders", "path", "holds"),
    [
        (["Projects"], "Projects/deep/a.md", True),
        (["projects"], "Projects/a.md", True),
        (["Caf\u00e9"], "Cafe\u0301/a.md", True),
        (["Projects"], "Projects 2/a.md", False),
        (["Projects"], "Other/Projects/a.md", False),
        ([], "a.md", False),
    ],
)
def test_only_notes_in_the_folders_of_the_corpus_give_their_text(folders, path, holds):
    note = next(own_note(path, b"text", "", Corpus.of(folders)))
    assert (note.text == "text") is holds


@pytest.mark.parametrize("raw", [b"a\0b", b"\x89PNG\r\n\x1a\n\0\0"])
def test_a_file_that_is_no_text_is_no_note(raw: bytes):
    assert list(own_note("Projects/a.md", raw, "", EVERYWHERE)) == []


def test_windows_line_ends_and_other_encodings_are_read():
    expected = ("x", "y")
    assert read("---\r\naliases:\r\n  - A\r\n---\r\n[[x]]\r\n[[y]]\r\n").links == expected
    assert read("---\r\naliases:\r\n  - A\r\n---\r\n[[x]]\r\n").aliases == ("A",)
    assert read("[[x]] and [[y]]".encode("utf-16")).links == expected
    assert read(b"\xff [[x]] \xe4 [[y]]").links == expected


@given(st.text() | st.text("[]()|#`~%<>!-*_= \n\r\\ax/.:", max_size=300))
def test_any_text_is_read(text: str):
    for note in own_note("Projects/a.md", text.encode("utf-8", "replace"), "", EVERYWHERE):
        assert len(note.text) <= TEXT
        assert len(set(note.links)) == len(note.links)


@pytest.mark.parametrize(
    "piece",
    [
        "[[",
        "[",
        "](",
        "`",
        "```\n",
        "%%",
        "<!--",
        "[[a|",
        "![",
        "<a",
        "* ",
        "| ",
        "arxiv:",
        "_",
        "\\",
    ],
)
def test_no_note_is_slow_to_read(piece: str):
    def seconds(text: str) -> float:
        start = time.process_time()
        list(own_note("Projects/a.md", (text * 500_000)[:500_000].encode(), "", EVERYWHERE))
        return time.process_time() - start

    assert seconds(piece) < 50 * max(seconds("Some [[link]] with words.\n"), 0.01)
