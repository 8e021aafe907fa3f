"""The reader's own notes in a vault: which are taken in, and that none of them stops a run."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from obsidian_digest.edge.vault import VaultFolder
from obsidian_digest.model import OwnNote
from tests.edge.test_vault_reading import PAPER, needs_links


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    return root


@pytest.fixture
def vault(root: Path) -> VaultFolder:
    folder = VaultFolder(
        root, moc="MOC", interests="Interests", folders=["arXiv"], corpus=["Projects"]
    )
    folder.settled, folder.patience = 0.0, 0.5
    return folder


def write(root: Path, path: str, raw: bytes) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(raw)


def test_every_note_that_is_not_ours_is_an_own_note_by_path(root: Path, vault: VaultFolder):
    write(root, "b.md", b"[[a]]")
    write(root, "Projects/Plan.md", b"---\nalias: P\n---\n# Plan\nfor [[a|agents]]\n")
    write(root, "a.md", b"nothing")
    write(root, "arXiv/A title - 2608-00001.md", PAPER)
    write(root, "Interests.md", b"## x\n[[a]]")
    write(root, "MOC.md", b"%% digest:begin moc v1 seal=00000000 %%\n%% digest:end moc %%\n")
    write(root, "picture.png", b"\x89PNG [[a]]")
    assert vault.snapshot().own == (
        OwnNote("Projects/Plan.md", ("P",), ("a",), "Plan for agents"),
        OwnNote("a.md"),
        OwnNote("b.md", (), ("a",)),
    )


def test_a_note_of_the_readers_about_one_paper_is_an_own_note_that_links_to_it(root, vault):
    write(root, "Reading.md", b"---\narxiv_id: '2608.00001'\n---\nGood, see [[a]].\n")
    write(root, "arXiv/A title - 2608-00001.md", PAPER)
    snapshot = vault.snapshot()
    assert snapshot.own == (OwnNote("Reading.md", (), ("a", "2608.00001")),)
    assert [note.path for note in snapshot.notes] == ["arXiv/A title - 2608-00001.md"]


def test_what_we_write_into_a_daily_note_is_not_the_readers(root: Path, vault: VaultFolder):
    ours = b"%% digest:begin daily v1 seal=00000000 %%\n[[b]]\n%% digest:end daily %%\n"
    write(root, "2026-08-20.md", b"[[a]]\n\n" + ours)
    assert vault.snapshot().own == (OwnNote("2026-08-20.md", (), ("a",)),)


@needs_links
def test_a_linked_note_is_read_where_it_lies_only(root: Path, vault: VaultFolder, tmp_path: Path):
    write(tmp_path, "outside.md", b"[[secret]]")
    write(root, "a.md", b"[[x]]")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "in.md").symlink_to(root / "a.md")
    (root / "gone.md").symlink_to(root / "nowhere.md")
    assert vault.snapshot().own == (OwnNote("a.md", (), ("x",)),)


def test_evicted_and_unfinished_notes_of_his_stop_no_run(root: Path, vault: VaultFolder):
    write(root, ".far.md.icloud", b"placeholder")
    write(root, "fresh.md", b"[[x]]")
    vault.settled, vault.patience = 60.0, 0.2
    os.utime(root / "fresh.md", (time.time(), time.time()))
    assert vault.snapshot().own == (OwnNote("fresh.md", (), ("x",)),)


def test_a_note_that_may_not_be_read_is_passed_by(root: Path, vault: VaultFolder, monkeypatch):
    write(root, "locked.md", b"[[x]]")
    write(root, "a.md", b"[[y]]")
    read = Path.read_bytes

    def refused(self: Path) -> bytes:
        if self.name == "locked.md":
            raise PermissionError(13, "Permission denied")
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert vault.snapshot().own == (OwnNote("a.md", (), ("y",)),)


def test_odd_bytes_harm_nothing(root: Path, vault: VaultFolder):
    write(root, "Projects/binary.md", b"\x00\x01\x02[[x]]" * 1000)
    write(root, "Projects/empty.md", b"")
    write(root, "Projects/latin.md", b"caf\xe9 [[x]]")
    write(root, "Projects/huge.md", b"[[first]]\n" + b"words and words\n" * 200_000 + b"[[last]]")
    write(root, "Projects/header.md", b"---\naliases: [x\n---\n[[x]]")
    own = {note.path: note for note in vault.snapshot().own}
    assert "Projects/binary.md" not in own
    assert own["Projects/empty.md"] == OwnNote("Projects/empty.md")
    assert own["Projects/latin.md"].links == ("x",)
    assert own["Projects/huge.md"].links == ("first",)
    assert own["Projects/header.md"] == OwnNote("Projects/header.md", (), ("x",), "x")
