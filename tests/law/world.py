"""A vault on disk beside the model of it: the reader's hand changes both, runs are judged by it."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from obsidian_digest import wiring
from obsidian_digest.core.law.diff import unified
from obsidian_digest.model import Create, Plan, Update
from tests.law import files, judge
from tests.law.files import ENDINGS
from tests.law.links import Map, follows, retargeted
from tests.law.note import IDENTITY, OWNED, Note, cut, picked
from tests.vaults import Ran, call, contents, new_vault, recorded, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.render import Renderer

DAYS = ("2026-08-04", "2026-08-06", "2026-08-10", "2026-08-11", "2026-08-17")
"""Of three weeks: the third and the fifth find the themes of the week before put right."""
EACH_DAY, SHOWN = 9, 6
"""So many papers a day, and so many of them in its digest."""
SYNC = ".sync-conflict-20260820-101010-ABCDEFG"
COPIES = (" copy", " 1")
"""What programs add to the name of a copy they lay beside a note."""
STATE = ".obsidian-digest"
_HOME = "# Home\n\n[[MOC-Research]] and [my interests](Research%20interests.md)\n"


def pools() -> Iterator[tuple[str, list[dict]]]:
    """Small mailings on one subject; each shares a paper with the day before, revised."""
    rows = [json.loads(line) for line in recorded()]
    rows = [row for row in rows if "agent" in row["title"].lower()]
    for number, day in enumerate(DAYS):
        papers = [_short(row, day) for row in rows[number * EACH_DAY : (number + 1) * EACH_DAY]]
        if number:
            papers.append({**_short(rows[number * EACH_DAY - 1], day), "version": 2})
        yield day, papers


def _short(row: dict, day: str) -> dict:
    return {**row, "abstract": ". ".join(row["abstract"].split(". ")[:3]), "announced": day}


def lay_out(root: Path) -> Path:
    """A vault after two days, with the files of all days beside it; made once, to be copied."""
    for day, papers in pools():
        lines = "".join(f"{json.dumps(paper)}\n" for paper in papers)
        (root / f"{day}.jsonl").write_text(lines, "utf-8")
    vault = new_vault(root, encoder="words")
    (vault / "Home.md").write_text(_HOME)
    for day in DAYS[:2]:
        ran = World(root).call(*asked(root, day, SHOWN))
        assert ran.code == 0, ran.err or ran.out
    return vault


def asked(root: Path, day: str, top: int) -> tuple[str, ...]:
    """The words of a run."""
    file = str(root / f"{day}.jsonl")
    return ("run", "--from-file", file, "--top", str(top), "--min-stars", "0", "--json")


_make_renderer = wiring.renderer


@lru_cache
def _renderer(_root: Path, config: Config) -> Renderer:
    """The shipped templates, compiled once rather than for every run."""
    return _make_renderer(Path(__file__).parent, config)


@dataclass
class Step:
    """What one run did, for undo."""

    changed: dict[str, tuple[bytes | None, bytes, Note]] = field(default_factory=dict)
    """By path: the bytes before (None: no note) and after, and the note as it was or was born."""
    files: dict[str, tuple[bytes | None, bytes]] = field(default_factory=dict)
    """The same of files that are no notes."""


@dataclass
class World:
    """The vault and what its reader must still have."""

    root: Path
    notes: list[Note] = field(default_factory=list)
    others: dict[str, bytes] = field(default_factory=dict)
    """Files that are no notes."""
    drawn: set[str] = field(default_factory=set)
    """Those of them that are ours: pictures and canvases that the reader has not changed."""
    deleted: set[tuple[str, str]] = field(default_factory=set)
    history: list[Step] = field(default_factory=list)
    renamed: bool = False
    """Whether a theme was renamed outside the app since the last run."""
    after: dict[str, bytes] = field(default_factory=dict)
    """What the last run left."""

    @property
    def vault(self) -> Path:
        return self.root / "vault"

    @classmethod
    def copied(cls, prepared: Path, root: Path) -> World:
        shutil.copytree(prepared.parent, root, dirs_exist_ok=True)
        shutil.rmtree(root / "vault" / STATE / "undo", ignore_errors=True)
        world = cls(root)
        for path, raw in contents(world.vault).items():
            if path.endswith(".md"):
                world.notes.append(cut(*identity(path, raw), path, raw))
            else:
                world.others[path] = raw
                world.drawn |= {path} if path.endswith(ENDINGS) else set()
        return world

    # What is there

    def ours(self, kind: str = "") -> list[Note]:
        return [n for n in self.notes if n.kind in OWNED and kind in ("", n.kind)]

    def good(self, kind: str = "") -> list[Note]:
        """Notes of ours that may be written into."""
        return [note for note in self.ours(kind) if not self.reasons(note)]

    def reasons(self, note: Note) -> set[str]:
        """Why no byte of the note may change."""
        return note.hands_off() | (self._doubled(note) if note.kind != "own" else set())

    def _doubled(self, note: Note) -> set[str]:
        same = [n for n in self.notes if (n.kind, n.key) == (note.kind, note.key)]
        same = [n for n in same if "foreign" not in n.hands_off()]
        proper = [n for n in same if not n.nameless] or same
        if note.stem.endswith(SYNC) and note in same:
            return {"conflict"}
        if note not in proper:
            return set()
        originals = [n for n in proper if not _copied(n, proper)]
        if note not in originals:
            return {"conflict", "doubled"}
        return {"doubled"} if len(originals) > 1 else set()

    def is_a_copy(self, note: Note) -> bool:
        """Whether it is a copy that a program laid beside a note."""
        same = [n for n in self.notes if (n.kind, n.key) == (note.kind, note.key)]
        return _copied(note, same)

    def strange(self) -> bool:
        """Whether one of our links may lead to what is no note of ours any more."""
        return any(note.lost for note in self.notes)

    def taken(self, path: str) -> bool:
        return path.lower() in {note.path.lower() for note in self.notes}

    def map(self, paths: Iterable[str]) -> Map:
        form = json.loads(self.others.get(".obsidian/app.json", b"{}"))
        return Map(paths, relative=form.get("newLinkFormat") == "relative")

    def disk(self) -> dict[str, bytes]:
        return contents(self.vault)

    def look(self) -> None:
        """The model and the disk are one."""
        wanted = {note.path: note.raw for note in self.notes} | self.others
        disk = self.disk()
        assert disk.keys() == wanted.keys(), disk.keys() ^ wanted.keys()
        for path, raw in wanted.items():
            assert disk[path] == raw, path

    # What the reader does

    def put(self, note: Note) -> None:
        """Writes the note as its reader left it."""
        note.tidy()
        path = self.vault / note.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(note.raw)

    def own(self, path: str, text: str, key: str = "") -> None:
        """He writes a note of his own, where there is none."""
        if not self.taken(path):
            self.notes.append(cut("own", key or path, path, text.encode()))
            self.put(self.notes[-1])

    def delete(self, note: Note) -> None:
        (self.vault / note.path).unlink()
        self.notes.remove(note)
        if not any((n.kind, n.key) == (note.kind, note.key) for n in self.notes):
            self.deleted.add((note.kind, note.key))

    def move(self, moved: dict[str, str], *, inside: bool) -> None:
        """Renames or moves notes: in Obsidian, which rewrites every link to them, or outside."""
        old = self.map(note.path for note in self.notes)
        was = {id(note): note.path for note in self.notes}
        for note in self.notes:
            if note.path in moved:
                target = self.vault / moved[note.path]
                target.parent.mkdir(parents=True, exist_ok=True)
                (self.vault / note.path).rename(target)
                note.path = moved[note.path]
                self.renamed |= note.kind == "theme" and not inside
        new = self.map(note.path for note in self.notes)
        for note in self.notes if inside else []:
            if _relink(note, follows(old, new, moved, was[id(note)])):
                self.put(note)

    def set_up(self, file: str, value: object) -> None:
        """He changes the app's own settings."""
        self.others[f".obsidian/{file}"] = raw = json.dumps(value).encode()
        (self.vault / ".obsidian" / file).write_bytes(raw)

    def lose_state(self) -> None:
        """Another machine, or a reader who cleans up: the working state is gone."""
        shutil.rmtree(self.vault / STATE, ignore_errors=True)
        self.history.clear()

    # What the package does

    def call(self, *words: str) -> Ran:
        with patch("os.fsync"), patch.object(wiring, "renderer", _renderer):
            return call(self.vault, *words)

    def run(self, day: str, top: int) -> dict:
        """One run, judged; the same run again must write nothing."""
        before = self.disk()
        words = asked(self.root, day, top)
        ran = self.call(*words)
        if ran.code == judge.BUSY:
            judge.refused(self, before, ran)
            words = (*words, "--accept-deletions")
            ran = self.call(*words)
        assert ran.code == 0, ran.err or ran.out
        self.after = self.disk()
        judge.judge(self, before, self.after, ran.json, day)
        # A paper that may not be written keeps its theme's old name, which is known one run longer.
        if self.renamed and len(self.good("paper")) < len(self.ours("paper")):
            before, settled = self.disk(), self.call(*words)
            judge.judge(self, before, self.disk(), settled.json, day)
        self.renamed = False
        self._again(words)
        return ran.json

    def write_notes(self, *words: str) -> dict:
        """A verb that writes notes of its own kind, judged; the same again must write nothing."""
        before, words = self.disk(), (*words, "--json")
        ran = self.call(*words)
        assert ran.code == 0, ran.err or ran.out
        if ran.json["note"]:
            judge.judge(self, before, self.disk(), ran.json)
        assert ran.json["note"] or self.disk() == before
        self._again(words)
        return ran.json

    def _again(self, words: tuple[str, ...]) -> None:
        stamps = self.stamps()
        ran = self.call(*words)
        assert ran.code == 0, ran.err
        told = ran.json["notes"]
        assert told["created"] == told["updated"] == [], told
        assert self.stamps() == stamps, "a second run wrote"

    def stamps(self) -> dict[str, int]:
        settle(self.vault)
        return {path: (self.vault / path).stat().st_mtime_ns for path in self.disk()}

    def rehearse(self, day: str, top: int) -> None:
        """A dry run changes nothing and shows exactly what the run then does."""
        before, stamps = self.disk(), self.stamps()
        words = [word for word in asked(self.root, day, top) if word != "--json"]
        shown = self.call(*words, "--dry-run", "--accept-deletions")
        assert shown.code == 0, shown.err
        assert (self.disk(), self.stamps()) == (before, stamps), "a dry run wrote"
        self.run(day, top)
        blocks = []
        for path, after in self.after.items():
            if path not in before:
                blocks.append(unified(Plan((Create(path, after),))))
            elif before[path] != after:
                blocks.append(unified(Plan((Update(path, before[path], after),))))
        assert all(block in shown.out for block in blocks)
        assert len(shown.out) == sum(map(len, blocks)), "the dry run showed more"

    def undo(self) -> None:
        """Takes the last run back: all its bytes but for what the reader has touched since."""
        disk = self.disk()
        step = self.history.pop() if self.history else Step()
        expected, shown = dict(disk), self._left(step, disk)
        for path, (before, after, note) in step.changed.items():
            if disk.get(path) != after or (before is None and note.key.replace(".", "-") in shown):
                continue
            self.notes = [each for each in self.notes if each.path != path]
            if before is None:
                del expected[path]
                self.deleted.discard((note.kind, note.key))
            else:
                expected[path] = before
                self.notes.append(note)
        files.take_back(self, step, disk, expected)
        ran = self.call("undo", "--json")
        assert ran.code == 0, ran.err
        found = self.disk()
        assert found.keys() == expected.keys(), found.keys() ^ expected.keys()
        assert found == expected

    def _left(self, step: Step, disk: dict[str, bytes]) -> set[str]:
        """The papers that digests of the run show which he changed or moved since."""
        paths = set()
        for path, (before, after, note) in step.changed.items():
            same = {n.path for n in self.notes if (n.kind, n.key) == (note.kind, note.key)}
            touched = disk.get(path) not in (after, before)
            paths |= ({path} if path in disk else same) if touched else set()
        return {key for note in self.notes if note.path in paths for key in picked(note.text)}


def identity(path: str, raw: bytes) -> tuple[str, str]:
    """What the note is found by, read from its own lines."""
    text = raw.decode()
    for kind, name in IDENTITY.items():
        for line in text.split("\n"):
            if line.startswith(f"{name}: "):
                return kind, line.partition(": ")[2].strip('"')
    for kind in ("moc", "score"):
        if f"digest:begin {kind}" in text:
            return kind, kind
    return "own", path


def _copied(note: Note, same: list[Note]) -> bool:
    return note.stem.endswith(SYNC) or any(
        note.stem == f"{other.stem}{suffix}" for other in same for suffix in COPIES
    )


def _relink(note: Note, change: Callable[[str], str | None]) -> bool:
    before = note.text
    for part in note.parts:
        part.text = retargeted(part.text, change)
    return note.text != before
