"""The reader's own notes, as far as ranking and links look at them: links, other names, text.

They are read from the bytes that telling ours from his needs anyway, and cut before anything
looks at them, so that no note of whatever size or kind is slow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.model import OwnNote
from obsidian_digest.note import header
from obsidian_digest.note.links import links
from obsidian_digest.note.names import collision_key, paper_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TEXT = 2_000
"""Characters of plain text: more than an encoder reads of one note."""
_READ = 262_144
"""Bytes of a note that are looked at for links."""
_HEAD = 32_768
"""Characters in which a person's header ends."""
_BODY = 3 * TEXT
"""Characters that hold enough plain text."""

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HIDDEN = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*(?:\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)|\Z)"
    r"|^%% digest:begin .*?(?:^%% digest:end [^\n]*|\Z)"
    r"|%%.*?(?:%%|\Z)"
    r"|<!--.*?(?:-->|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""Blocks of code, comments, and what stands between markers of ours, as in a daily note."""
_HIDING = re.compile("```|~~~|%%|<!--")
"""What hides something begins so, save for blanks: `re` skips from one to the next."""
_CODE = re.compile(r"`[^`\n]*`")
_ARXIV = ("arXiv", "arxiv", "ArXiv", "ARXIV")
_NAMED = re.compile(
    r"(?:arxiv\.org/[a-z-]{2,8}/|10\.48550/arxiv\.|arxiv:\s?)[^\s<>()\[\]|\"'`]+", re.IGNORECASE
)
_LINK = re.compile(
    r"!\[\[[^\[\]\n]*\]\]"
    r"|\[\[(?P<target>[^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\\?\|(?P<alias>[^\[\]\n]*))?\]\]"
    r"|!\[[^\[\]\n]*\]\([^()\n]*\)"
    r"|\[(?P<label>[^\[\]\n]*)\]\([^()\n]*\)"
    r"|<https?://[^\s<>]+>"
    r"|https?://[^\s<>()\[\]]+"
)
_LINE_MARK = re.compile(
    r"^[ \t>]*(?:\[![^\]\n]*\][+-]?[ \t]*)?(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+)?"
    r"(?:\[.\][ \t]+)?(?:[-=*_|: \t]{3,}$)?",
    re.MULTILINE,
)
# Every alternative begins with a sign of its own: that lets `re` skip from one to the next.
_MARK = re.compile(
    r"\*|`|\$|\||==|~~|_(?<!\w_)|_(?!\w)|\\(?=[!-/:-@\[-`{-~])|#(?<!\S#)(?=[^\W\d_])"
    r"|</?[A-Za-z][^<>\n]*>|\^(?<=[ \t]\^)[A-Za-z0-9-]+$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Folders of the reader's own notes that stand in as interests."""

    starts: tuple[str, ...] = ()
    """What the paths of their notes begin with (`collision_key`)."""

    @classmethod
    def of(cls, folders: Iterable[str]) -> Corpus:
        """Of these folders, vault-relative."""
        return cls(tuple(collision_key(f"{folder}/") for folder in folders))

    def holds(self, path: str) -> bool:
        """Whether the note lies in one of them, however deep."""
        return bool(self.starts) and collision_key(path).startswith(self.starts)


def own_note(path: str, raw: bytes, about: str, corpus: Corpus) -> Iterator[OwnNote]:
    """The note as one of the reader's own; none where the bytes are no text.

    Args:
        path: Vault-relative.
        raw: The note's bytes.
        about: The id of the one paper that the note is about, empty for most; counts as linked.
        corpus: A note in there gives its text too.
    """
    encoding = "utf-16" if raw[:2] in _UTF_16 else "utf-8"
    text = raw[:_READ].decode(encoding, errors="replace")
    if "\0" in text:
        return
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = dict.fromkeys(_links(text))
    if about:
        found.setdefault(about)
    shown = plain_text(text) if corpus.holds(path) else ""
    yield OwnNote(path, tuple(_aliases(text)), tuple(found), shown)


def plain_text(markdown: str) -> str:
    """What a note says, without header, code, comments and marks; links show their label.

    One line of at most `TEXT` characters, cut between words.
    """
    body = header.split(markdown[:_HEAD]).body[:_BODY]
    text = _LINK.sub(_label, _CODE.sub(" ", _without_hidden(body)))
    text = " ".join(_MARK.sub("", _LINE_MARK.sub("", text)).split())
    if len(text) <= TEXT:
        return text
    cut = text[: TEXT + 1].rpartition(" ")[0]
    return cut if len(cut) > TEXT // 2 else text[:TEXT]


def _without_hidden(text: str) -> str:
    """`_HIDDEN.sub(" ", text)`, many times as fast."""
    parts, done = [], 0
    sign = _HIDING.search(text)
    while sign:
        line = text.rfind("\n", 0, sign.start()) + 1
        found = _HIDDEN.match(text, line if done <= line and sign[0][0] in "`~" else sign.start())
        if found:
            parts += [text[done : found.start()], " "]
            done = found.end()
        sign = _HIDING.search(text, max(done, sign.end()))
    return "".join([*parts, text[done:]])


def _label(found: re.Match[str]) -> str:
    if found["target"] is not None:
        return found["alias"] or found["target"].rpartition("/")[2].removesuffix(".md")
    return found["label"] or " "


def _links(text: str) -> Iterator[str]:
    papers = any(spelt in text for spelt in _ARXIV)
    if not (papers or "[[" in text or "](" in text):
        return
    lines = [
        line
        for line in _without_hidden(text).split("\n")
        if "[[" in line or "](" in line or "Xiv" in line or "xiv" in line or "XIV" in line
    ]
    # Line by line only where two kinds of links are to come in order: at once is twice as fast.
    for part in lines if papers else ["\n".join(lines)]:
        shown = _CODE.sub(" ", part) if "`" in part else part
        if "[[" in shown or "](" in shown:
            yield from (target for link in links(shown) if (target := link.target.strip()))
        if papers:
            ids = (paper_id(each.rstrip(".,;:!?*_")) for each in _NAMED.findall(shown))
            yield from (found[0] for found in ids if found)


def _aliases(text: str) -> Iterator[str]:
    top = text[:_HEAD]
    parts = header.split(top) if top.startswith(("---", "\ufeff---")) else None
    if parts is None or "alias" not in parts.yaml.lower():
        return
    try:
        properties = header.read(parts.opening + parts.yaml + parts.closing)
    except header.UnreadableHeaderError:
        return
    for name in ("aliases", "alias"):
        given = properties.get(name, ())
        for each in (given,) if isinstance(given, str) else given:
            if alias := " ".join(each.split()):
                yield alias
