"""Vaults of hostile and of nasty papers, made once for all workers of a test session."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from obsidian_digest.note import kinds
from tests.vaults import call, new_vault, notes, stamps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from obsidian_digest.model import NoteFile

MOC = "MOC-Research"


@dataclass(frozen=True)
class Made:
    """A vault after two runs over the same papers."""

    vault: Path
    papers: tuple[dict[str, Any], ...]
    first: dict[str, Any]
    """What the first run reported."""
    second: dict[str, Any]
    touched: list[str]
    """Files that the second run wrote."""

    @cached_property
    def texts(self) -> dict[str, str]:
        """Text of every note, by path."""
        return notes(self.vault)

    @cached_property
    def ours(self) -> dict[str, NoteFile]:
        """The notes that the tool takes for its own, by path."""
        found = {
            path: kinds.classify(path, text.encode(), MOC) for path, text in self.texts.items()
        }
        return {path: note for path, note in found.items() if note}

    @cached_property
    def paper_notes(self) -> dict[str, NoteFile]:
        """The papers' notes, by id."""
        return {note.key: note for note in self.ours.values() if note.kind == "paper"}


def made(
    folder: Path, name: str, papers: Sequence[dict[str, Any]], settings: Mapping[str, object]
) -> Made:
    """The vault of this name, made by the first worker that asks for it.

    `settings` are Obsidian's own (`app.json`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{name}.lock"):
        report = folder / f"{name}.json"
        if not report.is_file():
            report.write_text(json.dumps(_run_twice(folder / name, papers, settings)))
        vault = folder / name / "vault"
    return Made(vault, tuple(papers), **json.loads(report.read_text()))


def _run_twice(
    root: Path, papers: Sequence[dict[str, Any]], settings: Mapping[str, object]
) -> dict[str, Any]:
    root.mkdir()
    vault = new_vault(root, encoder="words")
    (vault / ".obsidian" / "app.json").write_text(json.dumps(settings))
    lines = root / "papers.jsonl"
    lines.write_text("".join(json.dumps(paper) + "\n" for paper in papers))
    words = ("run", "--from-file", str(lines), "--min-stars", "0", "--top", "2000", "--json")
    first = call(vault, *words)
    assert call(vault, "week").code == 0
    before = stamps(vault)
    second = call(vault, *words)
    after = stamps(vault)
    touched = sorted(name for name in before | after if before.get(name) != after.get(name))
    return {"first": first.json, "second": second.json, "touched": touched}
