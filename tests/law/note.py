"""What the reader must still have: a note as the row of parts that are his and those that are ours.

Written from the law, with no line of the package. The reader's parts must be found again after any
run, in order and byte for byte; ours may say something else, but stand where they stood.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field

_PROPERTIES = {
    "paper": [
        "title", "arxiv_id", "arxiv_version", "arxiv_primary", "arxiv_categories", "authors",
        "published", "updated", "url", "pdf", "code", "relevance", "theme", "digests", "related",
        "up",
    ],
    "digest": [
        "title", "digest_date", "digest_batches", "digest_newest", "digest_pool", "digest_papers",
        "digest_top", "digest_min_stars", "digest_missing", "up",
    ],
    "theme": ["title", "theme_id", "theme_terms", "theme_papers", "up"],
    "week": ["title", "digest_week", "week_start", "week_papers", "up"],
    "score": ["title", "up"],
    "moc": [],
}  # fmt: skip
OWNED = {
    kind: {*names, *(f"arxiv_{name}" for name in names)} for kind, names in _PROPERTIES.items()
}
"""Properties that are ours, by kind of note; under the second name where the first is taken."""
IDENTITY = {
    "paper": "arxiv_id",
    "digest": "digest_date",
    "theme": "theme_id",
    "week": "digest_week",
}
ADDED = {"digest": r"supplement-\d+", "paper": r"version-\d{4}-\d\d-\d\d"}
"""Regions that a run adds below the last one of a note."""
GAINED = {"theme": "merged_into"}
"""A property that a run adds below the others, the reader's from then on."""

_HEADER = re.compile(
    r"(\ufeff?---[ \t]*\r?\n)(.*?)(^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE
)
_ENTRY = re.compile(r"(?P<name>[A-Za-z_]\w*):[^\n]*\n(?:[ \t]+[^\n]*\n|- [^\n]*\n)*")
_REGION = re.compile(
    r"%% digest:begin (?P<name>[a-z0-9-]+) v\d+ seal=(?P<seal>[0-9a-f]{8}) %%[ \t]*\r?\n"
    r"(?P<inner>.*?)^%% digest:end (?P=name) %%[ \t]*(?=\r?$)",
    re.DOTALL | re.MULTILINE,
)
_MARKER = re.compile(
    r"(?:[\ufeff \t>]*\ufeff)?%% digest:(begin|end) ([a-z0-9-]+)"
    r"(?: v\d+ seal=[0-9a-f]{8})? %%[ \t]*\r?"
)
_LIKE_A_MARKER = re.compile(r"[\ufeff \t>]*%%\s*digest:(?:begin|end)\b")
_PICKED = re.compile(r" \^arxiv-([0-9a-z-]+)\r?$", re.MULTILINE)


@dataclass
class Part:
    """A piece of a note's text."""

    text: str
    name: str = ""
    """Of the property or region it is; empty for other text of the reader's."""
    ours: bool = False
    region: bool = False
    held: tuple[str, ...] = ()
    """Comments of the reader's inside a property of ours."""

    @property
    def inner(self) -> tuple[int, int]:
        """Where the text of a region begins and ends."""
        return _REGION.match(self.text).span("inner")


@dataclass
class Note:
    """A note of the vault: ours, or the reader's own (kind `own`)."""

    kind: str
    key: str
    path: str
    parts: list[Part]
    broken: str = ""
    """Why nothing may be written into it, where a change of the header's made it so."""
    nameless: bool = False
    """Whether the property that it is found by is gone."""
    unsure: bool = False
    """Whether anything may be written into it is for the package to say."""
    removed: set[str] = field(default_factory=set)
    """Properties and regions of ours that the reader took out."""
    cut: set[str] = field(default_factory=set)
    """The papers of regions that he took out of this digest, as in file names."""
    healthy: list[Part] | None = None
    """How it was before the reader broke it."""
    born: str = ""
    """The name it was found under first."""
    theme: str = ""
    """The theme that the reader chose for this paper."""

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def raw(self) -> bytes:
        return self.text.encode("utf-8", "surrogateescape")

    @property
    def stem(self) -> str:
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")

    @property
    def lost(self) -> bool:
        """Whether nothing may tell any more what it is: neither properties nor name nor region."""
        if not (self.broken or self.unsure):
            return False
        renamed = self.path.rsplit("/", 1)[-1] != self.born
        named = self.kind in ("paper", "digest", "week") and not renamed
        shown = f"{IDENTITY.get(self.kind)}:" in self.text
        fenced = self.text.startswith(("---", "\ufeff---"))
        return not ((self.marked and (shown or named)) or (shown and fenced and self.typical))

    @property
    def marked(self) -> bool:
        """Whether a marker of ours stands in it."""
        return bool(markers(self.text))

    @property
    def typical(self) -> bool:
        """Whether its properties alone tell that it is ours."""
        names = {part.name for part in self.parts if part.ours and not part.region}
        if self.kind == "week":
            return True
        if self.kind == "paper":
            return {"arxiv_version", "arxiv_primary", "arxiv_categories"} <= names
        return bool(names & {"theme_terms", "theme_papers", "digest_pool", "digest_top"})

    @property
    def newline(self) -> str:
        first = self.text.partition("\n")[0]
        return "\r\n" if first.endswith("\r") else "\n"

    @property
    def header(self) -> range:
        """The indexes of the parts between the fences."""
        fences = [index for index, part in enumerate(self.parts) if part.name == "---"]
        return range(fences[0] + 1, fences[1]) if len(fences) == 2 else range(0)

    @property
    def body(self) -> list[int]:
        """The indexes of the reader's parts below the header."""
        after = self.header.stop + 1 if self.header else 0
        return [i for i, part in enumerate(self.parts) if i >= after and not part.region]

    def regions(self, *, ours: bool = True) -> list[int]:
        """The indexes of the regions that are still ours, or of those that he has edited."""
        return [i for i, part in enumerate(self.parts) if part.region and part.ours is ours]

    def clone(self) -> Note:
        """A copy that a later change of this note does not reach."""
        twin = copy(self)
        twin.parts = [copy(part) for part in self.parts]
        twin.removed, twin.cut = set(self.removed), set(self.cut)
        return twin

    def take_out(self, index: int) -> None:
        """The reader takes a part of ours out."""
        part = self.parts.pop(index)
        self.removed.add(part.name)
        self.cut |= picked(part.text) if part.region else set()

    def tidy(self) -> None:
        """Blanks behind a marker belong to its line."""
        for before, after in zip(self.parts, self.parts[1:], strict=False):
            blanks = re.match(r"[ \t]+(?=\r?(?:\n|\Z))", after.text) if before.region else None
            if blanks and not after.region:
                before.text += blanks[0]
                after.text = after.text[blanks.end() :]

    def hands_off(self) -> set[str]:
        """The reasons for which no byte of it may change; empty for a note in good order."""
        text = self.text
        reasons = {self.broken} - {""}
        if re.search(r"[\ud800-\udfff]", text):
            reasons.add("unreadable")
        kept_up = self.kind in ("paper", "theme") and self.typical
        if self.kind == "own" or not (self.marked or kept_up):
            return reasons | {"foreign"}
        seen = {
            found for found in "<=>" if re.search(rf"^{found}{{7}}(?: |\r?$)", text, re.MULTILINE)
        }
        if "<" in seen or seen == {"=", ">"}:
            reasons.add("conflict")
        expected = [
            (side, part.name) for part in self.parts if part.region for side in ("begin", "end")
        ]
        if markers(text) != expected:
            reasons.add("unreadable")
        return reasons


def picked(text: str) -> set[str]:
    """The papers that a digest's text names, as in file names."""
    return set(_PICKED.findall(text))


def markers(text: str) -> list[tuple[str, str]]:
    """The marker lines of a text; one that is not whole is called bad."""
    found = []
    for line in text.split("\n"):
        if whole := _MARKER.fullmatch(line):
            found.append((whole[1], whole[2]))
        elif _LIKE_A_MARKER.match(line):
            found.append(("bad", line))
    return found


def cut(kind: str, key: str, path: str, raw: bytes) -> Note:
    """A note that a run has just made, or one of the reader's."""
    text = raw.decode()
    parts: list[Part] = []
    header = _HEADER.match(text)
    if header and kind != "own":
        parts.append(Part(header[1], "---"))
        at = 0
        while at < len(header[2]):
            entry = _ENTRY.match(header[2], at)
            assert entry, f"{path}: strange line in a new header: {header[2][at:]!r}"
            parts.append(Part(entry[0], entry["name"], ours=entry["name"] in OWNED[kind]))
            at = entry.end()
        parts.append(Part(header[3], "---"))
        text = text[header.end() :]
    at = 0
    for region in _REGION.finditer(text) if kind != "own" else ():
        parts.append(Part(text[at : region.start()]))
        parts.append(Part(region[0], region["name"], ours=True, region=True))
        at = region.end()
    parts.append(Part(text[at:]))
    return Note(kind, key, path, parts, born=path.rsplit("/", 1)[-1])


def follow(note: Note, raw: bytes) -> list[Part]:
    """The note's parts in its new bytes; an AssertionError where one of his is gone."""
    text, at = raw.decode("utf-8", "surrogateescape"), 0
    last = max((i for i, part in enumerate(note.parts) if part.region), default=-1)
    parts: list[Part] = []
    for index, part in enumerate(note.parts):
        if part.name == "---" and parts and (gained := _gained(note, text, at)):
            parts.append(gained)
            at += len(gained.text)
        found = _ours(note, part, text, at) if part.ours else part
        assert text.startswith(found.text, at), (
            f"{note.path}: after {text[:at][-200:]!r} his {part.text!r} became"
            f" {text[at : at + len(part.text) + 200]!r}"
        )
        parts.append(found)
        at += len(found.text)
        if index == last and note.kind in ADDED:
            for added in _added(note, text, at):
                parts.append(added)
                at += len(added.text)
    assert at == len(text), f"{note.path}: new text at its end: {text[at:]!r}"
    return parts


def _ours(note: Note, part: Part, text: str, at: int) -> Part:
    found = (_REGION if part.region else _ENTRY).match(text, at)
    assert found, f"{note.path}: our {part.name} gave way to {text[at : at + 200]!r}"
    assert found["name"] == part.name, f"{note.path}: our {part.name} became {found['name']}"
    place = 0
    for comment in part.held:
        place = found[0].find(comment, place)
        assert place >= 0, f"{note.path}: the comment {comment} went from {found[0]!r}"
        place += len(comment)
    twin = copy(part)
    twin.text = found[0]
    return twin


def _gained(note: Note, text: str, at: int) -> Part | None:
    found, name = _ENTRY.match(text, at), GAINED.get(note.kind, "")
    if not found or found["name"] != name:
        return None
    names = {part.name.lower() for part in note.parts}
    assert name not in names | note.removed, f"{note.path}: {name} came back"
    return Part(found[0], name)


def _added(note: Note, text: str, at: int) -> list[Part]:
    added: list[Part] = []
    begin = re.compile(rf"(?:\r?\n){{2}}(?=%% digest:begin {ADDED[note.kind]} )")
    while found := begin.match(text, at):
        region = _REGION.match(text, found.end())
        assert region, f"{note.path}: {text[at:]!r} is no whole region"
        name = region["name"]
        assert note.kind == "digest" or name not in note.removed, f"{note.path}: {name} came back"
        added.append(Part(found[0]))
        added.append(Part(region[0], name, ours=True, region=True))
        at = region.end()
    return added
