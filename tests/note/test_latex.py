"""LaTeX as arXiv gives it becomes one plain line."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.note.latex import clean, plain
from tests.nasty_papers import nasty_papers


def each(*pairs):
    return pytest.mark.parametrize(("source", "shown"), pairs)


@each(
    (r"Garc\'{\i}a", "García"),
    (r"{\"o}ffentlich", "öffentlich"),
    (r"\c{c}a and \v{s}a", "ça and ša"),
    (r"Erd\H{o}s and Erd\H os", "Erdős and Erdős"),
    (r"Nguy\~{\^e}n", "Nguyễn"),
    (r"Stra\ss e, \O rsted, {\aa}", "Straße, Ørsted, å"),
    (r"C. Bal\'azs", "C. Balázs"),
    (r"Euska\~nolDS", "EuskañolDS"),
)
def test_accents_of_tex_become_letters(source, shown):
    assert plain(source) == shown


@each(
    (r"$\mathcal{O}(n)$", "O(n)"),
    (r"$\alpha$-decay", "α-decay"),
    ("$L_2$ norm", "L2 norm"),
    (r"$\tau^2$-bench", "τ²-bench"),
    (r"$\sqrt{s} = 13$ TeV", "√s = 13 TeV"),
    (r"$10^{-3}$", "10⁻³"),
    (r"$\frac{a+b}{2}$", "(a+b)/2"),
    (r"$n\log n$", "n log n"),
    (r"$4\times3$", "4×3"),
    (r"360$^\circ$", "360°"),
    (r"\(\mathrm{GL}_3\)", "GL3"),
    (r"$1/2<\sigma\leq 1$", "1/2<σ ≤ 1"),
    (r"$x_{i+1}$, $k_{\rm eff}$", "x_(i+1), k_eff"),
    (r"$P^Σ_{ψs}$", "P^Σ_ψs"),
    (r"Muon $g$$-$$2$", "Muon g-2"),
    (r"$e^{i\theta}$", "e^(iθ)"),
)
def test_formulas_become_readable_characters(source, shown):
    assert plain(source) == shown


@each(
    ("It costs $5 and $7.", "It costs $5 and $7."),
    ("$100-$200 a month", "$100-$200 a month"),
    (r"\$0.27 USD", "$0.27 USD"),
    ("Ke$ha and A$AP Rocky", "Ke$ha and A$AP Rocky"),
    ("deposits over $3.5 million, then $n$ more", "deposits over $3.5 million, then n more"),
)
def test_an_amount_of_money_is_not_a_formula(source, shown):
    assert plain(source) == shown


@each(
    (r"50\% of 50% remain", "50% of 50% remain"),
    (r"Using \babar data", "Using babar data"),
    (r"\chisao{}: an optimizer", "chisao: an optimizer"),
    (r"\emph{do not} \textbf{\textsc{OneEval}}", "do not OneEval"),
    (r"{\em et al.} {\bf 58}", "et al. 58"),
    (r"Fig.~1 of Fe~II", "Fig. 1 of Fe II"),
    ("about ~5 up to z~8", "about ~5 up to z~8"),
    ("``stuffed'' -- a `word' --- yes", "“stuffed” – a ‘word’ — yes"),
    ("`For Argument's Sake!'", "‘For Argument's Sake!’"),
    (r"A\textsuperscript{2}FM", "A²FM"),
    (r"\textcolor{red}{Warning}", "Warning"),
    (r"Interaction\\with Robots", "Interaction with Robots"),
    (r"\footnote{\url{https://e.org/a\_b}}", "(https://e.org/a_b)"),
    ("a set {0, 1} of {BERT}", "a set {0, 1} of BERT"),
    ("LLM&#39;s R&amp;D", "LLM's R&D"),
    ("the `cat.n.01` synset", "the `cat.n.01` synset"),
)
def test_text_loses_its_commands_and_keeps_its_words(source, shown):
    assert plain(source) == shown


def test_invisible_and_direction_marks_vanish_and_white_space_collapses():
    text = "a\u202eb\u200bc\x00\x07 d\u2028e\u00a0\tf\ufeff\U000e0041"
    assert clean(text) == "abc d e f"
    assert plain(r"$\unicode{x202E}x$") == "x"


def test_a_command_never_reads_the_clock():
    assert plain(r"Written \today") == "Written today"


@given(st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_any_text_becomes_one_clean_line(text):
    shown = plain(text)
    assert shown == clean(shown) == unicodedata.normalize("NFC", shown)


@given(st.text(st.sampled_from("\\${}^_ab 1~`'-()[]%&\"\u0301"), max_size=60))
@settings(max_examples=300, deadline=None)
def test_broken_latex_never_fails(text):
    shown = plain(text)
    assert "\n" not in shown
    assert shown == clean(shown)


@pytest.mark.parametrize("piece", ["\\sqrt", "{", "x^{", "\\textbf{", "$", "\\(", "\\frac{"])
def test_a_hostile_repetition_neither_hangs_nor_overflows(piece):
    plain(piece * 1500)
    plain(f"${piece * 1500}$")


def test_real_titles_come_out_without_latex():
    for paper in nasty_papers():
        title = plain(paper["title"])
        assert title, paper["id"]
        assert "\\" not in title, paper["id"]
        assert not re.search(r"\$[^$\s]*[\\^_{}]", title), paper["id"]
