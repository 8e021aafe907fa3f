"""The functions that change a note, on text of any kind: what is not ours stays byte for byte."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from obsidian_digest.note import header, links, region
from tests.law.words import HOSTILE, TEXT, properties

_LINE_ENDS = st.sampled_from(["\n", "\r\n"])
_WANTED = st.none() | st.integers(0, 9) | st.sampled_from(["x", "a: b", (), ("x",), ("it's", "y")])
_YAML_ISH = st.lists(
    st.sampled_from(
        [
            "ours: 1", "ours:", "ours: [a, b]", "Ours: 1", '"ours": 1', "ours : 1", "mine: 1",
            "mine: 'x", "'", '"', "x'", "mine: |", "mine: >-", "  - a", "- a", "  deep: 1", "[",
            "]", "{", "}", "# c", "  # c", "? x", ": y", "&a", "*a", "mine: &a 1", "mine: *a",
            "!!x", "%TAG", "...", "\t", "  ", "", "ours: >\n  a\n\n  b", "l:\n- ours: 1", "\u2028",
            "\x85", "\ufeff", "\x07", "mine: a\u2028ours: 2", "<<: {ours: 2}", "ours:\n  ours: 1",
            "ours",
        ]
    )
    | st.text(max_size=8),
    max_size=7,
)  # fmt: skip


def others(text: str) -> dict[str, str | tuple[str, ...]]:
    return {name: value for name, value in header.read(text).items() if name != "ours"}


@given(_YAML_ISH, _WANTED, _LINE_ENDS, st.booleans(), TEXT)
@example(["mine: a\u2028ours: 2"], 3, "\n", False, "")
def test_an_edit_of_any_header_is_refused_or_changes_only_the_lines_of_that_property(
    lines, wanted, newline, mark, body
):
    yaml = newline.join([*lines, "ours: 7"]).encode("utf-8", "replace").decode()
    note = "\ufeff" * mark + f"---{newline}{yaml}{newline}---{newline}{body}"
    try:
        after = header.edit(note, {"ours": wanted})
    except header.UnreadableHeaderError:
        return
    assert others(after) == others(note)
    old, new = note.splitlines(keepends=True), after.splitlines(keepends=True)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    if old != new:
        assert re.match(r"[\"']?ours[\"']?[ \t]*:|[ \t]*(?:-|#)", (old or new)[0], re.IGNORECASE)
        assert "".join(old).count("#") <= "".join(new).count("#") or "#" in str(wanted)
    assert header.edit(after, {"ours": wanted}) == after


@given(st.lists(properties(), max_size=4), st.lists(properties(), max_size=4), _WANTED, _LINE_ENDS)
def test_the_readers_properties_stay_byte_for_byte_whatever_their_style(
    above, below, wanted, newline
):
    names = [name.lower() for name, _ in above + below]
    if len(set(names)) != len(names):
        return
    before = "---\n" + "".join(lines for _, lines in above)
    behind = "".join(lines for _, lines in below) + "last: 1\n---\nbody\n"
    before, behind = before.replace("\n", newline), behind.replace("\n", newline)
    after = header.edit(f"{before}ours: 7{newline}{behind}", {"ours": wanted})
    assert after.startswith(before)
    assert after.endswith(behind)


def noted(texts: list[str], newline: str) -> str:
    regions = [region.wrap(f"r-{number}", "ours\n\n- x") for number in range(len(texts) - 1)]
    parts = [part for pair in zip(texts, [*regions, ""], strict=True) for part in pair]
    return "".join(parts).replace("\r\n", "\n").replace("\n", newline)


@given(
    st.lists((TEXT | HOSTILE).map("\n{}\n".format), min_size=2, max_size=4),
    TEXT,
    _LINE_ENDS,
    st.booleans(),
)
def test_text_of_any_kind_around_regions_survives_their_replacement(texts, new, newline, mark):
    text = "\ufeff" * mark + noted(texts, newline)
    try:
        found = region.find(text)
    except region.BrokenMarkersError:
        return
    edges = [0, *(edge for each in found for edge in (each.start, each.end)), len(text)]
    kept = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    for each in reversed(found):
        text = region.replace(text, each, new.replace("%%", ""))
    more = region.append(text, "supplement-1", "more")
    again = region.find(text)
    edges = [0, *(edge for each in again for edge in (each.start, each.end)), len(text)]
    assert [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)] == kept
    assert more.startswith(text[: again[-1].end])
    assert more.endswith(kept[-1])
    assert [each.name for each in region.find(more)] == [*(e.name for e in again), "supplement-1"]


_LINKISH = st.lists(
    st.sampled_from(
        ["[[A]]", "[[A|b]]", "[[A#h|b]]", r"[[A\|b]]", "[a](b.md)", "[a](<b c.md>)", "[[", "]]",
         "|", "[x](", ")", "![[A]]", r"\[[A]]", "[a](https://x.org/b.md)", "#", "\n", "\r\n", "`",
         "[[]]"]
    )
    | st.text(max_size=5),
    max_size=8,
).map("".join)  # fmt: skip


@given(_LINKISH.filter(lambda text: "\ue000" not in text))
def test_all_that_is_no_link_survives_the_rewriting_of_any_text(text):
    assert links.rewrite(text, lambda _: None) == text
    pieces = links.rewrite(text, lambda _: "\ue000").split("\ue000")
    assert len(pieces) == len(list(links.links(text))) + 1
    a_link = r"\[[^\n]*(?:\]\]|\))"
    assert re.fullmatch(a_link.join(map(re.escape, pieces)), text, re.DOTALL)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_region_follows_a_renamed_note_in_a_note_of_either_line_ends(newline):
    text = noted(["mine\n", "\nmine [[Old]]\n"], newline).replace("- x", "- [[Old]]")
    (found,) = region.find(text)
    mended = links.rewrite(found.text, lambda _: "[[New]]")
    after = region.replace(text, found, mended)
    assert after.count("[[New]]") == after.count("[[Old]]") == 1
    assert "\r\r" not in after
    assert after.count("\n") == after.count(newline)
