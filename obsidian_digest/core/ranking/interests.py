"""The interests note: its headings and bullets as interests, dislikes and names to watch."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.errors import InputError
from obsidian_digest.model import Interest, Interests
from obsidian_digest.note.header import split
from obsidian_digest.note.links import links
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Snapshot

DISLIKES = frozenset({"not interested", "不感兴趣"})
WATCH = frozenset({"watch", "关注"})

_HIDDEN = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*(?:\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)|\Z)"
    r"|%%.*?(?:%%|\Z)"
    r"|<!--.*?(?:-->|\Z)"
    r"|(?P<shown>`[^`\n]*`)",
    re.MULTILINE | re.DOTALL,
)
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_BULLET = re.compile(r"(?P<indent>\s*)(?:>\s*)*(?P<mark>[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_QUOTE = re.compile(r"(?:\s*>)+\s*(?:\[![^\]]*\][+-]?)?")
_LINK = re.compile(
    r"!?\[\[(?P<target>[^\[\]|#]*)(?:#[^\[\]|]*)?(?:\\?\|(?P<alias>[^\[\]]*))?\]\]"
    r"|!?\[(?P<label>[^\[\]]*)\]\((?:<(?P<angled>[^<>\n]*)>|(?P<address>[^()<>\s]*))[^()]*\)"
    r"|<?(?P<url>https?://[^\s<>()\[\]]+)>?"
    r"|(?<![\w./-])(?P<bare>(?:arxiv\s*:\s*)?(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})"
    r"(?:v\d+)?)(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"(?<!\w)(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3})(?!\w)|==|~~|`")
_TAG = re.compile(r"(?<!\S)#(?=[^\W\d_])")
_ASIDE = re.compile(r"\s*(?:[(（][^()（）]*[)）]|\s[-–—]\s.*)\s*$")  # noqa: RUF001 (Chinese)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line without link markup, and the papers it links to."""

    text: str
    papers: tuple[str, ...]
    continues: bool
    """Indented text under a bullet: part of it."""


def interests_in(snapshot: Snapshot, places: Places, name: str) -> Interests:
    """What the note `name` asks for, nothing without one. Raises InputError where two have it."""
    path = places.resolve(name)
    if path is None and places.named(name):
        raise InputError(
            f'more than one note is called "{name}"',
            hint="Rename all but one, or set notes.interests to another name.",
        )
    if path is None or path not in snapshot.texts:
        return Interests()

    def paper_of(target: str) -> str | None:
        identity = places.identity(target, path)
        return identity[1] if identity and identity[0] == "paper" else None

    return parse_interests(split(snapshot.texts[path]).body, paper_of)


def parse_interests(markdown: str, resolve_link: Callable[[str], str | None]) -> Interests:
    """What the interests note asks for.

    Every second-level heading is an interest: its name, and the text up to the next heading of
    level 1 or 2. Headings `Not interested` and `Watch` hold a list instead. Comments (`%%`, HTML)
    and code blocks count nothing, a heading without any letters neither.

    Args:
        markdown: The note without its properties; any line ends.
        resolve_link: The arXiv id of the paper note that a link's target names, else None.
    """
    interests: list[Interest] = []
    dislikes: list[str] = []
    authors: list[str] = []
    ids: list[str] = []
    for heading, rows in _sections(markdown):
        title = _line(heading, resolve_link)
        lines = [_line(row, resolve_link) for row in rows]
        special = title.text.rstrip(":： ").casefold()  # noqa: RUF001 (Chinese colon)
        if special in DISLIKES:
            dislikes += [text for text, _ in _entries(lines) if text]
        elif special in WATCH:
            for text, papers in _entries(lines):
                ids += papers
                authors += _authors(text)
        else:
            text = " ".join(" ".join(line.text for line in lines).split())
            examples = _unique(paper for line in (title, *lines) for paper in line.papers)
            if title.text or text or examples:
                interests.append(Interest(title.text, text, examples))
    return Interests(tuple(interests), _unique(dislikes), _unique(authors), _unique(ids))


def _sections(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """Second-level headings with the lines below each; deeper headings are text."""
    text = _HIDDEN.sub(lambda match: match["shown"] or "", markdown.replace("\r\n", "\n"))
    heading: str | None = None
    rows: list[str] = []
    for row in text.replace("\r", "\n").split("\n"):
        found = _HEADING.fullmatch(row)
        if found is None or len(found[1]) > 2:  # noqa: PLR2004 (level 2 is the contract's)
            rows.append(found[2] or "" if found else row)
            continue
        if heading is not None:
            yield heading, rows
        heading, rows = (found[2] or "" if len(found[1]) == 2 else None), []  # noqa: PLR2004
    if heading is not None:
        yield heading, rows


def _line(row: str, resolve_link: Callable[[str], str | None]) -> _Line:
    papers: list[str] = []

    def shown(match: re.Match[str]) -> str:
        if match["target"] is not None:
            target = match["target"].strip()
            found = resolve_link(target) if target else None
            text = match["alias"] or target.rpartition("/")[2]
        elif match["label"] is not None:
            linked, address = next(links(match[0]), None), match["address"] or match["angled"]
            found = resolve_link(linked.target) if linked else _id(address or "")
            text = match["label"]
        else:
            found, text = _id((match["url"] or match["bare"]).rstrip(".,;:!?")), ""
            text = match[0] if match["bare"] and not found else ""
        if found:
            papers.append(found)
            return " "
        return text

    bullet, indented = _BULLET.match(row), row[:1] in {" ", "\t"}
    text = row[bullet.end() :] if bullet else _QUOTE.sub("", row, count=1) if row else row
    text = _TAG.sub("", _EMPHASIS.sub("", _LINK.sub(shown, text)))
    return _Line(" ".join(text.split()), tuple(papers), indented and not bullet)


def _id(text: str) -> str | None:
    found = paper_id(text)
    return found[0] if found else None


def _entries(lines: Iterable[_Line]) -> list[tuple[str, tuple[str, ...]]]:
    """List items; an indented line goes on with the item above it."""
    entries: list[tuple[str, tuple[str, ...]]] = []
    for line in lines:
        if not line.text and not line.papers:
            continue
        if line.continues and entries:
            text, papers = entries[-1]
            entries[-1] = (f"{text} {line.text}".strip(), papers + line.papers)
        else:
            entries.append((line.text, line.papers))
    return entries


def _authors(text: str) -> list[str]:
    """Names in one bullet: several with commas between, or one as `Last, First`."""
    parts = [part.strip() for part in re.split(r"[,;，；、]", _ASIDE.sub("", text))]  # noqa: RUF001
    parts = [part for part in parts if any(letter.isalpha() for letter in part)]
    if len(parts) == 2 and " " not in parts[0]:  # noqa: PLR2004 (Last, First)
        return [f"{parts[1]} {parts[0]}"]
    return parts


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
