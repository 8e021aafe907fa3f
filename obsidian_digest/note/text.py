"""Untrusted text to Markdown in which nothing runs, and our Markdown back to plain text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from obsidian_digest.note.formula import formula_text
from obsidian_digest.note.latex import FIRST_HELD, HELD, clean, convert, plain
from obsidian_digest.note.mathjax import renderable

_SCHEMES = (
    "javascript|vbscript|data|file|app|obsidian|blob|about|mailto|tel|sms|ssh|smb|zotero|shell|vscode"
    "|x-[a-z-]{1,30}|ms-[a-z-]{1,30}|intent|view-source"
)
_ACTIVE = re.compile(
    # A web address may stay only where no sign in it needs a backslash: readers that make it a
    # link take the backslash for a part of it.
    r"(?P<web>(?<![0-9A-Za-z+.-])(?i:https?)://(?:[0-9A-Za-z./?+,()'!@-]|%(?!%)"
    r"|(?<=[0-9A-Za-z])[_=&](?=[0-9A-Za-z])|:(?=[0-9]))+(?!\S))"
    rf"|(?i:(?<![a-z0-9])(?P<scheme>{_SCHEMES}):(?=[^\s:]))"
    r"|[\\`*\[\]<>$~#^]|:(?=//)"
    r"|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])"
    r"|%(?=%)|(?<=%)%|=(?==)|(?<==)=|:(?=:)|(?<=:):"
    r"|&(?=\#?\w+;)"
)
_OPENS = re.compile(
    rf"(?i)(?:^({_SCHEMES})|(?<![a-z0-9+.-])(?!https?:)([a-z][a-z0-9+.-]*(?=://))):(?=\S)"
)
_LINE_START = re.compile(r"^(?:(?=[-+=|])|(\d{1,9})(?=[.)]))")
_FORMULA, _ADDRESS, _AS_TEXT = "$", "<", "="
_CROWDS = frozenset("$\\<=")  # a neighbour that would spoil the dollar: also another held piece
_SIMPLE = re.compile(
    r"https?://(?:[A-Za-z0-9./?%+,#-]|(?<=[A-Za-z0-9])[_=&](?=[A-Za-z0-9])|:(?=\d))+"
)
_STRUCK = re.compile("(?<=[\U000f0000-\U0010ffff])\u0338+")
"""A stroke through the end of an address: with the `>` there it would become one character."""
_OURS = re.compile(r"\\([!-/:-@\[-`{-~])|\$((?:[^$\\]|\\.)+)\$|<(https?://[^\s<>]+)>")
_NO_LABEL = str.maketrans("[]|", "()∣")  # noqa: RUF001 (not a bar for Obsidian, but one for the reader)


def escape(text: str, *, in_table: bool = False) -> str:
    """Markdown, one line, that shows exactly this text in Obsidian and in which nothing acts.

    White space is collapsed and invisible characters go (`latex.clean`); `<%` and `%>` are broken
    by a blank, for Templater runs them even where Markdown shows them as text. In a table the bar
    is escaped too.
    """
    return _escaped(clean(text), in_table=in_table)


def _escaped(text: str, *, in_table: bool = False) -> str:
    text = text.replace("<%", "< %").replace("%>", "% >")
    text = _ACTIVE.sub(_escape_one, text)
    if in_table:
        text = text.replace("|", "\\|")
    return guard_start(text)


def guard_start(markdown: str) -> str:
    """Our own Markdown, or a later part of it, fit to begin a line: no list or rule starts."""
    return _LINE_START.sub(lambda match: f"{match[1] or ''}\\", markdown)


def _escape_one(match: re.Match[str]) -> str:
    if match["web"]:
        return match[0]
    scheme = match["scheme"]
    return f"{scheme}\\:" if scheme else f"\\{match[0]}"


@lru_cache(maxsize=1000)
def prose(text: str) -> str:
    """LaTeX text such as an abstract as one line of Markdown: formulas render, links click.

    A formula stays `$...$` where MathJax can show it, else it becomes Unicode where that loses
    nothing, else it is shown as it was written. All else is escaped.
    """

    def formula(body: str) -> str:
        shown, unknown = formula_text(body)
        shown = clean(shown)
        spelt = renderable(body)
        if spelt:
            return f"{_FORMULA}{spelt}\0{shown}"
        return _AS_TEXT + (f"${body}$" if unknown or not shown else shown)

    return convert(text, formula, lambda url: _ADDRESS + url, _finished)


def _finished(text: str, held: list[str]) -> str:
    text = _STRUCK.sub("", text)

    def kind(at: int) -> str:
        inside = 0 <= at < len(text) and HELD.match(text[at])
        return _held(text[at], held)[0] if inside else text[at : at + 1]

    def settle(match: re.Match[str]) -> str:
        shown = _held(match[0], held)
        if shown[0] == _AS_TEXT:
            return shown[1:]
        before, after = kind(match.start() - 1) if match.start() else "", kind(match.end())
        crowded = before in _CROWDS or after in _CROWDS or after.isdecimal()
        return shown.partition("\0")[2] if shown[0] == _FORMULA and crowded else match[0]

    def markdown(match: re.Match[str]) -> str:
        shown = _held(match[0], held)
        if shown[0] == _FORMULA:
            spelt, _, _ = shown[1:].partition("\0")
            return f"${spelt}$"
        before, after = match.string[: match.start()][-1:], match.string[match.end() :][:2]
        return _address(shown[1:], before, after)

    settled = HELD.sub(settle, text)
    settled = _STRUCK.sub("", unicodedata.normalize("NFC", " ".join(settled.split())))
    return HELD.sub(markdown, _escaped(settled))


def _held(character: str, held: list[str]) -> str:
    return held[ord(character) - FIRST_HELD]


def _address(url: str, before: str, after: str) -> str:
    opened = not before or re.match(r"[\s(]", before)
    closed = not after or re.match(r"[.,:!?)]?(?:\s|$)", after)
    return url if opened and closed and _SIMPLE.fullmatch(url) else f"<{url}>"


def reading(markdown: str) -> str:
    """The plain text behind our own Markdown (`escape`, `prose`): what encoders and counts read.

    It is the same for a paper that has just come and for the note that was written of it, as long
    as both go through `prose`.
    """
    text = _OURS.sub(_read, markdown)
    return plain(text) if "\\" in text else clean(text)


def _read(match: re.Match[str]) -> str:
    if match[2]:
        return formula_text(match[2])[0]
    return match[1] or match[3]


def link_label(text: str) -> str:
    """Text to show for a wikilink: escaped, without the brackets and bars that would end it."""
    return escape(text.translate(_NO_LABEL))


def property_text(text: str) -> str:
    """Plain text for a property, in which Obsidian and Templater find nothing to act on.

    Wikilinks and Markdown links work in properties, a value that is an address opens on a click,
    and Templater runs `<% %>` wherever it stands.
    """
    quiet = clean(text).replace("<%", "< %").replace("%>", "% >").replace("](", "] (")
    quiet = _OPENS.sub(lambda found: f"{found[1] or found[2]}: ", quiet)
    return re.sub(r"\[(?=\[)|\](?=\])", lambda found: f"{found[0]} ", quiet)
