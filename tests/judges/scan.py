"""What CommonMark does not know but Obsidian or a plugin would act on, looked for in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Collection

SCHEMES = (
    "obsidian|javascript|vbscript|file|data|app|blob|about|mailto|tel|sms|zotero|shell|vscode"
    "|view-source|ms-[a-z-]+|x-[a-z-]+|[a-z][a-z0-9+.-]*(?=://)"
)
KEPT = re.compile(
    r"(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|\$\$(?P<display>.+?)\$\$|\$(?=[^\s$])(?P<formula>(?:\\.|[^\\$])*?)(?<=\S)\$(?!\d)"
    r"|<(?P<address>https?://[^\s<>]+)>|(?P<bare>\bhttps?://[^\s<>\\]*)"
)
ACTIVE = {
    "tag": r"#",
    "heading, list, quote, rule or table at the start": r"^\s*(?:[-+=>|]|\d{1,9}[.)](?:\s|$))",
    "link, embed, footnote or task": r"[\[\]]",
    "HTML": r"[<>]",
    "entity": r"&(?:#\d|#[xX][0-9a-fA-F]|[A-Za-z][A-Za-z0-9]*;)",
    "emphasis": r"\*|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|~",
    "highlight": r"==",
    "comment": r"%%",
    "code": r"`",
    "Templater": r"<%|%>",
    "Dataview field": r"::",
    "block id or footnote": r"\^",
    "dollar": r"\$",
    "lone backslash": r"\\",
    "scheme": rf"(?i)(?<![a-z0-9])(?!https?:)(?:{SCHEMES}):(?=\S)",
}
IN_FORMULA = {
    "link, embed or footnote": r"\[\[|\]\]|!\[|\^\[|\[\^",
    "HTML": r"[<>]",
    "highlight": r"==",
    "comment": r"%%",
    "code": r"`",
    "Dataview field": r"::",
    "address": r"://",
    "tag": r"(?<!\\)#",
}
IN_ADDRESS = {
    "link or code": r"[\[\]`$^|{}\\\"]",
    "highlight": r"==",
    "comment": r"%%",
    "strike-through": r"~~",
    "Dataview field": r"::",
    "tag": r"(?:^|\s)#",
}
INVISIBLE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def faults(markdown: str) -> list[str]:
    """What would act in a line of Markdown made of untrusted text, in words; empty if nothing."""
    found = [name for name, line in _named(ACTIVE, KEPT.sub(_masked, markdown)) if line]
    for kept in KEPT.finditer(markdown):
        formula = kept["formula"] or kept["display"]
        if formula:
            found += [f"{name} in a formula" for name, hit in _named(IN_FORMULA, formula) if hit]
        if address := kept["address"] or kept["bare"]:
            found += [f"{name} in an address" for name in _in_address(address)]
    found += ["Templater"] if "<%" in markdown or "%>" in markdown else []
    found += ["more than one line"] if "\n" in markdown else []
    found += ["invisible character"] if INVISIBLE.search(markdown) else []
    return found


def _in_address(address: str) -> list[str]:
    return [name for name, hit in _named(IN_ADDRESS, address) if hit]


def _named(rules: dict[str, str], text: str) -> list[tuple[str, bool]]:
    return [(name, bool(re.search(rule, text))) for name, rule in rules.items()]


def _masked(kept: re.Match[str]) -> str:
    """Something that is neither a blank nor a letter, for what is beside it depends on that."""
    return "," if kept["escaped"] else ",,"


_MARKER = re.compile(r"%% digest:(?:begin [a-z0-9-]+ v\d+ seal=[0-9a-f]{8}|end [a-z0-9-]+) %%")
_PREFIX = re.compile(r"^(?:#{2,3} (?:\d+\. )?|- |> (?:\[![a-z]+\]-? |- )?)")
_ANCHOR = re.compile(r"(?:^| )\^(?:abstract|(?:arxiv|moved|placed)-[A-Za-z0-9-]+)$")
_WIKILINK = re.compile(r"(?<![\\!])\[\[(?P<target>[^\[\]|#^]+)(?:\|(?P<label>[^\[\]|]*))?\]\]")
_WEB_LINK = re.compile(
    r"(?<![\\!])\[(?P<label>(?:\\.|[^\[\]\\])+)\]\((?P<address>https?://[^\s()<>]+)\)"
)
_NOTE_LINK = re.compile(
    r"(?<![\\!])\[(?P<label>(?:\\.|[^\[\]\\])+)\]\((?P<target>(?:\.{1,2}/)*[^\s()<>:]+)\.md\)"
)
_PICTURE = re.compile(r"!\[\[(?P<note>[^\[\]|#^<>]+?)(?: (?:map|trend))?\.svg\]\]")
_STARS = re.compile(r"\*\*[★☆]{5}\*\*|^\*\*[\w ]+\*\*(?=$|:)")
_ITALIC = re.compile(r"^\*(?P<inside>(?:\\.|[^\\*])+)\*$")


def note_faults(body: str, targets: Collection[str]) -> list[str]:
    """The same for a whole note of ours below its header, its own constructs allowed.

    `targets` are the base names that a wikilink in it may lead to.
    """
    found: list[str] = []
    for number, line in enumerate(body.split("\n"), 1):
        if line and not _MARKER.fullmatch(line):
            found += [f"line {number}: {fault}" for fault in _line_faults(line, targets)]
    return found


def _cell_faults(cell: str, targets: Collection[str]) -> list[str]:
    """A table's cell is a line; a label in its link would need an escaped bar."""
    found = [] if cell == "---" else _line_faults(cell, targets)
    labelled = re.search(r"(?<!\\)\[\[[^\[\]]*\|", cell)
    return found + (["a label in a table"] if labelled else [])


def _line_faults(line: str, targets: Collection[str]) -> list[str]:
    found: list[str] = []

    def wikilink(link: re.Match[str]) -> str:
        if link["target"] not in targets:
            found.append(f"a link to {link['target']!r}")
        found.extend(f"{fault} in a label" for fault in faults(link["label"] or "x"))
        return ","

    def web_link(link: re.Match[str]) -> str:
        found.extend(f"{fault} in a label" for fault in faults(link["label"]))
        found.extend(f"{fault} in an address" for fault in _in_address(link["address"]))
        return ","

    def note_link(link: re.Match[str]) -> str:
        name = unquote(link["target"]).rsplit("/", 1)[-1]
        found.extend([] if name in targets else [f"a link to {name!r}"])
        found.extend(f"{fault} in a label" for fault in faults(link["label"]))
        return ","

    if line.startswith("| ") and line.endswith(" |"):
        cells = re.split(r"(?<!\\)\|", line[1:-1])
        return [fault for cell in cells for fault in _cell_faults(cell.strip(), targets)]
    picture = _PICTURE.fullmatch(line)
    if picture and picture["note"] in targets:
        return []
    rest = _ANCHOR.sub("", _PREFIX.sub("", line, count=1))
    rest = _NOTE_LINK.sub(note_link, _WIKILINK.sub(wikilink, rest))
    rest = _STARS.sub(",", _WEB_LINK.sub(web_link, rest))
    return found + faults(_ITALIC.sub(lambda match: match["inside"], rest))
