"""A CommonMark parser with GFM shows our text as text: it finds no construct in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.note.latex import clean
from obsidian_digest.note.text import escape, link_label, prose
from tests.hostile_papers import CONSTRUCTS, FORMULAS, SCRIPTS
from tests.hostile_strings import hostile_strings
from tests.judges.scan import faults
from tests.nasty_papers import nasty_papers, text_of

if TYPE_CHECKING:
    from tests.judges.node import Judges
    from tests.judges.shape import Token

pytestmark = pytest.mark.slow

LITERAL = {"text", "text_special", "link_open", "link_close"}
LATEX = re.compile(r"[\\${}~`&]|--|''|://")
"""What `prose` reads as more than characters."""


def spoken(text: str) -> str:
    """What `escape` and `prose` make of plain text: clean, and deaf to Templater."""
    return clean(text).replace("<%", "< %").replace("%>", "% >")


def pieces(tokens: list[Token]) -> list[Token]:
    if not tokens:
        return []
    assert [token["type"] for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    return tokens[1]["children"]


def visible(found: list[Token]) -> str:
    """Text as a reader sees it; a formula, of which MathJax makes elements, as one gap."""
    return "".join("\0" if piece["type"] == "math" else piece.get("content", "") for piece in found)


def expect_only(found: list[Token], kinds: set[str], source: str) -> None:
    assert {piece["type"] for piece in found} <= kinds, source
    links = [piece["address"] for piece in found if piece["type"] == "link_open"]
    assert all(re.match(r"(?i)https?://[^/]", link) for link in links), source


def expect_literal(judges: Judges, texts: list[str]) -> None:
    escaped = [escape(text) for text in texts]
    for text, markdown, tokens in zip(texts, escaped, judges.ask("markdown", escaped), strict=True):
        found = pieces(tokens)
        expect_only(found, LITERAL, text)
        assert visible(found) == spoken(text)
        assert faults(markdown) == [], text


def expect_inert(judges: Judges, texts: list[str]) -> None:
    shown = [prose(text) for text in texts]
    for text, markdown, tokens in zip(texts, shown, judges.ask("markdown", shown), strict=True):
        found = pieces(tokens)
        expect_only(found, LITERAL | {"math"}, text)
        assert not re.search("<%|%>", visible(found)), text
        assert faults(markdown) == [], text
        if not LATEX.search(clean(text)):
            assert visible(found) == spoken(text)


def test_sixty_thousand_hostile_texts_show_literally(judges: Judges):
    expect_literal(judges, list(hostile_strings(60_000)))


def test_sixty_thousand_hostile_abstracts_hold_only_text_formulas_and_web_links(judges: Judges):
    expect_inert(judges, list(hostile_strings(60_000)))


def test_every_text_of_the_nasty_and_the_hostile_papers_is_inert(judges: Judges):
    fields = ("title", "abstract", "comment")
    texts = [text_of(paper, field) for paper in nasty_papers() for field in fields]
    texts += [author for paper in nasty_papers() for author in paper.get("authors", ())[:20]]
    texts += [*CONSTRUCTS, *FORMULAS, *SCRIPTS]
    expect_literal(judges, texts)
    expect_inert(judges, texts)


def test_a_label_never_ends_its_link(judges: Judges):
    labels = [link_label(text) for text in hostile_strings(5000)]
    asked = judges.ask("markdown", [f"x [[Note|{label or 'x'}]] y" for label in labels])
    for label, tokens in zip(labels, asked, strict=True):
        assert [piece["type"] for piece in pieces(tokens)] == ["text", "wikilink", "text"], label


def test_in_a_table_no_text_makes_a_cell_of_its_own(judges: Judges):
    cells = [escape(text, in_table=True) for text in hostile_strings(5000)]
    tables = [f"| a | b |\n| --- | --- |\n| {cell} | x |\n" for cell in cells]
    for cell, tokens in zip(cells, judges.ask("markdown", tables), strict=True):
        shown = [token["children"] for token in tokens if token["type"] == "inline"]
        assert len(shown) == 4, cell
        expect_only(shown[2], LITERAL, cell)


@pytest.mark.parametrize(
    ("markdown", "kind"),
    [
        ("<b>x</b>", "html_inline"),
        ("![x](http://t.example/x.png)", "image"),
        ("`x`", "code_inline"),
        ("[[x]]", "wikilink"),
        ("![[x]]", "embed"),
        ("*x*", "em_open"),
        ("~~x~~", "s_open"),
        ("$x_1$", "math"),
        ("[x](javascript:alert)", "link_open"),
        ("see obsidian://new", "link_open"),
    ],
)
def test_the_judge_sees_what_it_is_asked_to_find(judges: Judges, markdown: str, kind: str):
    found = pieces(judges.ask("markdown", [markdown])[0])
    assert kind in {piece["type"] for piece in found}
