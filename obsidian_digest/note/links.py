"""Links to notes in both forms Obsidian knows: found, read and written.

`[[target#sub|label]]` and `[label](target.md#sub)`; a target is a vault path, a base name, or a
path that begins with `./` or `../` and is read from the note's own folder. A picture, base or
canvas is no note: what leads to it is text like any other, also for the seal.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from obsidian_digest.note.text import link_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NO_FILE = r"(?![^\[\]|#\n]*\.(?:svg|canvas|base)[ \t]*[\]|#])"
_WIKI = (
    rf"\[\[{_NO_FILE}(?P<wiki>[^\[\]|#\n]+?)(?P<wiki_sub>#[^\[\]|\n]*)?"
    r"(?:\\?\|(?P<shown>[^\[\]\n]*))?\]\]"
)
_LOCAL = r"(?![A-Za-z][A-Za-z0-9+.-]*:)"
_MARKDOWN = (
    rf"\[(?<![\\!]\[)(?P<label>(?:\\.|[^\[\]\\\n])*)\]\((?:<{_LOCAL}(?P<angled>[^<>\n]+)>"
    rf"|{_LOCAL}(?P<bare>[^()<>\s]+))\)"
)
# Both begin with a bracket: that lets `re` skip from one to the next.
_LINK = re.compile(f"{_WIKI}|{_MARKDOWN}")
_WIKI_TARGET = re.compile(rf"(?<=\[\[){_NO_FILE}[^\[\]|#\n]+")
_MARKDOWN_TARGET = re.compile(
    rf"(?<=[^\\]\]\(){_LOCAL}(?:[^()<>\s#]+\.md(?=[#)])|<[^<>\n]+\.md(?=[#>]))", re.IGNORECASE
)
_ENCODED = re.compile(r"[^A-Za-z0-9/_.,'@;!+\-\u00a1-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link as it stands in a text."""

    target: str
    """Where it leads, decoded, without the ending `.md`."""
    sub: str
    """Heading or block with its `#`, empty if none."""
    label: str
    """What it shows, as Markdown; empty where the target is shown."""
    markdown: bool


def rewrite(text: str, change: Callable[[NoteLink], str | None]) -> str:
    """The text with links replaced; those for which `change` gives None stay byte for byte."""

    def changed(found: re.Match[str]) -> str:
        link = _read(found)
        new = change(link) if link else None
        return found[0] if new is None else new

    return _LINK.sub(changed, text)


def links(text: str) -> Iterator[NoteLink]:
    """All links to notes, in order."""
    return (link for found in _LINK.finditer(text) if (link := _read(found)))


def _read(found: re.Match[str]) -> NoteLink | None:
    if found["wiki"]:
        target = found["wiki"].removesuffix(".md")
        return NoteLink(target, found["wiki_sub"] or "", found["shown"] or "", markdown=False)
    path, mark, sub = unquote(found["angled"] or found["bare"]).partition("#")
    if not path.lower().endswith(".md"):
        return None
    return NoteLink(path[:-3], mark + sub, found["label"], markdown=True)


def without_targets(text: str) -> str:
    """The text without the places its links lead to: what a rename in Obsidian does not change."""
    return _MARKDOWN_TARGET.sub("", _WIKI_TARGET.sub("", text))


def wiki(target: str, sub: str = "", label: str = "") -> str:
    """A wikilink; `label` is Markdown already."""
    return f"[[{target}{sub}|{label}]]" if label else f"[[{target}{sub}]]"


def markdown(target: str, sub: str = "", label: str = "") -> str:
    """A Markdown link to a note; what Markdown would act on in the address is percent-encoded."""
    name = link_label(target.rsplit("/", 1)[-1])
    address = _ENCODED.sub(_percent, f"{target}.md") + _ENCODED.sub(_percent_but_mark, sub)
    return f"[{label or name}]({address})"


def _percent(character: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in character[0].encode())


def _percent_but_mark(character: re.Match[str]) -> str:
    return character[0] if character[0] in "#^" else _percent(character)


def relative(path: str, source: str) -> str:
    """A vault path as seen from the folder of the note `source`: `./x`, `../Papers/x`."""
    folder = posixpath.dirname(source) or "."
    seen = posixpath.relpath(path, folder)
    return seen if seen.startswith("../") else f"./{seen}"


def is_relative(target: str) -> bool:
    """Whether a target is read from the note's own folder."""
    return target.startswith(("./", "../"))


def absolute(target: str, source: str) -> str:
    """The vault path that a target means which begins with `./` or `../`; others as they are."""
    if not is_relative(target):
        return target.removeprefix("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
