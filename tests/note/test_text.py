"""Untrusted text shows as it is in Obsidian, and nothing in it acts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from obsidian_digest.note.latex import clean, plain
from obsidian_digest.note.mathjax import renderable
from obsidian_digest.note.text import escape, link_label, property_text, prose, reading
from tests.hostile_strings import TOKENS, hostile_strings
from tests.judges.scan import faults
from tests.nasty_papers import nasty_papers, text_of

SOME = nasty_papers()[::8]
"""All of them are read by `tests/judges`."""
MARKDOWN = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(dollarmath_plugin, allow_space=True, allow_digits=True, double_inline=True)
    .use(footnote_plugin)
    .use(tasklists_plugin)
)


def pieces_shown(markdown):
    """What one paragraph of Markdown shows, as (kind, text)."""
    blocks = MARKDOWN.parse(markdown)
    if not blocks:
        return []
    assert [block.type for block in blocks] == ["paragraph_open", "inline", "paragraph_close"]
    return [(child.type, child.content) for child in blocks[1].children]


def expect_literal(text):
    escaped = escape(text)
    shown = pieces_shown(escaped)
    assert {kind for kind, _ in shown} <= {"text", "text_special"}
    expected = clean(text).replace("<%", "< %").replace("%>", "% >")
    assert "".join(part for _, part in shown) == expected
    assert faults(escaped) == []


def expect_inert(text):
    markdown = prose(text)
    kinds = {kind for kind, _ in pieces_shown(markdown)}
    assert kinds <= {"text", "text_special", "math_inline", "link_open", "link_close"}
    assert faults(markdown) == []
    assert reading(markdown) == clean(reading(markdown))


@given(st.lists(st.sampled_from(TOKENS), max_size=14).map("".join))
@settings(max_examples=400, deadline=None)
def test_hostile_text_shows_literally_and_nothing_acts(text):
    expect_literal(text)
    expect_inert(text)


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_shows_literally(text):
    expect_literal(text)
    expect_inert(text)


def test_two_thousand_hostile_texts_show_literally():
    for text in hostile_strings(2000):  # 60,000 are judged by Obsidian's kind of parser: `judges`
        expect_literal(text)
        expect_inert(text)


@pytest.mark.parametrize("paper", SOME, ids=lambda paper: paper["id"])
def test_real_titles_abstracts_and_comments_are_inert(paper):
    for field in ("title", "abstract", "comment"):
        expect_literal(text_of(paper, field))
        expect_inert(text_of(paper, field))


def each(*pairs):
    return pytest.mark.parametrize(("source", "markdown"), pairs)


@each(
    ("<%* tp.user.x() %>", r"\< %\* tp.user.x() % \>"),
    ("%%hidden%% ==mark==", r"\%\%hidden\%\% \=\=mark\=\="),
    ("std::vector, key:: value", r"std\:\:vector, key\:\: value"),
    ("[[note]] ![[embed]] [a](b)", r"\[\[note\]\] !\[\[embed\]\] \[a\](b)"),
    ("#tag and P#", r"\#tag and P\#"),
    ("`= 1+1` `$= dv`", r"\`= 1+1\` \`\$= dv\`"),
    ("<img src=x> p<0.05", r"\<img src=x\> p\<0.05"),
    ("&lt; and AT&T", r"\&lt; and AT&T"),
    ("obsidian://new javascript:x", r"obsidian\://new javascript\:x"),
    ("zoom-mtg://x 1obsidian://x", r"zoom-mtg\://x 1obsidian\://x"),
    ("see https://a.org/x_y.", "see https://a.org/x_y."),
    ("https://a.org/?a==b#c", r"https\://a.org/?a\=\=b\#c"),
    ("http://12)* x", r"http\://12)\* x"),
    ("|---|", r"\|---|"),
    ("data: we collect", "data: we collect"),
    ("1. first", r"1\. first"),
    ("- [ ] task", r"\- \[ \] task"),
    ("=== rule", r"\=\=\= rule"),
    ("text ^block-id", r"text \^block-id"),
    ("snake_case and _lead", r"snake_case and \_lead"),
    ("100% of 5%", "100% of 5%"),
)
def test_each_construct_that_obsidian_or_a_plugin_would_run_is_escaped(source, markdown):
    assert escape(source) == markdown


def test_the_bar_is_escaped_only_in_a_table():
    assert escape("p(a|b)") == "p(a|b)"
    assert escape("p(a|b)", in_table=True) == r"p(a\|b)"


@each(
    (r"an $O(n\log n)$ bound", r"an $O(n\log n)$ bound"),
    (r"where \(x^2\) and $$y$$", "where $x^2$ and $y$"),
    (r"for $p<0.05$", r"for $p\lt 0.05$"),
    (r"$\bm{x}\in\R^d$", r"$\boldsymbol{x}\in\mathbb{R}^d$"),
    (r"$[[1,2]]$", "$[ [1,2] ]$"),
    (r"$50%$", r"$50\%$"),
    ("$ x $", "$x$"),
)
def test_a_formula_that_mathjax_can_render_stays_one(source, markdown):
    assert prose(source) == markdown


@each(
    (r"$\def\alpha{Z}$", r"\$\\def\\alpha{Z}\$"),
    (r"$\href{javascript:alert(1)}{x}$", "x"),
    (r"$\style{position:fixed}{x}$", r"\$\\style{position:fixed}{x}\$"),
    (r"$x_1_2$", "x1_2"),
    (r"$\left( x$", "( x"),
    (r"$\mypp$", r"\$\\mypp\$"),
    (r"$\times$10 and $\sim$5", r"×10 and \~5"),
    (r"\$$10^5$", r"\$10⁵"),
    (r"$g$$-$$2$", "g-2"),
)
def test_any_other_formula_is_plain_characters_or_its_own_source(source, markdown):
    assert prose(source) == markdown


@pytest.mark.parametrize(
    "formula",
    [
        r"\newcommand{\x}{y}", r"\let\a\b", r"\require{color}", r"\rule{5000em}{5000em}",
        r"\unicode{x202E}", r"\url{x}", "x^2^3", r"\frac{1}", "a&b", r"a\\b", "a#b",
        r"\text{a $b$}", "{a", "x`y", "a" * 401, r"\begin{x}y\end{x}", r"\left( x \right",
        r"{\left( x} \right)", "x^", "<%", r"\color{red}x",
        # Found by MathJax itself (`tests/judges`): errors, and formulas at which it crashes.
        r"\P", r"\copyright", r"\text{subset_A}", r"\text{a^b}", r"\sin\hbox{}", r"\hat\mathbf x",
        r"\frac\text{a}{b}", r"\overline \mathbb Q", r"x^\cos y", r"x^\dots", r"x_\textstyle y",
        r"\sqrt[\sqrt[3]{x}]{y}", r"\sqrt[\left]0\right)]{y}", r"\cancel [x", r"\boldsymbol{x_1}_2",
        r"\boldsymbol{x^2}'", r"\underset{a}{b}_c", r"x_1\rm_2", r"\mathrm{x^ab^c}", "a@V", "a@ .",
        r"\sin\boldsymbol{\textstyle}", r"\sin\boldsymbol\textstyle", r"\operatorname *\texttt{c}",
        r"\operatorname{\mathit{*} (y)}",
    ],
)  # fmt: skip
def test_what_mathjax_shows_in_red_or_what_could_do_harm_is_refused(formula):
    assert renderable(formula) is None


@pytest.mark.parametrize(
    "formula",
    [
        r"\sqrt[n+1]{x}", r"\xrightarrow[a]{b}", r"\cancel{x}", r"\boldsymbol{x}_2", r"x_\rm{crit}",
        r"\mathrm{x_a^b}", "pass@k", r"\operatorname*{argmax}_x", r"\text{pass@A}",
        r"\hat{\mathbf x}", r"x^{\cos y}", r"\frac12", r"\big(x\big)", r"x'_1", r"\overset{a}{b}^c",
    ],
)  # fmt: skip
def test_what_looks_like_it_but_renders_is_kept(formula):
    assert renderable(formula) == formula


@each(
    ("see https://github.com/a_b/c.", "see https://github.com/a_b/c."),
    ("(https://a.org/x_y#part)", "(https://a.org/x_y#part)"),
    ("at https://a.org/_x_/~y, and", "at <https://a.org/_x_/~y>, and"),
    (r"\url{https://a.org/b\_c}.", "https://a.org/b_c."),
    (r"\href{https://a.org/x}{our code}", "our code (https://a.org/x)"),
    (r"\href{javascript:alert(1)}{our code}", "our code"),
    ("https://a.org/?a==b~~c", "<https://a.org/?a=%3Db~%7Ec>"),
    ("see:https://a.org/x", "see:<https://a.org/x>"),
    ("https://a.org/x\u0338y", "<https://a.org/x>y"),
    ("$x$\u03385", "x5"),
    ("{<}\u0338", "\u226e"),
    ("HTTP://A.org/x**", r"http://a.org/x\*\*"),
)
def test_web_addresses_stay_clickable_with_the_punctuation_outside(source, markdown):
    assert prose(source) == markdown.replace("http://a.org/x\\", "<http://a.org/x>\\")


def test_an_abstract_reads_the_same_from_arxiv_and_from_its_note():
    for paper in SOME:
        markdown = prose(paper["abstract"])
        text = reading(markdown)
        assert reading(markdown) == text
        assert not re.search(r"\\[#\[\]*<>]", text)


def test_reading_undoes_escapes_and_turns_formulas_into_characters():
    source = r"A #P-hard $\mathcal{O}(n^2)$ bound, 5% of $7, https://a.org/_b_ and \foo{}."
    assert reading(prose(source)) == "A #P-hard O(n²) bound, 5% of $7, https://a.org/_b_ and foo."


@given(st.text(st.sampled_from("ab #[]*_<>`%=:|~^-.1 é"), max_size=40))
@settings(max_examples=200, deadline=None)
def test_reading_gives_back_what_was_escaped(text):
    expected = clean(text).replace("<%", "< %").replace("%>", "% >")
    assert reading(escape(text)) == expected


def test_a_link_label_cannot_end_its_link():
    label = link_label("a [O III] | b]]\n[[x #y")
    assert not re.search(r"[\[\]|\n]", label)
    assert label == r"a (O III) ∣ b)) ((x \#y"


@each(
    ("obsidian://new?x", "obsidian: //new?x"),
    ("See zoom-mtg://x", "See zoom-mtg: //x"),
    ("javascript:alert(1)", "javascript: alert(1)"),
    ("App: a data:set", "App: a data:set"),
    ("https://a.org/x", "https://a.org/x"),
    ("[[x]] [a](b) <% c %>", "[ [x] ] [a] (b) < % c % >"),
    ("\ufffea\u0007\nb", "a b"),
)
def test_a_property_is_plain_text_that_opens_nothing(source, markdown):
    assert property_text(source) == markdown


def test_plain_text_of_a_title_survives_escaping():
    title = plain(r"\textbf{C\#}: $L_2$ vs. $\ell_1$ & ``more''")
    assert "".join(part for _, part in pieces_shown(escape(title))) == "C#: L2 vs. ℓ1 & “more”"
