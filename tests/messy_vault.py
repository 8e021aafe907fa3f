"""One vault with every case of the law at once, made by hand on top of a first real run."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.vaults import LINK, call, mailing, new_vault

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST, SECOND = "2026-08-19", "2026-08-20"
DIGEST = f"arXiv/Digests/arXiv digest {FIRST}.md"
RENAMED = "Diary/My first digest.md"
PAPERS, COMING, PLAIN = 40, 12, 300
_BEGIN, _END = "%% digest:begin related ", "%% digest:end related %%"
_FENCE = "---\n\n%%"

Edit = Callable[[str], str]


def _line(text: str, start: str) -> str:
    """The line of the text that starts like this, with its end."""
    return next(line for line in text.splitlines(keepends=True) if line.startswith(start))


def _in_header(line: str) -> Edit:
    return lambda text: text.replace("reading: unread\n", f"reading: unread\n{line}\n", 1)


def _without_header(text: str) -> str:
    return text.partition("---\n\n")[2]


def _json_header(text: str) -> str:
    identity = _line(text, "arxiv_id:").split('"')[1]
    return f'---\n{{"title": "x", "arxiv_id": "{identity}"}}\n---\n\n{_without_header(text)}'


def _without_region(name: str) -> Edit:
    def cut(text: str) -> str:
        before, _, rest = text.partition(f"%% digest:begin {name} ")
        return before + rest.partition(f"%% digest:end {name} %%\n")[2]

    return cut


CANNOT = "the properties cannot be read"
CONFLICT = "git left conflict markers in it"
LEFT_ALONE: dict[str, tuple[Edit, str, str]] = {
    "a marker removed": (
        lambda text: text.replace("%% digest:end paper %%\n", ""),
        "unreadable",
        "markers are nested, unclosed or out of order",
    ),
    "a marker quoted": (
        lambda text: text.replace(_BEGIN, f"> {_BEGIN}"),
        "unreadable",
        "a marker line was changed",
    ),
    "regions nested": (
        lambda text: text.replace(_END, f"{_BEGIN}v1 seal=00000000 %%\n{_END}\n{_END}"),
        "unreadable",
        "markers are nested, unclosed or out of order",
    ),
    "a region pasted twice": (
        lambda text: text + _BEGIN + text.partition(_BEGIN)[2],
        "unreadable",
        "a region stands twice",
    ),
    "a region cut off": (
        lambda text: text.partition(_END)[0],
        "unreadable",
        "a region is not closed",
    ),
    "a colon in a property": (_in_header("mine: a: b"), "unreadable", CANNOT),
    "a tab in the header": (_in_header("\tmine: 1"), "unreadable", CANNOT),
    "a property twice": (
        _in_header("mine: 1\nmine: 2"),
        "unreadable",
        "the property mine stands twice",
    ),
    "a property of ours twice": (
        _in_header("theme: x"),
        "unreadable",
        "the property theme stands twice",
    ),
    "a header in braces": (
        lambda text: text.replace("---\n", "---\n{", 1).replace(_FENCE, "}\n" + _FENCE, 1),
        "unreadable",
        CANNOT,
    ),
    "a header of JSON": (
        _json_header,
        "unreadable",
        "the properties do not stand one below the other",
    ),
    "a glued closing fence": (
        lambda text: text.replace(f"rating:\n{_FENCE}", f"source: x{_FENCE}", 1),
        "unreadable",
        "its properties have no closing line ---",
    ),
    "no header any more": (_without_header, "unreadable", "its properties are gone"),
    "its id removed": (
        lambda text: text.replace(_line(text, "arxiv_id:"), ""),
        "unreadable",
        "its property arxiv_id is gone",
    ),
    "emptied": (lambda _: "", "unreadable", "the file is empty or may not be read"),
    "conflict markers in the text": (
        lambda text: text + "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n",
        "conflict",
        CONFLICT,
    ),
    "conflict markers in the header": (
        _in_header("<<<<<<< HEAD\nmine: 1\n=======\nmine: 2\n>>>>>>> other"),
        "conflict",
        CONFLICT,
    ),
}
"""By what happened to a paper note: the edit, and what a run says of it."""

EDITABLE: dict[str, Edit] = {
    "nothing": lambda text: text,
    "a byte-order mark": lambda text: f"\ufeff{text}",
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "mixed line ends": lambda text: text.replace("## Notes\n", "## Notes\r\nmine\r\nmine\n"),
    "lists without indentation": lambda text: text.replace("\n  - ", "\n- "),
    "comments": lambda text: text.replace("digests:\n", "digests: # when\n  # first\n"),
    "flow maps and folded text": _in_header("mine: {a: 1, b: [2]}\nmore: >-\n  x\n\n  y"),
    "quoted names": lambda text: text.replace("digests:", '"digests" :').replace("up:", "'up':"),
    "an underlined heading": lambda text: text + "Title\n=======\n\n> > quoted\n",
    "templates": lambda text: text + "<% tp.date.now() %>\n```dataview\nLIST\n```\n%% mine %%\n",
    "no last line end": lambda text: text.removesuffix("\n"),
}
"""Notes that stay ours in another form."""

COPIES = (
    "{} (Conflicted copy Ann's phone 202608201200)",
    "{}.sync-conflict-20260820-120000-ABCDEFG",
    "{} 2",
    "{} (Ann's conflicted copy 2026-08-20)",
    "{}-ANNS-LAPTOP",
)


@dataclass
class Messy:
    """The vault and what the next day's run has to say of it."""

    vault: Path
    words: tuple[str, ...]
    """Of the next day's run."""
    told: set[tuple[str, str, str]] = field(default_factory=set)
    """Path, reason and how the detail begins."""
    followed: dict[str, str] = field(default_factory=dict)
    """Paths of notes that must follow the renamed digest, by what happened to them."""
    may_change: set[str] = field(default_factory=set)
    """All paths that a run may write to; every other file must keep its bytes."""
    foreign: dict[str, str] = field(default_factory=dict)
    """Ids of coming papers that the reader has a note about, and where it lies."""

    def call(self, *more: str) -> dict:
        ran = call(self.vault, *self.words, "--json", *more)
        assert ran.code == 0, ran.err
        return ran.json

    def read(self, path: str) -> str:
        return (self.vault / path).read_bytes().decode()

    def put(self, path: str, content: str | bytes) -> None:
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def tell(self, path: str, reason: str, detail: str) -> None:
        self.told.add((path, reason, detail))


def messy_vault(root: Path) -> Messy:
    """A vault after one real day, with years of a reader's ways on top."""
    vault = new_vault(root, encoder="words")
    first = str(mailing(root, FIRST, PAPERS))
    ran = call(vault, "run", "--from-file", first, "--min-stars", "0", "--top", str(PAPERS))
    assert ran.code == 0, ran.err
    coming = mailing(root, SECOND, COMING)
    words = ("run", "--from-file", str(coming), "--min-stars", "0", "--top", str(COMING))
    messy = Messy(vault, words)
    _change_papers(messy)
    _change_themes(messy)
    _change_indexes(messy)
    _write_own(messy, [json.loads(line) for line in coming.read_text("utf-8").splitlines()])
    return messy


def _papers(messy: Messy) -> list[str]:
    folder = messy.vault / "arXiv" / "Papers"
    return sorted(file.relative_to(messy.vault).as_posix() for file in folder.iterdir())


def _linked(messy: Messy, paths: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs of notes of which the first names the second as related."""
    by_name = {Path(path).stem: path for path in paths}
    for path in paths:
        for target in LINK.findall(messy.read(path).partition(_BEGIN)[2]):
            if target in by_name:
                yield path, by_name[target]


def _change_papers(messy: Messy) -> None:
    papers = _papers(messy)
    edited, renamed = next(_linked(messy, papers))
    messy.put(edited, messy.read(edited).replace("## Related papers", "## My relations"))
    messy.tell(edited, "edited", "region related")
    new = f"Mine/{unicodedata.normalize('NFD', 'Überlesen é')}.md"
    _move(messy, renamed, new)
    messy.may_change |= {edited, new}
    messy.followed |= {"an edited region": edited, "a name in another Unicode form": new}
    rest = iter(path for path in papers if path not in (edited, renamed))
    for edit, reason, detail in LEFT_ALONE.values():
        path = next(rest)
        before = messy.read(path)
        messy.put(path, edit(before))
        assert messy.read(path) != before, detail
        messy.tell(path, reason, detail)
    for happened, edit in EDITABLE.items():
        path = next(rest)
        messy.put(path, edit(messy.read(path)))
        messy.followed[happened] = path
        messy.may_change.add(path)
    _break_bytes(messy, next(rest), next(rest))
    _double(messy, next(rest), next(rest))
    _without_all_regions(messy, next(rest))
    (messy.vault / next(rest)).unlink()
    messy.may_change |= set(rest)


def _move(messy: Messy, old: str, new: str) -> None:
    (messy.vault / new).parent.mkdir(parents=True, exist_ok=True)
    (messy.vault / old).rename(messy.vault / new)


def _break_bytes(messy: Messy, latin: str, wide: str) -> None:
    messy.put(latin, messy.read(latin).encode() + "é\n".encode("latin-1"))
    messy.put(wide, messy.read(wide).encode("utf-16"))
    for path in (latin, wide):
        messy.tell(path, "unreadable", "it is not UTF-8 text")


def _double(messy: Messy, synced: str, doubled: str) -> None:
    text = messy.read(synced)
    for name in COPIES:
        copy = f"{name.format(synced.removesuffix('.md'))}.md"
        messy.put(copy, text.replace("reading: unread", "reading: read"))
        messy.tell(copy, "conflict", f"a copy of {synced}, as sync programs make")
    messy.followed["copied by sync programs"] = synced
    messy.may_change.add(synced)
    other = "Mine/Another name.md"
    messy.put(other, messy.read(doubled))
    messy.tell(doubled, "doubled", f"the same arxiv_id as {other}")
    messy.tell(other, "doubled", f"the same arxiv_id as {doubled}")


def _without_all_regions(messy: Messy, path: str) -> None:
    text = _without_region("related")(_without_region("paper")(messy.read(path)))
    messy.put(path, text + "Only my own words.\n")
    messy.followed["all regions removed"] = path
    messy.may_change.add(path)


def _change_themes(messy: Messy) -> None:
    folder = messy.vault / "arXiv" / "Themes"
    themes = sorted(file.relative_to(messy.vault).as_posix() for file in folder.iterdir())
    cut, poorer, headless, *rest = themes
    messy.put(cut, _without_region("theme")(messy.read(cut)))
    messy.tell(cut, "deleted", "region theme")
    messy.put(poorer, messy.read(poorer).replace(_line(messy.read(poorer), "theme_papers:"), ""))
    messy.tell(poorer, "deleted", "property theme_papers")
    messy.put(headless, _without_header(messy.read(headless)))
    messy.tell(headless, "unreadable", "its properties are gone")
    messy.may_change |= {cut, poorer, *rest}


def _change_indexes(messy: Messy) -> None:
    _move(messy, DIGEST, RENAMED)
    messy.may_change.add(RENAMED)
    copy = "Diary/My first digest (Conflicted copy Ann's phone 202608201200).md"
    messy.put(copy, messy.read(RENAMED))
    messy.tell(copy, "conflict", f"a copy of {RENAMED}, as sync programs make")
    moc = messy.read("MOC-Research.md")
    messy.put("MOC-Research.md", moc.replace("## Themes", "## What I read"))
    messy.tell("MOC-Research.md", "edited", "region moc")


def _write_own(messy: Messy, coming: list[dict]) -> None:
    ids = [paper["id"] for paper in coming]
    about = {
        "Reading/By property.md": f"---\narxivId: {ids[0]}v1\nrating: 5\n---\nMy words.\n",
        "Reading/By source.md": f"---\nsource:\n- https://arxiv.org/pdf/{ids[1]}\n---\nMy words.\n",
        "Reading/By address.md": f"# A paper\n\nhttps://arxiv.org/abs/{ids[2]}\n\nMy words.\n",
    }
    for (path, text), arxiv_id in zip(about.items(), ids, strict=False):
        messy.put(path, text)
        messy.foreign[arxiv_id] = path
        messy.tell(path, "foreign", "your own note about this paper")
    address = f"https://arxiv.org/abs/{ids[3]}"
    for path, text in {
        "To read.md": f"# To read\n- [ ] {address}\n- [ ] https://arxiv.org/abs/{ids[4]}\n",
        "Projects/Harness.md": f"# Harness\n\nWe build on {address} and go on.\n",
        f"Daily/{SECOND}.md": f"{address}\n\n%% digest:begin daily v1 seal=00000000 %%\n",
        "Weekly/2026-W34.md": f"---\nweek: 2026-W34\n---\n{address}\n",
        "Templates/Paper.md": "---\narxiv_id: <% tp.file.title %>\n---\n<%* await x() %>\n",
        "Quoted.md": "```\n%% digest:begin paper v1 seal=00000000 %%\n```\n",
        "conflict-files-obsidian-git.md": f"# Conflicts\n- [[x]]\n{address}\n",
        "Broken.md": "---\na: b: c\n---\nmine\n",
        "Zero.md": "---\ntags:\n- a\n- b\n---\r\nmixed\n",
        "Empty.md": "",
        "Nested/.obsidian/app.json": "{}",
        "Nested/Inner.md": "a vault in the vault\n",
        "Zettel #1 [draft] ^x | 100%.md" if os.name != "nt" else "Zettel.md": "odd\n",
        f"{unicodedata.normalize('NFD', 'Café')}.md": "decomposed\n",
        "日本語 📚.md": "wide\n",
        "agents.MD": "an ending in capitals\n",
        ".hidden/Note.md": "---\narxiv_id: '2608.00001'\n---\n",
        "Canvas.canvas": '{"nodes":[],"edges":[]}',
    }.items():
        messy.put(path, text)
    messy.put("Latin.md", "caf\u00e9\n".encode("latin-1"))
    for number in range(PLAIN):
        text = f"---\ntags: [n{number}]\n---\nSee [[Plain {number - 1}]].\r\n"
        messy.put(f"Plain/Plain {number}.md", text)
    if os.name != "nt":
        outside = messy.vault.parent / "outside.md"
        outside.write_text(f"---\narxiv_id: '{ids[5]}'\n---\noutside\n")
        (messy.vault / "Linked.md").symlink_to(outside)
        (messy.vault / "Twin.md").symlink_to(messy.vault / messy.followed["nothing"])
