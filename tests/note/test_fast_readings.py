"""What is read fast is read as the plain, slow expressions would read it."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from obsidian_digest.note import header, links, own_notes, region

_PIECES = st.sampled_from(
    [
        "%% digest:begin paper v1 seal=00000000 %%", "%% digest:end paper %%", "%%digest:end",
        "%%", "%", "digest:begin", "\ufeff", "\n", "\r\n", "> ", "  ", "    ", "\t", "x", "```",
        "````", "~~~", "`", "<!--", "-->", "[", "[[", "]]", "](", ")", "![", "\\", "a.md", "|",
        "[x](a.md)", "[[a|b]]", "\\[x](a.md)", "![x](a.md)",
    ]
)  # fmt: skip
_TEXT = st.lists(_PIECES, max_size=14).map("".join)
_MARKER = re.compile(
    r"(?:^|(?<=\ufeff))%% digest:(?:begin (?P<begin>[a-z0-9-]+) v\d+ seal=(?P<seal>[0-9a-f]{8})"
    r"|end (?P<end>[a-z0-9-]+)) %%[ \t]*(?=\r?$)",
    re.MULTILINE,
)
_LIKE = re.compile(r"^[\ufeff \t>]*%%\s*digest:(?:begin|end)\b", re.MULTILINE)


@given(_TEXT)
@example("%%\ndigest:end")
@example("%%%% digest:end paper %%")
def test_markers_are_found_as_line_by_line(text: str):
    assert region.marked(text) == bool(_LIKE.search(text))
    plain = [found.span() for found in _MARKER.finditer(text)]
    assert [found.span() for found in region._MARKER.finditer(text)] == plain
    assert len(list(region._like_markers(text))) == len(_LIKE.findall(text))


@given(_TEXT)
@example("x ```\n   ~~~ y\nz\n~~~ w %% v")
@example("%% a %%```\nb")
def test_what_a_note_hides_is_cut_as_by_one_expression(text: str):
    assert own_notes._without_hidden(text) == own_notes._HIDDEN.sub(" ", text)


@given(_TEXT)
def test_links_are_found_as_with_a_look_at_what_stands_before_them_first(text: str):
    before = links._MARKDOWN.replace(r"\[(?<![\\!]\[)", r"(?<![\\!])\[")
    plain = re.compile(f"{links._WIKI}|{before}")
    assert [each.span() for each in links._LINK.finditer(text)] == [
        each.span() for each in plain.finditer(text)
    ]


def test_a_header_read_twice_is_no_ones_to_change():
    text = "---\ntitle: One\ntags: [a]\n---\n"
    header.read(text).clear()
    assert header.read(text) == {"title": "One", "tags": ("a",)}
