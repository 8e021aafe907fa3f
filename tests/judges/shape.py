"""What a note of ours may look like to a Markdown parser: any other construct came from a paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

BLOCKS = {"paragraph", "heading", "bullet_list", "list_item", "blockquote"}
BLOCKS |= {"table", "thead", "tbody", "tr", "th", "td"}
PIECES = {"text", "text_special", "softbreak", "math", "wikilink"}
AROUND = {"link", "em", "strong"}
STRONG = re.compile(r"[★☆]{5}|[\w ]+")
TASK = re.compile(r"\s*\[.\](?:\s|$)")

Token = dict[str, Any]


def shape_faults(
    tokens: list[Token], targets: Collection[str], headings: re.Pattern[str]
) -> list[str]:
    """What stands in the note and should not, in words.

    `targets` are the base names that a wikilink may lead to, `headings` what a heading may say
    (a wikilink in it as `[[ ]]`).
    """
    found: list[str] = []
    opened: list[str] = []
    for token in tokens:
        kind, _, end = token["type"].rpartition("_")
        if end in {"open", "close"}:
            found += [] if kind in BLOCKS else [f"a {kind}"]
            opened = [*opened, kind] if end == "open" else opened[:-1]
        elif token["type"] != "inline":
            found.append(f"a {token['type']}")
        else:
            found += _piece_faults(token["children"], targets)
            if opened[-1] == "heading" and not headings.fullmatch(shown(token["children"])):
                found.append(f"a heading {shown(token['children'])[:60]!r}")
            if "list_item" in opened and TASK.match(shown(token["children"])):
                found.append("a task")
    return found


def _piece_faults(pieces: list[Token], targets: Collection[str]) -> Iterator[str]:
    for at, piece in enumerate(pieces):
        kind, _, end = piece["type"].rpartition("_")
        if piece["type"] == "embed" and _picture(piece["content"], pieces, targets):
            continue
        if piece["type"] not in PIECES and not (end in {"open", "close"} and kind in AROUND):
            yield f"a {piece['type']}"
        if piece["type"] == "link_open" and not _leads_on(piece["address"], targets):
            yield f"a link to {piece['address']!r}"
        if piece["type"] == "wikilink" and piece["content"].partition("|")[0] not in targets:
            yield f"a wikilink to {piece['content']!r}"
        if piece["type"] == "strong_open" and not STRONG.fullmatch(pieces[at + 1]["content"]):
            yield "strong text"
        if piece["type"] == "em_open" and not (at == 0 and pieces[-1]["type"] == "em_close"):
            yield "emphasis"


def _picture(name: str, pieces: list[Token], targets: Collection[str]) -> bool:
    """A picture of a note of this vault, alone in its paragraph."""
    note = re.fullmatch(r"(?P<note>.+?)(?: (?:map|trend))?\.svg", name)
    return bool(note) and note["note"] in targets and len(pieces) == 1


def _leads_on(address: str, targets: Collection[str]) -> bool:
    """Into the web, or to a note of this vault."""
    if re.match(r"https?://", address, re.IGNORECASE):
        return True
    name = unquote(address).rsplit("/", 1)[-1]
    return ":" not in address and name.endswith(".md") and name[:-3] in targets


def shown(pieces: list[Token]) -> str:
    """The text that a reader sees of one paragraph, formulas as source, links to notes as [[ ]]."""
    text, in_link = "", False
    for piece in pieces:
        if piece["type"] == "link_open" and piece["address"].endswith(".md"):
            in_link, text = True, f"{text}[[ ]]"
        elif piece["type"] == "link_close":
            in_link = False
        elif not in_link:
            text += _shown(piece)
    return text


def _shown(piece: Token) -> str:
    text = piece.get("content") or ""
    return {"math": f"${text}$", "wikilink": "[[ ]]", "softbreak": "\n"}.get(piece["type"], text)


def paragraphs(tokens: list[Token]) -> list[list[Token]]:
    """The pieces of each paragraph, list item and heading, in order."""
    return [token["children"] for token in tokens if token["type"] == "inline"]
