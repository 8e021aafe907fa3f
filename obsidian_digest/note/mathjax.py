"""Which formulas Obsidian's MathJax can render, and in what safe spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST = 400
_DEEPEST = 12
_SYMBOLS = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu
xi omicron pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta
Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varPhi varGamma varDelta varOmega varSigma varTheta
varLambda infty partial nabla ell hbar Re Im aleph emptyset varnothing forall exists nexists neg
lnot top bot angle prime backprime dagger ddagger star ast circ bullet odot oplus ominus otimes
oslash boxplus boxtimes square Box blacksquare Diamond diamond triangle lozenge sum prod coprod
int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee bigwedge bigsqcup surd ldots dots
cdots dotsc dotsb dotsm dotso vdots ddots langle rangle lfloor rfloor lceil rceil lvert rvert
lVert rVert vert Vert lbrace rbrace lbrack rbrack backslash setminus smallsetminus flat sharp
natural checkmark degree S mho wp complement colon cdotp centerdot imath jmath Bbbk
hslash le leq leqslant ge geq geqslant ne neq lt gt ll gg lll ggg approx approxeq sim simeq cong
equiv propto asymp lesssim gtrsim lessgtr gtrless prec succ preceq succeq precsim succsim doteq in
notin ni subset subseteq subsetneq supset supseteq supsetneq sqsubseteq mid nmid parallel perp
models vdash vDash coloneqq triangleq nleq ngeq to rightarrow longrightarrow Rightarrow
Longrightarrow implies leftarrow gets longleftarrow Leftarrow leftrightarrow Leftrightarrow
Longleftrightarrow iff mapsto longmapsto hookrightarrow twoheadrightarrow rightharpoonup
rightleftharpoons uparrow downarrow nearrow searrow leadsto rightsquigarrow times cdot div pm mp
cup cap sqcup uplus vee wedge land lor rtimes ltimes wr bmod trianglelefteq unlhd rhd lhd
therefore because log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan
min max sup inf lim limsup liminf det dim ker gcd deg arg hom Pr quad qquad enspace rm bf it sf tt
cal left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm displaystyle
textstyle
"""
_ONE_ARGUMENT = """
mathrm mathbf mathit mathsf mathtt mathcal mathscr mathfrak mathbb mathop mathord mathbin mathrel
operatorname boldsymbol hat widehat tilde widetilde bar overline dot ddot vec check acute grave
breve mathring underline underbrace overbrace overrightarrow overleftarrow sqrt pmod xrightarrow
xleftarrow ket bra braket cancel not
"""
_TWO_ARGUMENTS = "frac tfrac dfrac binom tbinom overset underset stackrel"
_TEXT = frozenset({"text", "textbf", "textit", "textrm", "textsf", "texttt", "mbox", "hbox"})
_ARGUMENTS = (
    dict.fromkeys(_SYMBOLS.split(), 0)
    | dict.fromkeys(_ONE_ARGUMENT.split(), 1)
    | dict.fromkeys(_TWO_ARGUMENTS.split(), 2)
)
_DECLARED = frozenset({"\\rm", "\\bf", "\\it", "\\sf", "\\tt", "\\cal"})
"""Commands that leave nothing behind: a script after them belongs to what stands before."""
_SILENT = _DECLARED | {"\\displaystyle", "\\textstyle"}
_BRACED = """
dots mathop braket not log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos
arctan dim ker deg arg hom
"""
_NOT_RAISED = {f"\\{name}" for name in _BRACED.split()}
"""Commands that MathJax takes for a script in braces only."""
_MULTILETTER = re.compile(r"\\math(?:rm|bf|it|sf|tt)(?![a-z])|\\operatorname")
_RUN_ON = re.compile(r"[\^_]\s*[A-Za-z]{2,}\s*[\^_']")
"""In such a font MathJax raises the whole word, so that a script after it would be a second."""
_SIGNS = frozenset("{}%#&_|,;:!> ")
_SIZED = re.compile(r"[bB]igg?[lrm]?")
_WITH_OPTION = frozenset({"sqrt", "xrightarrow", "xleftarrow", "cancel"})
_PLAIN_IN_OPTION = frozenset("+-*/,.")
_AFTER_AT = frozenset("|=.AV")
"""Behind an `@` outside a diagram, these are an error: it is the sign for its arrows."""
_RESPELT = (
    (r"\\([RZNQCE])(?![A-Za-z])|\\([RZNQC])\2(?![A-Za-z])", r"\\mathbb{\1\2}"),
    (r"\{([^{}]*)\\over(?![A-Za-z])([^{}]*)\}", r"\\frac{\1}{\2}"),
    (r"\{([^{}]*)\\choose(?![A-Za-z])([^{}]*)\}", r"\\binom{\1}{\2}"),
    (r"\\(?:bm|pmb)(?![A-Za-z])", r"\\boldsymbol"),
    (r"\\(?:mathbbm|mathds|Bbb)(?![A-Za-z])", r"\\mathbb"),
    (r"\\(?:textsc|textnormal|textup)(?![A-Za-z])", r"\\text"),
    (r"\\(?:emph)(?![A-Za-z])", r"\\textit"),
    (r"\\ensuremath\s*\{([^{}]*)\}", r"\1"),
    (r"\\(?:nicefrac|sfrac)\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2"),
    (r"\\(?:xspace|limits|nolimits|tiny|scriptstyle|protect)(?![A-Za-z])", " "),
    (r"\\AA(?![A-Za-z])", r"\\text{Å}"),
    (r"\\vcentcolon(?![A-Za-z])", ":"),
    (r"\\(left|right|[bB]igg?[lrm]?)\s*<", r"\\\1\\langle "),
    (r"\\(left|right|[bB]igg?[lrm]?)\s*>", r"\\\1\\rangle "),
    (r"(?<!\\)%", r"\\%"),
    (r"<", r"\\lt "),
    (r"(?<!\\)>", r"\\gt "),
    (r"~", r"\\ "),
    # What other readers of the note (Dataview, wikilinks, highlights, footnotes) would see in it.
    (r"\[(?=[\[^])|\](?=\])|:(?=:)|=(?==)|[!^](?=\[)", r"\g<0> "),
)
_RULES = tuple((re.compile(pattern), new) for pattern, new in _RESPELT)
_FORBIDDEN = re.compile(r"[`$\x00-\x1f]|%%|://|\\lt \s*\\?%|\\?%\s*\\gt")
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_DELIMITER = re.compile(
    r"[()\[\].|/]|\\[{}|]|\\(?:l|r)(?:angle|floor|ceil|vert|Vert|brace|brack)|\\(?:up|down)arrow|\\[vV]ert"
)


def renderable(formula: str) -> str | None:
    """The formula (no dollars) as MathJax 3.2.2 in Obsidian shows it, or None where it would not.

    Only commands of a fixed list pass: a formula can otherwise redefine commands for the whole
    session, load addresses, or draw over the page (measured with mathjax-full 3.2.2).
    """
    text = formula.strip(" ~")
    for pattern, new in _RULES:
        text = pattern.sub(new, text)
    text = " ".join(text.split())
    if not text or len(text) > _LONGEST or _FORBIDDEN.search(text):
        return None
    if _MULTILETTER.search(text) and _RUN_ON.search(text):
        return None
    checker = _Checker(_TOKEN.findall(text))
    try:
        checker.row("")
    except _RefusedError:
        return None
    return text if text[-1] != "\\" else None


def _is_stumbled_over(name: str, inside: set[str]) -> bool:
    """Whether MathJax 3.2.2 itself fails (an exception, no error message) on this argument."""
    if name == "operatorname":
        return not inside.isdisjoint("*-") and any(each.startswith("\\math") for each in inside)
    return name == "boldsymbol" and all(
        each in _SILENT or each in "{}" or each.isspace() for each in inside
    )


def _takes_more(piece: str) -> bool:
    """Whether this is a command that something must follow."""
    name = piece[1:] if len(piece) > 1 else ""
    sized = name in {"left", "right"} or _SIZED.fullmatch(name)
    return bool(name in _TEXT or sized or _ARGUMENTS.get(name))


class _RefusedError(Exception):
    """MathJax would show an error, or the command is not on the list."""


@dataclass(slots=True)
class _Checker:
    pieces: list[str]
    at: int = 0
    depth: int = 0

    def row(self, stop: str) -> None:
        """Everything up to `stop`, with at most one script of each kind on each atom."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _RefusedError
        scripts: set[str] = set()
        while piece := self._take():
            if piece == stop:
                self.depth -= 1
                return
            if piece in "^_'":
                self._script(piece, scripts)
            elif not piece.isspace() and piece not in _DECLARED:
                start = self.at
                self._atom(piece)
                scripts = self._taken(piece, self.pieces[start : self.at])
        if stop:
            raise _RefusedError
        self.depth -= 1

    def _script(self, piece: str, scripts: set[str]) -> None:
        if piece == "'":
            if "^" in scripts:
                raise _RefusedError
            while self._peek() == "'":
                self.at += 1
            scripts.add("^")
            return
        if piece in scripts:
            raise _RefusedError
        scripts.add(piece)
        self._skip_blanks()
        if self._peek() in _NOT_RAISED:
            raise _RefusedError
        if self._peek() in _DECLARED:
            self.at += 1
            self._skip_blanks()
            if self._peek() != "{":
                raise _RefusedError
        self._argument(script=True)

    @staticmethod
    def _taken(piece: str, inside: list[str]) -> set[str]:
        """The scripts that MathJax thinks this atom has, though they belong to a part of it."""
        bold = piece == "\\boldsymbol" and not {"^", "_", "'"}.isdisjoint(inside)
        return {"^", "_"} if bold or piece == "\\underset" else set()

    def _take(self) -> str:
        piece = self._peek()
        self.at += 1
        return piece

    def _peek(self) -> str:
        return self.pieces[self.at] if self.at < len(self.pieces) else ""

    def _skip_blanks(self) -> None:
        while self._peek().isspace():
            self.at += 1

    def _argument(self, *, script: bool = False) -> None:
        self._skip_blanks()
        piece = self._take()
        if piece in {"", "}", "^", "_", "'", "\\right"} or piece in _SILENT:
            raise _RefusedError
        if not script and _takes_more(piece):
            raise _RefusedError  # MathJax hands over the command alone, without what belongs to it
        self._atom(piece)

    def _option(self) -> None:
        """What stands in square brackets, kept plain: they end at the first `]` in any depth."""
        while (piece := self._take()) != "]":
            plain = piece.isalnum() or piece.isspace() or piece in _PLAIN_IN_OPTION
            if not plain and (_ARGUMENTS.get(piece[1:]) != 0 or _takes_more(piece)):
                raise _RefusedError

    def _atom(self, piece: str) -> None:
        if piece == "{":
            self.row("}")
        elif piece in {"}", "#", "&", "\\right"}:
            raise _RefusedError
        elif piece == "@":
            self._skip_blanks()
            if self._peek() in _AFTER_AT:
                raise _RefusedError
        elif len(piece) > 1 and piece[1].isalpha():
            self._command(piece[1:])
        elif piece[0] == "\\" and piece[1:] not in _SIGNS:
            raise _RefusedError

    def _command(self, name: str) -> None:
        name = "operatorname" if name == "operatorname*" else name
        if name in _TEXT:
            self._words()
        elif name == "left":
            self._delimiter()
            self.row("\\right")
            self._delimiter()
        elif _SIZED.fullmatch(name):
            self._delimiter()
        elif name in _ARGUMENTS:
            self._skip_blanks()
            if name == "operatorname" and self._peek() == "*":
                self.at += 1
            if name in _WITH_OPTION and self._peek() == "[":
                self.at += 1
                self._option()
            start = self.at
            for _ in range(_ARGUMENTS[name]):
                self._argument()
            if _is_stumbled_over(name, {*self.pieces[start : self.at]}):
                raise _RefusedError
        else:
            raise _RefusedError

    def _delimiter(self) -> None:
        self._skip_blanks()
        if not _DELIMITER.fullmatch(self._take()):
            raise _RefusedError

    def _words(self) -> None:
        self._skip_blanks()
        if self._take() != "{" or self._peek() == "}":  # MathJax stumbles over an empty box
            raise _RefusedError
        while (piece := self._take()) != "}":
            if piece in {"", "{", "#", "&", "^", "_"} or (
                piece[0] == "\\" and piece not in {"\\%", "\\ "}
            ):
                raise _RefusedError
