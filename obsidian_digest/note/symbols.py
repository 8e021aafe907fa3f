"""Tables of LaTeX: the names of characters, and which commands mean nothing to a reader."""
# ruff: noqa: RUF001, SIM905  (characters are the content here, and words read better than lists)

from __future__ import annotations

from functools import cache

_NAMED = """
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς
tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π
Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω varPhi Φ varGamma Γ varDelta Δ varOmega Ω varSigma Σ eps ε
infty ∞ partial ∂ nabla ∇ ell ℓ hbar ħ Re Re Im Im aleph ℵ emptyset ∅ varnothing ∅ forall ∀
exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ angle ∠ prime ′ backprime ‵ dagger † ddagger ‡ dag †
ddag ‡ star ⋆ ast * circ ∘ bullet • odot ⊙ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ boxplus ⊞ boxtimes ⊠
square □ Box □ blacksquare ■ Diamond ◇ diamond ⋄ triangle △ triangleup △ bigtriangleup △ lozenge ◊
sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂
bigvee ⋁ bigwedge ⋀ bigsqcup ⨆ surd √ ldots … dots … cdots ⋯ dotsc … dotsb ⋯ dotsm ⋯ dotso …
vdots ⋮ ddots ⋱ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lvert | rvert | lVert ‖ rVert ‖
vert | Vert ‖ lbrace { rbrace } lbrack [ rbrack ] backslash \\ setminus \\ smallsetminus \\ flat ♭
sharp # natural ♮ checkmark ✓ cmark ✓ xmark ✗ degree ° degr ° deg deg copyright © textregistered ®
texttrademark ™ pounds £ euro € S § P ¶ slash / textbackslash \\ textasciitilde ~ textasciicircum ^
textbar | textless < textgreater > textunderscore _ textdollar $ textellipsis … textendash –
textemdash — textquotedblleft “ textquotedblright ” textquoteleft ‘ textquoteright ’ textdegree °
textmu µ micron μm item • textbullet • textpm ± texttimes × textquotesingle ' guillemotleft «
guillemotright » sphericalangle ∢ Bbbk k imath ı jmath ȷ hslash ħ mho ℧ wp ℘ complement ∁ lq ‘ rq ’
colon : lbrace { cdotp · centerdot · permil ‰ perthousand ‰ AA Å celsius °C ohm Ω micro µ
ss ß SS ẞ o ø O Ø l ł L Ł ae æ AE Æ oe œ OE Œ aa å i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ
"""
_BINARY = """
le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ lt < gt > ll ≪ gg ≫ approx ≈ approxeq ≊ sim ~
simeq ≃ cong ≅ equiv ≡ propto ∝ asymp ≍ lesssim ≲ gtrsim ≳ prec ≺ succ ≻ preceq ⪯ succeq ⪰ doteq ≐
in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ subsetneq ⊊ supset ⊃ supseteq ⊇ sqsubseteq ⊑ mid | nmid ∤
parallel ∥ perp ⊥ models ⊨ vdash ⊢ vDash ⊨ coloneqq := vcentcolon : triangleq ≜ nleq ≰ ngeq ≱
to → rightarrow → longrightarrow ⟶ Rightarrow ⇒ Longrightarrow ⟹ implies ⟹ leftarrow ← gets ←
longleftarrow ⟵ Leftarrow ⇐ leftrightarrow ↔ Leftrightarrow ⇔ Longleftrightarrow ⟺ iff ⟺ mapsto ↦
longmapsto ⟼ hookrightarrow ↪ twoheadrightarrow ↠ rightharpoonup ⇀ rightleftharpoons ⇌ uparrow ↑
downarrow ↓ nearrow ↗ searrow ↘ leadsto ⇝ rightsquigarrow ⇝ times × cdot · div ÷ pm ± mp ∓ cup ∪
cap ∩ sqcup ⊔ uplus ⊎ vee ∨ wedge ∧ land ∧ lor ∨ rtimes ⋊ ltimes ⋉ wr ≀ bmod mod gtrless ≷ succsim ≿
precsim ≾ ll ≪ lll ⋘ ggg ⋙ subsetneqq ⫋ trianglelefteq ⊴ unlhd ⊴ rhd ▷ lhd ◁ therefore ∴ because ∵
"""
_FUNCTIONS = """
log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan min max sup inf lim
limsup liminf det dim ker gcd deg arg hom Pr mod argmax argmin Tr tr rank diag sign sgn
"""
_MATH_ACCENTS = """
hat 0302 widehat 0302 tilde 0303 widetilde 0303 bar 0304 overline 0304 dot 0307 ddot 0308 vec 20d7
check 030c acute 0301 grave 0300 breve 0306 mathring 030a
"""


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


MATH_ACCENTS = {name: chr(int(code, 16)) for name, code in _pairs(_MATH_ACCENTS).items()}
NAMED = _pairs(_NAMED)
"""Characters that stand for themselves, by the name of their command."""
BINARY = _pairs(_BINARY)
"""Relations, arrows and operators that stand between two things."""
FUNCTIONS = frozenset(_FUNCTIONS.split())
LETTERS = frozenset("ss SS o O l L ae AE oe OE aa AA i j dh DH th TH dj DJ ng NG".split())
"""Commands that are part of a word: TeX eats the blank behind them."""
ACCENTS = dict(
    zip(
        "`'^~\"=.ucvHkrdbtG",
        "\u0300\u0301\u0302\u0303\u0308\u0304\u0307\u0306\u0327\u030c\u030b\u0328\u030a\u0323\u0331\u0361\u030f",
        strict=True,
    )
)
"""Accent commands of text and their combining characters."""
SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
DECLARATIONS = frozenset(
    "bf it em tt sc sf rm sl cal mit bfseries itshape scshape ttfamily sffamily rmfamily mdseries"
    " upshape slshape normalfont tiny scriptsize footnotesize small normalsize large Large LARGE"
    " huge Huge displaystyle textstyle scriptstyle centering boldmath noindent par xspace protect"
    " bigskip smallskip medskip newline nonumber nolinebreak limits nolimits left right middle big"
    " Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm leavevmode relax allowbreak"
    " hfill maketitle null break hline".split()
)
"""Commands without argument that only change how things look."""
WRAPPERS = frozenset(
    "mathrm mathbf mathit mathsf mathtt mathcal mathscr mathfrak mathbb mathbbm mathds mathop"
    " mathord mathbin mathrel mathopen mathclose mathpunct text textbf textit textrm textsf"
    " texttt textsc textup textmd textnormal textsl emph mbox hbox fbox operatorname"
    " boldsymbol bm pmb ensuremath ce underline underbrace overbrace overrightarrow"
    " overleftarrow uline sout mathnormal Bbb url path".split()
)
"""Commands that show their one argument."""
DROPPED = frozenset(
    "label vspace hspace color phantom hphantom vphantom thanks index pagestyle thispagestyle"
    " bibliographystyle begin end fontsize selectfont vskip hskip".split()
)
"""Commands whose argument no reader should see."""


@cache
def named(name: str) -> str | None:
    """The character a command stands for, or None where nobody knows it."""
    if name in NAMED or name in BINARY:
        return NAMED.get(name) or BINARY[name]
    from pylatexenc.latex2text import get_default_latex_context_db  # noqa: PLC0415 (40 ms, rare)

    found = get_default_latex_context_db().get_macro_spec(name)
    character = getattr(found, "simplify_repl", None)
    # One or two characters: the longer ones are templates, words, and one reads the clock.
    known = isinstance(character, str) and 1 <= len(character.strip()) <= 2  # noqa: PLR2004
    return str(character).strip() if known else None
