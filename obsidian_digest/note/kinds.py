"""Tells a note of ours from the reader's: by its properties and markers, never by its path.

A path counts only where a note has lost its header or its identity: by name it is still ours, so
that no second note is made beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.model import KeepReason, Kind, NoteFile
from obsidian_digest.note import header, region
from obsidian_digest.note.names import paper_id
from obsidian_digest.note.readers_own import first_linked, named_after, paper_of

if TYPE_CHECKING:
    from collections.abc import Collection

IDENTITY: dict[Kind, str] = {
    "paper": "arxiv_id",
    "theme": "theme_id",
    "digest": "digest_date",
    "week": "digest_week",
}
"""The property by which a note of each kind is found."""
_ALL_OURS: dict[Kind, tuple[str, ...]] = {
    "paper": ("arxiv_version", "arxiv_primary", "arxiv_categories"),
}
"""Properties that together tell our note, its regions removed, from a reader's."""
_ANY_OURS: dict[Kind, tuple[str, ...]] = {
    "theme": ("theme_terms", "theme_papers"),
    "digest": ("digest_batches", "digest_pool", "digest_papers", "digest_top", "digest_min_stars"),
}
"""Properties each of which does: nobody else writes them."""
_OPTED_OUT: frozenset[Kind] = frozenset({"paper", "theme"})
"""Kinds whose header is kept up to date where the reader removed all regions."""

_IDENTITY_LINE = re.compile(
    rf"""(?:^|[{{,]\s*(?=["']))["']?(?P<property>{"|".join(IDENTITY.values())})["']?[ \t]*:"""
    r"""[ \t]*["']?(?P<key>[^"'\s#,}]+)""",
    re.MULTILINE,
)
_CONFLICT = re.compile(
    r"^(?:(?P<ours><{7})|(?P<middle>={7})|(?P<theirs>>{7}))(?: |\r?$)", re.MULTILINE
)
_MARKER = re.compile(r"%%\s*digest:(?:begin|end)\s+(?P<name>[a-z]+)")
_FIRST_MARKER = re.compile(r"\ufeff?\s*%% digest:begin ")
_DAY = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?: \d{1,2})?\Z", re.ASCII)
_WEEK = re.compile(r"(?<!\d)(\d{4}-W\d{2})(?: \d{1,2})?\Z", re.ASCII)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 65_536
_NEVER = "conflict-files-obsidian-git"
"""A list that the plugin Obsidian Git writes while a merge is unfinished."""


def may_be_ours(stem: str, raw: bytes) -> bool:
    """Whether `classify` has to look at the note: a matter of microseconds, never wrongly no."""
    if b"digest:begin" in raw or b"digest:end" in raw or raw[:2] in _UTF_16:
        return True
    top = raw[:_HEAD].lower()
    signs = (b"arxiv", b"eprint", b"digest_", b"theme_id")
    return any(sign in top for sign in signs) or named_after(stem) is not None


def classify(path: str, raw: bytes, moc: str, apart: Collection[str] = ()) -> NoteFile | None:
    """The note as one of ours, or as the reader's own about one paper, or None.

    A note that cannot be read safely is still ours if its text or name tells its identity, so that
    no second one is made beside it; its `trouble` then says why it is left alone.

    Args:
        path: Vault-relative.
        raw: The note's bytes.
        moc: The base name of the map of content.
        apart: Base names of notes that are about no paper, whatever they link to.
    """
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    look = _Look.at(raw)
    found = _ours(stem, look, moc)
    if found is None:
        own = None if stem in (moc, _NEVER, *apart) else _readers_own(stem, look)
        if own is None:
            return None
        return NoteFile(path, "paper", own, raw, look.properties, look.regions, "foreign")
    kind, key = found
    return NoteFile(path, kind, key, raw, look.properties, look.regions, look.trouble(kind))


def why(note: NoteFile) -> str:
    """The particulars of a note's trouble, for the reader; empty where it has none of its own."""
    if note.trouble == "foreign":
        ours = note.kind != "paper"
        return "all its regions were taken out" if ours else "your own note about this paper"
    look = _Look.at(note.raw)
    if not look.text.strip():
        return "the file is empty or may not be read"
    if look.conflict:
        return "git left conflict markers in it"
    if look.problem:
        return look.problem
    if note.kind in IDENTITY and note.trouble == "unreadable":
        return look.lack(note.kind)
    return ""


def known_by_name_only(note: NoteFile) -> bool:
    """Whether a note of ours has lost the property that it is found by."""
    named = note.header.get(IDENTITY.get(note.kind, ""))
    return note.kind in IDENTITY and not named and _identity(_Look.at(note.raw))[0] is None


@dataclass(frozen=True, slots=True)
class _Look:
    """What can be read of a note."""

    text: str
    properties: header.Properties
    regions: dict[str, str]
    problem: str
    """What is wrong with its encoding, header or markers; empty if nothing."""

    @classmethod
    def at(cls, raw: bytes) -> _Look:
        text = raw.decode("utf-16" if raw[:2] in _UTF_16 else "utf-8", errors="replace")
        properties: header.Properties = {}
        regions: dict[str, str] = {}
        problem = "" if text.encode() == raw else "it is not UTF-8 text"
        try:
            properties = header.read(text)
        except header.UnreadableHeaderError as error:
            problem = str(error)
        try:
            regions = {found.name: found.text for found in region.find(text)}
        except region.BrokenMarkersError as error:
            problem = problem or str(error)
        return cls(text, properties, regions, problem)

    @property
    def marked(self) -> bool:
        return bool(_MARKER.search(self.text))

    @property
    def conflict(self) -> bool:
        """Whether git's markers stand in it, also with one of them settled by hand."""
        seen = {found.lastgroup for found in _CONFLICT.finditer(self.text)}
        return "ours" in seen or {"middle", "theirs"} <= seen

    def also_ours(self, kind: Kind) -> bool:
        together = _ALL_OURS.get(kind, ())
        if together and all(map(self._has, together)):
            return True
        return any(map(self._has, _ANY_OURS.get(kind, ())))

    def _has(self, name: str) -> bool:
        """Whether the property is there, also in a header that cannot be read."""
        if self.properties or not self.text.startswith(("---", "\ufeff---")):
            return name in self.properties
        return bool(re.search(rf"^{name}[ \t]*:", self.text[:_HEAD], re.MULTILINE))

    def trouble(self, kind: Kind) -> KeepReason | None:
        if self.conflict:
            return "conflict"
        if self.problem or self.lack(kind):
            return "unreadable"
        opted_out = kind in _OPTED_OUT and self.also_ours(kind)
        return None if self.marked or opted_out else "foreign"

    def lack(self, kind: Kind) -> str:
        """What the note is no longer found by; empty where nothing is missing."""
        if kind not in IDENTITY:
            return ""
        if not self.properties:
            open_end = self.text.startswith(("---", "\ufeff---"))
            gone = "its properties have no closing line ---"
            return gone if open_end and not header.split(self.text).opening else _GONE
        name = IDENTITY[kind]
        return "" if self.properties.get(name) else f"its property {name} is gone"


_GONE = "its properties are gone"


def _ours(stem: str, look: _Look, moc: str) -> tuple[Kind, str] | None:
    kind, key = _identity(look)
    if kind is not None and (look.marked or look.also_ours(kind)):
        return kind, _normal(kind, key, stem)
    if kind == "week":
        return kind, key
    if "digest:begin moc " in look.text or (stem == moc and look.marked):
        return "moc", "moc"
    if "digest:begin score " in look.text:
        return "score", "score"
    return _by_name(stem, look)


def _identity(look: _Look) -> tuple[Kind | None, str]:
    for kind, name in IDENTITY.items():
        value = look.properties.get(name)
        if isinstance(value, str) and value:
            return kind, value
    if not look.properties and (look.marked or look.text.startswith(("---", "\ufeff---"))):
        line = _IDENTITY_LINE.search(look.text[:_HEAD])
        for kind, name in IDENTITY.items():
            if line and line["property"] == name:
                return kind, line["key"]
    return None, ""


def _normal(kind: Kind, key: str, stem: str) -> str:
    """The key without what the reader or his tools did to it: a version, a zero, a time of day."""
    if kind == "paper":
        found = paper_id(key)
        return found[0] if found else named_after(stem) or key
    day = re.match(r"\d{4}-\d{2}-\d{2}(?=[T ])", key, re.ASCII) if kind == "digest" else None
    return day[0] if day else key


def _by_name(stem: str, look: _Look) -> tuple[Kind, str] | None:
    """A note that lost its identity: known by our markers or properties and by its name."""
    names = {found["name"] for found in _MARKER.finditer(look.text)}
    headless = bool(_FIRST_MARKER.match(look.text))
    lost = {"paper", "related"} & names or look.also_ours("paper") or not look.text.strip()
    if lost and (paper := named_after(stem) or _by_address(look, headless=headless)):
        return "paper", paper
    day, week = _DAY.search(stem), _WEEK.search(stem)
    if day and ("digest" in names or look.also_ours("digest")):
        return "digest", day[1]
    if week and "week" in names:
        return "week", week[1]
    theme = look.also_ours("theme") or ("theme" in names and headless)
    return ("theme", stem) if theme else None


def _by_address(look: _Look, *, headless: bool) -> str | None:
    """The paper of a renamed note, by its address in the header or at the top of its region."""
    if look.also_ours("paper"):
        return paper_of("", {"url": look.properties.get("url", "")}, "")
    return first_linked(look.regions.get("paper", "")) if headless else None


def _readers_own(stem: str, look: _Look) -> str | None:
    kind, key = _identity(look)
    properties = look.properties or ({"arxiv_id": key} if kind == "paper" else {})
    return paper_of(stem, properties, header.split(look.text).body)
