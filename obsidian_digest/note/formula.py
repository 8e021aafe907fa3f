"""One LaTeX formula as a line of plain Unicode, for names, word counts and encoders."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from obsidian_digest.note.symbols import (
    BINARY,
    DECLARATIONS,
    DROPPED,
    FUNCTIONS,
    MATH_ACCENTS,
    SUPERSCRIPTS,
    WRAPPERS,
    named,
)

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_BLANKS = {"\\,", "\\;", "\\:", "\\>", "\\ ", "\\quad", "\\qquad", "\\\\", "\\enspace", "~", "&"}
_ONE_WORD = re.compile(r"[\w.'′*]+")  # noqa: RUF001
_RAISED = "′ † ‡ * ⋆ ± ∓ st nd rd th"  # noqa: RUF001 (a prime is meant)
_RAISED_AS_IT_IS = {"∘": "°"} | {text: text for text in _RAISED.split()}
_LOWERED_AS_IT_IS = "⊙∞⊕"
_FOLLOWS_SPACING = {"times", "cdot", "pm", "mp", "div", "mid", "cup", "cap", "circ"}
_FRACTIONS = {"frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac"}
_SECOND_ARGUMENT = {"overset", "underset", "stackrel", "textcolor", "href", "colorbox"}
_DEEPEST = 40


def formula_text(formula: str) -> tuple[str, frozenset[str]]:
    r"""The formula (without its dollars) in plain Unicode, and the commands nobody knows.

    Unknown commands stand in the text by name, so that nothing vanishes: `2\Mod` is `2 Mod`.
    """
    reader = _Reader(_TOKEN.findall(formula))
    text = unicodedata.normalize("NFC", reader.row().replace("--", "\u2013"))
    return " ".join(text.split()), frozenset(reader.unknown)


def _grouped(text: str, longest: int = 99) -> str:
    alone = len(text) == 1 or (len(text) <= longest and _ONE_WORD.fullmatch(text))
    return text if alone or re.fullmatch(r"\([^()]*\)", text) else f"({text})"


def _script(base: str, kind: str, text: str) -> str:
    text = text.strip(" _^")
    if not text:
        return base
    if kind == "^":
        if text in _RAISED_AS_IT_IS:
            return base + _RAISED_AS_IT_IS[text]
        raisable = all(ord(character) in SUPERSCRIPTS for character in text)
        return base + (text.translate(SUPERSCRIPTS) if raisable else f"^{_grouped(text, 1)}")
    beside_letter = base[-1:].isalpha() or base[-1:] == ")"
    if text in _LOWERED_AS_IT_IS or (text.isdecimal() and beside_letter):
        return base + text
    return f"{base}_{_grouped(text)}"


@dataclass(slots=True)
class _Reader:
    pieces: list[str]
    at: int = 0
    depth: int = 0
    unknown: set[str] = field(default_factory=set)

    def row(self, stop: str = "") -> str:
        """Everything up to the piece `stop`, which is consumed."""
        out = ""
        while self.at < len(self.pieces):
            piece = self.pieces[self.at]
            self.at += 1
            if piece == stop:
                break
            out = self._append(out, piece)
        return out

    def _append(self, out: str, piece: str) -> str:
        if piece in {"^", "_"}:
            return _script(out.rstrip(), piece, self._argument())
        if piece == "{":
            self.at -= 1
            return out + self._argument()
        if piece.isspace() or piece in _BLANKS:
            return out + " "
        if piece.startswith("\\") and len(piece) > 1:
            return self._command(out, piece[1:])
        return out if piece == "}" else out + piece

    def _next(self) -> str:
        return self.pieces[self.at] if self.at < len(self.pieces) else ""

    def _skip_blanks(self) -> None:
        while self._next().isspace():
            self.at += 1

    def _argument(self) -> str:
        """What the command or script before takes: a group or one piece."""
        self._skip_blanks()
        piece = self._next()
        if piece in {"", "}"}:
            return ""
        self.at += 1
        if self.depth >= _DEEPEST:
            return ""
        self.depth += 1
        text = self.row("}") if piece == "{" else self._append("", piece)
        self.depth -= 1
        return text

    def _option(self) -> str:
        if self._next() != "[":
            return ""
        self.at += 1
        return self.row("]")

    def _command(self, out: str, name: str) -> str:
        if not name[0].isalpha():
            return out + {"!": "", "|": "‖", "-": "", "/": ""}.get(name, name)
        name = name.rstrip("*")
        if name in DECLARATIONS:
            return self._declaration(out, name)
        if name in DROPPED:
            self._argument()
            return out
        if name in FUNCTIONS or name == "operatorname":
            return self._function(out, name)
        if name in BINARY:
            return self._operator(out, name)
        return self._with_arguments(out, name)

    def _declaration(self, out: str, name: str) -> str:
        self._skip_blanks()
        if name in {"left", "right"} and self._next() == ".":
            self.at += 1
        return out

    def _function(self, out: str, name: str) -> str:
        word = self._argument() if name == "operatorname" else name
        before = " " if out[-1:].isalnum() or out[-1:] == ")" else ""
        following = self._next()
        after = " " if re.match(r"\w|\\[A-Za-z]", following) and following != "_" else ""
        return f"{out}{before}{word}{after}"

    def _operator(self, out: str, name: str) -> str:
        had_blank = out.endswith(" ")
        self._skip_blanks()
        if not out.strip() or out[-1] in "([{":
            return out + BINARY[name]
        if name in _FOLLOWS_SPACING and not had_blank:
            return out + BINARY[name]
        return f"{out.rstrip()} {BINARY[name]} "

    def _with_arguments(self, out: str, name: str) -> str:
        if name in _SECOND_ARGUMENT:
            self._argument()
        if name in WRAPPERS or name in _SECOND_ARGUMENT:
            return out + self._argument()
        if name in _FRACTIONS:
            blank = " " if out[-1:].isdecimal() else ""
            return f"{out}{blank}{_grouped(self._argument())}/{_grouped(self._argument())}"
        if name == "sqrt":
            root = self._option().translate(SUPERSCRIPTS)
            return f"{out}{root}√{_grouped(self._argument())}"
        if name in MATH_ACCENTS:
            letter = self._argument()
            return out + letter + (MATH_ACCENTS[name] if len(letter) == 1 else "")
        if name in {"binom", "tbinom", "dbinom"}:
            return f"{out}({self._argument()} choose {self._argument()})"
        return self._rare(out, name)

    def _rare(self, out: str, name: str) -> str:
        if name == "pmod":
            return f"{out.rstrip()} (mod {self._argument()})"
        if name == "not":
            return f"{out}{self._argument().strip()}\u0338"
        if name == "unicode":
            code = re.fullmatch(r"x([0-9a-fA-F]{2,5})", self._argument().strip())
            return out + (chr(int(code[1], 16)) if code else "")
        if name in {"xrightarrow", "xleftarrow"}:
            self._option()
            self._argument()
            return f"{out.rstrip()} {'→' if name == 'xrightarrow' else '←'} "
        self._skip_blanks()
        character = named(name)
        if character is not None:
            return (out.rstrip() if character in "⟩⌉⌋" else out) + character
        self.unknown.add(name)
        before = " " if out[-1:].isalnum() else ""
        after = " " if re.match(r"\w|\\[A-Za-z]", self._next()) and self._next() != "_" else ""
        return f"{out}{before}{name}{after}"
