"""An independent reading of Obsidian's links: where each leads, and what the app makes of a rename.

Written from the rules, with no line of the package: it judges what the package writes.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# An embed shows a picture: it leads to no note.
_WIKI = re.compile(
    r"(?<![\\!])\[\[(?P<path>[^\[\]|#\n]+)(?P<rest>(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?)\]\]"
)
_MARKDOWN = re.compile(
    r"(?<!\\)(?P<label>\[(?:\\.|[^\[\]\\\n])*\])\((?P<path>[^()<>\s:#]+\.md)(?P<rest>#[^()\s]*)?\)"
)


def spelt(name: str) -> str:
    """What the app compares names by."""
    return unicodedata.normalize("NFC", name).lower()


class Map:
    """The files of a vault, as links see them."""

    def __init__(self, paths: Iterable[str], *, relative: bool = False) -> None:
        """`relative`: the app itself writes no dot for a note in the same folder."""
        self.relative = relative
        self.whole: dict[str, str] = {}
        self.stems: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            name = spelt(path.removesuffix(".md"))
            self.whole[name] = path
            self.stems[posixpath.basename(name)].append(path)

    def leads_to(self, target: str, source: str) -> str | None:
        """The one file a link in the note `source` leads to; None for none or several."""
        target = spelt(target.strip().removesuffix(".md"))
        if target.startswith(("./", "../")):
            beside = posixpath.join(spelt(posixpath.dirname(source)), target)
            return self.whole.get(posixpath.normpath(beside))
        if target in self.whole:
            return self.whole[target]
        beside = posixpath.join(spelt(posixpath.dirname(source)), target)
        if self.relative and beside in self.whole:
            return self.whole[beside]
        found = [
            path
            for path in self.stems.get(posixpath.basename(target), [])
            if f"/{spelt(path)}".endswith(f"/{target}.md")
        ]
        return found[0] if len(found) == 1 else None

    def shortest(self, path: str) -> str:
        """The name that Obsidian writes for this file."""
        bare = path.removesuffix(".md")
        stem = posixpath.basename(bare)
        return stem if len(self.stems[spelt(stem)]) == 1 else bare


def targets(text: str) -> list[str]:
    """Where the links of a text lead, decoded."""
    markdown = [unquote(found["path"]) for found in _MARKDOWN.finditer(text)]
    return [found["path"] for found in _WIKI.finditer(text)] + markdown


def retargeted(text: str, change: Callable[[str], str | None]) -> str:
    """The text with the targets for which `change` names another one rewritten as the app does."""

    def wiki(found: re.Match[str]) -> str:
        new = change(found["path"])
        return found[0] if new is None else f"[[{new}{found['rest']}]]"

    def markdown(found: re.Match[str]) -> str:
        new = change(unquote(found["path"]))
        if new is None:
            return found[0]
        return f"{found['label']}({quote(new)}.md{found['rest'] or ''})"

    return _MARKDOWN.sub(markdown, _WIKI.sub(wiki, text))


def follows(old: Map, new: Map, moved: dict[str, str], source: str) -> Callable[[str], str | None]:
    """How the app rewrites the links of the note that was at `source` when notes were moved."""

    def change(target: str) -> str | None:
        path = old.leads_to(target, source)
        if path is None:
            return None
        now, here = moved.get(path, path), moved.get(source, source)
        dotted = target.startswith(("./", "../"))
        if now == path and not (dotted and here != source):
            return None
        if dotted:
            seen = posixpath.relpath(now, posixpath.dirname(here) or ".").removesuffix(".md")
            return seen if seen.startswith("../") else f"./{seen}"
        return now.removesuffix(".md") if "/" in target else new.shortest(now)

    return change
