"""LaTeX as arXiv gives it, to one line of Unicode."""
# ruff: noqa: RUF001  (quotes and dashes are the content here)

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING

from obsidian_digest.note.addresses import addresses
from obsidian_digest.note.formula import formula_text
from obsidian_digest.note.symbols import (
    ACCENTS,
    BINARY,
    DECLARATIONS,
    DROPPED,
    FUNCTIONS,
    LETTERS,
    NAMED,
    SUPERSCRIPTS,
    WRAPPERS,
    named,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{2,5}|#[xX][0-9a-fA-F]{2,4});")
FIRST_HELD = 0xF0000  # a plane of private characters that `clean` removes from every input
_MOST_HELD = 0xFFFF
HELD = re.compile("[\U000f0000-\U0010ffff]")

_SPAN = re.compile(
    r"\\begin\{(?P<name>(?:equation|align|aligned|gather|multline|eqnarray|displaymath|math)\*?)\}"
    r"(?P<environment>.{1,2000}?)\\end\{(?P=name)\}"
    r"|\\\((?P<round>.{1,2000}?)\\\)|\\\[(?P<square>.{1,2000}?)\\\]"
    r"|\$\$(?P<display>[^$]{1,2000})\$\$|\\.|\$(?P<inline>(?:[^$\\]|\\.)+)\$"
)
_WORDS = re.compile(r"\\[A-Za-z]+|\{[^{}]*\}|(?<![A-Za-z])[A-Za-z]{3,}(?![A-Za-z])")
_PROSE_WORDS = 3

_MANGLED = re.compile(r"\\([A-Za-z])\{([a-z]{3,})\}")
_ACCENT = re.compile(
    r"""\\(?:("|['`^~=.]\s*)|([ucvHkrdbtG])(?:\s+|(?=[\\{])))"""
    r"(?:\{\s*\\?([ijA-Za-z\u00c0-\u024f\u1e00-\u1eff]?)\s*\}"
    r"|\\([ij])(?![A-Za-z])\s?|([A-Za-z\u00c0-\u024f\u1e00-\u1eff]))"
)
_TIE = re.compile(r"(?<=[^\s(\[<>~\\])(?<![^A-Za-z][a-z](?=~\d))~(?!~)")
_QUOTES = (
    (re.compile(r"(?<!`)``(?!`)"), "“"),
    (re.compile(r"(?<!')''(?!')"), "”"),
    (re.compile(r"(?<![\w`])`((?! )(?:[^`']|(?<=\w)'(?=\w))+)'(?![\w'])"), r"‘\1’"),
    (re.compile(r"(?<!-)---(?!-)"), "—"),
    (re.compile(r"(?<![-\s])--(?!-)|(?<=\s)--(?=[\s\d])"), "–"),
)
_GROUP = re.compile(
    r"(?:\\([A-Za-z]+)\*?\s*(?:\[[^\[\]{}]*\]\s*)?)?((?:\{[^{}]*\}\s*)*\{[^{}]*\})(?!\s*\{)"
)
_ONE_GROUP = re.compile(r"\{([^{}]*)\}")
_DECLARED = re.compile(rf"\s*\\(?:{'|'.join(sorted(DECLARATIONS))})(?![A-Za-z])\s*")
_TIGHT = re.compile(r"[^\s,;:\"'|=]*")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?(\s*)|\\(.)")
_REFERENCES = ("cite", "citep", "citet", "citealp", "citeauthor", "ref", "eqref", "autoref", "cref")
_KEPT_BRACES = str.maketrans("{}", "\ufdd0\ufdd1")
_BRACES_BACK = str.maketrans("\ufdd0\ufdd1", "{}")
_SPACES = {",", ";", ":", ">", " ", "\\"}
_NOTHING = {"!", "-", "/", "@"}


def clean(text: str) -> str:
    """The text in NFC on one line: no controls, bidi marks or zero-width characters."""
    return unicodedata.normalize("NFC", " ".join(_INVISIBLE.sub("", text).split()))


def plain(text: str) -> str:
    """LaTeX source (a title, abstract, author or comment) as one line of plain Unicode, NFC.

    Accents, letters and formulas become characters, font commands go, unknown commands stay by
    name, `%` and amounts of money stay. Nothing is escaped: the result is text, not Markdown.
    """

    def formula(body: str) -> str:
        return formula_text(body)[0]

    def address(url: str) -> str:
        return url

    return convert(text, formula, address)


def convert(
    text: str,
    formula: Callable[[str], str],
    address: Callable[[str], str],
    finish: Callable[[str, list[str]], str] | None = None,
) -> str:
    """LaTeX source to one line, with formulas and addresses shown as the two functions say.

    What they return stands in the text as one private character each; `finish` gets that text
    and the list of them and puts them back (default: as they are).
    """
    text = clean(_ENTITY.sub(lambda match: html.unescape(match[0]), text))
    held: list[str] = []

    def hold(shown: str) -> str:
        if len(held) > _MOST_HELD:
            return shown
        held.append(shown)
        return chr(FIRST_HELD + len(held) - 1)

    text = _hold_addresses(text, lambda url: hold(address(url)))
    text = _hold_formulas(text, lambda body: hold(formula(body)))
    text = " ".join(_unlatex(text).split())
    return clean((finish or put_back)(text, held))


def put_back(text: str, held: list[str]) -> str:
    """The text of `convert` with its formulas and addresses in their places."""
    return HELD.sub(lambda match: held[ord(match[0]) - FIRST_HELD], text)


def _hold_addresses(text: str, hold: Callable[[str], str]) -> str:
    parts, last = [], 0
    for found in addresses(text):
        shown = hold(found.url)
        label = found.label.strip()
        same = not label or label.removeprefix("\\url").strip("{} ") in found.url
        parts += [text[last : found.start], shown if same else f"{label} ({shown})"]
        last = found.end
    return "".join([*parts, text[last:]])


def _hold_formulas(text: str, hold: Callable[[str], str]) -> str:
    parts, last, at = [], 0, 0
    while match := _SPAN.search(text, at):
        at = match.end()
        kind = match.lastgroup
        if kind is None:
            continue
        body = match[kind].strip()
        if HELD.search(body):  # an address inside: text after all
            shown = f" {body} "
        elif _is_formula(match, kind, text[at : at + 1]):
            shown = hold(body)
        else:
            at = match.start() + 1
            continue
        parts += [text[last : match.start()], shown]
        last = at
    return "".join([*parts, text[last:]])


def _is_formula(match: re.Match[str], kind: str, following: str) -> bool:
    body = match[kind]
    if not _balanced(body) or not body.strip():
        return False
    if kind != "inline":
        return True
    if body[0].isdecimal() and (body[-1].isspace() or following.isdecimal()):
        return False  # "$5 and $7", "$100-$200"
    if body[0].isspace() != body[-1].isspace() and re.match(r"\s*\d[^\\^_<>=]*$", body):
        return False  # "US$ 5 or US$6"
    if (
        re.fullmatch(r"[A-Za-z\s.,;:'-]*[A-Za-z]{3,}[A-Za-z\s.,;:'-]*", body)
        and " " in body.strip()
    ):
        return False  # "Ke$ha and A$AP"
    words = [word for word in _WORDS.findall(body) if word[0].isalpha()]
    return len(words) < _PROSE_WORDS or " " not in body


def _balanced(body: str) -> bool:
    depth = 0
    for token in re.findall(r"\\.|[{}]", body):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth < 0:
            return False
    return depth == 0


def _unlatex(text: str) -> str:
    if not re.search(r"[\\{}~`]|''|--", text):
        return text
    text = _MANGLED.sub(lambda m: NAMED.get(m[1] + m[2], m[0]), text)
    text = _TIE.sub(" ", text)
    for _ in range(3):  # accents on accented letters
        text, count = _ACCENT.subn(_accented, text)
        if not count:
            break
    for pattern, character in _QUOTES:
        text = pattern.sub(character, text)
    text = text.replace("\\{", "\ufdd0").replace("\\}", "\ufdd1")
    for _ in range(12):
        text, count = _GROUP.subn(_group, text)
        if not count:
            break
    return _COMMAND.sub(_command, text).translate(_BRACES_BACK)


def _accented(match: re.Match[str]) -> str:
    accent = (match[1] or match[2])[0]
    letter = match[3] or match[4] or match[5] or ""
    if not letter:
        return accent if match[1] else ""
    if accent == '"' and letter not in "aeiouyAEIOUYıȷ" and letter.isascii():
        return f'"{letter}'  # a quote that a program escaped
    return unicodedata.normalize("NFC", letter + ACCENTS[accent])


def _group(match: re.Match[str]) -> str:
    name = match[1]
    if name is None:
        return _ONE_GROUP.sub(_bare, match[2])
    groups = [_DECLARED.sub("", group) for group in _ONE_GROUP.findall(match[2])]
    if name in DROPPED or name in _SHOWN_BY:
        return _SHOWN_BY[name](groups) if name in _SHOWN_BY else ""
    if name in WRAPPERS or name in DECLARATIONS:
        return groups[-1]
    content = "".join(groups)
    if name in NAMED or name in BINARY or name in FUNCTIONS:
        return (NAMED.get(name) or BINARY.get(name) or name) + content
    return " ".join(groups) if content.strip() else named(name) or name


def _raised(groups: list[str]) -> str:
    raisable = all(ord(character) in SUPERSCRIPTS for character in groups[-1])
    return groups[-1].translate(SUPERSCRIPTS) if raisable else groups[-1]


_SHOWN_BY: dict[str, Callable[[list[str]], str]] = {
    "footnote": lambda groups: f" ({groups[-1]})",
    "textsuperscript": _raised,
    "textcolor": lambda groups: groups[-1],
    "href": lambda groups: groups[-1],
    **dict.fromkeys(("frac", "tfrac", "nicefrac", "sfrac"), "/".join),
    **dict.fromkeys(_REFERENCES, lambda groups: f"[{groups[-1]}]"),
}
"""Commands whose arguments are shown in a way of their own."""


def _bare(match: re.Match[str]) -> str:
    """A group without its braces, unless they look meant: `{0, 1}`."""
    group = match[1]
    if "\\" in group or len(group) == 1 or _TIGHT.fullmatch(group):
        return _DECLARED.sub("", group)
    return match[0].translate(_KEPT_BRACES)


def _command(match: re.Match[str]) -> str:
    name, blank, sign = match.groups()
    if name is None:
        return " " if sign in _SPACES else "" if sign in _NOTHING else sign
    if name in DECLARATIONS:
        return ""
    if name in LETTERS:
        return NAMED[name]
    if name in FUNCTIONS:
        return name + blank
    character = BINARY.get(name) or named(name)
    return (character or name) + blank
